/** Folders on the way to a file that do not belong to the repository. */

import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { attempt, foldersAbove, readTextIfAny } from '../files/files.ts'

/** The first folder that is a symbolic link or another repository; `top` is the worktree's. */
export function leadsOut(
  top: string,
  path: string,
): { folder: string; isLink: boolean } | undefined {
  const modules = submodules(top)
  const find = (name: string) => attempt(() => lstatSync(join(top, name)))
  for (const folder of foldersAbove(path)) {
    const isLink = find(folder)?.isSymbolicLink() === true
    if (isLink || modules.includes(folder) || find(`${folder}/.git`) !== undefined)
      return { folder, isLink }
  }
  return undefined
}

/** Paths of submodules, checked out or not. */
function submodules(top: string): string[] {
  const lines = readTextIfAny(join(top, '.gitmodules'))?.split('\n') ?? []
  return lines.flatMap((line) => /^\s*path\s*=(.*)$/.exec(line)?.[1]?.trim() ?? [])
}
