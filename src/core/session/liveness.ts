/**
 * Sessions that nobody will end: the agent crashed, its window was closed, or its daemon lives on.
 *
 * Timed out is no phase and is never stored: it is asked, with a clock, when it matters. Such a session
 * counts as ended for condensation, and simply goes on when it gives a sign of life after all.
 */

import type { Instant } from '../event/instant.ts'
import { instantToMillis, millisOf } from '../event/instant.ts'
import type { Phase } from './phase.ts'
import type { ProcessIdentity } from './session-state.ts'

/** How long a commit waits for a sign of life, in milliseconds. */
export const POST_COMMIT_TTL = 2 * 60_000

/** How long a general clean-up waits, in milliseconds. */
export const CLEAN_UP_TTL = 30 * 60_000

/** How long the work of a session that ended waits for a commit, in milliseconds. */
export const WORK_TTL = 7 * 24 * 60 * 60_000

/** How long a session may say nothing where its process tells nothing of it, in milliseconds. */
export const SILENT_TTL = 24 * 60 * 60_000

/**
 * What is known of the process that a session belongs to. `daemon`: it lives, and outlives its sessions,
 * so that nobody need be there. `unknown`: of another container or host, of before a restart, or never known.
 */
export type OwnerLife = 'alive' | 'daemon' | 'gone' | 'unknown'

export interface LifeSigns {
  readonly phase: Phase
  /** ISO 8601; when any hook of the session last ran. */
  readonly lastSignOfLife: string
}

/**
 * True when nobody will end the session. With an open turn: its owner is gone or unknown, and no hook ran
 * for longer than `ttl` milliseconds. With none: its owner is gone, which is certain. A daemon, or an owner
 * that is unknown between turns, tells nothing: then it is a day without any hook.
 *
 * Clocks jump. A last sign up to `ttl` ahead of `now` is a sign of life; one further ahead is worth as
 * much as one that old, or a session written by a clock in 2099 would never end.
 */
export function isTimedOut(state: LifeSigns, now: Instant, ttl: number, owner: OwnerLife): boolean {
  if (state.phase === 'ended' || owner === 'alive') return false
  if (state.phase === 'idle' && owner === 'gone') return true
  const isOpenTurn = state.phase !== 'idle' && owner !== 'daemon'
  return isLongAgo(state.lastSignOfLife, now, isOpenTurn ? ttl : Math.max(ttl, SILENT_TTL))
}

/**
 * True for an end that is told of an earlier run, late: another process than the one that the session goes
 * on in, or a daemon, which ends no session while its turn is open.
 */
export function isLateEnd(
  state: { readonly phase: Phase; readonly owner: ProcessIdentity | undefined },
  owner: OwnerLife,
  teller: ProcessIdentity | undefined,
): boolean {
  if (owner === 'daemon') return state.phase === 'active' || state.phase === 'active_committed'
  return owner === 'alive' && teller !== undefined && teller.pid !== state.owner?.pid
}

/** True when the session ended, longer ago than `ttl` milliseconds. */
export function isLongOver(
  { phase, endedAt }: { readonly phase: Phase; readonly endedAt: string | undefined },
  now: Instant,
  ttl: number,
): boolean {
  return phase === 'ended' && isLongAgo(endedAt ?? '', now, ttl)
}

function isLongAgo(when: string, now: Instant, ttl: number): boolean {
  const then = millisOf(when)
  return then === undefined || Math.abs(instantToMillis(now) - then) > ttl
}
