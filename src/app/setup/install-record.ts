/** What `install` did, as it reports it and as `uninstall` needs it. */

import type { FilesPort } from '../ports.ts'

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
  readonly inserted?: string
  /** What was put into the settings of an agent or a formatter, in this order. */
  readonly pieces?: readonly string[]
  /** How many of the folders around the file were made for it. */
  readonly folders?: number
  /** What the user's hook said, where it was a link. */
  readonly target?: string
  /** The path as the record has it, where it came from there. */
  readonly recordedAs?: string
}

export interface Manifest {
  readonly version: string
  readonly edits: readonly Recorded[]
}

/** What recorded paths are relative to, so that a moved or copied repository works. */
export interface RecordPlaces {
  readonly commonDir: string
  readonly gitDir: string
  readonly top: string | undefined
}

export function manifestPath(commonDir: string): string {
  return `${commonDir}/ledger-git/install.json`
}

/** Beside the folder that `uninstall` removes: only one install or uninstall works at a time. */
export function installLock(commonDir: string): string {
  return `${commonDir}/ledger-git.lock`
}

/** The record with absolute paths; empty when there is none or it cannot be read. */
export function readManifest(files: FilesPort, places: RecordPlaces): Manifest {
  const text = files.read(manifestPath(places.commonDir))
  const parsed = text === undefined ? undefined : parseManifest(text)
  if (parsed === undefined) return { version: '', edits: [] } // the markers still tell what is ours
  const edits = parsed.edits.flatMap((edit) => {
    const path = absolute(edit.path, places, files)
    return path === undefined ? [] : [{ ...edit, path, recordedAs: edit.path }]
  })
  return { ...parsed, edits }
}

export function manifestText(manifest: Manifest, places: RecordPlaces): string {
  const edits = manifest.edits.map(({ recordedAs, ...edit }) => ({
    ...edit,
    path: recordedAs ?? relative(edit.path, places),
  }))
  return `${JSON.stringify({ ...manifest, edits }, null, 2)}\n`
}

function parseManifest(text: string): Manifest | undefined {
  try {
    const parsed = JSON.parse(text) as Partial<Manifest> | null
    if (!Array.isArray(parsed?.edits)) return undefined
    const version = typeof parsed.version === 'string' ? parsed.version : ''
    return { version, edits: parsed.edits.filter(isRecorded) }
  } catch {
    return undefined
  }
}

function isRecorded(edit: unknown): edit is Recorded {
  const { path, kind, inserted, pieces, folders } = (edit ?? {}) as Partial<
    Record<keyof Recorded, unknown>
  >
  const isText = inserted === undefined || typeof inserted === 'string'
  const isCount = folders === undefined || typeof folders === 'number'
  return typeof path === 'string' && isKind(kind) && isText && isCount && isTexts(pieces)
}

function isKind(kind: unknown): boolean {
  return typeof kind === 'string' && Object.hasOwn(KINDS, kind)
}

function isTexts(pieces: unknown): boolean {
  if (pieces === undefined) return true
  return Array.isArray(pieces) && pieces.every((piece) => typeof piece === 'string')
}

/** `{common}/config`, `{top}/.gitattributes` (main worktree), `{top:id}/…` (linked worktree). */
function relative(path: string, { commonDir, gitDir, top }: RecordPlaces): string {
  if (path.startsWith(`${commonDir}/`)) return `{common}${path.slice(commonDir.length)}`
  if (top === undefined || !path.startsWith(`${top}/`)) return path
  const id = gitDir === commonDir ? '' : `:${gitDir.slice(gitDir.lastIndexOf('/') + 1)}`
  return `{top${id}}${path.slice(top.length)}`
}

function absolute(path: string, places: RecordPlaces, files: FilesPort): string | undefined {
  const match = /^\{(common|top)(?::([^/}]+))?\}(\/.*)$/.exec(path)
  if (match === null) return undefined
  const [, base, id, rest = ''] = match
  const folder = base === 'common' ? places.commonDir : topOf(id, places, files)
  return folder === undefined ? undefined : folder + rest
}

/** The top of the main worktree (no id) or of the linked one that git knows by this id. */
function topOf(id: string | undefined, places: RecordPlaces, files: FilesPort): string | undefined {
  const { commonDir, gitDir, top } = places
  const own = gitDir === commonDir ? undefined : gitDir.slice(gitDir.lastIndexOf('/') + 1)
  if (id === own) return top
  if (id === undefined)
    return commonDir.endsWith('/.git') ? commonDir.slice(0, -'/.git'.length) : undefined
  return files
    .read(`${commonDir}/worktrees/${id}/gitdir`)
    ?.trim()
    .replace(/\/\.git$/, '')
}
