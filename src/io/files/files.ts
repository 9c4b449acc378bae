/** Files on disk, written whole or not at all. */

import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { LedgerError } from '../../core/errors/errors.ts'
import type { ByteName } from '../../core/git/objects.ts'

type FilePath = string | Buffer

/** The path of a file whose name need not be UTF-8. */
export function bytePath(folder: string, name: ByteName): Buffer {
  return Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(name, 'latin1')])
}

/** The folders of a path below the top, the outermost first. */
export function foldersAbove(path: string): string[] {
  const parts = path.split('/').slice(0, -1)
  return parts.map((_, i) => parts.slice(0, i + 1).join('/'))
}

/** Bytes of a regular file. Undefined when there is none, or it is a link, folder or device. */
export function readRegularFile(path: FilePath): Buffer | undefined {
  return ifThere(() => (lstatSync(path).isFile() ? readFileSync(path) : undefined))
}

/** Text of a regular file. Undefined also if it cannot be read: for results that are not essential. */
export function readTextIfAny(path: string): string | undefined {
  return attempt(() => readRegularFile(path)?.toString('utf8'))
}

/** Replaces a file: complete temp file next to it, fsync, rename. Keeps the mode of an old file. */
export function writeFileAtomic(path: string, content: string | Uint8Array, mode?: number): void {
  const old = mode === undefined ? modeOf(path) : undefined
  const temp = writeTemp(path, content, mode ?? old ?? 0o644)
  try {
    // The umask is for new files; an old one keeps its mode.
    if (old !== undefined) chmodSync(temp, old)
    renameSync(temp, path)
  } catch (error) {
    unlinkSync(temp)
    throw unwritable(path, error)
  }
}

/** Writes a file that only its owner may read, in such a folder. */
export function writePrivate(path: string, text: string): void {
  orUnwritable(path, () => mkdirSync(dirname(path), { recursive: true, mode: 0o700 }))
  writeFileAtomic(path, text, 0o600)
}

/** A new temporary file beside the given path. */
export function writeTemp(
  path: string,
  content: string | Uint8Array,
  mode: number,
  isFlushed = true,
): string {
  const temp = tempFor(path)
  try {
    mkdirSync(dirname(path), { recursive: true })
    // `flush`: fsync before the file is closed.
    writeFileSync(temp, content, { flag: 'wx', mode, flush: isFlushed })
    return temp
  } catch (error) {
    attempt(() => rmSync(temp, { force: true }))
    throw unwritable(path, error)
  }
}

/** A dot-file with another extension: git status shows it only if we are killed right here. */
export function tempFor(path: string): string {
  const name = `.ledger-git-${process.pid}-${process.hrtime.bigint().toString(36)}.tmp`
  return join(dirname(path), name)
}

/** Undefined for a link: its own mode means nothing, and the file that replaces it gets the default mode. */
function modeOf(path: string): number | undefined {
  const stat = attempt(() => lstatSync(path))
  return stat?.isFile() === true ? stat.mode & 0o777 : undefined
}

/** Undefined if `action` fails: for results that are not essential. */
export function attempt<T>(action: () => T): T | undefined {
  try {
    return action()
  } catch {
    return undefined
  }
}

/** Creates a folder for a trial in the system's temporary folder. Throws `FILE_UNWRITABLE`. */
export function temporaryFolder(prefix: string): string {
  try {
    return mkdtempSync(join(tmpdir(), prefix))
  } catch (error) {
    const why = (error as Error).message.replace(/, \w+ '[^]*$/, '')
    const message = `no temporary folder can be created in ${tmpdir()}: ${why}`
    const next = 'set TMPDIR to a writable folder, then run the command again'
    throw new LedgerError('FILE_UNWRITABLE', message, next)
  }
}

/** Names in a folder, in byte order; none if there is no such folder. */
export function namesIn(folder: string): string[] {
  return orUnwritable(folder, () => ifThere(() => readdirSync(folder).sort()) ?? [])
}

/** The same; also none if the folder cannot be read. */
export function namesIfAny(folder: string): string[] {
  return attempt(() => namesIn(folder)) ?? []
}

/** Names of the folders in a folder; none if it cannot be read. */
export function foldersIn(folder: string): string[] {
  const entries = attempt(() => readdirSync(folder, { withFileTypes: true })) ?? []
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
}

/** What `action` returns; undefined if the file or folder that it reads does not exist. */
export function ifThere<T>(action: () => T): T | undefined {
  try {
    return action()
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

/** True if there is no such file. A name that no file can have, too long or with a NUL, counts as missing. */
export function isMissing(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code ?? ''
  return ['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ERR_INVALID_ARG_VALUE'].includes(code)
}

/** Throws `FILE_UNWRITABLE` for whatever `action` throws. */
export function orUnwritable<T>(path: string, action: () => T): T {
  try {
    return action()
  } catch (error) {
    throw unwritable(path, error)
  }
}

/** Throws `FILE_UNREADABLE` for whatever keeps `action` from reading. */
export function orUnreadable<T>(path: string, action: () => T): T {
  try {
    return action()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === undefined) throw error
    const next = 'check permissions, then run the command again'
    throw new LedgerError('FILE_UNREADABLE', `${path} could not be read (${code})`, next)
  }
}

export function unwritable(path: string, error: unknown): LedgerError {
  const reason = (error as NodeJS.ErrnoException).code ?? String(error)
  return new LedgerError(
    'FILE_UNWRITABLE',
    `${path} could not be written (${reason})`,
    'check permissions and free space, then run the command again',
  )
}
