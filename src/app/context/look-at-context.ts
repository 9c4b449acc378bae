/** How full a session's context is, for a command: looked at anew, nothing written; and whether hooks do it, too. */

import type { ContextRecord } from '../../core/context/record.ts'
import { newRecord, putOff } from '../../core/context/record.ts'
import type { SessionState } from '../../core/session/session-state.ts'
import type { Settings } from '../../core/settings/settings.ts'
import type { SessionContext } from '../shadow/session-context.ts'
import { nowText } from '../shadow/session-context.ts'
import { describeContext, lookAtStateFile } from './checkpoint-state-file.ts'
import { observeContext } from './observe-context.ts'

export type SeenContext = Awaited<ReturnType<typeof lookAtContext>>

export async function lookAtContext(
  context: SessionContext,
  session: SessionState,
  settings: Settings,
) {
  const { contexts } = context
  // First: a look is no sample of a hook's.
  const kept = contexts.read(session.id)?.samples.at(-1)
  const record = await observeContext(context, session, settings, false)
  return {
    record,
    state: await describeContext(context, record, settings),
    /** Whether what should write samples has. */
    selfTest: {
      isFollowed: contexts.isFollowed(),
      /** The newest sample that a hook kept. */
      kept,
      /** When the agent last gave its status line something. */
      statusLineAt: contexts.statusInput(session.id)?.at,
      log: lookAtLog(context, session),
      stateFile: (await lookAtStateFile(context)).kind,
    },
  }
}

/** `none`: the agent told of no log. */
function lookAtLog({ transcripts }: SessionContext, { transcript }: SessionState) {
  if (transcript === undefined) return 'none'
  return transcripts.readTail(transcript.path, 1) === undefined ? 'unreadable' : 'read'
}

/** L1 and L2 keep silent: for one message, or until L2. */
export async function deferLevels(
  { contexts, sessions, clock }: Pick<SessionContext, 'contexts' | 'sessions' | 'clock'>,
  { id: session, agent, startedAt }: SessionState,
  deferred: NonNullable<ContextRecord['deferred']>,
): Promise<void> {
  await sessions.change(session, async (state) => {
    const record = contexts.read(session) ?? newRecord({ session, agent, startedAt })
    contexts.write(putOff(record, deferred, nowText({ clock })))
    return { state, result: undefined }
  })
}
