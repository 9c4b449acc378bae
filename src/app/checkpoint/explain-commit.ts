/** Why a commit is as it is: which sessions, agents and prompts made it, by its trailer. */

import type { CheckpointId } from '../../core/session/checkpoint-id.ts'
import { mentionedCheckpoints, readCheckpoints } from '../../core/checkpoint/trailers.ts'
import type { RepositoryPort } from '../ports.ts'
import { messageOf } from './read-commit.ts'
import type { ReadCheckpoint } from './read-checkpoints.ts'
import { readCheckpointOf } from './read-checkpoints.ts'

export interface CommitLinkFound {
  readonly id: CheckpointId
  /** Only somewhere in the text, as in a squash: anybody can write such a line. */
  readonly isMention: boolean
  /** Undefined when the checkpoint is not here (yet). */
  readonly checkpoint: ReadCheckpoint | undefined
}

export interface CommitReason {
  readonly commit: string
  readonly subject: string
  readonly links: readonly CommitLinkFound[]
}

/** Throws `REVISION_UNKNOWN` for what is no commit. */
export async function explainCommit(
  repository: RepositoryPort,
  revision: string,
): Promise<CommitReason> {
  const commit = await repository.history.resolve(revision)
  const message = await messageOf(repository, commit)
  const linked = readCheckpoints(message)
  const ids = new Set([...linked, ...mentionedCheckpoints(message)])
  const links = [...ids].map(async (id) => {
    const checkpoint = await readCheckpointOf(repository, id)
    return { id, isMention: !linked.includes(id), checkpoint }
  })
  return {
    commit,
    subject: message.trimStart().split('\n')[0] ?? '',
    links: await Promise.all(links),
  }
}
