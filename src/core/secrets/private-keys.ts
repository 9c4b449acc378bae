/**
 * Private keys in PEM, PGP, and OpenSSH armour.
 *
 * A key extends from its first to its last line, whatever precedes the lines in between (line numbers, `+` of a diff,
 * `\n` of JSON). A truncated key ends with its last line of key text. A header that is merely mentioned is not a key:
 * at least one line of key text must follow it.
 */

import type { Secret } from './secret.ts'

const BEGIN = /-----BEGIN[ A-Z0-9]{0,40}PRIVATE KEY(?: BLOCK)?-----/g
const END = /-----END[ A-Z0-9]{0,40}PRIVATE KEY(?: BLOCK)?-----/g
const KEY_TEXT = /[A-Za-z0-9+/]{24}/
/** Key text up to the point where it is cut off: prefixes of lines, the lines, and a short last line. */
const CUT_OFF =
  /(?:(?:\s|\\[nrt]|[→|>]|\d{1,6}(?=[→|:\t]))*(?:[A-Z][A-Za-z-]{2,20}: ?[^\n\\]{0,100}|[A-Za-z0-9+/]{16,}={0,2}))*(?:(?:\s|\\[nrt]|[→|>]|\d{1,6}(?=[→|:\t]))*[A-Za-z0-9+/]{1,15}={1,2})?/y
/** No key is longer. */
const MAX_KEY = 65_536

export function privateKeys(text: string): Secret[] {
  if (!text.includes('PRIVATE KEY')) return []
  const begins = [...text.matchAll(BEGIN)]
  const found: Secret[] = []
  for (const [i, begin] of begins.entries()) {
    const from = begin.index + begin[0].length
    const limit = Math.min(begins[i + 1]?.index ?? text.length, from + MAX_KEY)
    const end = endOfKey(text, from, limit)
    if (KEY_TEXT.test(text.slice(from, end).replace(/-----END[\s\S]*$/, ''))) {
      found.push({ kind: 'private-key', start: begin.index, end })
    }
  }
  return found
}

function endOfKey(text: string, from: number, limit: number): number {
  const body = text.slice(from, limit)
  END.lastIndex = 0
  if (END.exec(body) !== null) return from + END.lastIndex
  CUT_OFF.lastIndex = 0
  CUT_OFF.exec(body)
  return from + CUT_OFF.lastIndex
}

/** What a line means while a key is open: its end, key text, a line that may occur inside a key, or anything else. */
export function keyLine(line: string): 'end' | 'text' | 'header' | 'other' {
  if (/-----END/.test(line)) return 'end'
  if (/^[\s→|>+\d:]*$/.test(line) || /^[\s→|>\d]*[A-Z][A-Za-z-]{2,20}: /.test(line)) return 'header'
  return /^(?:\s|[→|>+]|\d{1,6}[→|:\t])*[A-Za-z0-9+/]{4,}={0,2}\s*$/.test(line) ? 'text' : 'other'
}

/** True if a key begins in this line and does not end in it. */
export function opensKey(line: string): boolean {
  if (!line.includes('PRIVATE KEY')) return false
  const last = [...line.matchAll(BEGIN)].at(-1)
  return last !== undefined && !line.slice(last.index).includes('-----END')
}
