/**
 * The lock of who writes the ledger, or installs.
 *
 * A folder, as in `session-lock.ts`: that cannot let two in while they break the lock of a dead one.
 * Earlier releases wrote a file of that name with their process number in it; such a file is heeded
 * while its writer lives. It goes by `unlink`, which takes away no folder: nobody can take out a lock
 * that somebody took since the file was judged.
 */

import { lstatSync, mkdirSync, readFileSync, rmdirSync, unlinkSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { isMissing, unwritable } from './files.ts'
import type { HeldLock, LockForm } from '../sessions/session-lock.ts'
import {
  deadLocks,
  holdersOf,
  ofAnother,
  sweepLocks,
  takeLock,
  takeOutDead,
  tryLock,
} from '../sessions/session-lock.ts'

/** Milliseconds to wait for a living owner. */
const PATIENCE = 10_000
/** A file older than this goes even if its number belongs to a living process again. */
const MAX_AGE = 60_000

export async function withLock<T>(
  path: string,
  action: () => Promise<T>,
  patience = PATIENCE,
): Promise<T> {
  try {
    mkdirSync(dirname(path), { recursive: true })
  } catch (error) {
    throw unwritable(path, error)
  }
  const lock = await takeLock(path, patience, tryWriterLock)
  try {
    sweep(path)
    return await action()
  } finally {
    lock.release()
  }
}

/** What another user left, that user has to remove; it is in nobody's way. */
function sweep(path: string): void {
  try {
    sweepLocks(dirname(path), formOf(path).prefix)
  } catch {
    // seen again by `doctor`
  }
}

function tryWriterLock(path: string): HeldLock | undefined {
  return takeOutFile(path) ? tryLock(path, formOf(path)) : undefined
}

/** Whoever may write the ledger may see who holds it. Git ignores what begins with this. */
function formOf(path: string): LockForm {
  return { prefix: `${basename(path)}.`, mode: 0o777 }
}

/** For `doctor`: is somebody working, or did somebody die? */
export function lockState(path: string): 'absent' | 'held' | 'stale' {
  const state = fileState(path)
  if (state !== 'absent') return state
  const { living, dead } = holdersOf(path)
  if (living.length > 0) return 'held'
  const left = deadLocks(dirname(path), formOf(path).prefix)
  return dead.length + left.length === 0 ? 'absent' : 'stale'
}

/** What dead processes left of it; never what somebody holds. */
export function removeDeadLock(path: string): void {
  if (!takeOutFile(path)) return
  sweepLocks(dirname(path), formOf(path).prefix)
  if (!takeOutDead(path)) return
  try {
    rmdirSync(path)
  } catch {
    // gone, or taken by somebody
  }
}

/** False while the file of a living process is in the way. */
function takeOutFile(path: string): boolean {
  const state = fileState(path)
  if (state !== 'stale') return state === 'absent'
  try {
    unlinkSync(path)
    return true
  } catch (error) {
    if (fileState(path) === 'absent') return true // somebody was faster
    throw ofAnother(path, error)
  }
}

/** Whether there is such a file of an earlier release. */
function fileState(path: string): 'absent' | 'held' | 'stale' {
  try {
    const stat = lstatSync(path, { throwIfNoEntry: false })
    if (stat === undefined || stat.isDirectory()) return 'absent'
    // A clock that was set back makes it look as if it came from the future.
    const age = Math.abs(Date.now() - stat.mtimeMs)
    if (age > MAX_AGE) return 'stale'
    const owner = ownerOf(path)
    // Just created, number not written yet: give it a moment.
    return (owner > 0 ? isAlive(owner) : age <= 1000) ? 'held' : 'stale'
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (isMissing(error) || code === 'EISDIR') return 'absent'
    // Another user's: nobody else can tell whether they live.
    if (code === 'EACCES') return 'held'
    throw error
  }
}

function ownerOf(path: string): number {
  return Number(readFileSync(path, 'utf8'))
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
