/** Finds event files by the words that people use for them, and gathers what is known about a file. */

import type { Blob } from '../../core/commit/commit-mark.ts'
import { isEventFileName } from '../../core/event/event.ts'
import { fileMeant } from '../../core/event/file-word.ts'
import type { ByteName } from '../../core/git/objects.ts'
import { isRegularFile, nameToText, textToName } from '../../core/git/objects.ts'
import type { Settings } from '../../core/settings/settings.ts'
import type { GitObject, RepositoryPort } from '../ports.ts'
import { fileOfPath, ledgerPaths, placeOfRevision, placeOfWorktree } from './ledger-sources.ts'
import { archivedFiles } from './read-archive.ts'
import { bytesOrUnreadable } from './unreadable-files.ts'

/** Names of all events in the worktree, the index, HEAD, the archive or the saved copies. */
export async function eventFileNames(
  repository: RepositoryPort,
  settings: Settings,
): Promise<string[]> {
  const [worktree, head, archived] = await Promise.all([
    placeOfWorktree(repository, settings.root, { isRead: true }),
    placeOfRevision(repository, 'HEAD', settings.root),
    archivedFiles(repository, settings),
  ])
  const tracked = [...(worktree.entries ?? []), ...(head.entries ?? [])]
    .filter(({ mode }) => isRegularFile(mode))
    .map(({ name }) => nameToText(name))
  const folder = textToName(`${ledgerPaths(settings.root).events}/`)
  const copied = repository.marks.copies().filter(({ path }) => path.startsWith(folder))
  const others = [
    ...(worktree.unreadable ?? []).map(fileOfPath),
    ...archived.map(({ file }) => file),
    ...copied.map(({ path }) => fileOfPath(path)),
  ]
  return [...new Set([...tracked, ...others].filter(isEventFileName))]
}

/** The versions of one event: committed, staged and in the worktree. */
export interface EventFile {
  readonly file: string
  /** Relative to the top of the repository. */
  readonly path: string
  /** What HEAD has. */
  readonly committed: GitObject | undefined
  readonly entry: Blob | undefined
  readonly staged: Uint8Array | undefined
  /** The worktree's bytes. */
  readonly here: Uint8Array | undefined
  /** The file exists but may not be read. */
  readonly isUnreadable: boolean
}

export async function readEventFile(
  repository: RepositoryPort,
  settings: Settings,
  file: string,
): Promise<EventFile> {
  const path = textToName(`${ledgerPaths(settings.root).events}/${file}`)
  const [event] = await readEventFiles(repository, [path])
  // The caller needs this file: read it again so that the error says why it cannot be read.
  if (event?.isUnreadable === true) await repository.worktree.readBytesName(path)
  return event as EventFile
}

/** Finds an event by its path, its name or the beginning of its name. Throws `EVENT_NOT_FOUND`. */
export async function eventFileMeant(
  repository: RepositoryPort,
  settings: Settings,
  word: string,
): Promise<EventFile> {
  const file = fileMeant(word, await eventFileNames(repository, settings))
  return readEventFile(repository, settings, file)
}

/** Returns one result per path. */
export async function readEventFiles(
  { index, objects, worktree }: RepositoryPort,
  paths: readonly ByteName[],
): Promise<EventFile[]> {
  const entries = await index.blobs(...paths.map(nameToText))
  const read = paths.map(async (name): Promise<EventFile> => {
    const path = nameToText(name)
    const entry = entries.get(name)
    const [committed, staged, here] = await Promise.all([
      objects.find(`HEAD:${path}`),
      entry && objects.read(entry.oid),
      bytesOrUnreadable(worktree, name),
    ])
    const isUnreadable = here === 'unreadable'
    const bytes = { staged: staged?.content, here: isUnreadable ? undefined : here }
    return { file: fileOfPath(name), path, committed, entry, ...bytes, isUnreadable }
  })
  return Promise.all(read)
}

/** The bytes of an event in a copy saved by a commit in progress. */
export function copyOf({ marks }: RepositoryPort, { path }: EventFile): Uint8Array | undefined {
  return marks.copies().find((copy) => nameToText(copy.path) === path)?.bytes
}

/** True if the texts are equal apart from line endings. */
export function isSameText(a: Uint8Array | undefined, b: Uint8Array): boolean {
  const unix = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1').replaceAll('\r\n', '\n')
  return a !== undefined && unix(a) === unix(b)
}

/** True for a file that no commit can include: git ignores it, or its path goes through a symbolic link. */
export async function isOutOfReach(
  file: string,
  { index, worktree }: RepositoryPort,
): Promise<boolean> {
  return (await worktree.untracked(file)).length === 0 && (await index.list(file)).length === 0
}
