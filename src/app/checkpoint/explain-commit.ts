/**
 * Explains a commit: its trailer says which sessions, agents and prompts made it. A commit without a trailer may be
 * named by a checkpoint, if its agent made it without git's hooks.
 */

import type { CheckpointId } from '../../core/session/checkpoint-id.ts'
import { mentionedCheckpoints, readCheckpoints } from '../../core/checkpoint/trailers.ts'
import type { RepositoryPort } from '../ports.ts'
import { messageOf } from './read-commit.ts'
import type { ReadCheckpoint } from './read-checkpoints.ts'
import { listCheckpoints, readCheckpointOf } from './read-checkpoints.ts'

export interface CommitLinkFound {
  readonly id: CheckpointId
  /** The id is not in a trailer but only in the text, as in a squash; anybody can write such a line. */
  readonly isMention: boolean
  /** Undefined if the checkpoint is not here (yet). */
  readonly checkpoint: ReadCheckpoint | undefined
}

export interface CommitReason {
  readonly commit: string
  readonly subject: string
  readonly links: readonly CommitLinkFound[]
}

/** Throws `REVISION_UNKNOWN` if `revision` does not name a commit. */
export async function explainCommit(
  repository: RepositoryPort,
  revision: string,
): Promise<CommitReason> {
  const commit = await repository.history.resolve(revision)
  const message = await messageOf(repository, commit)
  const linked = readCheckpoints(message)
  const mentioned = mentionedCheckpoints(message)
  const ids = new Set([...linked, ...mentioned])
  const listed = ids.size === 0 ? await listCheckpoints(repository) : []
  for (const { id, commits } of listed) if (commits.includes(commit)) ids.add(id)
  const links = [...ids].map(async (id) => {
    const checkpoint = await readCheckpointOf(repository, id)
    return { id, isMention: mentioned.includes(id) && !linked.includes(id), checkpoint }
  })
  return {
    commit,
    subject: message.trimStart().split('\n')[0] ?? '',
    links: await Promise.all(links),
  }
}
