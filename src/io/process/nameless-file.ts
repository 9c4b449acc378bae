/** Files that no name leads to any more: they go with the process, and a killed one leaves nothing. */

import { closeSync, openSync, unlinkSync, writeSync } from 'node:fs'

/** An open file that holds these bytes, to be read from its beginning; undefined where there is no room. */
export function openNamelessFile(bytes: Uint8Array): number | undefined {
  // In memory where that is: a sandbox may have no other folder to write to.
  return fileIn('/dev/shm', bytes) ?? fileIn(process.env['TMPDIR'] || '/tmp', bytes)
}

function fileIn(folder: string, bytes: Uint8Array): number | undefined {
  const name = `${folder}/.ledger-git-${process.pid}-${process.hrtime.bigint()}`
  let file: number | undefined
  try {
    file = openSync(name, 'wx+', 0o600)
    unlinkSync(name) // first: whoever kills us now leaves no texts
    // By position: who reads on goes from where the file stands, which is its beginning.
    for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at, bytes.length - at, at)
    return file
  } catch {
    if (file !== undefined) closeSync(file)
    return undefined // no such folder, or full
  }
}
