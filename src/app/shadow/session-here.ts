/** The session that a command is about: the one whose process runs it, else the one at work here. */

import { sessionAbove } from '../../core/checkpoint/commit-links.ts'
import { CLEAN_UP_TTL } from '../../core/session/liveness.ts'
import type { SessionState } from '../../core/session/session-state.ts'
import type { SessionContext } from './session-context.ts'
import { hasTimedOut, isHere, worktreeOf } from './session-context.ts'

/** Undefined where no living session's process is above this one. */
export function sessionOfProcess(context: SessionContext): SessionState | undefined {
  const { sessions, processes } = context
  const running = sessions
    .listOpen()
    .filter(
      ({ owner }) => owner !== undefined && ['alive', 'daemon'].includes(processes.lifeOf(owner)),
    )
  return sessionAbove(running, processes.ancestors(), worktreeOf(context).name)
}

/** For a person at another terminal of the worktree: the session there that lived last. */
export function sessionHere(context: SessionContext): SessionState | undefined {
  const living = context.sessions
    .listOpen()
    .filter((state) => state.phase !== 'ended' && isHere(context, state))
    .filter((state) => !hasTimedOut(context, state, CLEAN_UP_TTL))
    .sort((a, b) => (a.lastSignOfLife < b.lastSignOfLife ? 1 : -1))
  return sessionOfProcess(context) ?? living[0]
}
