/**
 * A commit of the ledger's own: pending events and a fresh `current.md`, nothing else.
 *
 * Built beside the user's work, and given up rather than get into the way of a git of theirs. The real
 * index gets exactly the committed entries, where they still equal the old HEAD's, while the branch is
 * locked: otherwise the user's next commit would delete the events again.
 */

import type { Blobs, MarkedEntry } from '../../core/commit/commit-mark.ts'
import { changedEntries, isSame } from '../../core/commit/commit-mark.ts'
import { LedgerError } from '../../core/errors/errors.ts'
import type { ByteName } from '../../core/git/objects.ts'
import { textToName } from '../../core/git/objects.ts'
import type { Settings } from '../../core/settings/settings.ts'
import { freshnessOf } from '../ledger/freshness.ts'
import { ledgerPaths, pendingEvents, placeOfIndex } from '../ledger/ledger-sources.ts'
import type { RepositoryPort } from '../ports.ts'
import { MOVED } from '../ports.ts'
import type { Say } from './refresh-current.ts'
import { isOutOfGit, nameHandKept, renderWorktree } from './refresh-current.ts'
import { blobsIn, changeEntries, pathsTo, settleMark, settleMarks } from './settle-marks.ts'
import { copiesOf } from './take-in.ts'

export interface LedgerCommit {
  /** Undefined when there was nothing to commit. */
  readonly commit: string | undefined
}

/** Ledger files that the commit takes along or takes out, beside pending events. */
export interface LedgerChange {
  readonly added: readonly ByteName[]
  readonly removed: readonly ByteName[]
}

/** Commits of our own that end at once move the branch under each other's feet. */
const ATTEMPTS = 5

/** Throws `COMMIT_SKIPPED` (events stay pending) when a commit is not safe just now. */
export async function commitLedger(
  repository: RepositoryPort,
  settings: Settings,
  subject: string,
  say: Say,
  change: LedgerChange = { added: [], removed: [] },
): Promise<LedgerCommit> {
  await settleMarks(repository, say)
  for (let attempt = 1; ; attempt++) {
    try {
      return await commitOnce(repository, settings, subject, say, change)
    } catch (error) {
      if (!(error instanceof BranchMoved) || attempt === ATTEMPTS) throw error
    }
  }
}

async function commitOnce(
  repository: RepositoryPort,
  settings: Settings,
  subject: string,
  say: Say,
  change: LedgerChange,
): Promise<LedgerCommit> {
  const { root, mode } = settings
  const head = await requireSafe(repository, settings)
  const temporary = await repository.commits.temporaryIndex()
  try {
    const paths = [ledgerPaths(root).current, ledgerPaths(root).events, ledgerPaths(root).archive]
    const before = await blobsIn(temporary.index, paths)
    const pending = await pendingEvents(repository, root)
    await temporary.index.addFiles([...pending, ...change.added])
    await temporary.index.removeAll(change.removed)
    const place = await placeOfIndex({ place: repository.place, index: temporary.index }, root)
    const state = await freshnessOf(repository.objects, place, mode)
    if (!state.fresh && state.expected !== undefined) {
      const oid = await repository.writeBlob(state.expected)
      await temporary.index.put(ledgerPaths(root).current, oid, place.currentEntry?.skipWorktree)
    }
    const entries = changedEntries(before, await blobsIn(temporary.index, paths), before)
    if (entries.length === 0) return { commit: undefined }
    const replaced = before.get(textToName(ledgerPaths(root).current))?.oid
    if (replaced !== undefined) await nameHandKept(repository, root, replaced, say)
    const commit = await repository.commits.create(await temporary.writeTree(), head, subject)
    await land(repository, { commit, head, subject, entries, pending }, say)
    if (isOutOfGit(place, mode)) await renderWorktree(repository, root, place, say)
    return { commit }
  } finally {
    temporary.dispose()
  }
}

interface Landing {
  readonly commit: string
  readonly head: string
  readonly subject: string
  readonly entries: readonly MarkedEntry[]
  readonly pending: readonly ByteName[]
}

/** Moves the branch and the index together: neither without the other, whoever comes in between. */
async function land(
  repository: RepositoryPort,
  { commit, head, subject, entries, pending }: Landing,
  say: Say,
): Promise<void> {
  const { marks, commits } = repository
  const mark = {
    id: marks.newId(),
    committer: commits.self(),
    indexFile: undefined,
    isOwn: true,
    isPartial: false,
    entries,
    copies: await copiesOf(repository, entries, pending),
  }
  // All that takes time comes before the branch is locked: whoever commits then has to wait.
  const change = await repository.prepareIndex(async (index) => {
    await changeEntries(index, unchangedSince(entries, await blobsIn(index, pathsTo(entries))))
  })
  let isApplied = false
  try {
    marks.save(mark)
    const obstacle = await commits.advance(commit, head, subject, async () => {
      const before = somebodyAtWork(repository)
      if (before !== undefined) return before
      isApplied = await change.apply()
      // Once more, as late as can be: a git may have started since.
      return isApplied ? somebodyAtWork(repository) : MOVED
    })
    if (obstacle === MOVED) throw new BranchMoved()
    if (obstacle !== undefined) throw skipped(obstacle)
  } finally {
    change.discard()
    // In or out, as HEAD says now. The loser of a race has nothing to take out.
    if (isApplied) await settleMark(repository, mark.id, say)
    else marks.remove(mark.id)
  }
}

/** Entries that nobody staged something else for. */
function unchangedSince(entries: readonly MarkedEntry[], index: Blobs): MarkedEntry[] {
  return entries.filter(({ path, before }) => isSame(index.get(path), before))
}

function somebodyAtWork(repository: RepositoryPort): string | undefined {
  const other = repository.commits.gitAtWork() ?? markAtWork(repository)
  return other === undefined ? undefined : `${other} is at work in this worktree`
}

/** A user's commit that the process table does not show, of another container for example. */
function markAtWork({ marks }: RepositoryPort): string | undefined {
  const isBusy = marks.list().some((mark) => !mark.isOwn && marks.isAtWork(mark))
  return isBusy ? 'another commit' : undefined
}

/** HEAD's commit, on which a commit of the ledger's own may be put. Throws `COMMIT_SKIPPED`. */
export async function requireSafe(repository: RepositoryPort, settings: Settings): Promise<string> {
  const { branch, oid } = await repository.history.head()
  if (oid === undefined) throw skipped('the branch has no commit yet')
  if (branch === undefined) throw skipped('HEAD is detached')
  if (settings.protectedBranches.includes(branch)) {
    throw skipped(`${branch} is listed in commit.protected`)
  }
  const obstacle = await repository.commits.obstacle()
  if (obstacle !== undefined) throw skipped(obstacle)
  return oid
}

const PENDING_NEXT = 'nothing is lost: pending events go into your next commit'

function skipped(reason: string): LedgerError {
  return new LedgerError('COMMIT_SKIPPED', `the ledger was not committed: ${reason}`, PENDING_NEXT)
}

class BranchMoved extends LedgerError {
  constructor() {
    super('COMMIT_SKIPPED', `the ledger was not committed: ${MOVED}`, PENDING_NEXT)
  }
}
