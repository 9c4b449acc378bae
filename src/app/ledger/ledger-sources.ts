/**
 * The three places that can hold a ledger: a commit, the index and the worktree.
 *
 * Each is reduced to the same pair: the `events/` tree and the `current.md` beside it.
 */

import type { ByteName, ObjectFormat, TreeEntry } from '../../core/git/objects.ts'
import {
  decodeTree,
  emptyTreeOid,
  encodeTree,
  hashObject,
  nameToText,
  splitFolders,
  textToName,
  TREE_MODE,
} from '../../core/git/objects.ts'
import { isEventFileName } from '../../core/event/event.ts'
import type { GitObject, IndexEntry, ObjectReader, RepositoryPort } from '../ports.ts'
import type { EventSet, Overlay } from './ledger-tree.ts'
import { readEvents, readTree, skip } from './ledger-tree.ts'
import { bytesOrUnreadable } from './unreadable-files.ts'

export const CURRENT_FILE = 'current.md'
const EVENTS_FOLDER = 'events'
const ARCHIVE_FOLDER = 'archive'
/** Folders of the ledger that are not handoffs. */
export const RESERVED = new Set([EVENTS_FOLDER, ARCHIVE_FOLDER])

/** What one place holds. */
export interface LedgerPlace {
  /** Entries of `events/`, sub-folders as trees; undefined when the folder is absent. */
  readonly entries: readonly TreeEntry[] | undefined
  /** Tree id of `events/`; the id of the empty tree when the folder is absent. */
  readonly eventsTree: string
  /** `current.md` as git stores it; undefined when absent. */
  readonly current: { readonly oid: string; readonly mode: string } | undefined
  /** Blobs that are not in the object database. */
  readonly overlay: Overlay
  /** Paths of worktree event files that may not be read; `entries` does not include them. */
  readonly unreadable?: readonly ByteName[]
}

/** Paths of `current.md`, `events/` and `archive/` below `root`. */
export function ledgerPaths(root: string): { current: string; events: string; archive: string } {
  const below = (name: string) => (root === '' ? name : `${root}/${name}`)
  return {
    current: below(CURRENT_FILE),
    events: below(EVENTS_FOLDER),
    archive: below(ARCHIVE_FOLDER),
  }
}

/** The name of the handoff `<root>/<name>/current.md`; undefined for any other path. */
export function handoffName(path: ByteName, root: string): string | undefined {
  const below = textToName(root === '' ? '' : `${root}/`)
  if (!path.startsWith(below) || !path.endsWith(`/${CURRENT_FILE}`)) return undefined
  const name = path.slice(below.length, -CURRENT_FILE.length - 1)
  return name === '' || name.includes('/') || RESERVED.has(name) ? undefined : nameToText(name)
}

/** The ledger in the commit (or tree) that `revision` names. */
export async function placeOfRevision(
  repository: RepositoryPort,
  revision: string,
  root: string,
): Promise<LedgerPlace> {
  const { objects, place } = repository
  const { format } = place
  const { current, events } = ledgerIn(await objects.find(`${revision}:${root}`), format)
  return {
    entries: events === undefined ? undefined : await readTree(objects, events.oid),
    eventsTree: events?.oid ?? emptyTreeOid(format),
    current,
    overlay: new Map(),
  }
}

/** What a ledger's folder holds. */
export function ledgerIn(folder: GitObject | undefined, format: ObjectFormat) {
  const entries = folder?.type === 'tree' ? decodeTree(folder.content, format) : []
  return {
    current: entries.find(({ name, mode }) => name === CURRENT_FILE && mode !== TREE_MODE),
    events: entries.find(({ name, mode }) => name === EVENTS_FOLDER && mode === TREE_MODE),
  }
}

export interface IndexPlace extends LedgerPlace {
  /** Unmerged paths of the ledger. */
  readonly unmerged: readonly string[]
  readonly currentEntry: IndexEntry | undefined
}

/** The ledger in the index. Unmerged event files are left out and named. */
export async function placeOfIndex(
  { index, place }: Pick<RepositoryPort, 'index' | 'place'>,
  root: string,
): Promise<IndexPlace> {
  const { current, events } = ledgerPaths(root)
  return placeOfEntries(await index.list(current, events), root, place.format)
}

/** Like `placeOfIndex`, for index entries that are already known. */
export function placeOfEntries(
  listed: readonly IndexEntry[],
  root: string,
  format: ObjectFormat,
): IndexPlace {
  const paths = ledgerPaths(root)
  const merged = listed.filter((entry) => entry.stage === 0)
  const currentEntry = merged.find((entry) => entry.path === textToName(paths.current))
  const events = merged.filter((entry) => entry !== currentEntry)
  const start = textToName(paths.events).length + 1
  const tree = nestedTree(
    events.map((entry) => ({ ...entry, name: entry.path.slice(start) })),
    format,
  )
  return {
    entries: events.length === 0 ? undefined : tree.entries,
    eventsTree: tree.oid,
    current: currentEntry,
    currentEntry,
    overlay: new Map(),
    unmerged: [...new Set(listed.filter(({ stage }) => stage !== 0).map(({ path }) => path))],
  }
}

export interface WorktreePlace extends LedgerPlace {
  /** Paths of untracked event files, relative to the top. */
  readonly untracked: readonly string[]
  readonly index: IndexPlace
}

/** True if a sparse checkout leaves `current.md` out: a file at its path would be a change by the user. */
export function isLeftOut({ currentEntry }: IndexPlace): boolean {
  return currentEntry?.skipWorktree === true
}

/**
 * The ledger in the worktree: the index's events plus untracked event files that are not ignored. `isRead` is for
 * callers that only read events: it skips `current.md` and saves a git call. The ids then equal git's only if no
 * filter changes the files.
 */
export async function placeOfWorktree(
  repository: RepositoryPort,
  root: string,
  { write = false, isRead = false }: { write?: boolean; isRead?: boolean } = {},
): Promise<WorktreePlace> {
  const { worktree, place } = repository
  const paths = ledgerPaths(root)
  const listed = await repository.index.listAll(paths.current, paths.events)
  const index = placeOfEntries(listed.entries, root, place.format)
  worktree.requireOpen(paths.events)
  const files: { path: ByteName; bytes: Uint8Array }[] = []
  const unreadable: ByteName[] = []
  for (const path of listed.untracked.filter((one) => isUntrackedFile(one, paths.events))) {
    const bytes = await bytesOrUnreadable(worktree, path)
    if (bytes === 'unreadable') unreadable.push(path)
    else if (bytes !== undefined) files.push({ path, bytes })
  }
  const current = isRead ? undefined : await worktree.read(paths.current)
  // A sparse checkout has left the file out: the index's version counts.
  const leftOut = current === undefined && isLeftOut(index) ? index.current : undefined
  const all =
    current === undefined ? files : [...files, { path: textToName(paths.current), bytes: current }]
  const oids = isRead
    ? all.map(({ bytes }) => hashObject('blob', bytes, place.format))
    : await worktree.hashFiles(
        all.map(({ path }) => path),
        write,
      )
  const stored = all.map(({ path, bytes }, i) => ({ path, bytes, oid: oids[i] ?? '' }))
  const [currentFile] = stored.slice(files.length)
  const overlay = new Map(
    (write ? stored.slice(files.length) : stored).map(({ oid, bytes }) => [oid, bytes]),
  )
  const added = stored.slice(0, files.length).map(({ path, oid }): TreeEntry => {
    return { mode: '100644', name: path.slice(path.lastIndexOf('/') + 1), oid }
  })
  const names = new Set(added.map(({ name }) => name))
  const entries = [...(index.entries ?? []).filter(({ name }) => !names.has(name)), ...added]
  return {
    entries: index.entries === undefined && added.length === 0 ? undefined : entries,
    eventsTree:
      added.length === 0 ? index.eventsTree : hashObject('tree', encodeTree(entries), place.format),
    current: currentFile === undefined ? leftOut : { oid: currentFile.oid, mode: '100644' },
    overlay,
    untracked: files.map(({ path }) => path).filter(isEventPath),
    unreadable: unreadable.filter(isEventPath),
    index,
  }
}

/** What the worktree's events say, pending ones included. */
export async function eventsHere(repository: RepositoryPort, root: string): Promise<EventSet> {
  return eventsOf(repository.objects, await placeOfWorktree(repository, root, { isRead: true }))
}

/** The worktree without these events, given by name or path; the `.gitkeep` of a new ledger stays. */
export function placeWithout(
  place: WorktreePlace,
  events: readonly string[],
  format: ObjectFormat,
): LedgerPlace {
  if (events.length === 0) return place
  const added = new Set(events.map((path) => path.slice(path.lastIndexOf('/') + 1)))
  const left = (place.entries ?? []).filter(({ name }) => !added.has(name))
  const entries = left.length === 0 ? undefined : left
  return { ...place, entries, eventsTree: hashObject('tree', encodeTree(left), format) }
}

/** The last component of a path, as text. */
export function fileOfPath(path: ByteName): string {
  return nameToText(path.slice(path.lastIndexOf('/') + 1))
}

/** True for pending events, and for the `.gitkeep` of an empty ledger that is not committed yet. */
function isUntrackedFile(path: ByteName, events: string): boolean {
  const folder = `${textToName(events)}/`
  const isDirect = path.startsWith(folder) && !path.includes('/', folder.length)
  // A path with a line break cannot be passed to hash-object; no event has such a name.
  return !path.includes('\n') && isDirect && (isEventPath(path) || path.endsWith('/.gitkeep'))
}

export function isEventPath(path: string): boolean {
  return isEventFileName(fileOfPath(path))
}

export async function eventsOf(reader: ObjectReader, place: LedgerPlace): Promise<EventSet> {
  const { eventsTree, entries = [], overlay, unreadable = [] } = place
  const set = await readEvents(reader, eventsTree, entries, overlay)
  const skipped = unreadable.map((path) => skip('unreadable', fileOfPath(path)))
  return { ...set, problems: [...set.problems, ...skipped.flatMap(({ problems }) => problems)] }
}

/** Builds the tree that `git write-tree` would build, sub-folders included. */
function nestedTree(listed: readonly TreeEntry[], format: ObjectFormat) {
  const { direct: entries, below } = splitFolders(listed)
  for (const [name, inner] of below) {
    entries.push({ mode: TREE_MODE, name, oid: nestedTree(inner, format).oid })
  }
  return { oid: hashObject('tree', encodeTree(entries), format), entries }
}
