/**
 * The entries of a document's front matter: where each stands, and one replaced with every other byte
 * kept. Read line by line: it may be no valid YAML.
 */

import { scalar } from '../event/yaml-text.ts'
import type { Document, Range } from './document.ts'

/** One entry of the front matter, with the lines that belong to it. */
export interface Field extends Range {
  readonly key: string
  /** A scalar on the key's own line, without quotes and comment; undefined for anything else. */
  readonly value: string | undefined
}

/**
 * The whole text with another value of one key of the front matter; undefined takes the key out. Other
 * keys, comments and order stay, also where the front matter is no valid YAML.
 */
export function setField(
  { text, front, lines, eol }: Document,
  key: string,
  value: string | readonly string[] | undefined,
): string {
  const field = yamlLines(key, value).map((line) => `${line}${eol}`)
  if (front === undefined) {
    const start = lines[0]?.start ?? 0
    if (field.length === 0) return text
    const gap = text.length > start ? eol : ''
    return `${text.slice(0, start)}---${eol}${field.join('')}---${eol}${gap}${text.slice(start)}`
  }
  const found = fieldsOf({ front }).findLast((entry) => entry.key === key)
  const end = lines[front.length + 1]?.start ?? text.length
  const range = found ?? { start: end, end }
  return `${text.slice(0, range.start)}${field.join('')}${text.slice(range.end)}`
}

/** The entries of the front matter in their order. Of a key that stands twice the last one counts. */
export function fieldsOf({ front = [] }: Pick<Document, 'front'>): Field[] {
  const starts = front.flatMap(({ text, at }) => (keyOf(text) === undefined ? [] : [at]))
  return starts.flatMap((at, i) => {
    const own = front.slice(at - 1, (starts[i + 1] ?? front.length + 1) - 1)
    // Comments and blank lines at the end stand before the next entry.
    while (own.length > 1 && /^(?:\s*|#.*)$/.test(own.at(-1)?.text ?? '')) own.pop()
    const [first] = own
    const key = keyOf(first?.text ?? '')
    if (first === undefined || key === undefined) return []
    const value = own.length > 1 ? undefined : scalarValue(first.text.replace(/^.*?:(?=\s|$)/, ''))
    return [{ key, value, start: first.start, end: own.at(-1)?.end ?? first.end }]
  })
}

/** What stands on one line of YAML as a plain or quoted text. */
function scalarValue(text: string): string | undefined {
  const value = text.trim()
  const double = /^"((?:[^"\\]|\\["\\/])*)"\s*(?:#.*)?$/.exec(value)?.[1]
  if (double !== undefined) return double.replace(/\\(.)/g, '$1')
  const single = /^'((?:[^']|'')*)'\s*(?:#.*)?$/.exec(value)?.[1]
  if (single !== undefined) return single.replaceAll("''", "'")
  const plain = value.replace(/(?:^|\s)#.*$/, '').trim()
  return plain === '' || /^["'[{|>&*!%@`]/.test(plain) ? undefined : plain
}

/** The key of a line that begins an entry; undefined where the line goes on with the one before. */
function keyOf(line: string): string | undefined {
  if (/^(?:[\s#\]}]|-(?:\s|$)|$)/.test(line)) return undefined
  const key = line.slice(0, Math.max(0, line.search(/:(?:\s|$)/))).trim()
  return /^(["']).*\1$/.test(key) ? key.slice(1, -1) : key
}

function yamlLines(key: string, value: string | readonly string[] | undefined): string[] {
  if (value === undefined) return []
  if (typeof value === 'string') return [`${scalar(key)}: ${scalar(value)}`]
  if (value.length === 0) return [`${scalar(key)}: []`]
  return [`${scalar(key)}:`, ...value.map((item) => `  - ${scalar(item)}`)]
}
