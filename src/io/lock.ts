/** A lock file that dies with its owner. */

import {
  closeSync,
  existsSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { LedgerError } from '../core/errors.ts'
import { isMissing, unwritable } from './files.ts'

/** Milliseconds to wait for a living owner. */
const PATIENCE = 10_000
/** A lock older than this is broken even if its number belongs to a living process again. */
const MAX_AGE = 60_000
const PAUSE = 25

export async function withLock<T>(path: string, action: () => Promise<T>): Promise<T> {
  await acquire(path)
  try {
    return await action()
  } finally {
    release(path)
  }
}

/** Somebody may have broken a lock that was held for too long, and hold one of their own. */
function release(path: string): void {
  try {
    if (ownerOf(path) === process.pid) rmSync(path, { force: true })
  } catch (error) {
    if (!isMissing(error)) throw error
  }
}

function ownerOf(path: string): number {
  return Number(readFileSync(path, 'utf8'))
}

async function acquire(path: string): Promise<void> {
  // Not the wall clock, which jumps.
  const end = performance.now() + PATIENCE
  while (!take(path)) {
    if (isStale(path)) breakLock(path)
    else if (performance.now() > end) {
      throw new LedgerError(
        'LOCKED',
        `${path} is held by another ledger-git`,
        'wait for it, or remove the file if none runs',
      )
    } else await new Promise((resolve) => setTimeout(resolve, PAUSE))
  }
}

/** Removes a dead lock; one that somebody took since it was judged is put back. */
function breakLock(path: string): void {
  const aside = `${path}.${process.pid}`
  try {
    renameSync(path, aside)
    if (!isStale(aside)) linkSync(aside, path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'ENOENT' && code !== 'EEXIST') throw error
  } finally {
    rmSync(aside, { force: true })
  }
}

/** For `doctor`: is somebody working, or did somebody die? */
export function lockState(path: string): 'absent' | 'held' | 'stale' {
  if (!existsSync(path)) return 'absent'
  return isStale(path) ? 'stale' : 'held'
}

function take(path: string): boolean {
  try {
    mkdirSync(dirname(path), { recursive: true })
    const fd = openSync(path, 'wx')
    try {
      writeSync(fd, `${process.pid}\n`)
    } catch (error) {
      rmSync(path, { force: true }) // a full disk: nobody would know whose it is
      throw error
    } finally {
      closeSync(fd)
    }
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw unwritable(path, error)
  }
}

function isStale(path: string): boolean {
  try {
    // A clock that was set back makes a lock look as if it came from the future.
    const age = Math.abs(Date.now() - statSync(path).mtimeMs)
    const owner = ownerOf(path)
    if (age > MAX_AGE) return true
    // Just created, number not written yet: give it a moment.
    return owner > 0 ? !isAlive(owner) : age > 1000
  } catch (error) {
    if (isMissing(error)) return false
    throw error
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
