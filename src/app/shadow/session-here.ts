/** The session that a command is about: the session whose process runs it, otherwise the active session here. */

import { sessionAbove } from '../../core/checkpoint/commit-links.ts'
import { CLEAN_UP_TTL } from '../../core/session/liveness.ts'
import type { ProcessIdentity, SessionState } from '../../core/session/session-state.ts'
import type { SessionContext } from './session-context.ts'
import { hasTimedOut, isHere, worktreeOf } from './session-context.ts'

/** Undefined if no live session's process is an ancestor of this process. */
export function sessionOfProcess(
  context: SessionContext,
  open = context.sessions.listOpen(),
): SessionState | undefined {
  const { processes } = context
  const above = processes.ancestors()
  // An old pid may belong to another process by now.
  const isAlive = (owner: ProcessIdentity) => ['alive', 'daemon'].includes(processes.lifeOf(owner))
  const running = open.filter(
    ({ owner }) => owner !== undefined && above.includes(owner.pid) && isAlive(owner),
  )
  return sessionAbove(running, above, worktreeOf(context).name)
}

/** For a person at another terminal of the worktree: the session with the latest sign of life there. */
export function sessionHere(context: SessionContext): SessionState | undefined {
  const living = context.sessions
    .listOpen()
    .filter((state) => state.phase !== 'ended' && isHere(context, state))
    .filter((state) => !hasTimedOut(context, state, CLEAN_UP_TTL))
    .sort((a, b) => (a.lastSignOfLife < b.lastSignOfLife ? 1 : -1))
  return sessionOfProcess(context) ?? living[0]
}
