/**
 * Files of the cache: written whole (temporary file, rename) with a check sum at the end, read only if
 * it is right. Best effort: nothing here throws.
 */

import { createHash } from 'node:crypto'
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'

/** Folders of other releases are removed when they were not used for this long. Milliseconds. */
const OTHER_RELEASE_AGE = 7 * 86_400_000

/** The text of a file whose check sum is right. */
export function read(path: string): string | undefined {
  try {
    const bytes = readFileSync(path)
    const end = bytes.length - SUM_LENGTH
    const isWhole = bytes.toString('latin1', end) === checkSum(bytes.subarray(0, end))
    return isWhole ? bytes.toString('utf8', 0, end) : undefined
  } catch {
    return undefined
  }
}

/** Writes a file whole or not at all; returns its name. Best effort: a full disk is no error here. */
export function write(
  folder: string,
  name: string | undefined,
  pieces: Iterable<string>,
): string | undefined {
  const own = `${process.pid.toString(36)}-${process.hrtime.bigint().toString(36)}`
  const temporary = join(folder, `.${own}.tmp`)
  let fd: number | undefined
  try {
    if (!existsSync(folder)) {
      mkdirSync(folder, { recursive: true })
      removeOthers(join(folder, '..'))
    }
    fd = openSync(temporary, 'wx')
    const sum = createHash('sha1')
    for (const piece of pieces) {
      sum.update(piece)
      writeSync(fd, piece)
    }
    writeSync(fd, sum.digest('hex'))
    closeSync(fd)
    fd = undefined
    renameSync(temporary, join(folder, name ?? own))
    removeLeft(folder)
    return name ?? own
  } catch {
    if (fd !== undefined) closeQuietly(fd)
    remove(temporary)
    return undefined
  }
}

const SUM_LENGTH = 40

/** Tells torn and damaged files; a hash that Node has at hand, no protection against anybody. */
function checkSum(bytes: Uint8Array): string {
  return createHash('sha1').update(bytes).digest('hex')
}

/** What killed writers have left. */
function removeLeft(folder: string): void {
  for (const name of readdirSync(folder).filter((name) => name.startsWith('.'))) {
    const path = join(folder, name)
    if (Date.now() - modified(path) > 3_600_000) remove(path)
  }
}

/** Folders that other releases have left behind. */
function removeOthers(folder: string): void {
  for (const name of list(join(folder, '..'))) {
    const path = join(folder, '..', name)
    if (path !== folder && Date.now() - modified(path) > OTHER_RELEASE_AGE) remove(path)
  }
}

export function list(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => !name.startsWith('.'))
  } catch {
    return []
  }
}

/** Removes the oldest files of a folder that are more than `files`, or together more than `bytes`. */
export function removeOldest(folder: string, most: { files: number; bytes: number }): void {
  const names = list(folder)
  const kept = names
    .map((name) => ({ path: join(folder, name), ...aboutFile(join(folder, name)) }))
    .sort((a, b) => b.time - a.time)
  let bytes = 0
  for (const [i, { path, size }] of kept.entries()) {
    bytes += size
    if (i >= most.files || (i > 0 && bytes > most.bytes)) remove(path)
  }
}

function modified(path: string): number {
  return aboutFile(path).time
}

function aboutFile(path: string): { time: number; size: number } {
  try {
    const { mtimeMs = 0, size = 0 } = statSync(path, { throwIfNoEntry: false }) ?? {}
    return { time: mtimeMs, size }
  } catch {
    return { time: 0, size: 0 }
  }
}

/** On some file systems a full disk is reported here once more. */
function closeQuietly(fd: number): void {
  try {
    closeSync(fd)
  } catch {
    // said already
  }
}

export function remove(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true })
  } catch {
    // somebody else's turn
  }
}
