/** `FilesPort` on the real file system. */

import {
  chmodSync,
  copyFileSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, relative } from 'node:path'
import type { FilesPort } from '../../app/ports.ts'
import {
  attempt,
  ifThere,
  isMissing,
  orUnreadable,
  orUnwritable,
  writeFileAtomic,
} from './files.ts'
import { underGitLock } from './git-lock.ts'
import { decodeBytes, encodeBytes } from '../../core/text/byte-text.ts'

export const nodeFiles: FilesPort = {
  read: (path) =>
    orUnreadable(path, () => {
      try {
        return decodeBytes(readFileSync(path))
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException
        if (isMissing(error) || code === 'EISDIR') return undefined
        throw error
      }
    }),
  write: (path, content, mode) => {
    // A configuration file that is a link stays a link.
    const file = mode === undefined ? attempt(() => realpathSync(path)) : path
    writeFileAtomic(file ?? path, encodeBytes(content), mode)
  },
  change: (path, edit) => {
    // git locks the file that a link leads to.
    const file = attempt(() => realpathSync(path)) ?? path
    underGitLock(file, (lock) => {
      const before = nodeFiles.read(file) ?? ''
      const after = edit(before)
      if (after === before) return false
      // Like git, without waiting for the disk: a git that finds the file locked fails at once.
      orUnwritable(lock, () => writeFileSync(lock, encodeBytes(after)))
      orUnwritable(lock, () => chmodSync(lock, nodeFiles.mode(file)))
      orUnwritable(file, () => renameSync(lock, file))
      return true
    })
  },
  remove: (path) => orUnwritable(path, () => unlinkSync(path)),
  keep: (from, to) =>
    orUnwritable(to, () => {
      const stats = lstatSync(from)
      if (stats.isSymbolicLink()) symlinkSync(readlinkSync(from), to)
      else if (stats.isDirectory()) renameSync(from, to)
      else keepFile(from, to)
    }),
  restore: (kept, to) =>
    orUnwritable(to, () => {
      if (lstatSync(kept).isDirectory()) rmSync(to, { force: true })
      renameSync(kept, to)
      rmSync(kept, { force: true }) // if both are names of one file, nothing was renamed
    }),
  isSame: (one, other) => {
    const [a, b] = [lstatSync(one), lstatSync(other)]
    if (a.isSymbolicLink() && b.isSymbolicLink()) return readlinkSync(one) === readlinkSync(other)
    if (!a.isFile() || !b.isFile() || a.mode !== b.mode) return false
    return readFileSync(one).equals(readFileSync(other))
  },
  link: (file, path) =>
    orUnwritable(path, () => {
      mkdirSync(dirname(path), { recursive: true })
      rmSync(path, { force: true })
      symlinkSync(relative(dirname(path), file), path)
    }),
  removeFolder: (path) => void attempt(() => rmdirSync(path)),
  // Another process may still be writing into it: what remains does no harm.
  removeTree: (path) =>
    void attempt(() => rmSync(path, { recursive: true, force: true, maxRetries: 2 })),
  kind: (path) => {
    try {
      return lstatSync(path).isFile() ? 'file' : 'other'
    } catch (error) {
      if (isMissing(error)) return 'absent'
      // Something exists there, but in another user's private folder: it is of no use here.
      if ((error as NodeJS.ErrnoException).code === 'EACCES') return 'other'
      throw error
    }
  },
  mode: (path) => lstatSync(path).mode & 0o777,
  size: (path) =>
    attempt(() => {
      const found = lstatSync(path)
      return found.isFile() ? found.size : undefined
    }),
  list: (folder) => orUnreadable(folder, () => ifThere(() => readdirSync(folder).sort()) ?? []),
}

function keepFile(from: string, to: string): void {
  try {
    linkSync(from, to)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw error
    copyFileSync(from, to) // a file system without hard links
  }
}
