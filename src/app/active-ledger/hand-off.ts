/** Ends a piece of work in the active ledger: an archive, and an event that reports the result. */

import type { Trigger } from '../../core/active-ledger/archive.ts'
import type { ActiveContext } from './active-file.ts'
import type { Ended } from './change-active.ts'
import { endActive } from './change-active.ts'
import { tellActive } from './tell-active.ts'

export interface HandedOff extends Ended {
  /** Path of the event; undefined if the ledger said nothing. */
  readonly event: string | undefined
}

/** Undefined if there is no ledger. `isKept`: keep the file even if the track is complete. */
export async function handOff(
  context: ActiveContext,
  trigger: Trigger,
  { isKept = false }: { isKept?: boolean } = {},
): Promise<HandedOff | undefined> {
  const isRemoved = trigger === 'track-complete' && !isKept
  const ended = await endActive(context, trigger, { isRemoved })
  return ended && { ...ended, event: await tellActive(context, ended.ledger, trigger) }
}
