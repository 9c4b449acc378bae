/** What `install` did: the report for the user and the record for `uninstall`. */

import { ACTIVE_FOLDER, ARCHIVE_FOLDER } from '../../core/active-ledger/places.ts'
import { ledgerPaths } from '../ledger/ledger-sources.ts'
import type { FilesPort, Place } from '../ports.ts'
import type { Setup } from './setup.ts'

export interface Change {
  readonly path: string
  readonly change: 'create' | 'edit' | 'remove' | 'move'
  readonly what: string
}

/** What `uninstall` has done, or would do, so far. */
export interface Removal extends Setup {
  readonly dryRun: boolean
  readonly changes: Change[]
  readonly notes: string[]
  /** Our texts that the user has edited or committed; paths relative to the top. */
  readonly yours: string[]
}

export interface InstallReport {
  readonly changes: readonly Change[]
  /** What was left alone, and why. */
  readonly notes: readonly string[]
  /** Tracked files that the user should commit. */
  readonly commit: readonly string[]
}

/** The kinds of edits, with the words that `uninstall` uses for each. */
export const KINDS = {
  own: 'written by install',
  ledger: 'empty ledger',
  team: 'written by install',
  block: 'block of ledger-git',
  wrapper: 'hook of ledger-git',
  agent: 'hooks of ledger-git',
  formatter: 'kept a formatter away',
}

/** One edit, as `uninstall` needs it. */
export interface Recorded {
  readonly path: string
  /**
   * - `wrapper`: our hook that runs the user's own hook, which is kept beside it.
   * - `ledger`, `team`: files that belong to the user as soon as they are committed or changed.
   * - `agent`: our hooks in an agent's settings.
   * - `formatter`: a formatter's settings file for the ledger's folder, or a piece in its general settings.
   */
  readonly kind: keyof typeof KINDS
  readonly existed: boolean
  readonly inserted?: string | undefined
  /** What was put into the settings of an agent or a formatter, in this order. */
  readonly pieces?: readonly string[] | undefined
  /** For an agent's settings: the file holds only what follows the context; our other hooks are elsewhere. */
  readonly isForContext?: boolean | undefined
  /** How many of the file's parent folders were created for it. */
  readonly folders?: number
}

export interface InstallRecord {
  /** The release that wrote it. */
  readonly version: string
  readonly edits: readonly Recorded[]
}

/** Bases of recorded paths, which are relative so that a moved or copied repository works. */
type RecordPlace = Pick<Place, 'commonDir' | 'gitDir' | 'top'>

export function recordPath(commonDir: string): string {
  return `${commonDir}/ledger-git/install.json`
}

/** A file that exists while agents' hooks follow how full contexts are. */
export function contextMarker(commonDir: string): string {
  return `${commonDir}/ledger-git/context/followed`
}

/** Lets only one install or uninstall run at a time. It is beside the folder that `uninstall` removes. */
export function installLock(commonDir: string): string {
  return `${commonDir}/ledger-git.lock`
}

/** The record with absolute paths; empty if it cannot be read. The markers still show what is ours. */
export function readRecord(files: FilesPort, place: RecordPlace): InstallRecord {
  const bases = basesOf(files, place)
  try {
    const text = files.read(recordPath(place.commonDir)) ?? '{}'
    const { version = '', edits = [] } = JSON.parse(text) as Partial<InstallRecord>
    const known = edits.flatMap((edit) => {
      const [, base = '', rest = ''] = /^\{([^}]*)\}(\/.*)$/.exec(edit.path) ?? []
      const folder = base === 'user' ? '' : bases.get(base)
      const isKnown = folder !== undefined && Object.hasOwn(KINDS, edit.kind)
      return isKnown ? [{ ...edit, path: folder + rest }] : []
    })
    return { version, edits: known }
  } catch {
    return { version: '', edits: [] }
  }
}

export function recordText(
  { version, edits }: InstallRecord,
  files: FilesPort,
  place: RecordPlace,
): string {
  const bases = [...basesOf(files, place)].sort(([, a], [, b]) => b.length - a.length)
  const relative = (path: string) => {
    const [name, folder = ''] = bases.find(([, base]) => path.startsWith(`${base}/`)) ?? []
    return name === undefined ? undefined : `{${name}}${path.slice(folder.length)}`
  }
  const recorded = edits.map((edit) => {
    // The user's settings are the only file we edit that belongs to no repository.
    const outside = edit.isForContext === true ? `{user}${edit.path}` : edit.path
    return { ...edit, path: relative(edit.path) ?? outside }
  })
  return `${JSON.stringify({ version, edits: recorded }, null, 2)}\n`
}

/** The user's own Claude Code settings, which apply to every repository. */
export function userSettings(env: Readonly<Record<string, string | undefined>>): string {
  const { CLAUDE_CONFIG_DIR: folder, HOME: home = '' } = env
  return `${folder === undefined || folder === '' ? `${home}/.claude` : folder}/settings.json`
}

/** `common`, `top` (of the main worktree), and `top:id` (of the linked worktree that git knows by this id). */
function basesOf(files: FilesPort, { commonDir, gitDir, top }: RecordPlace) {
  const linked = files.list(`${commonDir}/worktrees`).flatMap((id) => {
    const folder = `${commonDir}/worktrees/${id}`
    const gitFile = files.read(`${folder}/gitdir`)?.trim() ?? ''
    return isOfOriginal(gitFile, folder, files) ? [] : [[`top:${id}`, gitFile] as const]
  })
  const own = gitDir === commonDir ? 'top' : `top:${gitDir.slice(gitDir.lastIndexOf('/') + 1)}`
  const gitFiles = [['top', commonDir] as const, ...linked].filter(([, path]) =>
    path.endsWith('/.git'),
  )
  return new Map<string, string>([
    ...gitFiles.map(([name, path]) => [name, folderOf(path)] as const),
    ['common', commonDir],
    ...(top === undefined ? [] : [[own, top] as const]),
  ])
}

/** In a copied repository, git's records name the original's worktrees, whose `.git` files lead to the original. */
function isOfOriginal(gitFile: string, folder: string, files: FilesPort): boolean {
  const text = gitFile.startsWith('/') ? files.read(gitFile) : undefined
  const leadsTo = /^gitdir: (\/.*)/.exec(text ?? '')?.[1]
  return leadsTo !== undefined && leadsTo !== folder && files.kind(leadsTo) !== 'absent'
}

/** The folders of a worktree into which ledger-git writes, where a killed process may leave a half-written file. */
export function writtenFolders(files: FilesPort, place: RecordPlace, root: string): string[] {
  const { top } = place
  const recorded = readRecord(files, place).edits.map(({ path }) => folderOf(path))
  if (top === undefined) return recorded
  const { events, archive } = ledgerPaths(root)
  const days = files.list(`${top}/${archive}`).map((day) => `${top}/${archive}/${day}`)
  const personal = [ACTIVE_FOLDER, ARCHIVE_FOLDER].map((folder) => `${top}/${folder}`)
  const ledger = [`${top}/${root}`, `${top}/${events}`, `${top}/${archive}`, ...days]
  return [...recorded, top, ...ledger, ...personal]
}

export function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'))
}
