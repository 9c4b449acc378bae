/**
 * Performs the actions that the phase machine asks for. A commit may carry a session's promised id although no hook
 * followed it (its post-commit hook was killed or did not run). Such commits are looked for the next time that the
 * session is followed, before anything else is done with it.
 */

import { CHECKPOINT_TRAILER, readCheckpoints } from '../../core/checkpoint/trailers.ts'
import type { Circumstances } from '../../core/session/change-session.ts'
import { applyTransition, withCommit } from '../../core/session/change-session.ts'
import type { Action, SessionEvent } from '../../core/session/phase.ts'
import type { SessionState } from '../../core/session/session-state.ts'
import { isOpenTurn, mayOwe } from '../../core/session/session-state.ts'
import { messageOf } from '../checkpoint/read-commit.ts'
import type { SessionContext } from '../shadow/session-context.ts'
import { headOf, nowText, quietly } from '../shadow/session-context.ts'

/** The state after an event; undefined if the session produced nothing and is discarded. */
export async function followSession(
  context: SessionContext,
  before: SessionState,
  event: SessionEvent,
  circumstances: Omit<Circumstances, 'at'> = {},
): Promise<SessionState | undefined> {
  const at = nowText(context)
  const { state, actions } = applyTransition(before, event, { at, ...circumstances })
  let after: SessionState | undefined = state
  for (const action of actions) {
    if (after === undefined) return undefined
    after = await perform(context, action, before, after)
  }
  return after
}

async function perform(
  context: SessionContext,
  action: Action,
  before: SessionState,
  after: SessionState,
): Promise<SessionState | undefined> {
  switch (action) {
    case 'save-shadow':
    case 'catch-up':
      return saveQuietly(context, after)
    case 'condense': {
      // The files of an open turn are read from the worktree; only the previous phase says whether the turn was open.
      const { phase, turn } = before
      const done = await condense(context, { ...after, phase, turn })
      const next = { ...done, phase: after.phase, turn: after.turn }
      const isDone = done.lastCheckpoint !== before.lastCheckpoint
      return isDone || !isOpenTurn(before) ? next : saveQuietly(context, next)
    }
    case 'migrate-shadow': {
      const { migrateShadow } = await import('../shadow/shadow-moves.ts')
      const base = await headOf(context, after)
      if (base === undefined) return after
      // If this fails, nothing is lost: a session's part is found in any chain.
      const moved = await quietly(context, `session ${after.id}: shadow data not moved`, () =>
        migrateShadow(context, after, base),
      )
      return moved ?? { ...after, base }
    }
    case 'discard': {
      const { carryForward } = await import('../shadow/shadow-moves.ts')
      await carryForward(context, after, { base: await headOf(context, after), files: [] })
      return undefined
    }
    case 'clear-ended':
      return after
  }
}

/** A failure to save must neither keep a turn open nor prevent a session from ending. */
async function saveQuietly(context: SessionContext, state: SessionState): Promise<SessionState> {
  const saved = await quietly(context, `session ${state.id}: no step`, async () =>
    (await import('../shadow/save-step.ts')).saveStep(context, state),
  )
  return saved?.state ?? state
}

/** Loads the code for condensation on demand: most hooks do not need it. */
export async function condense(
  context: SessionContext,
  state: SessionState,
): Promise<SessionState> {
  return (await import('../checkpoint/condense-session.ts')).condenseSession(context, state)
}

/** Adds commits that carry the promised id to those that wait for the checkpoint; others cannot be found. */
export async function withMissedCommits(
  { changes, repository }: SessionContext,
  state: SessionState,
): Promise<SessionState> {
  const { pendingCheckpoint: checkpoint, base } = state
  if (checkpoint === undefined || !mayOwe(state)) return state
  let known = state
  for (const commit of await changes.saying(`${CHECKPOINT_TRAILER}: ${checkpoint}`, base)) {
    const ids = readCheckpoints(await messageOf(repository, commit))
    if (ids.includes(checkpoint)) known = withCommit(known, { commit, checkpoint })
  }
  return known
}

/** Like `withMissedCommits`; for any commits found, also does what post-commit would have done. */
export async function followMissedCommits(
  context: SessionContext,
  state: SessionState,
): Promise<SessionState> {
  const known = await withMissedCommits(context, state)
  if (known === state) return state
  context.log(`session ${state.id}: commit followed late`)
  return (await followSession(context, known, { type: 'git_commit' })) ?? known
}
