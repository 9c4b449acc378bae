/**
 * Marks: what a commit takes in of the ledger, written down before it does.
 *
 * Between pre-commit and post-commit a commit may be given up or killed. Its mark says which index
 * entries are ours, what stood there before, and keeps a copy of each event, so that whoever comes next
 * can put everything right. Pure.
 */

import type { ByteName } from '../git/objects.ts'
import { nameToText, textToName } from '../git/objects.ts'
import type { ProcessIdentity } from '../session/session-state.ts'

/** What an index or a tree holds at one path. */
export interface Blob {
  readonly mode: string
  readonly oid: string
  readonly skipWorktree?: boolean
}

export interface MarkedEntry {
  /** Path from the top of the repository. */
  readonly path: ByteName
  /** The index's entry before the commit; undefined when there was none. */
  readonly before: Blob | undefined
  /** That entry was HEAD's: put back, it is what HEAD holds then. */
  readonly isClean: boolean
  /** The entry that the commit is to hold; undefined when it removes the path. */
  readonly after: Blob | undefined
}

/** The bytes of an event that was in no commit yet. */
export interface EventCopy {
  readonly path: ByteName
  readonly oid: string
  readonly bytes: Uint8Array
}

export interface CommitMark {
  /** Name of the mark's file. */
  readonly id: string
  /** The `git commit` at work, or our own process; undefined where it cannot be seen. */
  readonly committer: ProcessIdentity | undefined
  /** Unix time in milliseconds. */
  readonly writtenAt: number
  /** HEAD's log at that time, by size or time: whether HEAD has moved since. Undefined where there is none. */
  readonly headLog: number | undefined
  /** An index of the user's own (`GIT_INDEX_FILE`); undefined: the worktree's. */
  readonly indexFile: string | undefined
  /** A commit of the ledger's own: those take turns at the branch's lock. */
  readonly isOwn: boolean
  /** `git commit -- path`: git commits an index of its own, and the real one lacks what we changed. */
  readonly isPartial: boolean
  readonly entries: readonly MarkedEntry[]
  readonly copies: readonly EventCopy[]
}

export type Blobs = ReadonlyMap<ByteName, Blob>

/** The entries in which two states of the index differ. `head`: what HEAD holds. */
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
 * What the index must change to, now that HEAD holds the marked entries or does not: ours goes in where
 * HEAD has it, and out where it has not, each only if nobody changed it since.
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
 * The index as it was before the commits of these marks. Two commits at once: what one finds there may
 * be the other's, who takes it out again while the first one still needs it.
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

/** More paths than this are looked up by their folders. */
const MAX_PATHS = 500

/** What to ask git for: the paths, or their folders where they are many or no text. */
export function pathsTo(entries: readonly { readonly path: ByteName }[]): string[] {
  const paths = entries.map(({ path }) => path)
  const isText = paths.every((path) => textToName(nameToText(path)) === path)
  if (isText && paths.length <= MAX_PATHS) return paths.map(nameToText)
  return [...new Set(paths.map((path) => nameToText(path.slice(0, path.lastIndexOf('/')))))]
}

/** A mark of a process that nobody can judge counts for a day. */
const UNKNOWN_MILLIS = 24 * 60 * 60_000

/** `state`: whether the committer lives. Without entries there is nothing left to wait for. */
export function isAtWork(
  mark: CommitMark,
  state: 'alive' | 'gone' | 'unknown',
  now: number,
): boolean {
  if (mark.entries.length === 0 || state === 'gone') return false
  return state === 'alive' || Math.abs(now - mark.writtenAt) < UNKNOWN_MILLIS
}

const SCHEMA = 1

/** The mark's file. Bytes are kept as base64: an event need not be valid UTF-8. */
export function renderMark(mark: CommitMark): string {
  const copies = mark.copies.map(({ path, oid, bytes }) => ({
    path,
    oid,
    base64: Buffer.from(bytes).toString('base64'),
  }))
  const { id: _id, ...rest } = mark
  return `${JSON.stringify({ schema: SCHEMA, ...rest, copies })}\n`
}

/** Undefined for a torn file, and for one that a newer release wrote. */
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
