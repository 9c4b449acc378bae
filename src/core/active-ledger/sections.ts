/**
 * The sections of an active ledger and the items in them. Each function takes the whole text and gives
 * the whole text: what it is not about keeps its bytes.
 */

import type { Document, Line, Range, Section } from '../document/document.ts'
import { readDocument, replaceContent } from '../document/document.ts'
import { itemKey } from '../event/item-text.ts'
import { escapeItemStart, oneLine } from '../text/escape-markdown.ts'

/** In the order of the template; one that is missing is put before the next that is there. */
const TITLES = [
  'Active Task',
  'Goal',
  'State',
  'Key Decisions',
  'Working Set',
  'Open Questions',
  'Validation History',
  'Checkpoints',
] as const

/** The parts of State. */
const STATES = ['Done', 'Now', 'Next'] as const

export type SectionName = (typeof TITLES)[number] | (typeof STATES)[number]

/** A list item with all that belongs to it, or a paragraph. */
export interface Item extends Range {
  /** Words of its first line, without bullet and check box; of a paragraph all of them. */
  readonly text: string
  readonly isListed: boolean
}

const isState = (name: SectionName) => (STATES as readonly string[]).includes(name)

/** The first that bears the name, also with signs before it or words in brackets behind. */
export function findSection({ sections }: Document, name: SectionName): Section | undefined {
  const bears = ({ title }: Section, wanted: string) => {
    const words = title.replace(/^[^\p{L}\p{N}]+/u, '').toLowerCase()
    return (
      words.startsWith(wanted.toLowerCase()) &&
      !/^[\p{L}\p{N}]/u.test(words.slice(wanted.length).trimStart())
    )
  }
  if (!isState(name)) return sections.find((one) => one.level === 2 && bears(one, name))
  return sections.find(
    (one) => one.level === 3 && one.parent && bears(one.parent, 'State') && bears(one, name),
  )
}

export function itemsIn(text: string, name: SectionName): Item[] {
  const section = findSection(readDocument(text), name)
  return section === undefined ? [] : itemsOf(section.lines)
}

/** What people write into an empty list. */
export function isPlaceholder(text: string): boolean {
  return /^(?:|[-—]|n\/a|\(?(?:none|nothing)(?: (?:currently|yet|so far|open))?\)?)\.?$/i.test(
    text.trim(),
  )
}

export function itemsOf(lines: readonly Line[]): Item[] {
  const items: Item[] = []
  for (let at = 0; at < lines.length;) {
    const line = lines[at]
    if (line === undefined || !isStart(line)) {
      at++
      continue
    }
    const end = endOf(lines, at)
    const own = lines.slice(at, end)
    const isListed = line.kind === 'item'
    const text = isListed ? wordsOf(line.text) : own.map((one) => one.text.trim()).join(' ')
    items.push({ text, isListed, start: line.start, end: own.at(-1)?.end ?? line.end })
    at = end
  }
  return items
}

const isStart = ({ kind }: Line) => kind === 'item' || kind === 'text'

/** An item holds what is indented more, and the lines that go on with its sentence. */
function endOf(lines: readonly Line[], at: number): number {
  const { kind, indent = 0 } = lines[at] ?? {}
  let end = at + 1
  for (let i = end; i < lines.length; i++) {
    const line = lines[i]
    const isDeeper = kind === 'item' && (line?.indent ?? 0) > indent
    if (line?.kind === 'blank') continue
    if (!(isDeeper || (line?.kind === 'text' && i === end))) break
    end = i + 1
  }
  return end
}

function wordsOf(line: string): string {
  return line
    .replace(/^\s*(?:[-*+]|\d{1,9}[.)])\s+/, '')
    .replace(/^\s*\[(?:[ xX]|->|→)\]\s+/, '')
    .trim()
}

/** One line that opens nothing, as the words of an item. */
export function itemLine(text: string): string {
  return escapeItemStart(oneLine(text, 'LEDGER.md'))
}

/** Items that are there already stay where they are. `front`: before the others. */
export function addItems(
  text: string,
  name: SectionName,
  items: readonly string[],
  place: 'front' | 'end' = 'end',
): string {
  const known = new Set(itemsIn(text, name).map((item) => itemKey(item.text)))
  const lines = new Map(
    items
      .map(itemLine)
      .flatMap((line) => (line === '' || known.has(itemKey(line)) ? [] : [[itemKey(line), line]])),
  )
  return lines.size === 0
    ? text
    : putLines(
        text,
        name,
        [...lines.values()].map((line) => `- ${line}`),
        place,
      )
}

/** Lines of list items as they are. */
export function putLines(
  text: string,
  name: SectionName,
  lines: readonly string[],
  place: 'front' | 'end' = 'end',
): string {
  const ready = withSection(text, name)
  const document = readDocument(ready)
  const section = findSection(document, name)
  if (section === undefined || lines.length === 0) return text
  const items = itemsOf(section.lines)
  const count = (changed: string) => itemsIn(changed, name).length
  const wanted = items.length + lines.filter((line) => /^\S/.test(line)).length
  const at = (place === 'front' ? items[0]?.start : items.at(-1)?.end) ?? section.heading?.end ?? 0
  const changed = insertLines(document, at, lines)
  if (count(changed) === wanted) return changed
  // Something is open here that swallows them: it is closed, and they go to the end.
  const closed = replaceContent(
    document,
    section,
    ready.slice(section.content.start, section.content.end),
  )
  const after = readDocument(closed)
  const found = findSection(after, name)
  const last = found?.lines.findLast(({ kind }) => kind !== 'blank')
  const ended = insertLines(after, last?.end ?? found?.heading?.end ?? closed.length, [
    '',
    ...lines,
  ])
  return count(ended) === wanted ? ended : text
}

/** Whole lines at the start of a line, or behind a last line without a break. */
export function insertLines({ text, eol }: Document, at: number, lines: readonly string[]): string {
  const before = text.slice(0, at)
  const lead = before === '' || before.endsWith('\n') || before === '\ufeff' ? '' : eol
  const next = /^[^\r\n]*/.exec(text.slice(at))?.[0] ?? ''
  const isOfTheSame = next.trim() === '' || /^\s*(?:[-*+|]|\d{1,9}[.)])\s/.test(next)
  const gap = at >= text.length || isOfTheSame ? '' : eol
  return `${before}${lead}${lines.map((line) => `${line}${eol}`).join('')}${gap}${text.slice(at)}`
}

/** Takes items out; `removed` has their lines as they stood, list items all of them. */
export function takeItems(
  text: string,
  name: SectionName,
  isWanted: (item: Item) => boolean,
): { text: string; removed: string[] } {
  const items = itemsIn(text, name).filter(isWanted)
  const removed = items.flatMap(({ start, end, isListed, text: words }) =>
    isListed
      ? text
          .slice(start, end)
          .replace(/\r?\n$/, '')
          .split(/\r?\n/)
      : [`- ${itemLine(words)}`],
  )
  const rest = items.reduceRight(
    (left, { start, end }) => left.slice(0, start) + left.slice(end),
    text,
  )
  return { text: rest, removed }
}

/** The text with a section of that name, empty where there was none. */
export function withSection(text: string, name: SectionName): string {
  if (findSection(readDocument(text), name) !== undefined) return text
  const base = isState(name) ? withSection(text, 'State') : text
  const order: readonly SectionName[] = isState(name) ? STATES : TITLES
  const heading = `${isState(name) ? '###' : '##'} ${name}`
  const later = order.slice(order.indexOf(name) + 1)
  const put = (of: string) => {
    const document = readDocument(of)
    const next = later.map((one) => findSection(document, one)).find((one) => one !== undefined)
    const state = isState(name) ? findSection(document, 'State') : undefined
    return putHeading(document, next?.heading?.start ?? state?.content.end ?? of.length, heading)
  }
  const changed = put(base)
  if (findSection(readDocument(changed), name) !== undefined) return changed
  // Something before it is open to the end of the file.
  const document = readDocument(base)
  const last = document.sections.at(-1)
  if (last === undefined) return text
  const closed = put(
    replaceContent(document, last, base.slice(last.content.start, last.content.end)),
  )
  return findSection(readDocument(closed), name) === undefined ? text : closed
}

function putHeading({ text, eol }: Document, at: number, heading: string): string {
  const before = text.slice(0, at)
  const isEnded = before === '' || before === '\ufeff' || before.endsWith('\n')
  const gap = isEnded && /(?:^\ufeff?|\n\r?\n)$/.test(before) ? '' : eol
  return `${before}${isEnded ? '' : eol}${gap}${heading}${eol}${at < text.length ? eol : ''}${text.slice(at)}`
}
