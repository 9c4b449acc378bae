/**
 * Removes secrets from texts and transcripts: each is replaced by `[redacted: <kind>]`.
 *
 * Invariants:
 * - A text without secrets is returned byte for byte, and redacting twice changes nothing more.
 * - JSON stays JSON. Its strings are decoded, redacted (including JSON inside them), and encoded again; only strings
 *   that contained a secret change. A line stays one line.
 * - Text that is too long to check is not returned: a string of more than `MAX_STRING` characters and a line of more
 *   than `MAX_LINE` are replaced by a marker.
 */

import { isText, parseJson } from '../text/json-values.ts'
import { keyLine, opensKey } from './private-keys.ts'
import { memberKind } from './named-secrets.ts'
import type { SecretValues } from './repeated-values.ts'
import { remember } from './repeated-values.ts'
import type { FindSecrets, Secret } from './secret.ts'
import { joinSecrets, MARKER, marker } from './secret.ts'

export const MAX_STRING = 8 * 1024 * 1024
export const MAX_LINE = 4 * MAX_STRING

/** A quick check by a detector: false if there is nothing to redact in a text. */
export type MayHold = (text: string) => boolean

/** Redacts a text of any format, and adds what it found to `values`. Use `lineRedactor` for a transcript of many lines. */
export function redactText(
  text: string,
  find: FindSecrets,
  mayHold: MayHold = () => true,
  values: SecretValues = new Map(),
): string {
  if (text.length > MAX_STRING) return marker('oversized-text')
  if (!mayHold(text)) return text
  if (isJson(text)) return redactStrings(text, { find, mayHold, values })
  const strings = redactStrings(text, { find, mayHold, values, isAll: false })
  const redacted = redactPlain(strings, find, values)
  // Redacting a secret that contained a quote may have changed which text is quoted.
  return redacted === text ? text : redactText(redacted, find, mayHold, values)
}

/** Redacts the lines of one file, one after the other, without line endings. */
export function lineRedactor(
  find: FindSecrets,
  mayHold: MayHold = () => true,
  values: SecretValues = new Map(),
): (line: string) => string {
  let isInKey = false
  return (line) => {
    if (line.length > MAX_LINE) return JSON.stringify(marker('oversized-line'))
    if (!isInKey && line.length <= MAX_STRING && !mayHold(line)) return line
    if (isJson(line)) {
      isInKey = false
      return redactStrings(line, { find, mayHold, values })
    }
    const place = isInKey ? keyLine(line) : 'other'
    if (place === 'text') return marker('private-key')
    isInKey = place === 'header' || opensKey(line)
    return redactText(line, find, mayHold, values)
  }
}

function isJson(text: string): boolean {
  return /^\s*["[{]/.test(text) && parseJson(text) !== undefined
}

/** Redacts all strings of JSON, including names. In other texts, only strings that contain escapes. */
function redactStrings(
  text: string,
  {
    find,
    mayHold,
    values,
    isAll = true,
  }: { find: FindSecrets; mayHold: MayHold; values: SecretValues; isAll?: boolean },
): string {
  const parts: string[] = []
  let done = 0
  let name: { readonly text: string; readonly end: number } | undefined
  for (const { start, end, value } of stringsOf(text, isAll)) {
    const isValue = name !== undefined && /^\s*:\s*$/.test(text.slice(name.end, start))
    const kind = isValue ? memberKind(name?.text ?? '', value) : undefined
    if (kind !== undefined) remember(values, value, kind)
    const redacted = kind === undefined ? redactText(value, find, mayHold, values) : marker(kind)
    if (redacted !== value) {
      parts.push(text.slice(done, start), JSON.stringify(redacted))
      done = end
    }
    name = { text: value, end }
  }
  return done === 0 ? text : parts.join('') + text.slice(done)
}

/** Decoded JSON strings: text in double quotes on one line. */
function* stringsOf(
  text: string,
  isAll: boolean,
): Iterable<{ start: number; end: number; value: string }> {
  let lineEnd = -1
  for (let start = text.indexOf('"'); start !== -1;) {
    if (lineEnd < start) lineEnd = indexOrEnd(text, '\n', start)
    const end = endOfString(text, start, lineEnd)
    const body = text.slice(start + 1, end - 1)
    const value = isAll || body.includes('\\') ? decode(body) : undefined
    if (value !== undefined) yield { start, end, value }
    start = text.indexOf('"', end)
  }
}

function indexOrEnd(text: string, what: string, from: number): number {
  const at = text.indexOf(what, from)
  return at === -1 ? text.length : at
}

/** The offset after the closing quote, or the end of the line if there is none. */
function endOfString(text: string, start: number, lineEnd: number): number {
  for (
    let at = indexOrEnd(text, '"', start + 1);
    at < lineEnd;
    at = indexOrEnd(text, '"', at + 1)
  ) {
    let first = at
    while (text[first - 1] === '\\') first--
    if ((at - first) % 2 === 0) return at + 1
  }
  return lineEnd
}

function decode(body: string): string | undefined {
  // oxlint-disable-next-line no-control-regex
  if (!/[\\\u0000-\u001f]/.test(body)) return body
  const value = parseJson(`"${body}"`)
  return isText(value) ? value : undefined
}

/** Rounds that redact secrets exactly. Later rounds redact whole words, which ends chains of secrets. */
const EXACT_ROUNDS = 3

/** Repeats until nothing is found: after one secret is removed, its neighbour may be recognized. */
function redactPlain(text: string, find: FindSecrets, values: SecretValues): string {
  let redacted = text
  for (let round = 0; ; round++) {
    const found = rangesToRedact(redacted, find(redacted), round >= EXACT_ROUNDS)
    if (found.length === 0) return redacted
    const parts: string[] = []
    let done = 0
    for (const { kind, start, end } of found) {
      parts.push(redacted.slice(done, start), marker(kind))
      remember(values, redacted.slice(start, end), kind)
      done = end
    }
    redacted = parts.join('') + redacted.slice(done)
  }
}

/** Excludes what is already redacted. A marker is replaced completely or not at all, so each round removes text. */
function rangesToRedact(text: string, found: readonly Secret[], isWholeWord: boolean): Secret[] {
  if (found.length === 0) return []
  const places = isWholeWord ? found.map((secret) => wordAround(text, secret)) : found
  const markers = [...text.matchAll(MARKER)].map(({ index, 0: { length } }) => ({
    kind: '',
    start: index,
    end: index + length,
  }))
  return joinSecrets([...markers, ...places]).filter(({ kind }) => kind !== '')
}

function wordAround(text: string, { kind, start, end }: Secret): Secret {
  let [first, last] = [start, end]
  while (first > 0 && !/\s/.test(text[first - 1] ?? '')) first--
  while (last < text.length && !/\s/.test(text[last] ?? '')) last++
  return { kind, start: first, end: last }
}
