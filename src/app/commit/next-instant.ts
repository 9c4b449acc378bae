/** Chooses the time of a new event. */

import type { Instant } from '../../core/event/instant.ts'
import { instantFromMillis, instantToMillis } from '../../core/event/instant.ts'
import type { LedgerPlace } from '../ledger/ledger-sources.ts'
import { eventsOf, placeOfWorktree } from '../ledger/ledger-sources.ts'
import { stateOfTree } from '../ledger/render-tree.ts'
import type { Clock, LedgerContext } from '../ports.ts'

/**
 * The later of the local clock and 1 ms after the worktree's newest event, so that an agent with a slow
 * clock does not write into the past. Events far ahead of the clock do not count.
 */
export async function nextInstant(context: ClockedContext): Promise<Instant> {
  const { repository, settings } = context
  const place = await placeOfWorktree(repository, settings.root, { isRead: true })
  const { latest } = await stateOfTree(repository.objects, place)
  return instantAfter(context, place, latest)
}

type ClockedContext = Pick<LedgerContext, 'repository' | 'settings'> & { readonly clock: Clock }

/** Like `nextInstant`, if the time of the newest event is already known. */
export async function instantAfter(
  { repository, settings, clock }: ClockedContext,
  place: LedgerPlace,
  latest: Instant | undefined,
): Promise<Instant> {
  const now = clock.now()
  const limit = now + settings.maxDriftMillis
  if (latest === undefined) return instantFromMillis(now)
  const isTrusted = instantToMillis(latest) <= limit
  const { events } = isTrusted
    ? { events: [{ ts: latest }] }
    : await eventsOf(repository.objects, place)
  const newest = events
    .map(({ ts }) => instantToMillis(ts))
    .filter((millis) => millis <= limit)
    .reduce((a, b) => Math.max(a, b), -Infinity)
  return instantFromMillis(Math.max(now, newest + 1))
}
