/** Git's pre-commit hook: what is pending goes along, and a commit with nothing left is not made. */

import { isSame } from '../../core/commit/commit-mark.ts'
import { readCommitWords } from '../../core/commit/parse-git-args.ts'
import { textToName } from '../../core/git/objects.ts'
import { takeIn } from '../commit/commit-marks.ts'
import { pendingDocuments } from '../commit/pending-documents.ts'
import { followIndex, renderOutOfGit } from '../commit/refresh-current.ts'
import { settleEvents } from '../commit/settle-events.ts'
import { settleMarks } from '../commit/settle-marks.ts'
import { ledgerPaths } from '../ledger/ledger-sources.ts'
import type { HookContext } from './hook-context.ts'
import { isSequencing, ledgerOf } from './hook-context.ts'

/** Takes pending events into the commit and makes its `current.md` fresh. */
export async function preCommit(context: HookContext): Promise<number> {
  const { repository, say } = context
  // A sequence keeps the index in memory: what a hook stages makes its next step fail. The
  // prepare-commit-msg gate watches over these commits.
  if (isSequencing(context) && context.commitProcess()?.isStartedByGit === true) return 0
  // No commit comes of it, and what was staged nobody would take out.
  if (context.isOrphan()) return 0
  await settleMarks(repository, say, { isNewCommit: true })
  const ledger = await ledgerOf(context)
  // `git commit -- path` (also `--only`) builds the commit in an index of its own.
  const isPartial = /(?:^|\/)next-index-[^/]*$/.test(repository.indexFile ?? '')
  const settled = await settleEvents(ledger)
  if (!settled.mayCommit) return 1
  if (!isPartial && !(await willCommit(context))) {
    if (settled.isIndexChanged) say(NOTHING_LEFT)
    else if (settled.pending.length > 0) say(PENDING_ONLY)
    return settled.isIndexChanged ? 1 : 0
  }
  const entries = await takeIn(ledger, {
    committer: context.committer(),
    // `git commit -- path` commits what it names and nothing else.
    pending: isPartial ? [] : [...settled.pending, ...(await pendingDocuments(ledger))],
    isPartial,
    // Git prepared the real index before this hook, with what was changed back here.
    mustFollow: isPartial && settled.isIndexChanged,
  })
  const current = textToName(ledgerPaths(ledger.settings.root).current)
  const mended = entries.find(
    ({ path, before, after }) => path === current && !isSame(before, after),
  )
  if (mended !== undefined && entries.length === 1 && !(await willCommit(context))) {
    // All that was staged was a text that nobody renders. Git would commit without a change.
    await followIndex(ledger, mended.before?.oid)
    say(NOTHING_LEFT)
    return 1
  }
  // With the events that were just taken in.
  await renderOutOfGit(ledger)
  return 0
}

const NOTHING_LEFT =
  'ledger-git: nothing else is in this commit; it was not made (git commit --allow-empty makes an empty one)'

const PENDING_ONLY =
  'ledger-git: events are pending, but git has nothing else to commit\n' +
  '  next: git commit --allow-empty, or ledger-git synthesize --no-confirm --commit'

/**
 * Git decides whether there is anything to commit before it looks at what a hook staged. What is
 * staged for a commit that is then not made would stay behind and block `git switch` and `git merge`.
 */
async function willCommit(context: HookContext): Promise<boolean> {
  if (context.hasGitFile('MERGE_HEAD')) return true
  if (await context.repository.index.differsFromHead()) return true
  const words = context.commitProcess()?.words ?? []
  // Has a longer sibling and cannot be abbreviated.
  return words.includes('--allow-empty') || readCommitWords(words).isAmend
}
