/** The name for a session's events, distinct from the other live sessions of its worktree. */

import { resolveAgent } from '../../core/event/identity.ts'
import { CLEAN_UP_TTL } from '../../core/session/liveness.ts'
import { sessionName } from '../../core/session/session-name.ts'
import type { SessionState } from '../../core/session/session-state.ts'
import type { SessionContext } from '../shadow/session-context.ts'
import { hasTimedOut } from '../shadow/session-context.ts'

export function nameOf(context: SessionContext, state: SessionState): string {
  const { env, folder } = context
  const plain = resolveAgent({ flag: undefined, env, folder, userName: state.agent })
  return sessionName(state, plain, liveBeside(context, state))
}

/** The other sessions of its worktree that have not ended. */
export function liveBeside(context: SessionContext, state: SessionState): SessionState[] {
  return context.sessions
    .listOpen()
    .filter((one) => one.id !== state.id && one.worktree.name === state.worktree.name)
    .filter((one) => one.phase !== 'ended' && !hasTimedOut(context, one, CLEAN_UP_TTL))
}
