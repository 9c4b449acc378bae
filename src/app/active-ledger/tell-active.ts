/** Reports an active ledger to others, as an event that the next commit includes. */

import type { ActiveLedger } from '../../core/active-ledger/active-ledger.ts'
import { readActiveLedger } from '../../core/active-ledger/active-ledger.ts'
import type { Trigger } from '../../core/active-ledger/archive.ts'
import { lastTold } from '../../core/active-ledger/archive.ts'
import { eventFields, withoutTold } from '../../core/active-ledger/event-fields.ts'
import { ARCHIVE_FOLDER } from '../../core/active-ledger/places.ts'
import { resolveAgent } from '../../core/event/identity.ts'
import { decodeBytes } from '../../core/text/byte-text.ts'
import { addEvent } from '../commit/add-event.ts'
import { withoutSecrets } from '../secrets/find-secrets.ts'
import type { SessionContext } from '../shadow/session-context.ts'
import type { ActiveContext } from './active-file.ts'

/** Returns the path of the event; undefined if the ledger says nothing. Secrets are redacted. */
export async function tellActive(
  context: ActiveContext,
  ledger: ActiveLedger,
  reason: Trigger,
): Promise<string | undefined> {
  const said = eventFields(ledger, reason === 'track-complete')
  if (said === undefined) return undefined
  const { session, settings, writer } = context
  const { repository, env, folder } = session
  const userName = writer.isKnown ? writer.platform : await repository.config('user.name')
  const agent = resolveAgent({ flag: undefined, env, folder, userName })
  const about = { type: 'handoff', reason, ...(writer.isKnown && { session: writer.session }) }
  const fields = { ...(await withoutSecrets(said, session.secrets)), ...about }
  return (await addEvent({ ...session, settings }, { fields, agent, afterwards: 'leave' })).path
}

/** The ledger without what was already reported when it was last archived. */
export async function unreportedInActive(
  { repository: { worktree }, personal }: Pick<SessionContext, 'repository' | 'personal'>,
  ledger: ActiveLedger,
): Promise<ActiveLedger> {
  const names = lastTold(personal.list(ARCHIVE_FOLDER))
  const texts = await Promise.all(names.map((name) => worktree.read(`${ARCHIVE_FOLDER}/${name}`)))
  const told = texts.flatMap((bytes) =>
    bytes === undefined ? [] : readActiveLedger(decodeBytes(bytes)),
  )
  return withoutTold(ledger, told)
}
