/** The user's own hook, kept while our hook, which runs it, takes its place. */

import { asksItsName } from '../../core/setup/hook-script.ts'
import { isWrapper, KEPT_SUFFIX, NAMES_FOLDER } from '../../core/setup/install-texts.ts'
import { shellWord } from '../../core/text/shell-word.ts'
import type { FilesPort } from '../ports.ts'
import type { Change, Removal } from './install-record.ts'
import { folderOf, KINDS } from './install-record.ts'

/** Where the hook is kept: in the same folder, because hooks refer to files beside them. */
export function keptPath(file: string): string {
  return file + KEPT_SUFFIX
}

/** A link through which the kept hook is run under its original name, if it looks at its name. */
function namePath(file: string): string {
  const slash = file.lastIndexOf('/')
  return `${file.slice(0, slash)}/${NAMES_FOLDER}${file.slice(slash)}`
}

/** The changes that keeping a hook makes, as `install` reports them. */
export function keptChanges(file: string, what: string, files: FilesPort): Change[] {
  const name: Change = {
    path: namePath(file),
    change: 'create',
    what: 'runs it under its own name',
  }
  const needsName = asksItsName(files.read(file) ?? '')
  return [
    ...(isKept(file, files) ? [] : [{ path: keptPath(file), change: 'move', what } as const]),
    ...(needsName && files.kind(name.path) === 'absent' ? [name] : []),
  ]
}

/** True if this hook has already been kept: an install was killed, or a tool has put the hook back in its place. */
export function isKept(file: string, files: FilesPort): boolean {
  return hasKept(file, files) && files.kind(file) !== 'absent' && files.isSame(file, keptPath(file))
}

export function hasKept(file: string, files: FilesPort): boolean {
  return files.kind(keptPath(file)) !== 'absent'
}

/** The command that installs our hook although another hook was kept earlier. */
export function makeRoom(file: string): string {
  const kept = keptPath(file)
  return `mv ${shellWord(kept)} ${shellWord(`${kept}.old`)} && ledger-git install`
}

/** Keeps the user's hook, so that ours can take its place. Returns a function that undoes this. */
export function keepHook(file: string, files: FilesPort): () => void {
  const kept = keptPath(file)
  const needsName = asksItsName(files.read(file) ?? '')
  if (!isKept(file, files)) files.keep(file, kept)
  const undo = () => {
    files.restore(kept, file)
    removeName(file, files)
  }
  try {
    if (needsName) files.link(kept, namePath(file))
    return undo
  } catch (error) {
    undo()
    throw error
  }
}

/** Restores the hook's name and reports it; `remove`: the hook already has its name, so only the copy is removed. */
export function giveBack(file: string, change: 'move' | 'remove', removal: Removal): void {
  const { files, dryRun, changes } = removal
  const [kept, name] = [keptPath(file), namePath(file)]
  const what = change === 'move' ? 'back to its place' : `the same as ${file}`
  const isThere = hasKept(file, files)
  if (isThere) changes.push({ path: kept, change, what })
  const hasName = files.kind(name) !== 'absent'
  if (hasName) changes.push({ path: name, change: 'remove', what: KINDS.wrapper })
  if (dryRun) return
  if (isThere) files.restore(kept, file)
  removeName(file, files)
}

/** Handles a kept hook although our hook is not in its place. */
export function takeOutKept(file: string, removal: Removal): void {
  const { files, notes } = removal
  if (!hasKept(file, files) || isWrapper(files.read(file) ?? '')) return
  const isGone = files.kind(file) === 'absent'
  if (isGone || isKept(file, files)) giveBack(file, isGone ? 'move' : 'remove', removal)
  else notes.push(`${keptPath(file)} is an older hook of yours, so it is kept`)
}

function removeName(file: string, files: FilesPort): void {
  const name = namePath(file)
  if (files.kind(name) !== 'absent') files.remove(name)
  files.removeFolder(folderOf(name))
}
