/** What events say about handoffs, and handoffs with newer events joined in. */

import { joinEvents } from '../../core/event/event-set.ts'
import type { LedgerEvent } from '../../core/event/event.ts'
import { LedgerError } from '../../core/errors/errors.ts'
import { foldEvents, newerEvents } from '../../core/handoff/fold-events.ts'
import type { Handoff } from '../../core/handoff/handoff.ts'
import { readLedgerEvents } from '../ledger/view-ledger.ts'
import type { LedgerContext } from '../ports.ts'

/** The events that count, pending ones included, by the name of their handoff. */
export async function readStreams({
  repository,
  settings,
}: Pick<LedgerContext, 'repository' | 'settings'>): Promise<(name: string) => LedgerEvent[]> {
  const { events } = await readLedgerEvents(repository, settings, undefined)
  const joined = joinEvents(events)
  return (name) => joined.filter(({ stream }) => stream === name)
}

/** A problem in the file does not prevent reading it; `obstacle` then says why newer events are not joined in. */
export function foldToShow(handoff: Handoff, events: readonly LedgerEvent[]) {
  try {
    return { ...foldEvents(handoff, events), obstacle: undefined }
  } catch (error) {
    if (!(error instanceof LedgerError) || error.code !== 'HANDOFF_UNREADABLE') throw error
    const { length } = newerEvents(handoff, events)
    const are = length === 1 ? '1 newer event is' : `${length} newer events are`
    return { handoff, count: 0, obstacle: `${are} not joined in: ${error.message}` }
  }
}
