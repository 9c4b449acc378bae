/**
 * Ledger files that we stage for a commit leave the index again if the commit is not made, and stay in it for
 * good if it is.
 *
 * Git builds the commit's tree between pre-commit and prepare-commit-msg and does not read the index again:
 * - pre-commit stages our files and writes a mark (`takeIn`).
 * - prepare-commit-msg removes them from the index (`takeOut`), so that a commit that fails leaves nothing behind.
 * - post-commit stages what HEAD holds (`finishCommit`).
 *
 * If the commit is killed in between, the mark tells the next command what to do (`settle-marks.ts`). See
 * docs/decisions/0026.
 */

import type { Blobs, CommitMark } from '../../core/commit/commit-mark.ts'
import type { ProcessIdentity } from '../../core/session/session-state.ts'
import {
  changedEntries,
  isSame,
  pathsTo,
  settledEntries,
  withoutOthers,
} from '../../core/commit/commit-mark.ts'
import type { ByteName } from '../../core/git/objects.ts'
import { nameToText, textToName } from '../../core/git/objects.ts'
import { isLedgerPath } from '../../core/shadow/shadow-paths.ts'
import { ledgerPaths } from '../ledger/ledger-sources.ts'
import { readSettings } from '../ledger/read-settings.ts'
import type { LedgerContext, RepositoryPort, Say } from '../ports.ts'
import { copiesOf, forgetCommitted, restoreEvents } from './event-copies.ts'
import { followIndex, stageCurrent } from './refresh-current.ts'
import { settleEvents } from './settle-events.ts'

export interface TakeIn {
  readonly committer: ProcessIdentity | undefined
  /** Pending events and documents that the commit includes. */
  readonly pending: readonly ByteName[]
  /** `git commit -- path` */
  readonly isPartial: boolean
  /** Something was restored in the commit's temporary index; the real index has to follow. */
  readonly mustFollow: boolean
}

/**
 * pre-commit: stages pending files and a fresh `current.md`, and returns what it marked, with the mark's id. The worktree
 * is updated once the commit is made.
 */
export async function takeIn(
  context: LedgerContext,
  { committer, pending, isPartial, mustFollow }: TakeIn,
): Promise<Pick<CommitMark, 'id' | 'entries'>> {
  const { repository, settings } = context
  const { marks, history, indexFile } = repository
  const { current, events } = ledgerPaths(settings.root)
  const documents = pending.map(nameToText).filter((path) => !path.startsWith(`${events}/`))
  const id = marks.newId()
  return repository.changeIndex(async (changed) => {
    const others = marks.list().filter((mark) => mark.id !== id)
    const paths = [current, events, ...documents]
    const before = withoutOthers(await changed.index.blobs(...paths), others)
    await changed.index.addFiles(pending)
    await stageCurrent({ ...context, repository: changed })
    const after = await changed.index.blobs(...paths)
    const touched = changedEntries(before, after, new Map())
    const entries = changedEntries(before, after, await history.blobsAt('HEAD', pathsTo(touched)))
    const path = textToName(current)
    const now = after.get(path)
    // There is nothing to stage, but a tool rewrote the worktree's copy: the copy is updated after the commit anyway.
    const isRewritten =
      now !== undefined &&
      !entries.some((entry) => entry.path === path) &&
      (mustFollow || (await differsInWorktree(repository, path, now.oid)))
    if (isRewritten) entries.push({ path, before: now, isClean: false, after: now })
    if (entries.length === 0) return { id, entries }
    const copies = await copiesOf(repository, entries, pending)
    const file = repository.isCommitIndex ? undefined : indexFile
    marks.save({ id, committer, indexFile: file, isOwn: false, isPartial, entries, copies })
    return { id, entries }
  })
}

async function differsInWorktree(
  { worktree, index }: RepositoryPort,
  path: ByteName,
  oid: string,
): Promise<boolean> {
  const entry = (await index.blobs(nameToText(path))).get(path)
  if (entry?.skipWorktree === true || (await worktree.readBytesName(path)) === undefined)
    return false
  return (await worktree.hashFiles([path], false))[0] !== oid
}

/** prepare-commit-msg: git has built the commit's tree. A temporary index is left alone; git discards it. */
export async function takeOut(
  repository: RepositoryPort,
  committer: ProcessIdentity | undefined,
): Promise<void> {
  if (repository.marks.isEmpty || repository.isCommitIndex) return
  for (const mark of ownMarks(repository, committer)) await settleIndex(repository, mark)
}

/** post-commit: HEAD now holds what was marked. */
export async function finishCommit(
  repository: RepositoryPort,
  committer: ProcessIdentity | undefined,
  say: Say,
): Promise<void> {
  for (const mark of ownMarks(repository, committer)) await settle(repository, mark, say)
}

/** Marks of this commit, and marks whose committer is unknown. */
function ownMarks({ marks }: RepositoryPort, committer: ProcessIdentity | undefined): CommitMark[] {
  const isOwn = ({ committer: other }: CommitMark) =>
    other === undefined || (other.pid === committer?.pid && other.startTime === committer.startTime)
  return marks.list().filter(isOwn)
}

interface Settled {
  readonly head: Blobs
  readonly index?: Blobs | undefined
}

/**
 * Settles the mark of a commit that was made or not: marked files are staged or removed to match HEAD. `settled` is
 * what HEAD and the index hold at the marked paths, if the two already agree.
 */
export async function settle(
  repository: RepositoryPort,
  mark: CommitMark,
  say: Say,
  settled?: Settled,
): Promise<void> {
  const { marks, indexFile } = repository
  // A command cannot reach an index that the user named for another command.
  const isOwn = mark.indexFile === undefined
  if (isOwn || mark.indexFile === indexFile) {
    const reached = isOwn ? repository.withOwnIndex() : repository
    const { head, index } = settled ?? { head: await settleIndex(reached, mark) }
    await updateWorktree(reached, mark, { head, index }, say)
    if (mark.isOwn) await removeFromWorktree(reached, mark, head)
    await forgetCommitted(repository, head)
  }
  const lost = await restoreEvents(repository, mark, say)
  if (lost.length === 0) marks.remove(mark.id)
  else if (mark.entries.length > 0 || lost.length < mark.copies.length) {
    marks.replace({ ...mark, entries: [], copies: lost })
  }
}

/** Returns what HEAD holds at the marked paths. */
async function settleIndex(repository: RepositoryPort, { entries }: CommitMark): Promise<Blobs> {
  if (entries.length === 0) return new Map()
  const paths = pathsTo(entries)
  let head = await repository.history.blobsAt('HEAD', paths)
  for (;;) {
    const known = head
    await repository.changeIndex(async ({ index }) => {
      const changed = settledEntries(entries, await index.blobs(...paths), known)
      await index.change(changed)
      await index.refresh(...pathsTo(changed.filter(({ after }) => after !== undefined)))
    })
    // A commit that landed in the meantime could not know of this change: check again.
    head = await repository.history.blobsAt('HEAD', paths)
    if (entries.every(({ path }) => isSame(known.get(path), head.get(path)))) return head
  }
}

/** If the commit was made, updates the worktree's `current.md` to match. */
async function updateWorktree(
  repository: RepositoryPort,
  mark: CommitMark,
  { head, index }: Settled,
  say: Say,
): Promise<void> {
  const settings = await readSettings(repository)
  const context = { repository, settings, say }
  const current = textToName(ledgerPaths(settings.root).current)
  const entry = mark.entries.find(({ path }) => path === current)
  if (entry?.after === undefined || !isSame(head.get(current), entry.after)) return
  // Nothing was staged because HEAD already held the file, so only HEAD's log shows whether a commit was made.
  const isUnstaged = isSame(entry.before, entry.after)
  if (isUnstaged && !repository.marks.hasHeadMoved(mark)) return
  if (mark.isPartial) {
    // Git committed a temporary index; the real one may have other events staged, so `current.md` differs there.
    await settleEvents({ ...context, say: () => {} }) // pre-commit has already reported this
    await repository.changeIndex((changed) => stageCurrent({ ...context, repository: changed }))
  }
  const now = index?.get(current)
  if (mark.isOwn && now !== undefined && !isSame(now, entry.after)) {
    // Somebody staged events and a `current.md` for them: render it again with what our commit added.
    await repository.changeIndex((changed) => stageCurrent({ ...context, repository: changed }))
    return followIndex(context, now.oid)
  }
  await followIndex(context, entry.before?.oid, now)
}

/**
 * Deletes from the worktree the ledger files that our own commit removed, if they still are what was committed.
 * Other files belong to the user: work in progress from a commit that is undone stays in the worktree.
 */
async function removeFromWorktree(
  repository: RepositoryPort,
  { entries }: CommitMark,
  head: Blobs,
): Promise<void> {
  const { worktree, index } = repository
  const gone = entries.filter(({ path, after }) => after === undefined && !head.has(path))
  if (gone.length === 0) return
  const { root } = await readSettings(repository)
  const removed = gone.filter(({ path }) => isLedgerPath(nameToText(path), root))
  if (removed.length === 0) return
  const staged = await index.blobs(...pathsTo(removed))
  const texts = await Promise.all(removed.map(({ path }) => worktree.readBytesName(path)))
  const left = removed.filter(({ path }, i) => texts[i] !== undefined && !staged.has(path))
  const oids = await worktree.hashFiles(
    left.map(({ path }) => path),
    false,
  )
  for (const [i, { path, before }] of left.entries()) {
    if (oids[i] === before?.oid) await worktree.remove(path)
  }
}
