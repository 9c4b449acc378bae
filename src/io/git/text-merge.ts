/** git's own three-way text merge, of texts that are not in files. */

import { closeSync } from 'node:fs'
import type { MergeText } from '../../app/ports/merge-text.ts'
import { LedgerError } from '../../core/errors/errors.ts'
import type { Git } from '../process/exec.ts'
import { openNamelessFile } from '../process/nameless-file.ts'

/** The length of a conflict marker if git does not name another. */
const MARKER_SIZE = 7

/** `markerSize`: git's `%L`. */
export function openTextMerge(git: Git, markerSize = ''): MergeText {
  const size = /^[1-9]\d{0,3}$/.test(markerSize) ? Number(markerSize) : MARKER_SIZE
  const options = [`--marker-size=${size}`, '-L', 'ours', '-L', 'base', '-L', 'theirs']
  return ({ base, ours, theirs }) => {
    const files: number[] = []
    try {
      for (const bytes of [ours, base, theirs]) files.push(openOrThrow(bytes))
      const names = files.map((_, i) => `/dev/fd/${i + 3}`)
      const { status, stdout } = git.runNow(['merge-file', '-p', ...options, ...names], { files })
      // The status is the number of conflicts; above 127, git does not merge this (it contains a NUL).
      return status > 127
        ? { content: bothWhole(ours, theirs, size), isConflict: true }
        : { content: stdout, isConflict: status > 0 }
    } finally {
      for (const file of files) closeSync(file)
    }
  }
}

function openOrThrow(bytes: Uint8Array): number {
  const file = openNamelessFile(bytes)
  if (file !== undefined) return file
  const message = 'there is no room for temporary files in /dev/shm or in the folder TMPDIR'
  throw new LedgerError('FILE_UNWRITABLE', message, 'free some space, then run the command again')
}

/** Both sides between markers, each unchanged. */
function bothWhole(ours: Uint8Array, theirs: Uint8Array, size: number): Uint8Array {
  const line = (mark: string, name = '') => Buffer.from(`${mark.repeat(size)}${name}\n`)
  const ended = (bytes: Uint8Array) =>
    bytes.length === 0 || bytes.at(-1) === 0x0a ? [bytes] : [bytes, Buffer.from('\n')]
  return Buffer.concat([
    line('<', ' ours'),
    ...ended(ours),
    line('='),
    ...ended(theirs),
    line('>', ' theirs'),
  ])
}
