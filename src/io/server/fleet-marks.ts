/**
 * The files that the fleet is read from, and when they last changed. All of them are written whole and renamed
 * into place, so a folder's time covers every file in it.
 */

import { statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { foldersIn, namesIfAny, readTextIfAny } from '../files/files.ts'
import { DEFAULT_SETTINGS, SETTINGS_FILE } from '../../core/settings/settings.ts'

/** Checking must stay cheap if refs have very many folders. */
const MAX_FOLDERS = 1000
/** Names in our own folder that are written when reading, or are of no interest. */
const IGNORED_NAMES = new Set(['cache', 'log', 'scratch', 'code'])

/** Differs if something that the fleet is read from may have changed. */
export function fleetMarks(commonDir: string): string {
  const gitDirs = gitDirsOf(commonDir)
  const worktrees = worktreesOf(commonDir)
  const root = rootOf(commonDir)
  const paths = [
    ...['packed-refs', 'reftable/tables.list'].map((name) => join(commonDir, name)),
    ...foldersBelow(join(commonDir, 'refs')),
    join(commonDir, 'worktrees'),
    ...stateFolders(commonDir),
    ...gitDirs.flatMap((gitDir) => ['HEAD', 'index', 'locked'].map((name) => join(gitDir, name))),
    ...worktrees.flatMap((top) =>
      [`${root}/events`, `${root}/current.md`, SETTINGS_FILE].map((path) => join(top, path)),
    ),
  ]
  return paths.map(markOf).join('\n')
}

function markOf(path: string): string {
  try {
    const stat = statSync(path, { throwIfNoEntry: false })
    return stat === undefined ? '-' : `${stat.ino} ${stat.mtimeMs} ${stat.size}`
  } catch (error) {
    return String((error as NodeJS.ErrnoException).code)
  }
}

function rootOf(commonDir: string): string {
  return readTextIfAny(join(commonDir, 'ledger-git/root'))?.trimEnd() ?? DEFAULT_SETTINGS.root
}

/** The git folders of all worktrees. */
function gitDirsOf(commonDir: string): string[] {
  const linked = join(commonDir, 'worktrees')
  return [commonDir, ...namesIfAny(linked).map((name) => join(linked, name))]
}

function worktreesOf(commonDir: string): string[] {
  const [, ...linked] = gitDirsOf(commonDir)
  const tops = linked.flatMap((gitDir) => {
    const file = readTextIfAny(join(gitDir, 'gitdir'))
    return file === undefined ? [] : [dirname(file)]
  })
  return basename(commonDir) === '.git' ? [dirname(commonDir), ...tops] : tops
}

function stateFolders(commonDir: string): string[] {
  const own = join(commonDir, 'ledger-git')
  return namesIfAny(own)
    .filter((name) => !IGNORED_NAMES.has(name) && !name.includes('.'))
    .map((name) => join(own, name))
}

function foldersBelow(folder: string): string[] {
  const found = [folder]
  for (let i = 0; i < found.length && found.length < MAX_FOLDERS; i++) {
    const parent = found[i] ?? ''
    found.push(...foldersIn(parent).map((name) => join(parent, name)))
  }
  return found
}
