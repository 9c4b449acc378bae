import { CHECKPOINTS_BRANCH, CHECKPOINTS_REF } from '../../core/checkpoint/checkpoint.ts'
import { shellWord } from '../../core/text/shell-word.ts'
import type { BranchHold } from '../shadow/session-ports.ts'
import type { SessionContext } from '../shadow/session-context.ts'

export interface Obstacle {
  readonly message: string
  /** The command or step that helps. */
  readonly next: string
}

/**
 * Why no checkpoint can be written, if the branch is checked out or is a symbolic ref to another branch: the next commit
 * in that worktree would undo what we wrote, or we would write to the other branch.
 */
export async function findHold({
  refs,
}: Pick<SessionContext, 'refs'>): Promise<Obstacle | undefined> {
  const hold = await refs.holdOf(CHECKPOINTS_REF)
  if (hold === undefined) return undefined
  const what =
    hold.kind === 'symbolic'
      ? `is only another name of ${hold.target}`
      : `is checked out in ${hold.worktree}`
  const message = `branch ${CHECKPOINTS_BRANCH} ${what}`
  return { message, next: wayOut(hold) }
}

function wayOut(hold: BranchHold): string {
  if (hold.kind === 'symbolic') return `git symbolic-ref --delete ${CHECKPOINTS_REF}`
  if (hold.isGone) return 'git worktree prune'
  // HEAD cannot be detached from a branch without a commit.
  if (hold.isUnborn) return `switch to another branch in ${hold.worktree}`
  return `git -C ${shellWord(hold.worktree)} switch --detach`
}
