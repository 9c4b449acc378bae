/**
 * Entries of YAML front matter, line by line: one value changes, and every other byte stays. Comments,
 * unknown keys, order and line ends survive, also where the text is no valid YAML.
 */

import type { Document } from '../document/document.ts'
import { entryText } from './entry-text.ts'

/** `undefined`: no such key, or a value that is neither a text nor a list of texts. */
export type EntryValue = string | null | readonly string[] | undefined

/** A key, or a key of the map that stands below another one. */
export type EntryPath = readonly [key: string] | readonly [map: string, key: string]

/** Lines with their breaks, all of the same depth or deeper. */
interface Block {
  readonly lines: readonly string[]
  readonly indent: number
}

export function readEntry(document: Document, [key, inner]: EntryPath): EntryValue {
  const front = frontOf(document)
  if (inner === undefined) return valueOf(front, key)
  const map = mapOf(front, key)
  return map === undefined ? undefined : valueOf(map.block, inner)
}

/** The whole text with another value of an entry, which is made where there is none. */
export function setEntry(
  document: Document,
  [key, inner]: EntryPath,
  value: string | number | null | readonly string[],
): string {
  const { text, front, lines, eol } = document
  const all = frontOf(document)
  const changed =
    inner === undefined
      ? withValue(all, key, value, eol)
      : withInnerValue(all, key, { key: inner, value, eol })
  if (front !== undefined) {
    const [start, end] = [lines[1]?.start, lines[front.length + 1]?.start]
    return `${text.slice(0, start)}${changed.join('')}${text.slice(end)}`
  }
  const start = lines[0]?.start ?? 0
  const gap = text.length > start ? eol : ''
  const block = `---${eol}${changed.join('')}---${eol}${gap}`
  return `${text.slice(0, start)}${block}${text.slice(start)}`
}

function frontOf({ text, front = [] }: Document): Block {
  return { lines: front.map(({ start, end }) => text.slice(start, end)), indent: 0 }
}

const isFiller = (line: string | undefined) => /^\s*(?:#.*)?\r?\n?$/.test(line ?? '')
const indentOf = (line: string) => /^ */.exec(line)?.[0].length ?? 0

interface Place {
  readonly from: number
  /** Behind the last line that belongs to it. */
  readonly to: number
}

/** Of a key that stands twice the last one counts. */
function find({ lines, indent }: Block, key: string): Place | undefined {
  const pattern = new RegExp(`^ {${indent}}(["']?)${key}\\1\\s*:(?=\\s|$)`)
  const from = lines.findLastIndex((line) => pattern.test(line))
  if (from === -1) return undefined
  let to = from + 1
  for (let i = to; i < lines.length; i++) {
    const line = lines[i] ?? ''
    if (isFiller(line)) continue
    const goesOn = indentOf(line) > indent || /^(?:-\s|[\]}])/.test(line.slice(indent))
    if (!goesOn) break
    to = i + 1
  }
  return { from, to }
}

/** What stands behind the key on its line, and the comment at the end. */
function restOf(line: string): { head: string; value: string; comment: string } {
  const [, head = '', rest = ''] = /^(.*?:)(?=\s|$)([^]*)$/.exec(line) ?? []
  const [, value = '', comment = ''] =
    /^\s*("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|(?:(?!(?<=\s)#)[^\r\n])*?)(\s*(?<=\s)#[^\r\n]*)?\s*$/.exec(
      rest,
    ) ?? []
  return { head, value, comment: comment.replace(/^#/, ' #') }
}

function valueOf(block: Block, key: string): EntryValue {
  const place = find(block, key)
  if (place === undefined) return undefined
  const { value } = restOf(block.lines[place.from] ?? '')
  const more = block.lines
    .slice(place.from + 1, place.to)
    .filter((line) => !isFiller(line))
    .map((line) => line.trim())
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
  if (double !== undefined) return unescape(double)
  const single = /^'((?:[^']|'')*)'$/.exec(text)?.[1]
  if (single !== undefined) return single.replaceAll("''", "'")
  return /^(?:|~|null|Null|NULL)$/.test(text) ? null : text
}

function unescape(text: string): string {
  try {
    return JSON.parse(`"${text}"`) as string
  } catch {
    return text
  }
}

/** Parts between commas that stand in no quotes and no brackets. */
function flowItems(text: string): string[] {
  const items = text.match(/(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|\[[^\]]*\]|\{[^}]*\}|[^,])+/g) ?? []
  return items.map((item) => item.trim()).filter((item) => item !== '')
}

function withValue(
  block: Block,
  key: string,
  value: string | number | null | readonly string[],
  eol: string,
): string[] {
  const { lines, indent } = block
  const place = find(block, key)
  const line = `${' '.repeat(indent)}${key}: ${entryText(value)}`
  if (place === undefined) return [...closed(lines, eol), `${line}${eol}`]
  const { from, to } = place
  const own = lines.slice(from, to)
  const known = valueOf(block, key)
  if (isSame(known, value)) return [...lines]
  const added = Array.isArray(value) ? addedItems(own, known, value, eol) : undefined
  const { head, comment } = restOf(own[0] ?? '')
  const changed = added ?? [
    `${head} ${entryText(value)}${comment}${/\r?\n$/.exec(own[0] ?? '')?.[0] ?? eol}`,
    ...leftOver(own),
  ]
  return [...lines.slice(0, from), ...changed, ...lines.slice(to)]
}

/** Comments stay; so do entries below a value that can have none, as comments. */
function leftOver([first = '', ...more]: readonly string[]): string[] {
  const { value } = restOf(first)
  const isOpen = /^[|>]/.test(value) || (/^["'[{]/.test(value) && !/.["'\]}]$/.test(value))
  return more.flatMap((line) => {
    if (isFiller(line)) return [line]
    return !isOpen && /^\s*["']?[\w.-]+["']?\s*:(?:\s|$)/.test(line) ? [`# ${line}`] : []
  })
}

function isSame(known: EntryValue, value: string | number | null | readonly string[]): boolean {
  if (Array.isArray(known) && Array.isArray(value)) {
    return known.length === value.length && known.every((item, i) => item === value[i])
  }
  return known === (typeof value === 'number' ? String(value) : value)
}

/** A list with an item a line stays one where it only grows. */
function addedItems(
  own: readonly string[],
  known: EntryValue,
  value: readonly string[],
  eol: string,
): string[] | undefined {
  const last = own.findLast((line) => /^\s*-\s/.test(line))
  if (last === undefined || !Array.isArray(known)) return undefined
  if (!known.every((item, i) => item === value[i])) return undefined
  const lead = /^\s*-\s+/.exec(last)?.[0] ?? '  - '
  return [
    ...closed(own, eol),
    ...value.slice(known.length).map((item) => `${lead}${entryText(item)}${eol}`),
  ]
}

/** The last line may have no break. */
function closed(lines: readonly string[], eol: string): string[] {
  const last = lines.at(-1)
  if (last === undefined || last.endsWith('\n')) return [...lines]
  return [...lines.slice(0, -1), `${last}${eol}`]
}

/** The lines of a map that stands below its key, an entry a line. */
function mapOf(block: Block, key: string): { place: Place; block: Block } | undefined {
  const place = find(block, key)
  if (place === undefined) return undefined
  const [first = '', ...more] = block.lines.slice(place.from, place.to)
  const { value } = restOf(first)
  const inner = more.find((line) => !isFiller(line))
  const flow = /^\{(.*)\}$/.exec(value)?.[1]
  if (flow !== undefined && inner === undefined) {
    const lines = flowItems(flow).map((item) => `  ${item.replace(/^([^:]+):(?=\S)/, '$1: ')}\n`)
    return { place, block: { lines, indent: 2 } }
  }
  if (value !== '' || inner === undefined || /^\s*-\s/.test(inner)) return undefined
  return { place, block: { lines: more, indent: indentOf(inner) } }
}

interface Inner {
  readonly key: string
  readonly value: string | number | null | readonly string[]
  readonly eol: string
}

function withInnerValue(front: Block, key: string, { key: inner, value, eol }: Inner): string[] {
  const { lines } = front
  const map = mapOf(front, key)
  if (map === undefined) {
    const place = find(front, key)
    const entry = [`${key}:${eol}`, `  ${inner}: ${entryText(value)}${eol}`]
    if (place === undefined) return [...closed(lines, eol), ...entry]
    // What is no map is not understood: it stays, as a comment.
    const own = lines.slice(place.from, place.to)
    const { value: old } = restOf(own[0] ?? '')
    const isNothing = own.length === 1 && (scalarOf(old) === null || old === '{}')
    const kept = isNothing ? [] : closed(own, eol).map((line) => `# ${line}`)
    return [...lines.slice(0, place.from), ...entry, ...kept, ...lines.slice(place.to)]
  }
  const { place, block } = map
  const { head, comment, value: old } = restOf(lines[place.from] ?? '')
  const first = old === '' ? (lines[place.from] ?? '') : `${head}${comment}${eol}`
  const own = block.lines.map((line) => line.replace(/(?<!\r)\n$/, old === '' ? '\n' : eol))
  const changed = withValue({ ...block, lines: own }, inner, value, eol)
  return [...lines.slice(0, place.from), first, ...changed, ...lines.slice(place.to)]
}
