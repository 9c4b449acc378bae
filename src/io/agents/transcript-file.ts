/**
 * Slices of a transcript, never the whole file: some grow to hundreds of megabytes, with lines of five.
 *
 * At most `maxBytes` are read (and one byte before them, to know whether a line starts there). Only complete lines
 * are returned. A slice that begins inside a line starts with the next line, so a line longer than a slice is left
 * out, and reading goes on after it. A file that is shorter than the offset was replaced: reading starts again at its
 * beginning. If there is no regular file to read, there is no slice.
 */

import { closeSync, constants, fstatSync, openSync, readSync, statSync } from 'node:fs'
import type {
  TranscriptPort,
  TranscriptSlice,
  TranscriptText,
} from '../../app/shadow/session-ports.ts'

/** An open file; tests count what is read through it. */
export interface OpenTranscript {
  readonly size: number
  /** Up to `length` bytes; fewer at the end of the file. */
  read(position: number, length: number): Buffer
  close(): void
}

/** The last complete lines of a transcript. */
export function readTail(
  path: string,
  maxBytes: number,
  open?: (path: string) => OpenTranscript,
): TranscriptSlice | undefined {
  return readSlice(path, maxBytes, (size) => Math.max(0, size - maxBytes), open)
}

/**
 * The same without what nobody reads as text: lines with `unused` among their first fields, and data such as images
 * (their string is left empty). Neither counts towards `maxBytes`, but no more than `REACH` times as much is read.
 */
export function readTailText(
  path: string,
  maxBytes: number,
  unused?: string,
  open?: (path: string) => OpenTranscript,
): TranscriptText | undefined {
  const reach = maxBytes * REACH
  let isCut = true
  const slice = readSlice(
    path,
    reach,
    (size) => Math.max(0, size - reach),
    open,
    (bytes, isStart) => {
      const { text, from } = usedText(bytes, maxBytes, unused)
      isCut = !isStart || from > 0
      return splitLines(text, !isCut)
    },
  )
  return slice && { ...slice, isCut }
}

const REACH = 4
/** Bytes of a line in which the fields that come before the content are. */
const HEAD = 700

/** The last lines that are used, and the offset before which there are others. */
function usedText(
  bytes: Buffer,
  maxBytes: number,
  unused?: string,
): { text: Buffer; from: number } {
  let left = maxBytes
  let from = bytes.length
  const parts: Buffer[] = []
  while (from > 0) {
    const start = from === 1 ? 0 : bytes.lastIndexOf(NEWLINE, from - 2) + 1
    const line = bytes.subarray(start, from)
    if (unused === undefined || !line.subarray(0, HEAD).includes(unused)) {
      const text = withoutData(line)
      left -= text.length
      if (left < 0) break
      parts.push(text)
    }
    from = start
  }
  return { text: Buffer.concat(parts.toReversed()), from }
}

/** Bytes: a longer run of Base64 characters is data. Every `DATA / 2` bytes one is looked at, which finds each such run. */
const DATA = 2000
const BACKSLASH = 0x5c

function withoutData(line: Buffer): Buffer {
  const parts: Buffer[] = []
  let kept = 0
  for (let at = DATA / 2; at < line.length; at += DATA / 2) {
    let [start, end] = [at, at]
    while (start > kept && isData(line[start - 1])) start--
    // The first characters may belong to an escape such as `\n` or `\u2028`.
    if (line[start - 1] === BACKSLASH) start += 5
    while (isData(line[end])) end++
    if (end - start > DATA) {
      parts.push(line.subarray(kept, start))
      kept = end
    }
    at = end
  }
  return parts.length === 0 ? line : Buffer.concat([...parts, line.subarray(kept)])
}

/** Base64 characters, also of the form for URLs. */
const IS_DATA = Uint8Array.from({ length: 256 }, (_, byte) =>
  Number(/[\w+/=-]/.test(String.fromCharCode(byte))),
)

function isData(byte: number | undefined): boolean {
  return byte !== undefined && IS_DATA[byte] === 1
}

/** The complete lines from `offset` on, as many as fit. */
export function readFrom(
  path: string,
  offset: number,
  maxBytes: number,
  open?: (path: string) => OpenTranscript,
): TranscriptSlice | undefined {
  const from = Number.isSafeInteger(offset) && offset > 0 ? offset : 0
  return readSlice(path, maxBytes, (size) => (from > size ? 0 : from), open)
}

export const transcripts: TranscriptPort = { readFrom, readTail, readTailText }

function readSlice(
  path: string,
  maxBytes: number,
  startIn: (size: number) => number,
  open = openTranscript,
  split = splitLines,
): TranscriptSlice | undefined {
  let file: OpenTranscript | undefined
  try {
    file = open(path)
    return cutLines(file, startIn(file.size), maxBytes, split)
  } catch {
    return undefined
  } finally {
    file?.close()
  }
}

const NEWLINE = 0x0a

function cutLines(
  file: OpenTranscript,
  start: number,
  maxBytes: number,
  split: typeof splitLines,
): TranscriptSlice {
  const before = Math.min(start, 1)
  const bytes = file.read(start - before, Math.max(0, maxBytes) + before)
  const end = start - before + bytes.length
  const first = before === 0 ? 0 : bytes.indexOf(NEWLINE) + 1
  const last = Math.max(first, bytes.lastIndexOf(NEWLINE) + 1)
  const toEnd = end >= file.size
  // No line begins in this slice, or the one that it begins with is longer than the slice.
  const isPassedOver = before === 1 && first === 0
  const isTooLong = first === before && last === first && !toEnd
  if (isPassedOver || isTooLong) return { toEnd, lines: [], rest: '', next: end }
  return {
    toEnd,
    lines: split(bytes.subarray(first, last), start === 0),
    rest: bytes.toString('utf8', last),
    next: start - before + last,
  }
}

/** Decodes line by line, so that no string is longer than a line. Lines may end with CRLF; empty lines are dropped. */
function splitLines(bytes: Buffer, isStart: boolean): string[] {
  const lines: string[] = []
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf(NEWLINE, at)
    const line = bytes.toString('utf8', at, end).replace(/\r$/, '')
    lines.push(isStart && at === 0 ? line.replace(/^\ufeff/, '') : line)
    at = end + 1
  }
  return lines.filter((line) => line !== '')
}

/** Opens a regular file, also through a link. A pipe or device would block or never end. */
function openTranscript(path: string): OpenTranscript {
  if (!statSync(path).isFile()) throw new Error('not a file')
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  const { size } = fstatSync(fd)
  return {
    size,
    read: (position, length) => {
      const buffer = Buffer.allocUnsafe(Math.max(0, Math.min(length, size - position)))
      let filled = 0
      while (filled < buffer.length) {
        const count = readSync(fd, buffer, filled, buffer.length - filled, position + filled)
        if (count === 0) break // the file has shrunk meanwhile
        filled += count
      }
      return buffer.subarray(0, filled)
    },
    close: () => closeSync(fd),
  }
}
