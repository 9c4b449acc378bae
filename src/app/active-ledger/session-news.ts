/** What a session wrote into its active ledger, for the event that tells of the session. */

import { readActiveLedger } from '../../core/active-ledger/active-ledger.ts'
import { lastTold } from '../../core/active-ledger/archive.ts'
import { eventFields, withoutTold } from '../../core/active-ledger/event-fields.ts'
import { ARCHIVE_FOLDER } from '../../core/active-ledger/places.ts'
import type { NewEvent } from '../../core/event/event.ts'
import { decodeBytes } from '../../core/text/byte-text.ts'
import { readSettings } from '../ledger/read-settings.ts'
import { withoutSecrets } from '../secrets/find-secrets.ts'
import type { SessionContext } from '../shadow/session-context.ts'
import { quietly } from '../shadow/session-context.ts'
import { isKeptByHooks, readActive } from './active-file.ts'

type Fields = Omit<NewEvent, 'ts' | 'agent'>

/** What somebody wrote there counts more than what can be told of the session by itself. */
export async function withActiveNews<T extends Fields>(
  context: SessionContext,
  session: string,
  fields: T,
): Promise<T> {
  const read = () => newsOf(context, session)
  const news = (await quietly(context, `session ${session}: active ledger`, read)) ?? {}
  const { thisSession = [], openQuestions = [] } = fields
  const done = [...(news.thisSession ?? []), ...thisSession]
  const questions = [...(news.openQuestions ?? []), ...openQuestions]
  return {
    ...fields,
    ...news,
    ...(done.length > 0 && { thisSession: [...new Set(done)] }),
    ...(questions.length > 0 && { openQuestions: [...new Set(questions)] }),
  }
}

/** What is new since others heard of the ledger last; nothing where it is another session's. */
async function newsOf(session: SessionContext, id: string): Promise<Fields> {
  const settings = await readSettings(session.repository)
  const found = isKeptByHooks({ session, settings }) ? await readActive({ session }) : undefined
  if (found?.ledger.session_id !== id) return {}
  const { worktree } = session.repository
  const names = lastTold(session.personal.list(ARCHIVE_FOLDER))
  const texts = await Promise.all(names.map((name) => worktree.read(`${ARCHIVE_FOLDER}/${name}`)))
  const told = texts.flatMap((bytes) =>
    bytes === undefined ? [] : readActiveLedger(decodeBytes(bytes)),
  )
  const { stream: _, ...said } = eventFields(withoutTold(found.ledger, told)) ?? {}
  return withoutSecrets(said, session.secrets)
}
