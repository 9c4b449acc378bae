/**
 * Condensation: a session's shadow data becomes the checkpoint that its commits name. What other open sessions have
 * so far is added.
 *
 * If it fails, nothing is lost: the state is unchanged, the commits keep waiting under the same id, and the next
 * opportunity tries again.
 */

import { carriedForward } from '../../core/checkpoint/condensation.ts'
import { checkpointOf, withCondensed } from '../../core/session/change-session.ts'
import type { CheckpointId } from '../../core/session/checkpoint-id.ts'
import { POST_COMMIT_TTL } from '../../core/session/liveness.ts'
import type { LinkedCommit, SessionState } from '../../core/session/session-state.ts'
import { readCommit, versionsIn } from '../shadow/git-trees.ts'
import type { SessionContext } from '../shadow/session-context.ts'
import { hasTimedOut, headOf, isHere, quietly } from '../shadow/session-context.ts'
import { readChains } from '../shadow/shadow-chain.ts'
import { touchedVersions } from '../shadow/shadow-files.ts'
import { carryForward } from '../shadow/shadow-moves.ts'
import { readStoredLog } from '../shadow/shadow-transcript.ts'
import { gatherSession } from './gather-session.ts'
import { writeCheckpoint } from './write-checkpoint.ts'

/** Returns the new state. If condensing fails, the state only keeps the promised id. */
export async function condenseSession(
  context: SessionContext,
  state: SessionState,
): Promise<SessionState> {
  const id = checkpointOf(state)
  const { repository } = context
  const done = await quietly(context, `session ${state.id}: not condensed`, async () => {
    const base = await headOf(context, state)
    const chains = await readChains(context, state.worktree.name)
    const touched = await touchedVersions(context, state, chains)
    const commits = state.awaiting.filter(({ checkpoint }) => checkpoint === id)
    const { branch } = await repository.history.head()
    const gathered = await gatherSession(context, state, {
      commits: commits.map(({ commit }) => commit),
      branch: commits.length > 0 || isHere(context, state) ? branch : state.branch,
      stored: await readStoredLog(context, state, chains),
    })
    // If that commit does not exist (any more), all files are carried forward.
    const isThere = base !== undefined && (await repository.objects.find(base)) !== undefined
    const tree = isThere ? (await readCommit(repository, base)).tree : undefined
    const paths = touched.map(({ path }) => path)
    const held = await versionsIn(repository, tree, paths)
    const files = isThere ? carriedForward(touched, held) : touched
    await writeCheckpoint(context, id, [gathered])
    await carryForward(context, state, { base, files }, chains)
    context.log(`session ${state.id}: checkpoint ${id}: ${commits.length} commit(s)`)
    const carried = files.map(({ path }) => path)
    return withCondensed(state, { checkpoint: id, base, carried, offset: gathered.transcriptEnd })
  })
  return done ?? { ...state, pendingCheckpoint: id }
}

export interface Bystander {
  readonly id: string
  readonly isTimedOut: boolean
  /** The session has work in the commits, or made one of them. */
  readonly hasPart: boolean
}

/**
 * Adds open sessions that have no part in a commit to its checkpoints: they may carry context, so what they have so far
 * is included. `checkpoints` have just been written. The sessions' states do not change.
 */
export async function includeSessions(
  context: SessionContext,
  checkpoints: readonly CheckpointId[],
  sessions: readonly Bystander[],
): Promise<void> {
  if (checkpoints.length === 0) return
  const { branch } = await context.repository.history.head()
  const gathered = await Promise.all(
    sessions.map(async ({ id, isTimedOut, hasPart }) => {
      const state = context.sessions.read(id)
      if (state === undefined || state.phase === 'ended' || isTimedOut || hasPart) return []
      const one = await gatherSession(context, state, { commits: [], branch })
      // Its files do not belong to this checkpoint.
      return one.transcript === '' && one.prompts.length === 0 ? [] : [{ ...one, files: [] }]
    }),
  )
  const said = gathered.flat()
  if (said.length === 0) return
  for (const id of checkpoints) await writeCheckpoint(context, id, said)
}

/** Like `includeSessions`, for this session's commits whose checkpoint one of its own events (a turn's end) wrote. */
export async function includeBeside(
  context: SessionContext,
  session: string,
  settled: readonly LinkedCommit[],
): Promise<void> {
  const commits = new Set(settled.map(({ commit }) => commit))
  const others = context.sessions
    .listOpen()
    .filter((one) => one.id !== session && isHere(context, one))
    .map((one) => ({
      id: one.id,
      isTimedOut: hasTimedOut(context, one, POST_COMMIT_TTL),
      hasPart: one.commits.some(({ commit }) => commits.has(commit)),
    }))
  await includeSessions(context, [...new Set(settled.map(({ checkpoint }) => checkpoint))], others)
}
