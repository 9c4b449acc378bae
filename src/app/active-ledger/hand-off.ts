/** The end of a piece of work on the active ledger: an archive, and an event that says what came of it. */

import type { Trigger } from '../../core/active-ledger/archive.ts'
import type { ActiveContext } from './active-file.ts'
import type { Ended } from './change-active.ts'
import { endActive } from './change-active.ts'
import { tellActive } from './tell-active.ts'

export interface HandedOff extends Ended {
  /** Path of the event; undefined where the ledger said nothing. */
  readonly event: string | undefined
}

/** Undefined where there is no ledger. `isKept`: the file stays, also of a track that is complete. */
export async function handOff(
  context: ActiveContext,
  trigger: Trigger,
  { isKept = false }: { isKept?: boolean } = {},
): Promise<HandedOff | undefined> {
  const isRemoved = trigger === 'track-complete' && !isKept
  const ended = await endActive(context, trigger, { isRemoved })
  return ended && { ...ended, event: await tellActive(context, ended.ledger, trigger) }
}
