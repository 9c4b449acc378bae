/**
 * Starts the sender if something is due: a retry after no answer, or a link whose handoff has been pushed
 * since. Cheap if the outbox is empty, and silent, because its callers are not about the tracker.
 */

import { inOrder, nextItem } from '../../core/tracker/outbox.ts'
import { KEY_VARIABLE } from '../../core/tracker/tracker-settings.ts'
import { readTracker } from './read-tracker.ts'
import type { TrackerContext } from './tracker-ports.ts'

export async function wakeSender(context: TrackerContext): Promise<void> {
  const { outbox, clock, env } = context
  const now = clock.now()
  const { items } = inOrder(outbox.list().items)
  const next = nextItem(items, { now, isAsked: false, passed: new Set() })
  if (next === undefined || outbox.readState().pausedUntil > now) return
  if ((env[KEY_VARIABLE] ?? '').trim() === '') return
  if ((await readTracker(context)).kind === 'on') context.startSender()
}
