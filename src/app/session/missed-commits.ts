/**
 * Commits that carry a session's promised id while nobody followed them: their post-commit hook was killed,
 * or did not run. Looked for whenever the session is followed next, before anything else is made of it.
 */

import { withCommit } from '../../core/session/change-session.ts'
import type { SessionState } from '../../core/session/session-state.ts'
import { mayOwe } from '../../core/session/session-state.ts'
import { CHECKPOINT_TRAILER, readCheckpoints } from '../../core/checkpoint/trailers.ts'
import { messageOf } from '../checkpoint/commit-message.ts'
import { nowText } from '../shadow/session-context.ts'
import { followSession } from './follow-session.ts'
import type { SessionContext } from '../shadow/session-context.ts'

/** The state with these commits among those that wait; of no others is anything known. */
export async function withMissedCommits(
  context: SessionContext,
  state: SessionState,
): Promise<SessionState> {
  const { pendingCheckpoint: checkpoint, base } = state
  if (checkpoint === undefined || !mayOwe(state)) return state
  const found = await context.changes.saying(`${CHECKPOINT_TRAILER}: ${checkpoint}`, base)
  let known = state
  for (const commit of found) {
    const ids = readCheckpoints(await messageOf(context.repository, commit))
    if (ids.includes(checkpoint)) known = withCommit(known, { commit, checkpoint })
  }
  return known
}

/** The same, and what post-commit would have made of the session. */
export async function followMissedCommits(
  context: SessionContext,
  state: SessionState,
): Promise<SessionState> {
  const known = await withMissedCommits(context, state)
  if (known === state) return state
  context.log(`session ${state.id}: commit followed late`)
  const event = { type: 'git_commit' } as const
  return (await followSession(context, known, { event, at: nowText(context) })) ?? known
}
