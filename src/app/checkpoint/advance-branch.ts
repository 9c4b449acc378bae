/**
 * Moves the checkpoints branch: read, build, compare-and-swap, and again where somebody was faster.
 *
 * A branch that somebody has checked out, or that is another one's name, is refused before anything is
 * built: their next commit would undo what we wrote, or we would write to another branch.
 */

import { LedgerError } from '../../core/errors/errors.ts'
import { CHECKPOINTS_REF } from '../../core/checkpoint/checkpoint.ts'
import type { SessionContext } from '../shadow/session-context.ts'

export interface NextCommit {
  readonly tree: string
  readonly parents: readonly string[]
  readonly message: string
}

const MAX_ATTEMPTS = 200
/** Git answers "no" also for locks that others hold for a moment. */
const MAX_STUCK = 15
const MAX_PAUSE = 120

/**
 * `build` gets the branch's commit and answers with the next one, or with a commit id: that one shall be
 * the tip. Returns the tip.
 */
export async function advanceBranch(
  context: SessionContext,
  build: (tip: string | undefined) => Promise<NextCommit | string>,
): Promise<string> {
  await refuseHeld(context)
  let stuck = 0
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const tip = await context.refs.read(CHECKPOINTS_REF)
    const next = await build(tip)
    const reason = typeof next === 'string' ? 'checkpoints: forward' : firstLine(next.message)
    const commit = typeof next === 'string' ? next : await commitOf(context, next)
    if (commit === tip) return commit
    if (await context.refs.move(CHECKPOINTS_REF, commit, tip, reason)) return commit
    stuck = (await context.refs.read(CHECKPOINTS_REF)) === tip ? stuck + 1 : 0
    if (stuck >= MAX_STUCK) throw immovable()
    await pause(context, attempt)
  }
  throw new LedgerError('LOCKED', 'others keep moving the checkpoints branch', 'try again')
}

function commitOf({ objects, clock }: SessionContext, next: NextCommit): Promise<string> {
  return objects.commit({ ...next, at: clock.now() })
}

function firstLine(message: string): string {
  return message.split('\n')[0] ?? ''
}

/** Longer each time, and never the same for two processes. */
function pause({ random }: SessionContext, attempt: number): Promise<void> {
  const [share = 0] = random(1)
  const longest = Math.min(MAX_PAUSE, 4 * 2 ** Math.min(attempt, 8))
  return new Promise((resolve) => {
    setTimeout(resolve, (longest * share) / 255)
  })
}

export async function refuseHeld({ refs }: SessionContext): Promise<void> {
  const hold = await refs.holdOf(CHECKPOINTS_REF)
  if (hold === undefined) return
  const branch = CHECKPOINTS_REF.slice('refs/heads/'.length)
  if (hold.kind === 'symbolic') {
    throw new LedgerError(
      'CHECKPOINTS_BLOCKED',
      `branch ${branch} is only another name of ${hold.target}`,
      `git symbolic-ref --delete ${CHECKPOINTS_REF}`,
    )
  }
  throw new LedgerError(
    'CHECKPOINTS_BLOCKED',
    `branch ${branch} is checked out in ${hold.worktree}`,
    'git switch to another branch there',
  )
}

function immovable(): LedgerError {
  return new LedgerError(
    'CHECKPOINTS_BLOCKED',
    'the checkpoints branch cannot be moved: a lock file is left, or a branch has one of its folders as name',
    'git branch --list ledger "ledger/checkpoints"; git update-ref names what is in the way',
  )
}
