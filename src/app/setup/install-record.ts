/** What `install` did, as it reports it and as `uninstall` needs it. */

import { ledgerPaths } from '../ledger/ledger-sources.ts'
import type { FilesPort, Place } from '../ports.ts'

export interface Change {
  readonly path: string
  readonly change: 'create' | 'edit' | 'remove' | 'move'
  readonly what: string
}

export interface InstallReport {
  readonly changes: readonly Change[]
  /** What was left alone, and why. */
  readonly notes: readonly string[]
  /** Tracked files that the user should commit. */
  readonly commit: readonly string[]
}

/** The kinds of edits, with what `uninstall` says of each. */
export const KINDS = {
  own: 'written by install',
  ledger: 'empty ledger',
  team: 'written by install',
  block: 'block of ledger-git',
  wrapper: 'hook of ledger-git',
  agent: 'hooks of ledger-git',
  formatter: 'kept a formatter away',
}

/** One edit as `uninstall` needs it. */
export interface Recorded {
  readonly path: string
  /**
   * `wrapper`: a hook of ours that runs the user's, which is kept beside it. `ledger`, `team`: the
   * user's as soon as it is committed or changed. `agent`: hooks of ours in an agent's settings.
   * `formatter`: a settings file for the ledger's folder, or a piece of the settings of all.
   */
  readonly kind: keyof typeof KINDS
  readonly existed: boolean
  readonly inserted?: string | undefined
  /** What was put into the settings of an agent or a formatter, in this order. */
  readonly pieces?: readonly string[] | undefined
  /** How many of the folders around the file were made for it. */
  readonly folders?: number
  /** What the user's hook said, where it was a link. */
  readonly target?: string | undefined
  /** The path as the record has it, where it came from there. */
  readonly recordedAs?: string
}

export interface InstallRecord {
  /** The release that wrote it. */
  readonly version: string
  readonly edits: readonly Recorded[]
}

/** What recorded paths are relative to, so that a moved or copied repository works. */
type RecordPlace = Pick<Place, 'commonDir' | 'gitDir' | 'top'>

export function recordPath(commonDir: string): string {
  return `${commonDir}/ledger-git/install.json`
}

/** Beside the folder that `uninstall` removes: only one install or uninstall works at a time. */
export function installLock(commonDir: string): string {
  return `${commonDir}/ledger-git.lock`
}

/** The record with absolute paths. Empty where it cannot be read: the markers still tell what is ours. */
export function readRecord(files: FilesPort, place: RecordPlace): InstallRecord {
  const { version, edits } = parseRecord(files.read(recordPath(place.commonDir)) ?? '')
  const found = edits.flatMap((edit) => {
    const path = absolute(edit.path, place, files)
    return path === undefined ? [] : [{ ...edit, path, recordedAs: edit.path }]
  })
  return { version, edits: found }
}

export function recordText({ version, edits }: InstallRecord, place: RecordPlace): string {
  const relativeEdits = edits.map(({ recordedAs, ...edit }) => ({
    ...edit,
    path: recordedAs ?? relative(edit.path, place),
  }))
  return `${JSON.stringify({ version, edits: relativeEdits }, null, 2)}\n`
}

function parseRecord(text: string): InstallRecord {
  try {
    const { version, edits } = JSON.parse(text) as Partial<InstallRecord>
    const isRecorded = ({ path, kind }: Recorded) =>
      typeof path === 'string' && Object.hasOwn(KINDS, kind)
    return { version: version ?? '', edits: (edits ?? []).filter(isRecorded) }
  } catch {
    return { version: '', edits: [] }
  }
}

/** `{common}/config`, `{top}/.gitattributes` (main worktree), `{top:id}/…` (linked worktree). */
function relative(path: string, place: RecordPlace): string {
  const { commonDir, top } = place
  if (path.startsWith(`${commonDir}/`)) return `{common}${path.slice(commonDir.length)}`
  if (top === undefined || !path.startsWith(`${top}/`)) return path
  const id = worktreeId(place)
  return `{top${id === undefined ? '' : `:${id}`}}${path.slice(top.length)}`
}

function absolute(path: string, place: RecordPlace, files: FilesPort): string | undefined {
  const [, base, id, rest = ''] = /^\{(common|top)(?::([^/}]+))?\}(\/.*)$/.exec(path) ?? []
  if (base === undefined) return undefined
  const folder = base === 'common' ? place.commonDir : topOf(id, place, files)
  return folder === undefined ? undefined : folder + rest
}

/** The top of the main worktree (no id) or of the linked one that git knows by this id. */
function topOf(id: string | undefined, place: RecordPlace, files: FilesPort): string | undefined {
  const { commonDir, top } = place
  if (id === worktreeId(place)) return top
  const file =
    id === undefined ? commonDir : files.read(`${commonDir}/worktrees/${id}/gitdir`)?.trim()
  return file?.endsWith('/.git') === true ? file.slice(0, -'/.git'.length) : undefined
}

/** Undefined for the main worktree. */
function worktreeId({ commonDir, gitDir }: RecordPlace): string | undefined {
  return gitDir === commonDir ? undefined : gitDir.slice(gitDir.lastIndexOf('/') + 1)
}

/** The folders of a worktree that ledger-git writes into: where a killed process leaves half a file. */
export function writtenFolders(files: FilesPort, place: RecordPlace, root: string): string[] {
  const { top } = place
  const recorded = readRecord(files, place).edits.map(({ path }) => folderOf(path))
  if (top === undefined) return recorded
  const { events, archive } = ledgerPaths(root)
  const days = files.list(`${top}/${archive}`).map((day) => `${top}/${archive}/${day}`)
  return [...recorded, top, `${top}/${root}`, `${top}/${events}`, `${top}/${archive}`, ...days]
}

export function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'))
}
