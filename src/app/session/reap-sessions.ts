/**
 * Cleans up sessions that nobody will follow any more. Runs at the start of a session and in a clean-up:
 * - waiting commits get their checkpoint;
 * - a session that timed out is ended;
 * - a session whose work will never be committed is abandoned, so that commits need not examine it.
 *
 * Nothing is lost: the conversation becomes a checkpoint, and files that no commit holds stay in the shadow
 * data until somebody resets the session.
 */

import { withEndUntold, withLeftBehind } from '../../core/session/change-session.ts'
import { committableFiles } from '../../core/checkpoint/condensation.ts'
import { CLEAN_UP_TTL, isLongOver, isTimedOut, WORK_TTL } from '../../core/session/liveness.ts'
import type { SessionState } from '../../core/session/session-state.ts'
import { hasWork, isUnsettled, mayOwe } from '../../core/session/session-state.ts'
import type { Instant } from '../../core/event/instant.ts'
import { instantFromMillis } from '../../core/event/instant.ts'
import { carryForward, removeSpentChains } from '../shadow/shadow-moves.ts'
import { versionsNow } from '../shadow/collect-files.ts'
import { touchedVersions } from '../shadow/shadow-files.ts'
import { changesOfIndex, treeOfHead } from '../checkpoint/read-commit.ts'
import { versionsIn } from '../shadow/git-trees.ts'
import { changeSession, LOCK_TIMEOUT_MS } from './change-session.ts'
import { condense, followMissedCommits, followSession } from './follow-session.ts'

import type { SessionContext } from '../shadow/session-context.ts'
import {
  hasTimedOut,
  headOf,
  isHere,
  nowText,
  ownerLife,
  quietly,
} from '../shadow/session-context.ts'

/** Where a session's worktree is: here, elsewhere, or removed. */
type Place = 'here' | 'elsewhere' | 'gone'

export interface Reaping {
  /** The session that is starting, which is not reaped. */
  readonly except?: string
  /** Leave the events pending instead of committing them. */
  readonly isPending: boolean
  /** A person asked for it: an open turn whose process is gone is ended at once. */
  readonly isAsked?: boolean
}

export async function reapSessions(context: SessionContext, reaping: Reaping): Promise<void> {
  for (const one of context.sessions.listOpen()) {
    const place = placeOf(context, one)
    if (one.id === reaping.except || !mayBeReaped(context, one, place, reaping)) continue
    const reap = async (state: SessionState | undefined) =>
      state && reapSession(context, state, place, reaping)
    await quietly(context, `session ${one.id}: not followed`, () =>
      changeSession(context, one.id, reap, LOCK_TIMEOUT_MS),
    )
  }
  await removeSpentChains(context)
}

/** Sessions of this worktree and of removed worktrees that nobody will end. */
export function unendedSessions(context: SessionContext, isAsked = false): string[] {
  const isReached = (one: SessionState) => placeOf(context, one) !== 'elsewhere'
  return context.sessions
    .listOpen()
    .flatMap((one) => (isReached(one) && isUnended(context, one, isAsked) ? [one.id] : []))
}

function isUnended(context: SessionContext, state: SessionState, isAsked = false): boolean {
  const isGone = () => ownerLife(context.processes, state) === 'gone'
  return hasTimedOut(context, state, CLEAN_UP_TTL) || (isAsked && isGone())
}

/** Reaps in a separate process, so that a commit or a push does not wait. */
export function reapApart(context: SessionContext): void {
  if (unendedSessions(context).length > 0) context.startErrand('--reap')
}

function placeOf(context: SessionContext, state: SessionState): Place {
  if (isHere(context, state)) return 'here'
  return context.hasWorktree(state.worktree.name) ? 'elsewhere' : 'gone'
}

/** Checked without the lock, because most sessions have nothing to settle. */
function mayBeReaped(
  context: SessionContext,
  state: SessionState,
  place: Place,
  { isAsked }: Reaping,
): boolean {
  if (isOver(context, state, CLEAN_UP_TTL)) return true
  if (place === 'elsewhere') return false
  return isUnsettled(state) || mayOwe(state) || isUnended(context, state, isAsked)
}

async function reapSession(
  context: SessionContext,
  before: SessionState,
  place: Place,
  { isPending, isAsked }: Reaping,
): Promise<SessionState | undefined> {
  const state = place === 'elsewhere' ? before : await followMissedCommits(context, before)
  if (place === 'elsewhere' || !isUnended(context, state, isAsked)) {
    const isHeld = place === 'elsewhere' || !isUnsettled(state)
    return abandon(context, isHeld ? state : await condense(context, state), place)
  }
  const ended = await (place === 'here' ? endHere : endGone)(context, state)
  const since = before.lastSignOfLife
  const report = { reason: 'timed out', since, isPending, isByOthers: true }
  if (ended === undefined) return undefined
  const { reportSession } = await import('../report/report-session.ts')
  const told = await reportSession(context, ended, report)
  if (told !== undefined) return told
  // Somebody may mend what prevents the event, but a session must end some day.
  const isLong = isTimedOut({ ...before, phase: 'idle' }, nowOf(context), WORK_TTL, 'unknown')
  return isLong ? ended : withEndUntold(ended, before)
}

function endHere(context: SessionContext, state: SessionState): Promise<SessionState | undefined> {
  return followSession(context, state, { type: 'session_end' })
}

/** The session's files are gone with the worktree: only what it saved last is left. */
function endGone(context: SessionContext, state: SessionState): Promise<SessionState> {
  const ended = { ...state, phase: 'ended', endedAt: nowText(context), owner: undefined } as const
  return isUnsettled(ended) ? condense(context, ended) : Promise.resolve(ended)
}

/** Undefined if the session produced nothing. */
async function abandon(
  context: SessionContext,
  state: SessionState,
  place: Place,
): Promise<SessionState | undefined> {
  if (!isOver(context, state, CLEAN_UP_TTL) || state.awaiting.length > 0) return state
  if (!hasWork(state)) {
    await carryForward(context, state, { base: await headOf(context, state), files: [] })
    return undefined
  }
  if (!isOver(context, state, WORK_TTL) && (await mayBeCommitted(context, state, place)))
    return state
  const { steps, prompts, pendingCheckpoint, lastCheckpoint } = state
  const hasNews = steps > 0 || prompts.length > 0 || pendingCheckpoint !== undefined
  const done = hasNews ? await condense(context, state) : state
  // The checkpoint could not be written: the next session start tries again.
  if (hasNews && done.lastCheckpoint === lastCheckpoint) return done
  context.log(`session ${state.id}: left behind`)
  return withLeftBehind(done)
}

/** When in doubt, returns true. */
async function mayBeCommitted(
  context: SessionContext,
  state: SessionState,
  place: Place,
): Promise<boolean> {
  if (place !== 'here') return place === 'elsewhere'
  if (state.hasMoreFiles || (await context.refs.read('refs/stash')) !== undefined) return true
  const touched = await touchedVersions(context, state)
  const paths = touched.map(({ path }) => path)
  const index = (await changesOfIndex(context)).map(({ path, after }) => ({ path, blob: after }))
  const worktree = await versionsNow(context, paths, () => true)
  const head = await versionsIn(context.repository, await treeOfHead(context.repository), paths)
  return committableFiles(touched, [index, worktree], head).length > 0
}

function isOver(context: SessionContext, state: SessionState, ttl: number): boolean {
  return isLongOver(state, nowOf(context), ttl)
}

function nowOf({ clock }: SessionContext): Instant {
  return instantFromMillis(clock.now())
}
