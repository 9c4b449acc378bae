/** When a checkpoint gets an event: long enough after the session's beginning, and after the last such event. */

import type { Instant } from '../../core/event/instant.ts'
import { instantToMillis, parseInstant } from '../../core/event/instant.ts'
import type { SessionState } from '../../core/session/session-state.ts'
import type { Settings } from '../../core/settings/settings.ts'
import { eventsHere } from '../ledger/ledger-sources.ts'
import type { SessionContext } from '../shadow/session-context.ts'

export async function isCheckpointDue(
  { clock, repository }: SessionContext,
  { startedAt }: SessionState,
  { root, checkpointIntervalMillis: interval }: Settings,
): Promise<boolean> {
  if (interval === undefined) return false
  const now = clock.now()
  const isRecent = (instant: Instant) => Math.abs(now - instantToMillis(instant)) < interval
  const started = parseInstant(startedAt)?.instant
  // Events are read only where it depends on them. Whoever's it is counts.
  if (started !== undefined && isRecent(started)) return false
  const { events } = await eventsHere(repository, root)
  return !events.some(({ type, ts }) => type === 'checkpoint' && isRecent(ts))
}
