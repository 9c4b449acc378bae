/** Who works in a worktree: sessions that hooks follow, and agents that are known only from events. */

import { compareBytes, compareEvents } from '../event/event.ts'
import type { Instant } from '../event/instant.ts'
import { formatInstant, parseInstant } from '../event/instant.ts'
import type { Attributed } from '../ledger/join-state.ts'
import { foldAgents } from '../ledger/lanes.ts'
import type { AgentPhase, FleetAgent } from './fleet.ts'
import type { EventFact, FleetFacts, SessionFacts, WorktreeFacts } from './fleet-facts.ts'

/** What an agent last reported to be doing on a branch. */
type Row = Attributed<string>

interface Said {
  readonly value: string
  readonly ts: Instant
}

/** The agents of a worktree, latest sign of life first. Finished sessions are left out. */
export function agentsAtWork(
  worktree: WorktreeFacts,
  { sessions, events }: Pick<FleetFacts, 'sessions' | 'events'>,
): FleetAgent[] {
  const rows = rowsOf(worktree)
  const here = sessions.filter(({ state }) => state.worktree.path === worktree.path)
  const open = here.filter(({ isFinished }) => !isFinished)
  const names = new Set(open.map(agentName))
  const fromEvents = [...rows.values()].filter(({ by }) => !names.has(by.agent))
  return [
    ...open.map((session) => {
      const row = rows.get(agentName(session))
      return fromSession(session, row && saidBy(session, row, worktree, { open, events }))
    }),
    ...fromEvents.map((row) => fromRow(row, here)),
  ].sort(
    (a, b) =>
      compareBytes(b.last_sign ?? '', a.last_sign ?? '') ||
      compareBytes(a.agent, b.agent) ||
      compareBytes(a.session ?? '', b.session ?? ''),
  )
}

/** The session's own name, if it has one (two sessions of one agent on a branch), else the agent's. */
export function agentName({ state }: SessionFacts): string {
  return state.name ?? state.agent
}

export function phaseOf({ state, isTimedOut }: SessionFacts): AgentPhase {
  if (state.isLeftBehind) return 'left_behind'
  return isTimedOut ? 'timed_out' : state.phase
}

/** The newest row of each agent with an event on the worktree's branch, or with a pending event here. */
function rowsOf({ branch, ledger, pending = [] }: WorktreeFacts): Map<string, Row> {
  const files = new Set(pending)
  const rows = new Map<string, Row>()
  for (const row of ledger === undefined ? [] : foldAgents(ledger.state.sections)) {
    const isHere = (branch !== undefined && row.by.branch === branch) || files.has(row.by.file)
    // Rows are in event order, so a later row of another stream replaces an earlier one.
    if (isHere && !row.isResting) rows.set(row.by.agent, row)
  }
  return rows
}

/** The row's words. If the row is another session's, this session's own last words, which may be none. */
function saidBy(
  { state: { id } }: SessionFacts,
  { value, by }: Row,
  { ledger }: WorktreeFacts,
  { open, events }: { open: readonly SessionFacts[]; events: readonly EventFact[] },
): Said | undefined {
  const others = events.flatMap(({ event: { file, session } }) =>
    file === by.file && session !== id ? (session ?? []) : [],
  )
  const own = events
    .flatMap(({ event }) => (event.session === id && event.now !== undefined ? event : []))
    .filter(({ file }) => ledger?.state.retracted.has(file) !== true)
    .toSorted(compareEvents)
    .at(-1)
  const isShown = open.some(({ state }) => others.includes(state.id))
  if (others.length === 0 || (own === undefined && !isShown)) return { value, ts: by.ts }
  return own && { value: own.now ?? '', ts: own.ts }
}

/** What the session is doing: from its own event, else from the to-do in progress, else from the agent's last event. */
function fromSession(session: SessionFacts, row: Said | undefined): FleetAgent {
  const { state, context = null } = session
  const started = instantOf(state.startedAt)
  const isOwn = row !== undefined && (started === undefined || row.ts >= started)
  const todo = state.todos.find(({ status }) => status === 'in_progress')?.text
  const said = isOwn || todo === undefined ? row : undefined
  const sign = shownInstant(state.lastSignOfLife)
  return {
    agent: agentName(session),
    session: state.id,
    phase: phaseOf(session),
    now: said?.value ?? todo ?? null,
    now_since: said !== undefined ? formatInstant(said.ts) : todo === undefined ? null : sign,
    last_sign: sign,
    context,
  }
}

/** An agent known only from events. Its phase is `ended` if its session is finished, else unknown. */
function fromRow({ value, by }: Row, here: readonly SessionFacts[]): FleetAgent {
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

/** Null for a text that is not an instant. */
export function shownInstant(text: string): string | null {
  const instant = instantOf(text)
  return instant === undefined ? null : formatInstant(instant)
}

export function instantOf(text: string): Instant | undefined {
  return parseInstant(text)?.instant
}
