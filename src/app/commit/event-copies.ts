/**
 * Copies of events that no branch has yet. Git deletes a staged file if a merge or rebase is aborted or a commit is not
 * made; then only the copy is left.
 */

import type { Blobs, CommitMark, MarkedEntry } from '../../core/commit/commit-mark.ts'
import { pathsTo } from '../../core/commit/commit-mark.ts'
import type { ByteName } from '../../core/git/objects.ts'
import { nameToText, textToName } from '../../core/git/objects.ts'
import { bytesOrUnreadable } from '../ledger/unreadable-files.ts'
import type { RepositoryPort, Say } from '../ports.ts'

/** The bytes of those entries that are pending events. */
export async function copiesOf(
  { worktree }: RepositoryPort,
  entries: readonly MarkedEntry[],
  pending: readonly ByteName[],
): Promise<CommitMark['copies']> {
  const files = new Set(pending)
  const taken = entries.filter(({ path }) => files.has(path))
  const copies = taken.map(async ({ path, after }) => {
    const bytes = after && (await worktree.readBytesName(path))
    return bytes === undefined ? [] : [{ path, oid: after?.oid ?? '', bytes }]
  })
  return (await Promise.all(copies)).flat()
}

/**
 * An event that was staged for a commit that was not made is normally still in the worktree. A `reset --hard` in
 * between deletes it as a tracked file; then it is restored from its copy. Returns the events that are still missing.
 */
export async function restoreEvents(
  repository: RepositoryPort,
  mark: CommitMark,
  say: Say,
): Promise<CommitMark['copies']> {
  const missing = await missingEvents(repository, mark.copies)
  const wasReset =
    missing.length > 0 &&
    repository.marks.hasHeadMoved(mark) &&
    (await repository.history.lastMove())?.startsWith('reset: ') === true
  if (!wasReset) return missing
  for (const { path, bytes } of missing) {
    const name = nameToText(path)
    await repository.worktree.create(name, bytes)
    say(`ledger-git: ${name} is restored: git reset removed it while a commit was in progress`)
  }
  return []
}

/** Creates a file in `events/` and keeps a copy until a branch has the event. False if the file already existed. */
export async function createEvent(
  repository: RepositoryPort,
  path: string,
  text: string,
): Promise<boolean> {
  const { marks, worktree } = repository
  if (!(await worktree.create(path, text))) return false
  // Commits made without our hooks (`-n`) leave copies here until somebody looks for lost events.
  if (marks.kept().length >= MANY) await forgetCommitted(repository)
  // The limit is needed because copies of events that git ignores are never committed and so never forgotten.
  if (marks.kept().length < MOST) marks.keep({ path: textToName(path), bytes: Buffer.from(text) })
  return true
}

const MANY = 20
const MOST = 200

/**
 * Forgets copies of events that HEAD has, since a branch now holds them. Not on a detached HEAD, where a rebase may
 * still be aborted. `known` is what HEAD has at the paths that matter.
 */
export async function forgetCommitted(
  { history, marks }: RepositoryPort,
  known?: Blobs,
): Promise<void> {
  const kept = marks.kept()
  if (kept.length === 0 || (await history.head()).branch === undefined) return
  const head = known ?? (await history.blobsAt('HEAD', pathsTo(kept)))
  marks.forget(kept.map(({ path }) => path).filter((path) => head.has(path)))
}

/** Forgets the copies of events that still exist elsewhere; returns the paths of the lost events. */
export async function forgetAll(repository: RepositoryPort): Promise<string[]> {
  const { marks } = repository
  const lost = await lostEvents(repository)
  const paths = marks.kept().map(({ path }) => path)
  marks.forget(paths.filter((path) => !lost.includes(nameToText(path))))
  return lost
}

/** Events that exist only as a copy: they were deleted before a branch had them. */
export async function lostEvents(repository: RepositoryPort): Promise<string[]> {
  const { history, marks } = repository
  const marked = marks.list().flatMap((mark) => (marks.isAtWork(mark) ? [] : mark.copies))
  const missing = await missingEvents(repository, [...marks.kept(), ...marked])
  const paths = [...new Set(missing.map(({ path }) => path))]
  const onBranches = await history.reachable(paths)
  marks.forget(onBranches)
  return paths.filter((path) => !onBranches.includes(path)).map(nameToText)
}

/** Copies of events that are in neither HEAD nor the index nor the worktree. */
async function missingEvents(
  { history, index, worktree }: RepositoryPort,
  copies: CommitMark['copies'],
): Promise<CommitMark['copies']> {
  const texts = await Promise.all(copies.map(({ path }) => bytesOrUnreadable(worktree, path)))
  const gone = copies.filter((_, i) => texts[i] === undefined)
  if (gone.length === 0) return []
  const paths = pathsTo(gone)
  const [head, staged] = [await history.blobsAt('HEAD', paths), await index.blobs(...paths)]
  return gone.filter(({ path }) => !head.has(path) && !staged.has(path))
}
