/**
 * Sessions that nobody will end, because the agent crashed, its window was closed, or its daemon is still running.
 *
 * Timed out is not a phase and is never stored: it is computed from the current time when needed. For condensation,
 * such a session counts as ended. It continues as usual if it gives a sign of life after all.
 */

import type { Instant } from '../event/instant.ts'
import { instantToMillis, millisOf } from '../event/instant.ts'
import type { ProcessIdentity, SessionState } from './session-state.ts'
import { isOpenTurn } from './session-state.ts'

/** How long a commit waits for a sign of life, in milliseconds. */
export const POST_COMMIT_TTL = 2 * 60_000

/** How long a general cleanup waits, in milliseconds. */
export const CLEAN_UP_TTL = 30 * 60_000

/** How long the work of an ended session waits for a commit, in milliseconds. */
export const WORK_TTL = 7 * 24 * 60 * 60_000

/** How long a session may be silent if its process does not show whether it is alive, in milliseconds. */
export const SILENT_TTL = 24 * 60 * 60_000

/**
 * The state of the process that a session belongs to. `daemon`: it is alive, but outlives its sessions, so it proves
 * nothing. `unknown`: it is in another container or on another host, predates a restart, or was never recorded.
 */
export type OwnerLife = 'alive' | 'daemon' | 'gone' | 'unknown'

/**
 * True if nobody will end the session. During a turn: its owner is gone or unknown, and no hook has run for more than
 * `ttl` milliseconds. Between turns: its owner is gone, which is conclusive. If the owner is a daemon, or is unknown
 * between turns, the session times out after a day without hooks.
 *
 * Clocks jump. A last sign up to `ttl` ahead of `now` is a sign of life. One further ahead counts like an equally old
 * one; otherwise a session written by a clock in 2099 would never end.
 */
export function isTimedOut(
  state: Pick<SessionState, 'phase' | 'lastSignOfLife'>,
  now: Instant,
  ttl: number,
  owner: OwnerLife,
): boolean {
  if (state.phase === 'ended' || owner === 'alive') return false
  if (state.phase === 'idle' && owner === 'gone') return true
  const isTurn = isOpenTurn(state) && owner !== 'daemon'
  return isLongAgo(state.lastSignOfLife, now, isTurn ? ttl : Math.max(ttl, SILENT_TTL))
}

/**
 * True for a late end of an earlier run: it comes from a process other than the one in which the session continues, or
 * the owner is a daemon, which ends no session during a turn.
 */
export function isLateEnd(
  state: Pick<SessionState, 'phase' | 'owner'>,
  owner: OwnerLife,
  reporter: ProcessIdentity | undefined,
): boolean {
  if (owner === 'daemon') return isOpenTurn(state)
  return owner === 'alive' && reporter !== undefined && reporter.pid !== state.owner?.pid
}

/** True if the session ended more than `ttl` milliseconds ago. */
export function isLongOver(
  { phase, endedAt }: Pick<SessionState, 'phase' | 'endedAt'>,
  now: Instant,
  ttl: number,
): boolean {
  return phase === 'ended' && isLongAgo(endedAt ?? '', now, ttl)
}

function isLongAgo(when: string, now: Instant, ttl: number): boolean {
  const then = millisOf(when)
  return then === undefined || Math.abs(instantToMillis(now) - then) > ttl
}
