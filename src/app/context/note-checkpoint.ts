/** Notes a written context checkpoint where hooks look before they write another one. */

import type { ContextRecord, SavedFor } from '../../core/context/record.ts'
import { standing, withCheckpoint } from '../../core/context/record.ts'
import type { SessionState } from '../../core/session/session-state.ts'
import type { Settings } from '../../core/settings/settings.ts'
import type { SessionContext } from '../shadow/session-context.ts'
import { nowText, quietly } from '../shadow/session-context.ts'
import { keepCheckpointState } from './checkpoint-state-file.ts'
import { observeContext } from './observe-context.ts'

export interface NewCheckpoint {
  /** Relative to the top of the worktree. */
  readonly path: string
  readonly reason: string
  readonly save?: SavedFor
}

/** For a command, which does not hold the lock yet. */
export async function noteTyped(
  context: SessionContext,
  { id }: SessionState,
  settings: Settings,
  checkpoint: NewCheckpoint,
): Promise<void> {
  await quietly(context, `session ${id}: checkpoint not noted`, () =>
    context.sessions.change(id, async (state) => {
      if (state !== undefined) {
        const record = await observeContext(context, state, settings, false)
        const after = noteCheckpoint(context, record, settings, checkpoint)
        await keepCheckpointState(context, after, settings)
      }
      return { state, result: undefined }
    }),
  )
}

/** Runs under the session's lock. */
export function noteCheckpoint(
  context: Pick<SessionContext, 'contexts' | 'clock'>,
  record: ContextRecord,
  { contextLevels }: Settings,
  { path: handoffFile, reason, save }: NewCheckpoint,
): ContextRecord {
  const now = standing(record, contextLevels)
  const level = now?.level ?? 'unknown'
  const isTyped = save === undefined
  const note = {
    timestamp: nowText(context),
    handoffFile,
    reason,
    isTyped,
    level,
    percent: now?.ofLimit,
  }
  const after = withCheckpoint(record, note, save)
  context.contexts.write(after)
  return after
}
