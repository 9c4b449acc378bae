/** The time of a new event. */

import type { LedgerEvent } from '../../core/event/event.ts'
import type { Instant } from '../../core/event/instant.ts'
import { instantFromMillis, instantToMillis } from '../../core/event/instant.ts'
import { eventsOf, placeOfWorktree } from '../ledger/ledger-sources.ts'
import { stateOfTree } from '../ledger/render-tree.ts'
import type { Clock, LedgerContext } from '../ports.ts'

/**
 * The greater of the local clock and 1 ms after the newest event of the worktree, so that an agent
 * with a slow clock does not write into the past. Events far ahead of the clock do not count.
 */
export async function nextInstant({
  repository,
  settings,
  clock,
}: LedgerContext & { readonly clock: Clock }): Promise<Instant> {
  const place = await placeOfWorktree(repository, settings.root)
  const now = clock.now()
  const limit = now + settings.maxDriftMillis
  const { latest } = await stateOfTree(repository.objects, place)
  if (latest === undefined) return instantFromMillis(now)
  const isTrusted = instantToMillis(latest) <= limit
  const { events } = isTrusted
    ? { events: [{ ts: latest }] }
    : await eventsOf(repository.objects, place)
  return instantAfter(events, now, limit)
}

/** The same of events that are read already. `limit`: what is later does not count; both Unix milliseconds. */
export function instantAfter(
  events: readonly Pick<LedgerEvent, 'ts'>[],
  now: number,
  limit: number,
): Instant {
  const newest = events
    .map(({ ts }) => instantToMillis(ts))
    .filter((millis) => millis <= limit)
    .reduce((a, b) => Math.max(a, b), -Infinity)
  return instantFromMillis(Math.max(now, newest + 1))
}
