/** Files without a name: they disappear with the process, so a killed process leaves no text behind. */

import { closeSync, constants, fstatSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs'

/** An open file that holds these bytes, to be read from its beginning; undefined if there is no room. */
export function openNamelessFile(bytes: Uint8Array = new Uint8Array()): number | undefined {
  // In memory if possible: a sandbox may have no other folder to write to.
  return fileIn('/dev/shm', bytes) ?? fileIn(process.env['TMPDIR'] || '/tmp', bytes)
}

/** Returns everything that was written into such a file, and closes it. */
export function takeBytes(file: number): Buffer {
  const bytes = Buffer.alloc(fstatSync(file).size)
  for (let at = 0, count = 1; count > 0; at += count)
    count = readSync(file, bytes, at, bytes.length - at, at)
  closeSync(file)
  return bytes
}

function fileIn(folder: string, bytes: Uint8Array): number | undefined {
  let file: number | undefined
  try {
    file = openWithoutName(folder) ?? openAndUnlink(folder)
    // By position, so that the file's offset stays at the beginning for its reader.
    for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at, bytes.length - at, at)
    return file
  } catch {
    if (file !== undefined) closeSync(file)
    return undefined // no such folder, or full
  }
}

/** Linux's `O_TMPFILE`, which Node has no name for. Not every file system supports it. */
const O_TMPFILE = 0o20_000_000 | constants.O_DIRECTORY

function openWithoutName(folder: string): number | undefined {
  if (process.platform !== 'linux') return undefined
  try {
    return openSync(folder, O_TMPFILE | constants.O_RDWR, 0o600)
  } catch {
    return undefined
  }
}

/** If we are killed between the two calls, an empty file is left. */
function openAndUnlink(folder: string): number {
  const name = `${folder}/.ledger-git-${process.pid}-${process.hrtime.bigint()}`
  const file = openSync(name, 'wx+', 0o600)
  unlinkSync(name)
  return file
}
