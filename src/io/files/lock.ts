/**
 * Locks between processes: one that a dead process left is taken over, and no two ever hold one at once.
 *
 * The lock is a folder; it is held while one file is in it, whose name tells the holder. A process comes
 * with a folder of its own and renames it to the lock's name, which the system does only where the lock is
 * absent or empty. A dead holder is taken out by its own name, so nobody can take out a living one by
 * mistake, however late he is: unlike with a lock file that is judged first and removed afterwards.
 */

import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { LedgerError } from '../../core/errors/errors.ts'
import { identify, judge } from '../process/process-table.ts'
import { attempt, isMissing, orUnwritable, unwritable } from './files.ts'

/** How long somebody waits for a living holder, in milliseconds. */
const LOCK_TIMEOUT_MS = 10_000
/** Milliseconds after which a holder goes who cannot be judged: in another container, on another host. */
const MAX_AGE = 60_000
/** Milliseconds between two looks, at most; at random, so that many that wait do not march in step. */
const PAUSE = 20

/** Who may see the holder of a lock. */
export type LockUsers =
  /** Whoever may write there. */
  'everybody' | 'owner'

export interface HeldLock {
  /** False when somebody took it away, believing the holder dead. */
  isHeld(): boolean
  release(): void
}

/** Runs an action under the lock of who writes the ledger, or installs. */
export async function withLock<T>(
  path: string,
  action: () => Promise<T>,
  timeout = LOCK_TIMEOUT_MS,
): Promise<T> {
  orUnwritable(path, () => mkdirSync(dirname(path), { recursive: true }))
  return whileHeld(await takeLock(path, timeout, 'everybody'), () => {
    // What another user left, that user has to remove; `doctor` sees it again.
    attempt(() => sweepLocks(dirname(path), `${basename(path)}.`))
    return action()
  })
}

/** Runs an action, and gives the lock back. */
export async function whileHeld<T>(
  lock: HeldLock,
  action: (lock: HeldLock) => T | Promise<T>,
): Promise<T> {
  try {
    return await action(lock)
  } finally {
    lock.release()
  }
}

/** For repairs and notes: undefined where somebody holds the lock, who will see to it, or nothing can be written. */
export function underLock<T>(path: string, action: () => T): T | undefined {
  return attempt(() => {
    const lock = tryLock(path)
    try {
      return lock && action()
    } finally {
      lock?.release()
    }
  })
}

/** Takes the lock, or throws `LOCKED` after `timeout` milliseconds. */
export async function takeLock(
  path: string,
  timeout: number,
  users: LockUsers = 'owner',
): Promise<HeldLock> {
  let end: number | undefined
  for (;;) {
    const lock = tryLock(path, users)
    if (lock !== undefined) return lock
    // Not the wall clock, which jumps.
    end ??= performance.now() + timeout
    if (performance.now() >= end) {
      const held = `${basename(path)} is held by another ledger-git`
      throw new LedgerError('LOCKED', held, 'wait for it, then run the command again')
    }
    await new Promise((resolve) => setTimeout(resolve, 1 + Math.random() * PAUSE))
  }
}

/** Takes the lock if nobody living holds it. */
export function tryLock(path: string, users: LockUsers = 'owner'): HeldLock | undefined {
  if (!takeOutDead(path)) return undefined
  const name = newName()
  const own = `${path}.${name}`
  try {
    mkdirSync(own, { recursive: true, mode: users === 'owner' ? 0o700 : 0o777 })
    writeFileSync(join(own, name), '')
    renameSync(own, path)
  } catch (error) {
    rmSync(own, { recursive: true, force: true })
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOTEMPTY' || code === 'EEXIST') return undefined
    throw unwritable(path, error)
  }
  const holder = join(path, name)
  // It may have been taken away, or taken by the next one already.
  const release = () => {
    attempt(() => {
      unlinkSync(holder)
      rmdirSync(path)
    })
  }
  return { isHeld: () => existsSync(holder), release }
}

/** For `doctor`: is somebody working, or did somebody die? */
export function lockState(path: string): 'absent' | 'held' | 'stale' {
  const { living, dead } = holdersOf(path)
  if (living.length > 0) return 'held'
  return dead.length + deadAttempts(dirname(path), `${basename(path)}.`).length === 0
    ? 'absent'
    : 'stale'
}

/** What dead processes left of it; never what somebody holds. */
export function removeDeadLock(path: string): void {
  sweepLocks(dirname(path), `${basename(path)}.`)
  if (!takeOutDead(path)) return
  attempt(() => rmdirSync(path)) // gone, or taken by somebody
}

/** Takes the dead out. False when somebody stays. */
function takeOutDead(path: string): boolean {
  const { living, dead } = holdersOf(path)
  for (const name of dead) {
    try {
      rmSync(join(path, name), { force: true })
    } catch (error) {
      throw ofAnother(path, error)
    }
  }
  return living.length === 0
}

function holdersOf(path: string): { living: string[]; dead: string[] } {
  const [living, dead]: [string[], string[]] = [[], []]
  for (const name of namesIn(path)) (isDead(name, join(path, name)) ? dead : living).push(name)
  return { living, dead }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if (isMissing(error)) return []
    throw ofAnother(folder, error)
  }
}

/** The lock is there, and whose it is cannot be seen, or not be changed. */
function ofAnother(path: string, error: unknown): LedgerError {
  const { code } = error as NodeJS.ErrnoException
  if (code !== 'EACCES' && code !== 'EPERM') return unwritable(path, error)
  const what = `${path} was left by another user, and may not be looked at or removed (${code})`
  return new LedgerError('LOCKED', what, 'wait for that user to finish, or have them remove it')
}

let start: string | undefined

function newName(): string {
  start ??= identify(process.pid)?.startTime ?? '_'
  return `${process.pid}-${start}-${Math.random().toString(36).slice(2)}`
}

function isDead(name: string, file: string): boolean {
  const [, pid = '', startTime = ''] = /^(\d+)-(\w+)-\w+$/.exec(name) ?? []
  const state = pid === '' ? 'unknown' : judge(Number(pid), startTime)
  if (state !== 'unknown') return state === 'gone'
  // A clock that was set back makes it look as if it came from the future.
  const { mtimeMs } = lstatSync(file, { throwIfNoEntry: false }) ?? {}
  return mtimeMs !== undefined && Math.abs(Date.now() - mtimeMs) > MAX_AGE
}

/** Removes what processes left in a folder that died while they tried to take a lock. */
export function sweepLocks(folder: string, prefix = ''): void {
  for (const path of deadAttempts(folder, prefix)) rmSync(path, { recursive: true, force: true })
}

function deadAttempts(folder: string, prefix: string): string[] {
  return namesIn(folder).flatMap((name) => {
    const [, holder] = /\.(\d+-\w+-\w+)$/.exec(name.startsWith(prefix) ? name : '') ?? []
    const path = join(folder, name)
    return holder !== undefined && isDead(holder, path) ? [path] : []
  })
}
