/** From the bytes of a hand-written file to text, or the reason why it is left alone. */

import { createHash } from 'node:crypto'
import { MAX_EVENT_BYTES } from '../event/event-bytes.ts'

/** Why a source becomes no event. The keys are for the code, the sentences for people. */
export const SOURCE_PROBLEMS = {
  absent: 'no such file',
  link: 'a symbolic link: name the file that it leads to',
  'not-a-file': 'not a regular file',
  unreadable: 'the file could not be read',
  outside: 'outside of this repository',
  'too-large': 'larger than 16 MiB',
  'too-large-as-event': 'larger than 16 MiB as an event',
  empty: 'the file is empty',
  binary: 'not a text file',
  conflict: 'conflict markers: resolve the conflict, then run ledger-git migrate again',
  'not-utf8': 'not UTF-8: convert it first (iconv -f ENCODING -t UTF-8)',
  rendered: 'rendered by ledger-git: its events are in events/ already',
  'no-ledger': 'no section ## Ledger',
  folder: 'a folder in which nothing looks like a ledger, a handoff or an event',
  'in-place': 'an event that is read where it is',
  'unknown-kind': 'no ledger, handoff or event: nothing in it names a field',
  'unreadable-event': 'an event that cannot be read (ledger-git event validate FILE)',
} as const

export type SourceProblem = keyof typeof SOURCE_PROBLEMS

/**
 * The text, with LF line ends and without BOM. What would lose bytes is refused: a legacy encoding
 * read as UTF-8 would turn letters into U+FFFD.
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

/** As its byte order mark says. */
function isUtf16([first, second]: Uint8Array): boolean {
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)
}

/** The line of the first conflict marker that git left; undefined without one. */
export function conflictLine(text: string): number | undefined {
  const at = text.split('\n').findIndex((line) => /^(?:<{7,}|>{7,})(?: |$)/.test(line))
  return at === -1 ? undefined : at + 1
}

/** Sixteen digits tell the versions of one file apart. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}

/** The line of a migrated event that names the version of its source. */
export function hashLine(hash: string): string {
  return `source_hash: "${hash}"`
}

/** True for an event that `migrate` made of this source's text. */
export function isEventOf(event: string, source: string): boolean {
  return event === source || event.includes(`\n${hashLine(hashOf(source))}\n`)
}
