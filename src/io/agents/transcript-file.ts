/**
 * Slices of a transcript, never the whole file: some grow to hundreds of megabytes, with lines of five.
 *
 * At most `maxBytes` are read (and one byte before them, to know whether a line starts there). Only
 * complete lines are handed out; a slice that begins inside a line begins with the next one, so a line
 * longer than a slice is left out and reading goes on behind it. A file that is shorter than the offset
 * was replaced: reading starts again at its beginning. Whatever is at the path, the answer is a slice or
 * a reason.
 */

import { closeSync, constants, fstatSync, openSync, readSync, statSync } from 'node:fs'

export interface TranscriptSlice {
  readonly lines: readonly string[]
  /** Behind the last complete line: where to go on. */
  readonly next: number
  /** What follows the last line break: a line that is being written, or the end of a document. */
  readonly rest: string
  /** True when the slice begins at the beginning of the file. */
  readonly fromStart: boolean
  /** True when the file was replaced and reading started again. */
  readonly restarted: boolean
  /** False when there is more behind this slice. */
  readonly toEnd: boolean
}

export interface Unreadable {
  readonly unreadable: string
}

/** An open file; tests count what is read through it. */
export interface OpenTranscript {
  readonly size: number
  /** Up to `length` bytes; fewer at the end of the file. */
  read(position: number, length: number): Buffer
  close(): void
}

export interface ReadOptions {
  readonly maxBytes: number
  readonly open?: (path: string) => OpenTranscript
}

/** The last complete lines of a transcript. */
export function readTail(path: string, options: ReadOptions): TranscriptSlice | Unreadable {
  return readSlice(path, options, (size) => Math.max(0, size - options.maxBytes))
}

/** The complete lines from `offset` on, as many as fit. */
export function readFrom(
  path: string,
  offset: number,
  options: ReadOptions,
): TranscriptSlice | Unreadable {
  const from = Number.isSafeInteger(offset) && offset > 0 ? offset : 0
  return readSlice(path, options, (size) => (from > size ? undefined : from))
}

function readSlice(
  path: string,
  { maxBytes, open = openTranscript }: ReadOptions,
  startIn: (size: number) => number | undefined,
): TranscriptSlice | Unreadable {
  let file: OpenTranscript | undefined
  try {
    file = open(path)
    const start = startIn(file.size)
    const slice = cutLines(file, start ?? 0, maxBytes)
    return { ...slice, restarted: start === undefined }
  } catch (error) {
    return { unreadable: reasonOf(error) }
  } finally {
    file?.close()
  }
}

const NEWLINE = 0x0a

function cutLines(
  file: OpenTranscript,
  start: number,
  maxBytes: number,
): Omit<TranscriptSlice, 'restarted'> {
  const before = Math.min(start, 1)
  const bytes = file.read(start - before, Math.max(0, maxBytes) + before)
  const end = start - before + bytes.length
  const first = before === 0 ? 0 : bytes.indexOf(NEWLINE) + 1
  const last = bytes.lastIndexOf(NEWLINE) + 1
  const toEnd = end >= file.size
  const base = { fromStart: start === 0, toEnd }
  // No line begins in this slice, or the one that it begins with is longer than the slice.
  const isPassedOver = before === 1 && first === 0
  const isTooLong = first === before && last <= first && !toEnd
  if (isPassedOver || isTooLong) return { ...base, lines: [], rest: '', next: end }
  return {
    ...base,
    lines: splitLines(bytes.subarray(first, Math.max(first, last)), start === 0),
    rest: bytes.toString('utf8', Math.max(first, last)),
    next: start - before + Math.max(first, last),
  }
}

/** Decoded line by line: no string is longer than a line. Line ends may be CRLF; empty lines go. */
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
        if (count === 0) break // it shrank just now
        filled += count
      }
      return buffer.subarray(0, filled)
    },
    close: () => closeSync(fd),
  }
}

function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'there is no transcript'
  if (code === 'EACCES' || code === 'EPERM') return 'the transcript may not be read'
  return message === 'not a file' ? 'the transcript is not a file' : `the transcript: ${code}`
}
