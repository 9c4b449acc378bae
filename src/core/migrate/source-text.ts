/** Decodes a hand-written file, or gives the reason why it is skipped. */

import { createHash } from 'node:crypto'
import { MAX_EVENT_BYTES } from '../event/event-bytes.ts'

/** Reasons why a source does not become an event. Keys are for code, sentences for people. */
export const SOURCE_PROBLEMS = {
  absent: 'no such file',
  link: 'a symbolic link: name the file that it points to',
  'not-a-file': 'not a regular file',
  unreadable: 'the file could not be read',
  outside: 'outside this repository',
  'too-large': 'larger than 16 MiB',
  'too-large-as-event': 'larger than 16 MiB as an event',
  empty: 'the file is empty',
  binary: 'not a text file',
  conflict: 'conflict markers: resolve the conflict, then run ledger-git migrate again',
  'not-utf8': 'not UTF-8: convert it first (iconv -f ENCODING -t UTF-8)',
  rendered: 'rendered by ledger-git: its events are already in events/',
  'no-ledger': 'no section ## Ledger',
  folder: 'a folder in which nothing looks like a ledger, a handoff or an event',
  'in-place': 'an event that is read where it is',
  'unknown-kind': 'not a ledger, handoff or event: it contains no known field',
  'unreadable-event': 'an event that cannot be read (ledger-git event validate FILE)',
} as const

export type SourceProblem = keyof typeof SOURCE_PROBLEMS

/**
 * The text, with LF line endings and without BOM. Files that would lose bytes are rejected: decoding a legacy encoding
 * as UTF-8 would turn letters into U+FFFD.
 */
export function readSourceText(bytes: Uint8Array): { text: string } | { problem: SourceProblem } {
  if (bytes.length > MAX_EVENT_BYTES) return { problem: 'too-large' }
  if (isUtf16(bytes)) return { problem: 'not-utf8' }
  if (bytes.includes(0)) return { problem: 'binary' }
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    const unix = text.replace(/\r\n?/g, '\n')
    return unix.trim() === '' ? { problem: 'empty' } : { text: unix }
  } catch {
    return { problem: 'not-utf8' }
  }
}

/** Detected by the byte order mark. */
function isUtf16([first, second]: Uint8Array): boolean {
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)
}

/** The line number of git's first conflict marker; undefined if there is none. */
export function conflictLine(text: string): number | undefined {
  const at = text.split('\n').findIndex((line) => /^(?:<{7,}|>{7,})(?: |$)/.test(line))
  return at === -1 ? undefined : at + 1
}

/** Sixteen hex digits, enough to distinguish the versions of one file. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}

/** The line of a migrated event that identifies the version of its source. */
export function hashLine(hash: string): string {
  return `source_hash: "${hash}"`
}

/** True for an event that `migrate` made from this source text. */
export function isEventOf(event: string, source: string): boolean {
  return event === source || event.includes(`\n${hashLine(hashOf(source))}\n`)
}
