/** New files, written whole or not at all, and never over another one. */

import { closeSync, existsSync, fsync, linkSync, openSync, renameSync, rmSync } from 'node:fs'
import { attempt, orUnwritable, unwritable, writeTemp } from './files.ts'

/**
 * Creates a file with this content; false when something of that name exists. Never overwrites. The fsync is awaited
 * without blocking, so that a disk can serve those of several files at once.
 */
export async function createFileAtomic(
  path: string,
  content: string | Uint8Array,
): Promise<boolean> {
  const temp = writeTemp(path, content, 0o644, false)
  removeAtExit(temp)
  try {
    await flush(temp).catch((error: unknown) => {
      throw unwritable(path, error)
    })
    return linkUnlessExists(temp, path)
  } finally {
    rmSync(temp, { force: true })
    waiting.delete(temp)
  }
}

/** Temporary files whose fsync is awaited. Control-C ends the process meanwhile. */
const waiting = new Set<string>()
let isWatching = false

function removeAtExit(temp: string): void {
  waiting.add(temp)
  if (isWatching) return
  isWatching = true
  process.once('exit', () => {
    for (const one of waiting) attempt(() => rmSync(one, { force: true }))
  })
}

function flush(path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const file = openSync(path, 'r+')
    fsync(file, (error) => {
      attempt(() => closeSync(file))
      if (error === null) resolve()
      else reject(error)
    })
  })
}

function linkUnlessExists(temp: string, path: string): boolean {
  try {
    linkSync(temp, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST' || existsSync(path)) return false
    // This file system has no hard links.
    orUnwritable(path, () => renameSync(temp, path))
  }
  return true
}
