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
import { LedgerError } from '../../core/errors.ts'
import { isMissing, unwritable } from '../files.ts'
import { judge, processInfo, startIn } from './process-table.ts'

/** Milliseconds after which a holder goes who cannot be judged: in another container, on another host. */
const MAX_AGE = 60_000
/** Milliseconds between two looks, at most; at random, so that many that wait do not march in step. */
const PAUSE = 20

export interface HeldLock {
  /** False when somebody took it away, believing the holder dead. */
  isHeld(): boolean
  release(): void
}

/** Takes the lock, or throws `LOCKED` after `patience` milliseconds. */
export async function takeLock(path: string, patience: number): Promise<HeldLock> {
  // Not the wall clock, which jumps.
  const end = performance.now() + patience
  for (;;) {
    const lock = tryLock(path)
    if (lock !== undefined) return lock
    if (performance.now() >= end) {
      const held = `${basename(path)} is held by another ledger-git`
      throw new LedgerError('LOCKED', held, 'wait for it, then run the command again')
    }
    await new Promise((resolve) => setTimeout(resolve, 1 + Math.random() * PAUSE))
  }
}

/** Takes the lock if nobody living holds it. */
export function tryLock(path: string): HeldLock | undefined {
  if (!hasNoHolder(path)) return undefined
  const name = newName()
  const own = join(dirname(path), `.${name}`)
  try {
    mkdirSync(own, { recursive: true, mode: 0o700 })
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
function hasNoHolder(path: string): boolean {
  return holders(path).every((name) => {
    const file = join(path, name)
    if (!isDead(name, file)) return false
    rmSync(file, { force: true })
    return true
  })
}

function holders(path: string): string[] {
  try {
    return readdirSync(path)
  } catch (error) {
    if (isMissing(error)) return []
    throw unwritable(path, error)
  }
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
export function sweepLocks(folder: string): void {
  for (const name of holders(folder).filter((name) => name.startsWith('.'))) {
    const path = join(folder, name)
    if (isDead(name.slice(1), path)) rmSync(path, { recursive: true, force: true })
  }
}
