/** The user's own hook, kept while one of ours, which runs it, is in its place. */

import { asksItsName } from '../../core/setup/hook-script.ts'
import { KEPT_SUFFIX, NAMES_FOLDER } from '../../core/setup/install-texts.ts'
import type { FilesPort } from '../ports.ts'
import type { Change } from './install-record.ts'
import { folderOf } from './install-record.ts'

/** Where it is kept: in its folder, because hooks look around there. */
export function keptPath(file: string): string {
  return file + KEPT_SUFFIX
}

/** A link to the kept hook, by which it is run under its own name where it asks for that. */
export function namePath(file: string): string {
  const slash = file.lastIndexOf('/')
  return `${file.slice(0, slash)}/${NAMES_FOLDER}${file.slice(slash)}`
}

/** What keeping it changes, as `install` reports it. */
export function keptChanges(file: string, what: string, files: FilesPort): Change[] {
  const name: Change = {
    path: namePath(file),
    change: 'create',
    what: 'runs it under its own name',
  }
  const asks = asksItsName(files.read(file) ?? '')
  return [{ path: keptPath(file), change: 'move', what }, ...(asks ? [name] : [])]
}

/** Keeps it; ours may then take its place. Returns what takes that back. */
export function keepHook(file: string, files: FilesPort): () => void {
  const kept = keptPath(file)
  const asks = asksItsName(files.read(file) ?? '')
  files.keep(file, kept)
  const undo = () => giveBack(file, files)
  try {
    if (asks) files.link(kept, namePath(file))
    return undo
  } catch (error) {
    undo()
    throw error
  }
}

/** Gives it its name again. */
export function giveBack(file: string, files: FilesPort): void {
  files.restore(keptPath(file), file)
  removeName(file, files)
}

export function removeName(file: string, files: FilesPort): void {
  const name = namePath(file)
  if (files.kind(name) !== 'absent') files.remove(name)
  files.removeFolder(folderOf(name))
}
