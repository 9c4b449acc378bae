/** A checkpoint gets an event if enough time has passed since the session's start and since the last such event. */

import { formatMillis, instantToMillis, millisOf } from '../../core/event/instant.ts'
import type { SessionState } from '../../core/session/session-state.ts'
import type { Settings } from '../../core/settings/settings.ts'
import { placeOfWorktree } from '../ledger/ledger-sources.ts'
import { readEvents } from '../ledger/ledger-tree.ts'
import type { SessionContext } from '../shadow/session-context.ts'

export async function isCheckpointDue(
  { clock, repository }: SessionContext,
  { startedAt }: SessionState,
  { root, checkpointIntervalMillis: interval }: Settings,
): Promise<boolean> {
  if (interval === undefined) return false
  const now = clock.now()
  const isRecent = (millis: number) => Math.abs(now - millis) < interval
  const started = millisOf(startedAt)
  // Events are read only if the answer depends on them. Any session's event counts.
  if (started !== undefined && isRecent(started)) return false
  const here = await placeOfWorktree(repository, root, { isRead: true })
  const since = formatMillis(now - interval)
    .slice(0, 19)
    .replaceAll(':', '-')
  // Our names begin with the event's time; any other name says nothing about it.
  const recent = here.entries?.filter(
    ({ name }) => name >= since || !/^\d{4}-\d\d-\d\dT/.test(name),
  )
  const { events } = await readEvents(
    repository.objects,
    here.eventsTree,
    recent ?? [],
    here.overlay,
  )
  return !events.some(({ type, ts }) => type === 'checkpoint' && isRecent(instantToMillis(ts)))
}
