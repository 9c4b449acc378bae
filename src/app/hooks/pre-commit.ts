/** Git's pre-commit hook: includes what is pending, and stops a commit that has nothing left to commit. */

import { isSame } from '../../core/commit/commit-mark.ts'
import { readCommitWords } from '../../core/commit/parse-git-args.ts'
import { isOwnHandoff } from '../../core/context/places.ts'
import type { ByteName } from '../../core/git/objects.ts'
import { textToName } from '../../core/git/objects.ts'
import { takeIn } from '../commit/commit-marks.ts'
import { followIndex, renderOutOfGit } from '../commit/refresh-current.ts'
import { settleEvents } from '../commit/settle-events.ts'
import { settleMarks } from '../commit/settle-marks.ts'
import { fileOfPath, ledgerPaths } from '../ledger/ledger-sources.ts'
import { bytesOrUnreadable } from '../ledger/unreadable-files.ts'
import type { LedgerContext } from '../ports.ts'
import type { HookContext } from './hook-context.ts'
import { isSequencing, ledgerOf } from './hook-context.ts'

/** Adds pending events to the commit and makes its `current.md` fresh. */
export async function preCommit(context: HookContext): Promise<number> {
  const { repository, say } = context
  // A sequence keeps the index in memory, so anything that a hook stages makes its next step fail. The
  // prepare-commit-msg gate checks these commits.
  if (isSequencing(context) && context.commitProcess()?.isStartedByGit === true) return 0
  // The git that ran the hook is gone: there will be no commit, and nobody would unstage what we stage.
  if (context.isOrphan()) return 0
  await settleMarks(repository, say, { isNewCommit: true })
  const ledger = await ledgerOf(context)
  // `git commit -- path` (also `--only`) builds the commit in a separate index.
  const isPartial = /(?:^|\/)next-index-[^/]*$/.test(repository.indexFile ?? '')
  const settled = await settleEvents(ledger)
  if (!settled.mayCommit) return 1
  if (!isPartial && !(await willCommit(context))) {
    if (settled.isIndexChanged) say(NOTHING_LEFT)
    else if (settled.pending.length > 0) say(PENDING_ONLY)
    return settled.isIndexChanged ? 1 : 0
  }
  const { id, entries } = await takeIn(ledger, {
    committer: context.committer(),
    // `git commit -- path` commits only what it names.
    pending: isPartial ? [] : [...settled.pending, ...(await pendingDocuments(ledger))],
    isPartial,
    // Git prepared the real index before this hook, so it still has what was restored here.
    mustFollow: isPartial && settled.isIndexChanged,
  })
  const current = textToName(ledgerPaths(ledger.settings.root).current)
  const refreshed = entries.find(
    ({ path, before, after }) => path === current && !isSame(before, after),
  )
  if (refreshed !== undefined && entries.length === 1 && !(await willCommit(context))) {
    // Only a wrong current.md was staged, and it has been replaced: git would make a commit without a change.
    await followIndex(ledger, refreshed.before?.oid)
    // The mark would undo the same change once more, before the next commit is looked at.
    repository.marks.remove(id)
    say(NOTHING_LEFT)
    return 1
  }
  // Includes the events that were just added.
  await renderOutOfGit(ledger)
  return 0
}

/**
 * Context checkpoint documents that no commit has yet, unchanged since we wrote them: an edited document is for its
 * author to review and commit.
 */
async function pendingDocuments({ repository, settings }: LedgerContext): Promise<ByteName[]> {
  if (!settings.commitsContext) return []
  const { worktree } = repository
  const own: ByteName[] = []
  for (const path of await worktree.untracked(settings.handoffs)) {
    const bytes = await bytesOrUnreadable(worktree, path)
    if (typeof bytes === 'object' && isOwnHandoff(fileOfPath(path), bytes)) own.push(path)
  }
  return own
}

const NOTHING_LEFT =
  'ledger-git: nothing else is in this commit; it was not made (git commit --allow-empty makes an empty one)'

const PENDING_ONLY =
  'ledger-git: events are pending, but git has nothing else to commit\n' +
  '  next: git commit --allow-empty, or ledger-git synthesize --no-confirm --commit'

/**
 * Git decides whether there is anything to commit before it looks at what a hook staged. Files staged for a commit that
 * is then not made would stay behind and block `git switch` and `git merge`.
 */
async function willCommit(context: HookContext): Promise<boolean> {
  if (context.hasGitFile('MERGE_HEAD')) return true
  if (await context.repository.index.differsFromHead()) return true
  const words = context.commitProcess()?.words ?? []
  // This option cannot be abbreviated, because a longer option begins with it.
  return words.includes('--allow-empty') || readCommitWords(words).isAmend
}
