/** Changes one session's state, under its lock. */

import type { SessionState } from '../../core/session/session-state.ts'
import { settledCommits } from '../../core/session/session-state.ts'
import type { SessionContext } from '../shadow/session-context.ts'
import { quietly } from '../shadow/session-context.ts'

/** How long a hook waits for a session of somebody else that is being changed. */
export const LOCK_TIMEOUT_MS = 2000

/** Changes one session's state; then sessions beside it join the checkpoints that were written by it. */
export async function changeSession(
  context: SessionContext,
  id: string,
  change: (state: SessionState | undefined) => Promise<SessionState | undefined>,
  timeout?: number,
): Promise<void> {
  const { settled, pushTo } = await context.sessions.change(
    id,
    async (before) => {
      const state = await change(before)
      const pushTo = state?.pushTo === undefined ? before?.pushTo : undefined
      const settled = before === undefined ? [] : settledCommits(before, state)
      return { state, result: { settled, pushTo } }
    },
    timeout,
  )
  if (settled.length === 0) return
  // Last: whoever kills the hook now takes nothing of the session's own.
  const { includeBeside } = await import('../checkpoint/condense-session.ts')
  await quietly(context, `session ${id}: not followed`, () => includeBeside(context, id, settled))
  if (pushTo !== undefined) context.startErrand('--push', pushTo.remote, pushTo.isAsked ? '1' : '')
}
