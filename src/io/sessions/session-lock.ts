/**
 * A lock that dies with its holder, and excludes whatever dies when.
 *
 * The lock is a folder; it is held while one file is in it, whose name tells the holder. A holder
 * comes with a folder of his own and renames it to the lock's name, which the system does only where
 * the lock is absent or empty. A dead holder is taken out by his own name, so nobody can take out a
 * living one by mistake, however late he is: unlike with a lock file that is judged first and removed
 * afterwards.
 */

import { randomBytes } from 'node:crypto'
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
import { isMissing, unwritable } from '../files/files.ts'
import { judge, processInfo, startIn } from './process-table.ts'

/** Milliseconds after which a holder goes who cannot be judged: in another container, on another host. */
const MAX_AGE = 60_000
/** Milliseconds between two looks, at most; at random, so that many that wait do not march in step. */
const PAUSE = 20

export interface LockForm {
  /** How the folder is called that a process comes with. */
  readonly prefix: string
  /** Its permissions: who may see the holder. */
  readonly mode: number
}

const OF_ONE_USER: LockForm = { prefix: '.', mode: 0o700 }

export interface HeldLock {
  /** False when somebody took it away, believing the holder dead. */
  isHeld(): boolean
  release(): void
}

/** Takes the lock, or throws `LOCKED` after `patience` milliseconds. */
export async function takeLock(
  path: string,
  patience: number,
  attempt: (path: string) => HeldLock | undefined = tryLock,
): Promise<HeldLock> {
  // Not the wall clock, which jumps.
  const end = performance.now() + patience
  for (;;) {
    const lock = attempt(path)
    if (lock !== undefined) return lock
    if (performance.now() >= end) {
      const held = `${basename(path)} is held by another ledger-git`
      throw new LedgerError('LOCKED', held, 'wait for it, then run the command again')
    }
    await new Promise((resolve) => setTimeout(resolve, 1 + Math.random() * PAUSE))
  }
}

/** Takes the lock if nobody living holds it. */
export function tryLock(path: string, form = OF_ONE_USER): HeldLock | undefined {
  if (!takeOutDead(path)) return undefined
  const name = newName()
  const own = join(dirname(path), `${form.prefix}${name}`)
  try {
    mkdirSync(own, { recursive: true, mode: form.mode })
    writeFileSync(join(own, name), '')
    renameSync(own, path)
  } catch (error) {
    rmSync(own, { recursive: true, force: true })
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOTEMPTY' || code === 'EEXIST') return undefined
    throw unwritable(path, error)
  }
  const holder = join(path, name)
  return { isHeld: () => existsSync(holder), release: () => release(path, holder) }
}

function release(path: string, holder: string): void {
  try {
    unlinkSync(holder)
    rmdirSync(path)
  } catch {
    // taken away, or taken by the next one already
  }
}

/** Takes the dead out. False when somebody stays. */
export function takeOutDead(path: string): boolean {
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

export function holdersOf(path: string): { living: string[]; dead: string[] } {
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
export function ofAnother(path: string, error: unknown): LedgerError {
  const { code } = error as NodeJS.ErrnoException
  if (code !== 'EACCES' && code !== 'EPERM') return unwritable(path, error)
  const what = `${path} was left by another user, and may not be looked at or removed (${code})`
  return new LedgerError('LOCKED', what, 'wait for that user to finish, or have them remove it')
}

let start: string | undefined

function newName(): string {
  const info = start === undefined ? processInfo(process.pid) : undefined
  start ??= info === undefined ? '_' : startIn(info)
  return `${process.pid}-${start}-${randomBytes(6).toString('hex')}`
}

function isDead(name: string, file: string): boolean {
  const [, pid = '', startTime = ''] = /^(\d+)-(\w+)-\w+$/.exec(name) ?? []
  const state = pid === '' ? 'unknown' : judge(Number(pid), startTime)
  if (state !== 'unknown') return state === 'gone'
  // A clock that was set back makes it look as if it came from the future.
  const { mtimeMs } = lstatSync(file, { throwIfNoEntry: false }) ?? {}
  return mtimeMs !== undefined && Math.abs(Date.now() - mtimeMs) > MAX_AGE
}

/** Removes what processes left that died while they tried. */
export function sweepLocks(folder: string, prefix = OF_ONE_USER.prefix): void {
  for (const path of deadLocks(folder, prefix)) rmSync(path, { recursive: true, force: true })
}

export function deadLocks(folder: string, prefix: string): string[] {
  return namesIn(folder)
    .filter((name) => name.startsWith(prefix))
    .filter((name) => isDead(name.slice(prefix.length), join(folder, name)))
    .map((name) => join(folder, name))
}
