/**
 * Locks between processes. A lock that a dead process left is taken over, and no two processes ever hold one at once.
 *
 * The lock is a folder. It is held while it contains one file, whose name identifies the holder. A process prepares
 * its own folder and renames it to the lock's name, which the system allows only if the lock is absent or empty. A
 * dead holder's file is removed by its own name, so nobody can remove a living holder by mistake, however late they
 * are. With a lock file that is first judged and then removed, that can happen.
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
import { fileInTheWay, LedgerError } from '../../core/errors/errors.ts'
import { ancestorInfo, identify, judge } from '../process/process-table.ts'
import { attempt, ifThere, orUnwritable, unwritable } from './files.ts'

/** How long to wait for a living holder, in milliseconds. */
const LOCK_TIMEOUT_MS = 10_000
/** Milliseconds after which a holder is removed that cannot be judged: in another container, on another host. */
const MAX_AGE = 60_000
/** The most milliseconds between two attempts; the pause is random, so that waiting processes do not retry in step. */
const PAUSE = 20

/** Who may see the holder of a lock. */
export type LockUsers =
  /** Everybody who may write there. */
  'everybody' | 'owner'

export interface HeldLock {
  /** False when somebody took it away, believing the holder dead. */
  isHeld(): boolean
  /** If this process dies, the lock stays held while the heir, a process that it started, lives. */
  setHeir(pid: number): void
  release(): void
}

/** Runs an action under the lock of the process that writes the ledger, or installs. */
export async function withLock<T>(
  path: string,
  action: () => Promise<T>,
  timeout = LOCK_TIMEOUT_MS,
): Promise<T> {
  orUnwritable(path, () => mkdirSync(dirname(path), { recursive: true }))
  return whileHeld(await takeLock(path, timeout, 'everybody'), () => {
    // What another user left, only that user can remove; `doctor` reports it.
    attempt(() => sweepLocks(dirname(path), `${basename(path)}.`))
    return action()
  })
}

/** Runs an action, and then releases the lock. */
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

/** For repairs and notes: undefined if another process holds the lock, and does the work, or nothing can be written. */
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

/** Takes the lock if no living process holds it. */
export function tryLock(path: string, users: LockUsers = 'owner'): HeldLock | undefined {
  if (!removeDeadHolders(path)) return undefined
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
    throw code === 'ENOTDIR' && existsSync(path) ? fileInTheWay(path) : unwritable(path, error)
  }
  const holder = join(path, name)
  let heir: string | undefined
  const dropHeir = () => void attempt(() => heir !== undefined && unlinkSync(heir))
  const setHeir = (pid: number) => {
    dropHeir()
    heir = join(path, `${pid}-${identify(pid)?.startTime ?? '_'}-${HEIR}`)
    attempt(() => heir !== undefined && writeFileSync(heir, ''))
  }
  // The lock may have been taken away, or may already be held by the next process.
  const release = () => {
    dropHeir()
    attempt(() => {
      unlinkSync(holder)
      rmdirSync(path)
    })
  }
  return { isHeld: () => existsSync(holder), setHeir, release }
}

/** The living process that alone holds the lock because its starter died. */
export function heirOf(path: string): number | undefined {
  const { living } = holdersOf(path)
  return living.every((name) => name.endsWith(`-${HEIR}`)) && living[0] !== undefined
    ? Number.parseInt(living[0])
    : undefined
}

/** For `doctor`: does a process hold the lock, or did one die? */
export function lockState(path: string): 'absent' | 'held' | 'stale' {
  const { living, dead } = holdersOf(path)
  if (living.length > 0) return 'held'
  return dead.length + deadAttempts(dirname(path), `${basename(path)}.`).length === 0
    ? 'absent'
    : 'stale'
}

/** Removes what dead processes left of a lock; never a lock that is held. */
export function removeDeadLock(path: string): void {
  sweepLocks(dirname(path), `${basename(path)}.`)
  if (!removeDeadHolders(path)) return
  attempt(() => rmdirSync(path)) // gone, or taken by somebody
}

/** Removes dead holders. False if a living one remains. */
function removeDeadHolders(path: string): boolean {
  const { living, dead } = holdersOf(path)
  for (const name of dead) {
    try {
      rmSync(join(path, name), { force: true })
    } catch (error) {
      throw lockedByOtherUser(path, error)
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
    return ifThere(() => readdirSync(folder)) ?? []
  } catch (error) {
    throw lockedByOtherUser(folder, error)
  }
}

/** The error if there is a lock whose holder cannot be read, or cannot be removed. */
function lockedByOtherUser(path: string, error: unknown): LedgerError {
  const { code } = error as NodeJS.ErrnoException
  if (code !== 'EACCES' && code !== 'EPERM') return unwritable(path, error)
  const what = `${path} was left by another user, and cannot be read or removed (${code})`
  return new LedgerError('LOCKED', what, 'wait for that user to finish, or have them remove it')
}

/** Ends an heir's name. The random end of other names contains no `_`. */
const HEIR = '_heir'

let start: string | undefined

function newName(): string {
  start ??= identify(process.pid, ancestorInfo)?.startTime ?? '_'
  return `${process.pid}-${start}-${Math.random().toString(36).slice(2)}`
}

function isDead(name: string, file: string): boolean {
  const [, pid = '', startTime = ''] = /^(\d+)-(\w+)-\w+$/.exec(name) ?? []
  const state = pid === '' ? 'unknown' : judge(Number(pid), startTime)
  if (state !== 'unknown') return state === 'gone'
  // If the clock was set back, the file seems to come from the future.
  const { mtimeMs } = lstatSync(file, { throwIfNoEntry: false }) ?? {}
  return mtimeMs !== undefined && Math.abs(Date.now() - mtimeMs) > MAX_AGE
}

/** Removes what processes left in a folder when they died while taking a lock. */
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
