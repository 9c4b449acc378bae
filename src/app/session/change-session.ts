/** Changes a session's state under its lock. */

import type { SessionState } from '../../core/session/session-state.ts'
import { settledCommits } from '../../core/session/session-state.ts'
import type { SessionContext } from '../shadow/session-context.ts'
import { quietly } from '../shadow/session-context.ts'

/** How long a hook waits for somebody else's session while that session is being changed. */
export const LOCK_TIMEOUT_MS = 2000

/** Changes a session's state; then other sessions of the worktree join the checkpoints that it wrote. */
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
  // This comes last: if the hook is killed now, the session itself loses nothing.
  const { includeBeside } = await import('../checkpoint/condense-session.ts')
  await quietly(context, `session ${id}: not followed`, () => includeBeside(context, id, settled))
  if (pushTo !== undefined) context.startErrand('--push', pushTo.remote, pushTo.isAsked ? '1' : '')
}
