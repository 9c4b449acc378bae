/** What a session wrote into its active ledger, for the event that reports the session. */

import { eventFields } from '../../core/active-ledger/event-fields.ts'
import type { NewEvent } from '../../core/event/event.ts'
import { readSettings } from '../ledger/read-settings.ts'
import { withoutSecrets } from '../secrets/find-secrets.ts'
import type { SessionContext } from '../shadow/session-context.ts'
import { quietly } from '../shadow/session-context.ts'
import { isKeptByHooks, readActive } from './active-file.ts'
import { unreportedInActive } from './tell-active.ts'

type Fields = Omit<NewEvent, 'ts' | 'agent'>

/** Text that somebody wrote there takes precedence over what is derived from the session. */
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

/** What is new since the ledger was last reported to others; empty if it belongs to another session. */
async function newsOf(session: SessionContext, id: string): Promise<Fields> {
  const settings = await readSettings(session.repository)
  const found = isKeptByHooks({ session, settings }) ? await readActive({ session }) : undefined
  if (found?.ledger.session_id !== id) return {}
  const { stream: _, ...said } = eventFields(await unreportedInActive(session, found.ledger)) ?? {}
  return withoutSecrets(said, session.secrets)
}
