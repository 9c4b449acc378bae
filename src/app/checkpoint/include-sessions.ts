/**
 * Sessions beside a commit: what those have so far that are open and changed nothing in it goes along
 * into its checkpoint, for the context that it may carry. Nothing of their state changes.
 */

import type { CheckpointId } from '../../core/session/checkpoint-id.ts'
import type { CheckpointSession } from '../../core/checkpoint/checkpoint.ts'
import type { Candidate } from '../../core/checkpoint/condensation.ts'
import { judge } from '../../core/checkpoint/condensation.ts'
import { POST_COMMIT_TTL } from '../../core/session/liveness.ts'
import type { LinkedCommit, SessionState } from '../../core/session/session-state.ts'
import { hasWork, owes } from '../../core/session/session-state.ts'
import { gatherSession } from './gather-session.ts'
import type { SessionContext } from '../shadow/session-context.ts'
import { hasTimedOut, isHere, nowText } from '../shadow/session-context.ts'

import { writeCheckpoint } from './write-checkpoint.ts'

export type Bystander = Pick<Candidate, 'isTimedOut' | 'hasPart'> & { readonly id: string }

/** `checkpoints`: those that were written just now. */
export async function includeSessions(
  context: SessionContext,
  checkpoints: readonly CheckpointId[],
  sessions: readonly Bystander[],
): Promise<void> {
  if (checkpoints.length === 0) return
  const states = sessions.flatMap((one) => {
    const state = context.sessions.read(one.id)
    return state !== undefined && verdict(state, one) === 'include' ? [state] : []
  })
  const gathered = await Promise.all(states.map((state) => gather(context, state)))
  const said = gathered.filter(({ transcript, prompts }) => transcript !== '' || prompts.length > 0)
  if (said.length === 0) return
  for (const id of checkpoints) await writeCheckpoint(context, id, said)
}

/** The same for commits of this session whose checkpoint an event of it wrote, such as a turn's end. */
export async function includeBeside(
  context: SessionContext,
  session: string,
  settled: readonly LinkedCommit[],
): Promise<void> {
  if (settled.length === 0) return
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

function verdict(state: SessionState, { isTimedOut, hasPart }: Bystander) {
  const hasPromised = owes(state)
  return judge({
    phase: state.phase,
    isTimedOut,
    hasPart,
    touchedFiles: hasWork(state),
    hasPromised,
  })
}

/** None of its commits or files are this checkpoint's. */
async function gather(context: SessionContext, state: SessionState): Promise<CheckpointSession> {
  const { branch } = await context.repository.history.head()
  const at = nowText(context)
  const gathered = await gatherSession(context, state, { commits: [], branch, at })
  return { ...gathered, files: [] }
}
