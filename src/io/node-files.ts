/** `FilesPort` on the real file system. */

import { lstatSync, readFileSync, rmdirSync, unlinkSync } from 'node:fs'
import type { FilesPort } from '../app/ports.ts'
import { isMissing, writeFileAtomic } from './files.ts'

export const nodeFiles: FilesPort = {
  read: (path) => {
    try {
      return readFileSync(path, 'utf8')
    } catch (error) {
      if (isMissing(error) || (error as NodeJS.ErrnoException).code === 'EISDIR') return undefined
      throw error
    }
  },
  write: (path, content, mode) => writeFileAtomic(path, content, mode),
  remove: (path) => unlinkSync(path),
  removeFolder: (path) => {
    try {
      rmdirSync(path)
    } catch {
      // not empty, or not there
    }
  },
  kind: (path) => {
    const stats = lstatSync(path, { throwIfNoEntry: false })
    if (stats === undefined) return 'absent'
    return stats.isFile() ? 'file' : 'other'
  },
  mode: (path) => lstatSync(path).mode & 0o777,
}
