/** What events say of handoffs, and handoffs with what is newer than they are. */

import { joinEvents } from '../../core/event/event-set.ts'
import type { LedgerEvent } from '../../core/event/event.ts'
import { LedgerError } from '../../core/errors/errors.ts'
import type { FoldedHandoff } from '../../core/handoff/fold-events.ts'
import { foldEvents, newerEvents } from '../../core/handoff/fold-events.ts'
import type { Handoff } from '../../core/handoff/handoff.ts'
import { readLedgerEvents } from '../ledger/view-ledger.ts'
import type { LedgerContext } from '../ports.ts'

/** The events that count, with the pending ones, by the name of the handoff that they belong to. */
export async function readStreams({
  repository,
  settings,
}: Pick<LedgerContext, 'repository' | 'settings'>): Promise<(name: string) => LedgerEvent[]> {
  const { events } = await readLedgerEvents(repository, settings, undefined)
  const joined = joinEvents(events)
  return (name) => joined.filter(({ stream }) => stream === name)
}

export interface ShownHandoff extends FoldedHandoff {
  /** Why newer events are not in it, where they are not. */
  readonly obstacle: string | undefined
}

/** Something open in the file keeps nobody from reading it. */
export function foldToShow(handoff: Handoff, events: readonly LedgerEvent[]): ShownHandoff {
  try {
    return { ...foldEvents(handoff, events), obstacle: undefined }
  } catch (error) {
    if (!(error instanceof LedgerError) || error.code !== 'HANDOFF_UNREADABLE') throw error
    const { length } = newerEvents(handoff, events)
    const are = length === 1 ? '1 newer event is' : `${length} newer events are`
    return { handoff, count: 0, obstacle: `${are} not joined in: ${error.message}` }
  }
}
