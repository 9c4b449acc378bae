/** git's own lock of a file: `FILE.lock`, which only one process can create. */

import { closeSync, openSync, rmSync } from 'node:fs'
import { LedgerError } from '../../core/errors/errors.ts'
import { unwritable } from './files.ts'

/** How long to wait for another holder, in milliseconds; git itself does not wait at all. */
const PATIENCE_MS = 2000
const PAUSE_MS = 5

/** `action` returns true if it made the lock the file: whatever then has the lock's name belongs to another process. */
export function underGitLock(file: string, action: (lock: string) => boolean): void {
  const lock = `${file}.lock`
  const end = Date.now() + PATIENCE_MS
  while (!take(lock)) {
    if (Date.now() > end) {
      const next = `if no git is running, remove ${lock}; then run the command again`
      throw new LedgerError('FILE_UNWRITABLE', `${file} is locked by another program`, next)
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS)
  }
  let isUsed = false
  try {
    isUsed = action(lock)
  } finally {
    if (!isUsed) rmSync(lock, { force: true })
  }
}

function take(lock: string): boolean {
  try {
    closeSync(openSync(lock, 'wx'))
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw unwritable(lock, error)
  }
}
