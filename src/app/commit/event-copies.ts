/**
 * Copies of events that no branch has yet. Git deletes a staged file with a merge or rebase that is aborted, and with
 * a commit that is not made: then only the copy is left.
 */

import type { Blobs, CommitMark, MarkedEntry } from '../../core/commit/commit-mark.ts'
import { pathsTo } from '../../core/commit/commit-mark.ts'
import type { ByteName } from '../../core/git/objects.ts'
import { nameToText, textToName } from '../../core/git/objects.ts'
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

/** A new file in `events/`, kept until a branch has it. False where it was there. */
export async function createEvent(
  repository: RepositoryPort,
  path: string,
  text: string,
): Promise<boolean> {
  const { marks, worktree } = repository
  if (!(await worktree.create(path, text))) return false
  // Commits made without us (`-n`) leave their copies here, until somebody asks for lost ones.
  if (marks.kept().length >= MANY) await forgetCommitted(repository)
  // No commit ever takes events that git ignores.
  if (marks.kept().length < MOST) marks.keep({ path: textToName(path), bytes: Buffer.from(text) })
  return true
}

const MANY = 20
const MOST = 200

/**
 * What HEAD has is a branch's now. Not on a detached HEAD: a rebase may yet be aborted. `known`: what HEAD has of
 * the paths that matter.
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

/** Forgets the copies of events that are still there; returns the paths of the others. */
export async function forgetAll(repository: RepositoryPort): Promise<string[]> {
  const { marks } = repository
  const lost = await lostEvents(repository)
  const paths = marks.kept().map(({ path }) => path)
  marks.forget(paths.filter((path) => !lost.includes(nameToText(path))))
  return lost
}

/** Events that only a copy still has: they were deleted before a branch had them. */
export async function lostEvents(repository: RepositoryPort): Promise<string[]> {
  const { history, marks } = repository
  const marked = marks.list().flatMap((mark) => (marks.isAtWork(mark) ? [] : mark.copies))
  const missing = await missingEvents(repository, [...marks.kept(), ...marked])
  const paths = [...new Set(missing.map(({ path }) => path))]
  const onBranches = await history.reachable(paths)
  marks.forget(onBranches)
  return paths.filter((path) => !onBranches.includes(path)).map(nameToText)
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
