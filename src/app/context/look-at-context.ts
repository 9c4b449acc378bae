/**
 * How full a session's context is, for a command: read afresh without writing anything; and whether hooks
 * follow it.
 */

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
  // Read first: what is observed below is not a sample that a hook kept.
  const kept = contexts.read(session.id)?.samples.at(-1)
  const record = await observeContext(context, session, settings, false)
  return {
    record,
    state: await describeContext(context, record, settings),
    /** Whether everything that should write samples has done so. */
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

/** `none`: the agent has not named a log. */
function lookAtLog({ transcripts }: SessionContext, { transcript }: SessionState) {
  if (transcript === undefined) return 'none'
  return transcripts.readTail(transcript.path, 1) === undefined ? 'unreadable' : 'read'
}

/** Silences L1 and L2: for one message, or until L2. */
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
