/** Event files by the words that people use for them, and what is known of one. */

import { isRegularFile, nameToText, textToName } from '../../core/git/objects.ts'
import { isEventFileName } from '../../core/event/event.ts'
import type { Settings } from '../../core/settings/settings.ts'
import { archivedFiles } from '../ledger/read-archive.ts'
import {
  fileOfPath,
  ledgerPaths,
  placeOfRevision,
  placeOfWorktree,
} from '../ledger/ledger-sources.ts'
import type { GitObject, IndexEntry, RepositoryPort } from '../ports.ts'

/** Names of all events that the worktree, the index, HEAD, the archive or a copy has. */
export async function eventFileNames(
  repository: RepositoryPort,
  settings: Settings,
): Promise<string[]> {
  const [worktree, head, archived, copies] = await Promise.all([
    placeOfWorktree(repository, settings.root),
    placeOfRevision(repository, 'HEAD', settings.root),
    archivedFiles(repository, settings),
    copiesOfEvents(repository, settings),
  ])
  const tracked = [...(worktree.entries ?? []), ...(head.entries ?? [])]
    .filter(({ mode }) => isRegularFile(mode))
    .map(({ name }) => nameToText(name))
  const names = [...tracked, ...archived.map(({ file }) => file), ...copies.map(({ file }) => file)]
  return [...new Set(names.filter(isEventFileName))]
}

/** Where one event stands. */
export interface EventFile {
  readonly file: string
  /** From the top of the repository. */
  readonly path: string
  readonly committed: GitObject | undefined
  readonly entry: IndexEntry | undefined
  readonly staged: Uint8Array | undefined
  /** The worktree's bytes. */
  readonly here: Uint8Array | undefined
}

export async function readEventFile(
  { index, objects, worktree }: RepositoryPort,
  settings: Settings,
  file: string,
): Promise<EventFile> {
  const path = `${ledgerPaths(settings.root).events}/${file}`
  const [committed, entries, here] = await Promise.all([
    objects.find(`HEAD:${path}`),
    index.list(path),
    worktree.read(path),
  ])
  const entry = entries.find(({ stage }) => stage === 0)
  const staged = entry && (await objects.read(entry.oid))?.content
  return { file, path, committed, entry, staged, here }
}

/** Copies that a commit on its way left, by event. */
export async function copiesOfEvents(
  { copies }: RepositoryPort,
  { root }: Settings,
): Promise<{ readonly file: string; readonly text: Uint8Array }[]> {
  const folder = `${ledgerPaths(root).events}/`
  return (await copies.list())
    .filter(({ path }) => path.startsWith(folder))
    .map(({ path, text }) => ({ file: fileOfPath(textToName(path)), text }))
}

/** Equal but for line ends. */
export function isSameText(a: Uint8Array | undefined, b: Uint8Array): boolean {
  if (a === undefined) return false
  const unix = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1').replaceAll('\r\n', '\n')
  return unix(a) === unix(b)
}
