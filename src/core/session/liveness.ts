/**
 * Sessions that nobody will end: the agent crashed, or its window was closed.
 *
 * Timed out is no phase and is never stored: it is asked, with a clock, when it matters. Such a session
 * counts as ended for condensation, and simply goes on when it gives a sign of life after all.
 */

import type { Instant } from '../ledger/instant.ts'
import { instantToMillis, parseInstant } from '../ledger/instant.ts'
import type { Phase } from './phase.ts'

/** How long a commit waits for a sign of life, in milliseconds. */
export const POST_COMMIT_TTL = 2 * 60_000

/** How long a general clean-up waits, in milliseconds. */
export const CLEAN_UP_TTL = 30 * 60_000

/** How long the work of a session that ended waits for a commit, in milliseconds. */
export const WORK_TTL = 7 * 24 * 60 * 60_000

export interface LifeSigns {
  readonly phase: Phase
  /** ISO 8601; when any hook of the session last ran. */
  readonly lastSignOfLife: string
}

/**
 * True when a turn is open, its owner process is gone or unknown, and no hook ran for longer than `ttl`
 * milliseconds.
 *
 * Clocks jump. A last sign up to `ttl` ahead of `now` is a sign of life; one further ahead is worth as
 * much as one that old, or a session written by a clock in 2099 would never end.
 */
export function isTimedOut(
  state: LifeSigns,
  now: Instant,
  ttl: number,
  ownerIsAlive: boolean,
): boolean {
  if (ownerIsAlive || (state.phase !== 'active' && state.phase !== 'active_committed')) return false
  return isLongAgo(state.lastSignOfLife, now, ttl)
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
  const then = parseInstant(when)
  if (then === undefined) return true
  return Math.abs(instantToMillis(now) - instantToMillis(then.instant)) > ttl
}
