/**
 * What a commit takes in of the ledger goes back out of the index when the commit is not made, and stays
 * in it for good when it is.
 *
 * Git builds the commit's tree between pre-commit and prepare-commit-msg and does not read the index
 * again: pre-commit stages under a mark (`takeIn`), prepare-commit-msg clears the index (`takeOut`), so
 * that whatever becomes of the commit leaves nothing behind, and post-commit puts in what HEAD holds
 * (`finishCommit`). Of a commit that was killed in between, the mark tells the next command the same
 * (`settle-marks.ts`). See docs/decisions/0026.
 */

import type { Blobs, CommitMark, MarkedEntry } from '../../core/commit/commit-mark.ts'
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
  /** Pending events and documents that the commit takes along. */
  readonly pending: readonly ByteName[]
  /** `git commit -- path` */
  readonly isPartial: boolean
  /** Something was changed back in the commit's own index: the real one has to follow. */
  readonly mustFollow: boolean
}

/**
 * pre-commit: stages what is pending and a fresh `current.md`, and returns what it marked. The worktree follows when
 * the commit is made.
 */
export async function takeIn(
  context: LedgerContext,
  { committer, pending, isPartial, mustFollow }: TakeIn,
): Promise<readonly MarkedEntry[]> {
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
    // Nothing to stage, but a tool rewrote the worktree's copy: it follows the commit all the same.
    const isRewritten =
      now !== undefined &&
      !entries.some((entry) => entry.path === path) &&
      (mustFollow || (await differsInWorktree(repository, path, now.oid)))
    if (isRewritten) entries.push({ path, before: now, isClean: false, after: now })
    if (entries.length === 0) return []
    const copies = await copiesOf(repository, entries, pending)
    const file = repository.isCommitIndex ? undefined : indexFile
    marks.save({ id, committer, indexFile: file, isOwn: false, isPartial, entries, copies })
    return entries
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

/** prepare-commit-msg: the commit's tree is built. A temporary index is git's to throw away. */
export async function takeOut(
  repository: RepositoryPort,
  committer: ProcessIdentity | undefined,
): Promise<void> {
  if (repository.marks.isEmpty || repository.isCommitIndex) return
  for (const mark of ownMarks(repository, committer)) await settleIndex(repository, mark)
}

/** post-commit: HEAD holds what was marked. */
export async function finishCommit(
  repository: RepositoryPort,
  committer: ProcessIdentity | undefined,
  say: Say,
): Promise<void> {
  for (const mark of ownMarks(repository, committer)) await settle(repository, mark, say)
}

/** Marks of this very commit, and those that nobody can tell whose they are. */
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
 * In or out, as HEAD says now: the mark of a commit that was made, or not. `settled`: what HEAD
 * and the index hold at the marked paths, where they are in step already.
 */
export async function settle(
  repository: RepositoryPort,
  mark: CommitMark,
  say: Say,
  settled?: Settled,
): Promise<void> {
  const { marks, indexFile } = repository
  // An index of the user's own is out of reach for commands that have another.
  const isOwn = mark.indexFile === undefined
  if (isOwn || mark.indexFile === indexFile) {
    const reached = isOwn ? repository.withOwnIndex() : repository
    const { head, index } = settled ?? { head: await settleIndex(reached, mark) }
    await bringWorktreeAlong(reached, mark, { head, index }, say)
    if (mark.isOwn) await removeWithCommit(reached, mark, head)
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
    // A commit that landed meanwhile has settled what it found: it cannot know of this change.
    head = await repository.history.blobsAt('HEAD', paths)
    if (entries.every(({ path }) => isSame(known.get(path), head.get(path)))) return head
  }
}

/** Where the commit was made, the worktree's `current.md` follows it. */
async function bringWorktreeAlong(
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
  // Nothing of it was staged: HEAD held it all along, so its log tells.
  const isUnstaged = isSame(entry.before, entry.after)
  if (isUnstaged && !repository.marks.hasHeadMoved(mark)) return
  if (mark.isPartial) {
    // Git committed an index of its own; what else is staged in the real one counts there.
    await settleEvents({ ...context, say: () => {} }) // the hook before has said it
    await repository.changeIndex((changed) => stageCurrent({ ...context, repository: changed }))
  }
  const now = index?.get(current)
  if (mark.isOwn && now !== undefined && !isSame(now, entry.after)) {
    // Somebody staged events, and `current.md` with them: what our commit brought counts there, too.
    await repository.changeIndex((changed) => stageCurrent({ ...context, repository: changed }))
    return followIndex(context, now.oid)
  }
  await followIndex(context, entry.before?.oid, now)
}

/**
 * What a commit of our own took out of the ledger goes from the worktree, too, where it still is what was
 * committed. Other files are the user's: work in progress that is taken back stays where it is.
 */
async function removeWithCommit(
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
