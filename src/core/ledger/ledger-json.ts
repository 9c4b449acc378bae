/** The documented `--json` format of a ledger (`docs/commands.md`). Texts are neither escaped nor cut. */

import { formatInstant } from '../event/instant.ts'
import type { Ledger } from './join.ts'
import type { Attributed } from './join-state.ts'
import { problemText } from '../event/problem.ts'
import { CURRENT_FORMAT } from './provenance.ts'

/** Converts a ledger to JSON. `eventsTree` is the git tree of `events/` from which it was joined. */
export function ledgerToJson(ledger: Ledger, eventsTree: string) {
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

function register(said: Attributed<string> | undefined) {
  return said === undefined ? null : { value: said.value, ...who(said.by) }
}

function who(by: Attributed<unknown>['by']) {
  return { ts: formatInstant(by.ts), agent: by.agent, branch: by.branch ?? null }
}
