/**
 * The entries of a document's front matter, handled line by line: changing one value keeps every other byte.
 * Comments, unknown keys, order and line ends survive, even if the text is not valid YAML.
 */

import { parseJson } from '../text/json-values.ts'
import type { Document, Range } from './document.ts'
import { entryText } from './entry-text.ts'

/** One entry, with the lines that belong to it. */
export interface Field extends Range {
  readonly key: string
  /** Undefined if the value is not a text. */
  readonly value: string | undefined
}

/** `undefined` if there is no such key, or the value is neither a text nor a list of texts. */
export type EntryValue = string | null | readonly string[] | undefined

export type NewValue = string | number | null | readonly string[]

/** A key, or a key inside the map of another key. */
export type EntryPath = readonly [key: string] | readonly [map: string, key: string]

/** Lines with their breaks. */
type Lines = readonly string[]

interface Entry {
  readonly key: string
  /** Index of its first line. */
  readonly from: number
  readonly own: Lines
}

/** The entries in order. If a key occurs twice, the last one counts. */
export function fieldsOf(document: Pick<Document, 'front' | 'text'>): Field[] {
  const { front = [] } = document
  return entriesIn(linesOf(document)).map(({ key, from, own }) => {
    const value = valueOf(own)
    const [start, end] = [front[from]?.start ?? 0, front[from + own.length - 1]?.end ?? 0]
    return { key, value: typeof value === 'string' ? value : undefined, start, end }
  })
}

/** The value of an entry in the front matter. */
export function readField(document: Document, [key, inner]: EntryPath): EntryValue {
  const own = find(linesOf(document), key)?.own
  if (own === undefined || inner === undefined) return own && valueOf(own)
  const map = mapIn(own, '\n')
  const found = map && find(map.lines, inner, map.indent)
  return found && valueOf(found.own)
}

/** The whole text with a new value for an entry, which is created if it is missing. */
export function setField(document: Document, [key, inner]: EntryPath, value: NewValue): string {
  const { text, front, lines, eol } = document
  const all = linesOf(document)
  const changed =
    inner === undefined ? withValue(all, key, value, eol) : withInner(all, key, inner, value, eol)
  const start = lines[front === undefined ? 0 : 1]?.start ?? 0
  if (front !== undefined) {
    return text.slice(0, start) + changed.join('') + text.slice(lines[front.length + 1]?.start)
  }
  const gap = text.length > start ? eol : ''
  return `${text.slice(0, start)}---${eol}${changed.join('')}---${eol}${gap}${text.slice(start)}`
}

function linesOf({ text, front = [] }: Pick<Document, 'front' | 'text'>): Lines {
  return front.map(({ start, end }) => text.slice(start, end))
}

const isFiller = (line: string | undefined) => /^\s*(?:#.*)?\r?\n?$/.test(line ?? '')
const indentOf = (line: string) => /^[ \t]*/.exec(line)?.[0].length ?? 0

/** The entries of one depth. Comments and blank lines at the end of an entry belong to no entry. */
function entriesIn(lines: Lines, indent = 0): Entry[] {
  const keys = lines.map((line) => keyOf(line, indent))
  const starts = lines.flatMap((_, i) => (keys[i] === undefined ? [] : [i]))
  return starts.map((from, i) => {
    const own = lines.slice(from, starts[i + 1])
    while (own.length > 1 && isFiller(own.at(-1))) own.pop()
    return { key: keys[from] ?? '', from, own }
  })
}

function find(lines: Lines, key: string, indent = 0): Entry | undefined {
  return entriesIn(lines, indent).findLast((entry) => entry.key === key)
}

/** The key of a line that begins an entry; undefined if the line continues the previous entry. */
function keyOf(line: string, indent: number): string | undefined {
  const isContinued = indentOf(line) > indent || /^(?:-\s|[\]}])/.test(line.slice(indent))
  if (isContinued || isFiller(line)) return undefined
  const key = line.slice(0, Math.max(0, line.search(/:(?:\s|$)/))).trim()
  return /^(["']).*\1$/.test(key) ? key.slice(1, -1) : key
}

/** The value after the key on its line, and the comment at the end. */
function restOf(line: string): { head: string; value: string; comment: string } {
  const [, head = '', rest = ''] = /^(.*?:)(?=\s|$)([^]*)$/.exec(line) ?? []
  const [, value = '', comment = ''] =
    /^\s*("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|(?:(?!(?<=\s)#)[^\r\n])*?)(\s*(?<=\s)#[^\r\n]*)?\s*$/.exec(
      rest,
    ) ?? []
  return { head, value, comment: comment.replace(/^#/, ' #') }
}

function valueOf([first = '', ...below]: Lines): EntryValue {
  const { value } = restOf(first)
  const more = below.filter((line) => !isFiller(line)).map((line) => line.trim())
  if (value === '' && more.length > 0) {
    const items = more.map((line) => /^-\s+(.*)$/.exec(line)?.[1])
    return items.every((item) => item !== undefined)
      ? items.map((item) => scalarOf(restOf(`: ${item}`).value) ?? '')
      : undefined
  }
  if (/^[|>][-+\d]*$/.test(value)) return more.join(' ')
  const whole = [value, ...more].join(' ')
  const flow = /^\[(.*)\]$/.exec(whole)?.[1]
  if (flow !== undefined) return flowItems(flow).map((item) => scalarOf(item) ?? '')
  return /^[{[&*!]/.test(whole) ? undefined : scalarOf(whole)
}

function scalarOf(text: string): string | null {
  const double = /^"((?:[^"\\]|\\.)*)"$/.exec(text)?.[1]
  if (double !== undefined) return String(parseJson(text) ?? double)
  const single = /^'((?:[^']|'')*)'$/.exec(text)?.[1]
  if (single !== undefined) return single.replaceAll("''", "'")
  return /^(?:|~|null|Null|NULL)$/.test(text) ? null : text
}

/** Splits at commas outside quotes and brackets. */
function flowItems(text: string): string[] {
  const items = text.match(/(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|\[[^\]]*\]|\{[^}]*\}|[^,])+/g) ?? []
  return items.map((item) => item.trim()).filter((item) => item !== '')
}

function withValue(lines: Lines, key: string, value: NewValue, eol: string, indent = 0): Lines {
  const found = find(lines, key, indent)
  if (found === undefined)
    return [...lines, `${' '.repeat(indent)}${key}: ${entryText(value)}${eol}`]
  const { from, own } = found
  const known = valueOf(own)
  if (isSame(known, value)) return lines
  const { head, comment } = restOf(own[0] ?? '')
  const end = /\r?\n$/.exec(own[0] ?? '')?.[0] ?? ''
  const changed = addedItems(own, known, value, eol) ?? [
    `${head} ${entryText(value)}${comment}${end}`,
    ...leftOver(own),
  ]
  return lines.toSpliced(from, own.length, ...changed)
}

/** Keeps comments below a replaced value. Entries below a value that cannot have any are kept as comments. */
function leftOver([first = '', ...more]: Lines): string[] {
  const { value } = restOf(first)
  const isOpen = /^[|>]/.test(value) || (/^["'[{]/.test(value) && !/.["'\]}]$/.test(value))
  return more.flatMap((line) => {
    if (isFiller(line)) return [line]
    return !isOpen && /^\s*["']?[\w.-]+["']?\s*:(?:\s|$)/.test(line) ? [`# ${line}`] : []
  })
}

function isSame(known: EntryValue, value: NewValue): boolean {
  const text = typeof value === 'number' ? String(value) : value
  return JSON.stringify(known) === JSON.stringify(text)
}

/** Appends to a list with one item per line, so that it keeps its form; undefined if more than that changes. */
function addedItems(own: Lines, known: EntryValue, value: NewValue, eol: string) {
  const lead = /^\s*-\s+/.exec(own.findLast((line) => /^\s*-\s/.test(line)) ?? '')?.[0]
  if (lead === undefined || !Array.isArray(known) || !Array.isArray(value)) return undefined
  if (!known.every((item, i) => item === value[i])) return undefined
  return [...own, ...value.slice(known.length).map((item) => `${lead}${entryText(item)}${eol}`)]
}

/** An entry's map: the line with its key (`head`), and the lines below; undefined if the value is not a map. */
function mapIn([first = '', ...more]: Lines, eol: string) {
  const { head, value, comment } = restOf(first)
  const inner = more.find((line) => !isFiller(line))
  const flow = scalarOf(value) === null ? '' : /^\{(.*)\}$/.exec(value)?.[1]
  if (flow !== undefined && inner === undefined) {
    const items = flowItems(flow).map((item) => item.replace(/^([^:]+):(?=\S)/, '$1: '))
    return { head: head + comment + eol, lines: items.map((item) => `  ${item}${eol}`), indent: 2 }
  }
  if (value !== '' || inner === undefined || /^\s*-\s/.test(inner)) return undefined
  return { head: first, lines: more, indent: indentOf(inner) }
}

function withInner(lines: Lines, key: string, inner: string, value: NewValue, eol: string): Lines {
  const found = find(lines, key)
  const { from = lines.length, own = [] } = found ?? {}
  const map = mapIn(own, eol)
  // A value that is not a map is kept as a comment.
  const kept = map === undefined ? own.map((line) => `# ${line}`) : []
  const {
    head,
    lines: below,
    indent,
  } = found && map ? map : { head: `${key}:${eol}`, lines: [], indent: 2 }
  return lines.toSpliced(
    from,
    own.length,
    head,
    ...withValue(below, inner, value, eol, indent),
    ...kept,
  )
}
