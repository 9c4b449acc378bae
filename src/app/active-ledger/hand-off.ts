/** The end of a piece of work on the active ledger: an archive, and an event that says what came of it. */

import type { ActiveLedger } from '../../core/active-ledger/active-ledger.ts'
import type { Trigger } from '../../core/active-ledger/archive.ts'
import { eventFields } from '../../core/active-ledger/event-fields.ts'
import { resolveAgent } from '../../core/event/identity.ts'
import { addEvent } from '../commit/add-event.ts'
import { withoutSecrets } from '../secrets/find-secrets.ts'
import type { ActiveContext } from './active-file.ts'
import type { Ended } from './change-active.ts'
import { endActive } from './change-active.ts'

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
  return ended && { ...ended, event: await tell(context, ended.ledger, trigger) }
}

/** What the ledger says, without secrets, as an event that the next commit takes along. */
async function tell(
  context: ActiveContext,
  ledger: ActiveLedger,
  reason: Trigger,
): Promise<string | undefined> {
  const said = eventFields(ledger, reason === 'track-complete')
  if (said === undefined) return undefined
  const { session, settings, writer } = context
  const { repository, clock, env, folder, say } = session
  const userName = writer.isKnown ? writer.platform : await repository.config('user.name')
  const agent = resolveAgent({ flag: undefined, env, folder, userName })
  const about = { type: 'handoff', reason, ...(writer.isKnown && { session: writer.session }) }
  const fields = { ...(await withoutSecrets(said, session.secrets)), ...about }
  const adding = { repository, settings, clock, env, folder, say }
  const { path } = await addEvent(adding, { fields, ts: undefined, agent, afterwards: 'leave' })
  return path
}
