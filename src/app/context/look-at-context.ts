/** How full a session's context is, for a command: looked at anew, nothing written; and whether hooks do it, too. */

import type { CheckpointState } from '../../core/context/checkpoint-state.ts'
import type { ContextRecord } from '../../core/context/record.ts'
import { newRecord, putOff } from '../../core/context/record.ts'
import type { SessionState } from '../../core/session/session-state.ts'
import type { Settings } from '../../core/settings/settings.ts'
import type { SessionContext } from '../shadow/session-context.ts'
import { nowText } from '../shadow/session-context.ts'
import type { StateFile } from './checkpoint-state-file.ts'
import { describeContext, lookAtStateFile } from './checkpoint-state-file.ts'
import { observeContext } from './observe-context.ts'

export interface SeenContext {
  readonly record: ContextRecord
  readonly state: CheckpointState
  /** Whether what should write samples has. */
  readonly selfTest: SelfTest
}

export interface SelfTest {
  readonly isFollowed: boolean
  /** The newest sample that a hook kept: Unix milliseconds. */
  readonly kept: { readonly source: string; readonly at: number } | undefined
  /** When the agent last gave its status line something. */
  readonly statusLineAt: number | undefined
  /** `none`: the agent told of no log. */
  readonly log: 'read' | 'unreadable' | 'none'
  readonly stateFile: StateFile['kind']
}

export async function lookAtContext(
  context: SessionContext,
  session: SessionState,
  settings: Settings,
): Promise<SeenContext> {
  const { contexts, transcripts } = context
  const path = session.transcript?.path
  const kept = contexts.read(session.id)?.samples.at(-1)
  const record = await observeContext(context, session, settings, false)
  const log =
    path === undefined
      ? 'none'
      : transcripts.readTail(path, 1) === undefined
        ? 'unreadable'
        : 'read'
  return {
    record,
    state: await describeContext(context, record, settings),
    selfTest: {
      isFollowed: contexts.isFollowed(),
      kept,
      statusLineAt: contexts.statusInput(session.id)?.at,
      log,
      stateFile: (await lookAtStateFile(context)).kind,
    },
  }
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
