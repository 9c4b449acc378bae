/**
 * A commit of the ledger's own: pending events and a fresh `current.md`, nothing else.
 *
 * Built beside the user's work, and given up rather than get into the way of a git of theirs. The real
 * index gets exactly the committed entries, where they still equal the old HEAD's, while the branch is
 * locked: otherwise the user's next commit would delete the events again.
 */

import type { MarkedEntry } from '../../core/commit/commit-mark.ts'
import { changedEntries, isSame, pathsTo } from '../../core/commit/commit-mark.ts'
import { LedgerError } from '../../core/errors/errors.ts'
import type { ByteName } from '../../core/git/objects.ts'
import { nameToText } from '../../core/git/objects.ts'
import type { Settings } from '../../core/settings/settings.ts'
import { ledgerPaths, sortPending, untrackedEvents } from '../ledger/ledger-sources.ts'
import type { LedgerContext, RepositoryPort } from '../ports.ts'
import { MOVED } from '../ports/history.ts'
import { settle, settleMarks } from './commit-marks.ts'
import { copiesOf } from './event-copies.ts'
import { renderOutOfGit, stageCurrent } from './refresh-current.ts'

/** Ledger files that the commit takes along or takes out, beside pending events. */
export interface LedgerChange {
  readonly added: readonly ByteName[]
  readonly removed: readonly ByteName[]
}

/** Commits of our own that end at once move the branch under each other's feet. */
const ATTEMPTS = 5

/**
 * Returns the commit; undefined when there was nothing to commit. Throws `COMMIT_SKIPPED` (events stay
 * pending) when a commit is not safe just now.
 */
export async function commitLedger(
  context: LedgerContext,
  subject: string,
  change: LedgerChange = { added: [], removed: [] },
): Promise<string | undefined> {
  await settleMarks(context.repository, context.say)
  for (let attempt = 1; ; attempt++) {
    try {
      return await commitOnce(context, subject, change)
    } catch (error) {
      if (!(error instanceof BranchMoved) || attempt === ATTEMPTS) throw error
    }
  }
}

async function commitOnce(
  context: LedgerContext,
  subject: string,
  { added, removed }: LedgerChange,
): Promise<string | undefined> {
  const { repository, settings } = context
  const parent = await requireSafe(repository, settings)
  const { current, events, archive } = ledgerPaths(settings.root)
  const paths = [current, events, archive, ...added.map(nameToText)]
  const found = await untrackedEvents(repository, settings.root)
  const { whole: pending } = await sortPending(repository, found)
  const built = await repository.withHeadIndex(async (temporary) => {
    const { index } = temporary
    const before = await index.blobs(...paths)
    await index.addFiles([...pending, ...added])
    await index.change(removed.map((path) => ({ path, after: undefined })))
    await stageCurrent({ ...context, repository: temporary })
    const entries = changedEntries(before, await index.blobs(...paths), before)
    return { entries, tree: entries.length === 0 ? '' : await index.writeTree() }
  })
  if (built.entries.length === 0) return undefined
  const commit = await repository.commits.create(built.tree, parent, subject)
  await land(context, { commit, parent, subject, entries: built.entries, pending })
  await renderOutOfGit(context)
  return commit
}

export interface Landing {
  readonly commit: string
  /** Where the branch must be. */
  readonly parent: string
  readonly subject: string
  readonly entries: readonly MarkedEntry[]
  readonly pending: readonly ByteName[]
}

/** Moves the branch and the index together: neither without the other, whoever comes in between. */
export async function land(
  { repository, say }: Pick<LedgerContext, 'repository' | 'say'>,
  { commit, parent, subject, entries, pending }: Landing,
): Promise<void> {
  const { marks, commits } = repository
  const copies = await copiesOf(repository, entries, pending)
  // All that takes time comes before the branch is locked: whoever commits then has to wait.
  const change = await repository.prepareIndex(async (index) => {
    const now = await index.blobs(...pathsTo(entries))
    // Only where nobody staged something else.
    await index.change(entries.filter(({ path, before }) => isSame(now.get(path), before)))
  })
  const about = { committer: commits.self(), indexFile: undefined, isOwn: true, isPartial: false }
  const mark = marks.save({ id: marks.newId(), ...about, entries, copies })
  let isApplied = false
  try {
    const obstacle = await commits.advance(commit, parent, subject, async () => {
      const before = somebodyAtWork(repository)
      if (before !== undefined) return before
      isApplied = await change.apply()
      // Once more, as late as can be: a git may have started since.
      return isApplied ? somebodyAtWork(repository) : MOVED
    })
    if (obstacle === MOVED) throw new BranchMoved(obstacle)
    if (obstacle !== undefined) throw new CommitSkipped(obstacle)
  } finally {
    change.discard()
    // The loser of a race has nothing to take out.
    if (isApplied) await settle(repository, mark, say)
    else marks.remove(mark.id)
  }
}

/** The mark is of a user's commit that the process table does not show, of another container for example. */
function somebodyAtWork({ commits, marks }: RepositoryPort): string | undefined {
  const isMarked = () => marks.list().some((mark) => !mark.isOwn && marks.isAtWork(mark))
  const other = commits.gitAtWork() ?? (isMarked() ? 'another commit' : undefined)
  return other && `${other} is at work in this worktree`
}

/** HEAD's commit, on which a commit of the ledger's own may be put. Throws `COMMIT_SKIPPED`. */
export async function requireSafe(repository: RepositoryPort, settings: Settings): Promise<string> {
  const { branch, oid } = await repository.history.head()
  if (oid === undefined) throw new CommitSkipped('the branch has no commit yet')
  if (branch === undefined) throw new CommitSkipped('HEAD is detached')
  if (settings.protectedBranches.includes(branch)) {
    throw new CommitSkipped(`${branch} is listed in commit.protected`)
  }
  const obstacle = await repository.commits.obstacle()
  if (obstacle !== undefined) throw new CommitSkipped(obstacle)
  return oid
}

class CommitSkipped extends LedgerError {
  constructor(reason: string) {
    const next = 'nothing is lost: pending events go into your next commit'
    super('COMMIT_SKIPPED', `the ledger was not committed: ${reason}`, next)
  }
}

class BranchMoved extends CommitSkipped {}
