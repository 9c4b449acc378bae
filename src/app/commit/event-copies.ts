/** Copies of the events that a commit takes in: where it is not made and they are deleted, only its mark has them. */

import type { CommitMark, MarkedEntry } from '../../core/commit/commit-mark.ts'
import { pathsTo } from '../../core/commit/commit-mark.ts'
import type { ByteName } from '../../core/git/objects.ts'
import { nameToText } from '../../core/git/objects.ts'
import { bytesOrUnreadable } from '../ledger/unreadable-files.ts'
import type { RepositoryPort, Say } from '../ports.ts'

/** Of the entries that are pending events: their bytes. */
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
 * An event that a commit took in and did not keep lies in the worktree again, unless a `reset --hard`
 * came in between and took it for a tracked file. Returns the events that are still missing.
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
    say(`ledger-git: ${name} is back: git reset took it away while a commit was under way`)
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
