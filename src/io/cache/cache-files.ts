/**
 * Files of the cache: written whole (temporary file, rename), read only if they are as they were written.
 * Best effort: nothing here throws.
 *
 * Large files end with a check sum. Small ones that every merge reads hold everything twice: two halves
 * are compared sooner than Node loads what computes a sum.
 */

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

/** Folders of other builds are removed when nothing was added for this long. Milliseconds. */
const OTHER_BUILD_AGE = 7 * 86_400_000

/** The text of a file whose check sum is right. */
export function read(path: string): string | undefined {
  try {
    const bytes = readFile(path)
    const end = bytes.length - SUM_LENGTH
    const isWhole = bytes.toString('latin1', end) === checkSum(bytes.subarray(0, end))
    return isWhole ? bytes.toString('utf8', 0, end) : undefined
  } catch {
    return undefined
  }
}

/** A pipe in its place would be waited for. */
function readFile(path: string): Buffer {
  if (!statSync(path).isFile()) throw new Error('not a file')
  return readFileSync(path)
}

/** What `writeTwice` wrote: the one half, if the other says the same. */
export function readTwice(path: string): Buffer | undefined {
  try {
    const bytes = readFile(path)
    const half = bytes.subarray(0, bytes.length / 2)
    return half.length > 0 && half.equals(bytes.subarray(half.length)) ? half : undefined
  } catch {
    return undefined
  }
}

/** What `writeNamed` wrote. */
export function readNamed(folder: string, name: string): Buffer | undefined {
  const bytes = readTwice(`${folder}/${name}`)
  const start = (bytes?.indexOf('\n') ?? -1) + 1
  const content = bytes?.subarray(start)
  const isWhole = bytes?.toString('latin1', 0, start) === headOf(name, content?.length ?? 0)
  return isWhole ? content : undefined
}

/** Writes a file twice that begins with its own name: a renamed one says nothing. */
export function writeNamed(folder: string, name: string, text: string): void {
  const content = Buffer.from(text)
  writeTwice(folder, name, Buffer.concat([Buffer.from(headOf(name, content.length)), content]))
}

function headOf(name: string, length: number): string {
  return `${name} ${length}\n`
}

/** Writes a file whole or not at all, with a check sum; returns its name. */
export function write(
  folder: string,
  name: string | undefined,
  pieces: Iterable<string>,
): string | undefined {
  return writeWhole(folder, name, summed(pieces))
}

/** Writes a file whole or not at all, everything twice. */
export function writeTwice(folder: string, name: string, bytes: Uint8Array): void {
  writeWhole(folder, name, [bytes, bytes])
}

function* summed(pieces: Iterable<string>): Generator<string> {
  const sum = sha1()
  for (const piece of pieces) {
    sum.update(piece)
    yield piece
  }
  yield sum.digest('hex')
}

/** A full disk is no error here. */
function writeWhole(
  folder: string,
  name: string | undefined,
  pieces: Iterable<string | Uint8Array>,
): string | undefined {
  const own = `${process.pid.toString(36)}-${process.hrtime.bigint().toString(36)}`
  const temporary = `${folder}/.${own}.tmp`
  let fd: number | undefined
  try {
    if (!existsSync(folder)) {
      mkdirSync(folder, { recursive: true })
      removeOthers(join(folder, '..'))
    }
    fd = openSync(temporary, 'wx')
    for (const piece of pieces) writePiece(fd, piece)
    closeSync(fd)
    fd = undefined
    renameSync(temporary, `${folder}/${name ?? own}`)
    removeLeft(folder)
    return name ?? own
  } catch {
    if (fd !== undefined) closeQuietly(fd)
    remove(temporary)
    return undefined
  }
}

function writePiece(fd: number, piece: string | Uint8Array): void {
  if (typeof piece === 'string') writeSync(fd, piece)
  else writeSync(fd, piece)
}

const SUM_LENGTH = 40

/** Tells torn and damaged files; a hash that Node has at hand, no protection against anybody. */
function checkSum(bytes: Uint8Array): string {
  return sha1().update(bytes).digest('hex')
}

/** Loading it takes Node 5 ms, which a merge saves. */
function sha1() {
  return process.getBuiltinModule('node:crypto').createHash('sha1')
}

/** What killed writers have left. */
function removeLeft(folder: string): void {
  for (const name of readdirSync(folder).filter((name) => name.startsWith('.'))) {
    const path = `${folder}/${name}`
    if (Date.now() - modified(path) > 3_600_000) remove(path)
  }
}

/** What only a build's folder is called: others may have theirs beside ours. */
const OF_A_BUILD = /^[0-9a-f]{16}(?:-[\w.-]+)?$/

/** Folders that other builds have left behind; `folder` is this one's. */
function removeOthers(folder: string): void {
  const parent = join(folder, '..')
  for (const name of list(parent).filter((name) => OF_A_BUILD.test(name))) {
    const path = `${parent}/${name}`
    if (path !== folder && Date.now() - lastUse(path) > OTHER_BUILD_AGE) remove(path)
  }
}

/** When a file was last added to one of its folders. */
function lastUse(path: string): number {
  return Math.max(...[path, ...list(path).map((name) => `${path}/${name}`)].map(modified))
}

export function list(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => !name.startsWith('.'))
  } catch {
    return []
  }
}

/**
 * Removes the oldest files of a folder that are more than `files`, or together more than `bytes`; never
 * the last two. Few files are not looked at where they cannot be too large: `latest` is the size of the
 * one just written, which others have about, or 0 where it is among the small ones.
 */
export function removeOldest(
  folder: string,
  most: { files: number; bytes: number; latest: number },
): void {
  const names = list(folder)
  if (names.length <= most.files && 2 * names.length * most.latest <= most.bytes) return
  const kept = names
    .map((name) => ({ path: `${folder}/${name}`, ...aboutFile(`${folder}/${name}`) }))
    .sort((a, b) => b.time - a.time)
  let bytes = 0
  for (const [i, { path, size }] of kept.entries()) {
    bytes += size
    if (i >= most.files || (i > 1 && bytes > most.bytes)) remove(path)
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
