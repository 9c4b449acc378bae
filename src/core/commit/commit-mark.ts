/**
 * Marks: a record of what a commit adds of the ledger, written before the commit adds it.
 *
 * Between pre-commit and post-commit a commit may be abandoned or killed. Its mark says which index entries are
 * ours and what was there before, and keeps a copy of each event, so that the next command or hook can restore a
 * consistent state. Pure.
 */

import type { ByteName, TreeEntry } from '../git/objects.ts'
import { nameToText, textToName } from '../git/objects.ts'
import type { ProcessIdentity } from '../session/session-state.ts'

/** What an index or a tree holds at one path. */
export interface Blob extends Pick<TreeEntry, 'mode' | 'oid'> {
  readonly skipWorktree?: boolean
}

export interface MarkedEntry {
  /** Path from the top of the repository. */
  readonly path: ByteName
  /** The index's entry before the commit; undefined if there was none. */
  readonly before: Blob | undefined
  /** The entry was the same as HEAD's. If so, restoring it means taking the entry of the current HEAD. */
  readonly isClean: boolean
  /** The entry that the commit should contain; undefined if it removes the path. */
  readonly after: Blob | undefined
}

/** The bytes of an event that no commit contained yet. */
export interface EventCopy {
  readonly path: ByteName
  readonly oid: string
  readonly bytes: Uint8Array
}

export interface CommitMark {
  /** Name of the mark file. */
  readonly id: string
  /** The running `git commit`, or our own process; undefined if it could not be found. */
  readonly committer: ProcessIdentity | undefined
  /** Unix time in milliseconds. */
  readonly writtenAt: number
  /** Size or time of HEAD's reflog when written, to see whether HEAD has moved since. Undefined without a reflog. */
  readonly headLog: number | undefined
  /** The user's own index (`GIT_INDEX_FILE`); undefined means the worktree's index. */
  readonly indexFile: string | undefined
  /** True for the ledger's own commits, which are serialized by the branch's lock. */
  readonly isOwn: boolean
  /** `git commit -- path`: git commits a temporary index, and the real one lacks our changes. */
  readonly isPartial: boolean
  readonly entries: readonly MarkedEntry[]
  readonly copies: readonly EventCopy[]
}

export type Blobs = ReadonlyMap<ByteName, Blob>

/** The entries in which two states of the index differ. `head`: the entries of HEAD. */
export function changedEntries(before: Blobs, after: Blobs, head: Blobs): MarkedEntry[] {
  const paths = [...new Set([...before.keys(), ...after.keys()])]
  return paths
    .map((path) => ({
      path,
      before: before.get(path),
      isClean: isSame(before.get(path), head.get(path)),
      after: after.get(path),
    }))
    .filter((entry) => !isSame(entry.before, entry.after))
}

/**
 * The changes that the index needs after a commit succeeded or not. If HEAD has our entry, it goes into the index;
 * if not, the earlier entry comes back. Entries that were changed since are left alone.
 */
export function settledEntries(
  entries: readonly MarkedEntry[],
  index: Blobs,
  head: Blobs,
): MarkedEntry[] {
  return entries.flatMap(({ path, before, isClean, after }) => {
    const old = isClean ? head.get(path) : before
    const [now, wanted] = isSame(head.get(path), after) ? [before, after] : [after, old]
    const found = index.get(path)
    if (isSame(now, wanted) || !isSame(found, now)) return []
    return [{ path, before: found, isClean, after: wanted }]
  })
}

/**
 * The index as it was before the commits of these marks. When two commits run at once, an entry that one finds may
 * be the other's, which removes it again while the first one still needs it.
 */
export function withoutOthers(index: Blobs, others: readonly CommitMark[]): Blobs {
  const result = new Map(index)
  for (const { path, before, after } of others.flatMap(({ entries }) => entries)) {
    if (!isSame(index.get(path), after)) continue
    if (before === undefined) result.delete(path)
    else result.set(path, before)
  }
  return result
}

export function isSame(a: Blob | undefined, b: Blob | undefined): boolean {
  return a?.oid === b?.oid && a?.mode === b?.mode
}

/** If there are more paths than this, their folders are looked up instead. */
const MAX_PATHS = 500

/** The paths to ask git for, or their folders if there are many paths or some are not valid text. */
export function pathsTo(entries: readonly { readonly path: ByteName }[]): string[] {
  const paths = entries.map(({ path }) => path)
  const isText = paths.every((path) => textToName(nameToText(path)) === path)
  if (isText && paths.length <= MAX_PATHS) return paths.map(nameToText)
  return [...new Set(paths.map((path) => nameToText(path.slice(0, path.lastIndexOf('/')))))]
}

/** Milliseconds for which a mark counts if the state of its process is unknown. */
const UNKNOWN_MILLIS = 24 * 60 * 60_000

/** True while the mark's commit may still be running. `state`: of the committer. A mark without entries is finished. */
export function isAtWork(
  mark: CommitMark,
  state: 'alive' | 'gone' | 'unknown',
  now: number,
): boolean {
  if (mark.entries.length === 0 || state === 'gone') return false
  return state === 'alive' || Math.abs(now - mark.writtenAt) < UNKNOWN_MILLIS
}

const SCHEMA = 1

/** The text of a mark file. Bytes are stored as base64, because an event may not be valid UTF-8. */
export function renderMark(mark: CommitMark): string {
  const copies = mark.copies.map(({ path, oid, bytes }) => ({
    path,
    oid,
    base64: Buffer.from(bytes).toString('base64'),
  }))
  const { id: _id, ...rest } = mark
  return `${JSON.stringify({ schema: SCHEMA, ...rest, copies })}\n`
}

/** Undefined for a torn file, and for a file of another schema version. */
export function parseMark(id: string, text: string): CommitMark | undefined {
  try {
    const { schema, ...read } = JSON.parse(text) as Omit<CommitMark, 'copies'> & {
      schema: unknown
      copies: readonly { path: string; oid: string; base64: string }[]
    }
    const copies = read.copies.map(({ path, oid, base64 }) => ({
      path,
      oid,
      bytes: Buffer.from(base64, 'base64'),
    }))
    return schema === SCHEMA ? { ...read, id, copies } : undefined
  } catch {
    return undefined
  }
}
