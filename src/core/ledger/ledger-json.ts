/** The documented `--json` shape of a ledger (`docs/commands.md`). Text is not escaped or cut. */

import type { DecisionValue } from '../event/event.ts'
import { formatInstant } from '../event/instant.ts'
import type { Ledger } from './join.ts'
import type { Attributed } from './join-state.ts'
import { problemText } from '../event/problem.ts'
import { CURRENT_FORMAT } from './provenance.ts'

export interface SaidJson<T> {
  readonly value: T
  readonly ts: string
  readonly agent: string
  readonly branch: string | null
}

export interface LedgerJson {
  readonly format: number
  readonly title: SaidJson<string> | null
  readonly goal: SaidJson<string> | null
  readonly test: SaidJson<string> | null
  readonly now: SaidJson<string> | null
  readonly this_session: readonly {
    text: string
    ts: string
    agent: string
    branch: string | null
  }[]
  readonly next: readonly {
    text: string
    ts: string
    agent: string
    branch: string | null
    stream: string | null
    resting: boolean
  }[]
  readonly decisions: Record<string, SaidJson<DecisionValue>>
  readonly checkpoints: readonly { phase: string; status: string; updated: string; agent: string }[]
  readonly open_questions: readonly { text: string; ts: string; agent: string }[]
  readonly agents: readonly {
    agent: string
    branch: string | null
    stream: string | null
    now: string
    ts: string
    resting: boolean
  }[]
  readonly meta: {
    readonly event_count: number
    readonly latest_ts: string | null
    readonly events_tree: string
    readonly skipped: readonly { file: string; problem: string }[]
  }
}

/** Projects a ledger to JSON; `eventsTree` is the git tree of `events/` it was joined from. */
export function ledgerToJson(ledger: Ledger, eventsTree: string): LedgerJson {
  return {
    format: CURRENT_FORMAT,
    title: register(ledger.title),
    goal: register(ledger.goal),
    test: register(ledger.test),
    now: register(ledger.now),
    this_session: ledger.thisSession.map(({ value, by }) => ({ text: value, ...who(by) })),
    next: ledger.next.map(({ value, by, isResting }) => ({
      text: value,
      ...who(by),
      stream: by.stream ?? null,
      resting: isResting,
    })),
    // fromEntries defines own properties, so a decision named `__proto__` is just a key.
    decisions: Object.fromEntries(
      ledger.decisions.map(({ value, by }) => [value.key, { value: value.value, ...who(by) }]),
    ),
    checkpoints: ledger.checkpoints.map(({ value, by }) => ({
      phase: value.phase,
      status: value.status,
      updated: formatInstant(value.updated),
      agent: by.agent,
    })),
    open_questions: ledger.openQuestions.map(({ value, by }) => ({
      text: value,
      ts: formatInstant(by.ts),
      agent: by.agent,
    })),
    agents: ledger.agents.map(({ value, by, isResting }) => ({
      agent: by.agent,
      branch: by.branch ?? null,
      stream: by.stream ?? null,
      now: value,
      ts: formatInstant(by.ts),
      resting: isResting,
    })),
    meta: {
      event_count: ledger.eventCount,
      latest_ts: ledger.latest === undefined ? null : formatInstant(ledger.latest),
      events_tree: eventsTree,
      skipped: ledger.skipped.map((problem) => ({
        file: problem.file,
        problem: problemText(problem),
      })),
    },
  }
}

function register(said: Attributed<string> | undefined): SaidJson<string> | null {
  return said === undefined ? null : { value: said.value, ...who(said.by) }
}

function who(by: Attributed<unknown>['by']): { ts: string; agent: string; branch: string | null } {
  return { ts: formatInstant(by.ts), agent: by.agent, branch: by.branch ?? null }
}
