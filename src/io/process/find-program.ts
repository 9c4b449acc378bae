/** Finds a program. */

import { accessSync, constants, statSync } from 'node:fs'

/**
 * The path of a program of this name in PATH. If a program is started by its name, the system tries one folder after
 * the other in a copy of this process, which takes ten times as long. Returns the name if only the system can find
 * the program: a folder in PATH is relative, or no folder has it.
 */
export function findProgram(name: string, { PATH = '' }: NodeJS.ProcessEnv): string {
  for (const folder of PATH.split(':')) {
    if (!folder.startsWith('/')) return name
    const path = `${folder}/${name}`
    if (isProgram(path)) return path
  }
  return name
}

function isProgram(path: string): boolean {
  try {
    if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return false
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false // this user may not run it, or not look for it
  }
}
