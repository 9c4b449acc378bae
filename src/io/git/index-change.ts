/**
 * Changes the index as git does: whole, or not at all.
 *
 * git builds the new index next to the old one. Under git's own lock, the new index then replaces the old one, if that
 * is still the file it was built from. The lock is held only as long as a rename takes, so that the user's commands
 * do not run into it.
 */

import {
  copyFileSync,
  existsSync,
  linkSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { randomBytes } from 'node:crypto'
import type { IndexChange } from '../../app/ports.ts'
import { LedgerError } from '../../core/errors/errors.ts'
import { unwritable } from '../files/files.ts'
import { ancestorInfo, identify, judge } from '../process/process-table.ts'

/** Milliseconds to wait for a git command that holds the index. */
const LOCK_TIMEOUT_MS = 1000
const PAUSE_MS = 10
/** An index that changes this often while ours is built is busy. */
const MAX_ATTEMPTS = 20

/**
 * Runs `action` with the path of a copy of the index `file`, then puts the copy in its place. `action` runs again
 * if somebody else changed the index meanwhile. Throws `INDEX_BUSY`.
 */
export async function changeIndexFile<T>(
  file: string,
  temporary: string,
  action: (copy: string) => Promise<T>,
): Promise<T> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const { result, apply, discard } = await prepareIndexFile(file, temporary, action)
    try {
      if (await apply()) return result
    } finally {
      discard()
    }
  }
  throw busy(file)
}

/** The first half of `changeIndexFile`: the new index is ready, and nothing has changed yet. */
export async function prepareIndexFile<T>(
  file: string,
  temporary: string,
  action: (copy: string) => Promise<T>,
): Promise<IndexChange & { readonly result: T }> {
  const copy = `${temporary}-${randomBytes(4).toString('hex')}`
  const discard = () => {
    for (const path of [copy, `${copy}.lock`]) rmSync(path, { force: true })
  }
  try {
    const base = identityOf(file)
    copyIndex(file, copy)
    const unchanged = identityOf(copy)
    const result = await action(copy)
    const isChanged = identityOf(copy) !== unchanged
    const lock = `${file}.lock`
    const apply = async () => {
      if (!isChanged) return true
      await takeLock(lock, file, `${copy}.sign`)
      try {
        if (identityOf(file) !== base) return false
        renameSync(copy, file)
        return true
      } finally {
        rmSync(lock, { force: true })
      }
    }
    return { result, apply, discard }
  } catch (error) {
    discard()
    throw error
  }
}

/** The copy is not newer than the original: git compares its time with those of the files it lists. */
export function copyIndex(file: string, copy: string): void {
  if (!existsSync(file)) return // no index yet: git makes one
  try {
    const { atime, mtimeMs } = statSync(file)
    copyFileSync(file, copy)
    // A little older: git then compares the files that may have changed since.
    utimesSync(copy, atime, (mtimeMs - 1) / 1000)
  } catch (error) {
    throw unwritable(copy, error)
  }
}

/** Changes with every change of the file; undefined when there is none. */
function identityOf(file: string): string | undefined {
  const stat = statSync(file, { bigint: true, throwIfNoEntry: false })
  return stat && `${stat.ino} ${stat.mtimeNs} ${stat.size}`
}

/** The lock appears together with its content: an empty lock would not show whose it is. */
async function takeLock(lock: string, file: string, signed: string): Promise<void> {
  const until = performance.now() + LOCK_TIMEOUT_MS
  try {
    writeFileSync(signed, signature())
    while (!tryLink(signed, lock)) {
      if (removeDeadIndexLock(lock)) continue
      if (performance.now() > until) throw busy(file)
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    }
  } finally {
    rmSync(signed, { force: true })
  }
}

/** False while somebody holds the lock. */
function tryLink(signed: string, lock: string): boolean {
  try {
    linkSync(signed, lock)
    return true
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return false
    if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'ENOSYS') throw unwritable(lock, error)
  }
  // A file system without hard links.
  try {
    writeFileSync(lock, signature(), { flag: 'wx' })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw unwritable(lock, error)
  }
}

const SIGNATURE = 'ledger-git'

/** Distinguishes our lock from git's own, and identifies its holder. */
function signature(): string {
  return `${SIGNATURE} ${process.pid} ${identify(process.pid, ancestorInfo)?.startTime ?? ''}\n`
}

/** Removes a lock that a killed process of ours left: git's commands would wait for it forever. */
export function removeDeadIndexLock(lock: string): boolean {
  try {
    const [name, pid, startTime = ''] = readFileSync(lock, 'latin1').slice(0, 100).trim().split(' ')
    if (name !== SIGNATURE || judge(Number(pid), startTime) !== 'gone') return false
    rmSync(lock, { force: true })
    return true
  } catch {
    return false // none, or not ours to touch
  }
}

function busy(file: string): LedgerError {
  return new LedgerError(
    'INDEX_BUSY',
    `another git command holds the index (${file}.lock)`,
    'run it again when that command has ended',
  )
}
