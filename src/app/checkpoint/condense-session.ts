/**
 * Condensation: what a session left in its shadow data becomes the checkpoint that its commits name.
 *
 * Nothing of it is lost when it fails: the state stays as it was, commits go on waiting under the same
 * id, and the next chance takes it up again.
 */

import { LedgerError } from '../../core/errors/errors.ts'
import { checkpointOf, withCondensed } from '../../core/session/change-session.ts'
import type { CheckpointId } from '../../core/session/checkpoint-id.ts'
import type { FileVersion } from '../../core/checkpoint/condensation.ts'
import { carriedForward } from '../../core/checkpoint/condensation.ts'
import type { SessionState } from '../../core/session/session-state.ts'
import { carryForward } from '../shadow/carry-forward.ts'
import { commitFilesOf } from './commit-files.ts'
import { gatherSession } from './gather-session.ts'
import { readStoredLog } from '../shadow/shadow-transcript.ts'
import { touchedVersions } from '../shadow/touched-versions.ts'
import type { SessionContext } from '../shadow/session-context.ts'
import { headOf, isHere, nowText } from '../shadow/session-context.ts'

import { writeCheckpoint } from './write-checkpoint.ts'

/** Returns the state afterwards; the same one where it could not be done now. */
export async function condenseSession(
  context: SessionContext,
  state: SessionState,
): Promise<SessionState> {
  const id = checkpointOf(state)
  try {
    return await condense(context, state, id)
  } catch (error) {
    if (!(error instanceof LedgerError)) throw error
    context.log(`session ${state.id}: not condensed: ${error.code}`)
    return { ...state, pendingCheckpoint: id }
  }
}

async function condense(
  context: SessionContext,
  state: SessionState,
  id: CheckpointId,
): Promise<SessionState> {
  const { repository } = context
  const base = await headOf(context, state)
  const touched = await touchedVersions(context, state)
  const files = await withoutHeld(context, touched, base)
  const commits = state.awaiting.filter(({ checkpoint }) => checkpoint === id)
  const { branch } = await repository.history.head()
  const gathered = await gatherSession(context, state, {
    commits: commits.map(({ commit }) => commit),
    branch: commits.length > 0 || isHere(context, state) ? branch : undefined,
    at: nowText(context),
    stored: await readStoredLog(context, state),
  })
  await writeCheckpoint(context, id, [gathered])
  await carryForward(context, state, { base, files })
  context.log(`session ${state.id}: checkpoint ${id}: ${commits.length} commit(s)`)
  const carried = files.map(({ path }) => path)
  return withCondensed(state, { checkpoint: id, base, carried, offset: gathered.transcriptEnd })
}

/** All of them where no such commit is (any more). */
async function withoutHeld(
  { repository, changes }: SessionContext,
  touched: readonly FileVersion[],
  commit: string | undefined,
): Promise<readonly FileVersion[]> {
  if (commit === undefined || (await repository.objects.find(commit)) === undefined) return touched
  const paths = touched.map(({ path }) => path)
  return carriedForward(touched, await commitFilesOf(repository, changes, commit, paths))
}
