/**
 * What a commit took in of the ledger goes back out of the index when the commit is not made, and comes
 * in for good when it is.
 *
 * Git builds the commit's tree between pre-commit and prepare-commit-msg and does not read the index
 * again: `takeOut` then clears it, so that whatever becomes of the commit leaves nothing behind, and
 * `finishCommit` puts in what HEAD holds. Of a commit that was killed in between, the mark tells the
 * next command the same (`settleMarks`). See docs/decisions/0026.
 */

import { LedgerError } from '../../core/errors/errors.ts'
import type { Blobs, CommitMark, Committer, MarkedEntry } from '../../core/commit/commit-mark.ts'
import { isSame, settledEntries } from '../../core/commit/commit-mark.ts'
import type { ByteName } from '../../core/git/objects.ts'
import { nameToText, textToName } from '../../core/git/objects.ts'
import { ledgerPaths, placeOfIndex } from '../ledger/ledger-sources.ts'
import type { IndexEntry, IndexPort, RepositoryPort } from '../ports.ts'
import { readSettings } from '../ledger/read-settings.ts'
import type { Say } from './refresh-current.ts'
import { copyIndexed, refreshIndex } from './refresh-current.ts'
import { settleEvents } from './settle-events.ts'

/** prepare-commit-msg: the commit's tree is built. */
export async function takeOut(
  repository: RepositoryPort,
  committer: Committer | undefined,
): Promise<void> {
  if (repository.marks.isEmpty) return
  // A temporary index is git's to throw away.
  if (repository.indexFile?.endsWith('.lock') === true) return
  for (const mark of ownMarks(repository, committer)) await settleIndex(repository, mark)
}

/** post-commit: HEAD holds what was marked. */
export async function finishCommit(
  repository: RepositoryPort,
  committer: Committer | undefined,
  say: Say,
): Promise<void> {
  for (const mark of ownMarks(repository, committer)) await settle(repository, mark, say)
}

/** Marks of this very commit, and those that nobody can tell whose they are. */
function ownMarks(repository: RepositoryPort, committer: Committer | undefined): CommitMark[] {
  return repository.marks
    .list()
    .filter(
      ({ committer: other }) =>
        other === undefined ||
        (other.pid === committer?.pid && other.startTime === committer.startTime),
    )
}

/**
 * Puts right what commits left that are over. `isNewCommit`: another commit begins here, so those that
 * cannot be judged are over, too. Never throws for the sake of a command that has other work to do.
 */
export async function settleMarks(
  repository: RepositoryPort,
  say: Say,
  { isNewCommit = false }: { isNewCommit?: boolean } = {},
): Promise<void> {
  const { marks } = repository
  if (repository.place.top === undefined) return
  repository.clearDeadLock()
  if (marks.isEmpty) return
  try {
    for (const mark of marks.list()) {
      if (!marks.isAtWork(mark, { isNewCommit })) await settle(repository, mark, say)
    }
  } catch (error) {
    // A busy index, a read-only folder: the next one tries again.
    if (!(error instanceof LedgerError)) throw error
  }
}

/** The mark of a commit of our own, made or not. */
export async function settleMark(repository: RepositoryPort, id: string, say: Say): Promise<void> {
  const mark = repository.marks.list().find((one) => one.id === id)
  if (mark !== undefined) await settle(repository, mark, say)
}

async function settle(repository: RepositoryPort, mark: CommitMark, say: Say): Promise<void> {
  const own = indexOf(repository, mark)
  if (own !== undefined) await bringWorktreeAlong(own, mark, await settleIndex(own, mark), say)
  const lost = await restoreEvents(repository, mark, say)
  if (lost.length === 0) repository.marks.remove(mark.id)
  else if (mark.entries.length > 0 || lost.length < mark.copies.length) {
    repository.marks.replace({ ...mark, entries: [], copies: lost })
  }
}

/** The repository with the index that the mark is about; undefined where that is out of reach. */
function indexOf(repository: RepositoryPort, mark: CommitMark): RepositoryPort | undefined {
  if (mark.indexFile === undefined) return repository.withOwnIndex()
  return mark.indexFile === repository.indexFile ? repository : undefined
}

/** Returns what HEAD holds at the marked paths. */
async function settleIndex(repository: RepositoryPort, { entries }: CommitMark): Promise<Blobs> {
  if (entries.length === 0) return new Map()
  const paths = pathsTo(entries)
  let head = await repository.history.blobsAt('HEAD', paths)
  for (;;) {
    const known = head
    await repository.changeIndex(async ({ index }) => {
      await changeEntries(index, settledEntries(entries, await blobsIn(index, paths), known))
    })
    // A commit that landed meanwhile has settled what it found: it cannot know of this change.
    head = await repository.history.blobsAt('HEAD', paths)
    if (entries.every(({ path }) => isSame(known.get(path), head.get(path)))) return head
  }
}

/** More paths than this are looked up by their folders. */
const MAX_PATHS = 500

/** What to ask git for: the paths, or their folders where they are many or no text. */
export function pathsTo(entries: readonly { readonly path: ByteName }[]): string[] {
  const paths = entries.map(({ path }) => path)
  const isText = paths.every((path) => textToName(nameToText(path)) === path)
  if (isText && paths.length <= MAX_PATHS) return paths.map(nameToText)
  return [...new Set(paths.map((path) => nameToText(path.slice(0, path.lastIndexOf('/')))))]
}

export async function changeEntries(
  index: IndexPort,
  entries: readonly MarkedEntry[],
): Promise<void> {
  const put = entries.flatMap(({ path, after }): IndexEntry[] => {
    if (after === undefined) return []
    const name = path.slice(path.lastIndexOf('/') + 1)
    return [{ ...after, path, name, stage: 0, skipWorktree: after.skipWorktree === true }]
  })
  await index.removeAll(entries.filter(({ after }) => after === undefined).map(({ path }) => path))
  await index.putAll(put)
  if (put.length > 0) await index.refresh(...pathsTo(put))
}

/** The merged entries of the index at or below these paths. */
export async function blobsIn(index: IndexPort, paths: readonly string[]): Promise<Blobs> {
  const listed = await index.list(...paths)
  return new Map(
    listed
      .filter(({ stage }) => stage === 0)
      .map(({ path, mode, oid, skipWorktree }) => [path, { mode, oid, skipWorktree }]),
  )
}

/** The commit was made: the worktree's `current.md` follows it. */
async function bringWorktreeAlong(
  repository: RepositoryPort,
  mark: CommitMark,
  head: Blobs,
  say: Say,
): Promise<void> {
  const settings = await readSettings(repository)
  const current = textToName(ledgerPaths(settings.root).current)
  const entry = mark.entries.find(({ path }) => path === current)
  if (entry?.after === undefined || !isSame(head.get(current), entry.after)) return
  // Nothing of it was staged: HEAD held it all along, so its log tells.
  const isUnstaged = isSame(entry.before, entry.after)
  if (isUnstaged && !repository.marks.hasHeadMoved(mark)) return
  if (mark.isPartial) {
    // Git committed an index of its own; what else is staged in the real one counts there.
    await settleEvents(repository, settings, () => {}) // the hook before has said it
    await repository.changeIndex((changed) =>
      refreshIndex(changed, settings, say, { worktree: false }),
    )
  }
  const place = await placeOfIndex(repository, settings.root)
  await copyIndexed(repository, settings.root, place, [entry.before?.oid], say)
}

/**
 * An event that a commit took in and did not keep lies in the worktree again, unless a `reset --hard`
 * came in between and took it for a tracked file. Returns the events that are still missing.
 */
async function restoreEvents(
  repository: RepositoryPort,
  mark: CommitMark,
  say: Say,
): Promise<CommitMark['copies']> {
  const missing = await missingEvents(repository, mark.copies)
  if (missing.length === 0) return []
  const wasReset =
    repository.marks.hasHeadMoved(mark) &&
    (await repository.history.lastMove())?.startsWith('reset: ') === true
  if (!wasReset) return missing
  for (const { path, bytes } of missing) {
    await repository.worktree.create(nameToText(path), bytes)
    say(
      `ledger-git: ${nameToText(path)} is back: git reset took it away while a commit was under way`,
    )
  }
  return []
}

/** Events that only a mark still has: the commit that took them in was not made, and they were deleted. */
export async function lostEvents(repository: RepositoryPort): Promise<string[]> {
  const { marks } = repository
  if (marks.isEmpty) return []
  const copies = marks.list().flatMap((mark) => (marks.isAtWork(mark) ? [] : mark.copies))
  return (await missingEvents(repository, copies)).map(({ path }) => nameToText(path))
}

/** Copies of events that neither HEAD nor the index nor the worktree has. */
export async function missingEvents(
  repository: RepositoryPort,
  copies: CommitMark['copies'],
): Promise<CommitMark['copies']> {
  const gone: CommitMark['copies'][number][] = []
  for (const copy of copies) {
    if ((await repository.worktree.readBytesName(copy.path)) === undefined) gone.push(copy)
  }
  if (gone.length === 0) return []
  const paths = pathsTo(gone)
  const [head, index] = [
    await repository.history.blobsAt('HEAD', paths),
    await blobsIn(repository.index, paths),
  ]
  return gone.filter(({ path }) => !head.has(path) && !index.has(path))
}
