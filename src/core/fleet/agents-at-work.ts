/** Who works in a worktree: sessions that hooks follow, and agents that only events tell of. */

import { compareBytes } from '../event/event.ts'
import type { Instant } from '../event/instant.ts'
import { formatInstant, parseInstant } from '../event/instant.ts'
import type { Attributed } from '../ledger/join-state.ts'
import { foldAgents } from '../ledger/lanes.ts'
import type { AgentPhase, FleetAgent } from './fleet.ts'
import type { SessionFacts, WorktreeFacts } from './fleet-facts.ts'

/** What an agent was last heard to do on a branch. */
type Row = Attributed<string>

/** The last sign of life first. Sessions are those of this worktree that are not finished. */
export function agentsAtWork(
  worktree: WorktreeFacts,
  sessions: readonly SessionFacts[],
): FleetAgent[] {
  const rows = rowsOf(worktree)
  const here = sessions.filter(({ state }) => state.worktree.path === worktree.path)
  const open = here.filter(({ isFinished }) => !isFinished)
  const names = new Set(open.map(agentName))
  const told = [...rows.values()].filter(({ by }) => !names.has(by.agent))
  return [
    ...open.map((session) => ofSession(session, rows.get(agentName(session)))),
    ...told.map((row) => ofRow(row, here)),
  ].sort(
    (a, b) =>
      compareBytes(b.last_sign ?? '', a.last_sign ?? '') ||
      compareBytes(a.agent, b.agent) ||
      compareBytes(a.session ?? '', b.session ?? ''),
  )
}

export function agentName({ state }: SessionFacts): string {
  return state.name ?? state.agent
}

export function phaseOf({ state, isTimedOut }: SessionFacts): AgentPhase {
  if (state.isLeftBehind) return 'left_behind'
  return isTimedOut ? 'timed_out' : state.phase
}

/** The newest row of each agent that spoke on the worktree's branch, or whose event is pending here. */
function rowsOf({ branch, ledger, pending = [] }: WorktreeFacts): Map<string, Row> {
  const files = new Set(pending)
  const rows = new Map<string, Row>()
  for (const row of ledger === undefined ? [] : foldAgents(ledger.state.sections)) {
    const isHere = (branch !== undefined && row.by.branch === branch) || files.has(row.by.file)
    // In event order: a later one of another stream takes its place.
    if (isHere && !row.isResting) rows.set(row.by.agent, row)
  }
  return rows
}

/** Its own event tells what it does, else the to-do in hand, else what it was last heard to do. */
function ofSession(session: SessionFacts, row: Row | undefined): FleetAgent {
  const { state, context = null } = session
  const started = instantOf(state.startedAt)
  const isOwn = row !== undefined && (started === undefined || row.by.ts >= started)
  const todo = state.todos.find(({ status }) => status === 'in_progress')?.text
  const said = isOwn || todo === undefined ? row : undefined
  const sign = shownInstant(state.lastSignOfLife)
  return {
    agent: agentName(session),
    session: state.id,
    phase: phaseOf(session),
    now: said?.value ?? todo ?? null,
    now_since: said !== undefined ? formatInstant(said.by.ts) : todo === undefined ? null : sign,
    last_sign: sign,
    context,
  }
}

/** Where its session is over, that is known. */
function ofRow({ value, by }: Row, here: readonly SessionFacts[]): FleetAgent {
  const isOver = here.some((session) => session.isFinished && agentName(session) === by.agent)
  const ts = formatInstant(by.ts)
  return {
    agent: by.agent,
    session: null,
    phase: isOver ? 'ended' : 'unknown',
    now: value,
    now_since: ts,
    last_sign: ts,
    context: null,
  }
}

/** Null for what is no instant. */
export function shownInstant(text: string): string | null {
  const instant = instantOf(text)
  return instant === undefined ? null : formatInstant(instant)
}

export function instantOf(text: string): Instant | undefined {
  return parseInstant(text)?.instant
}
