/**
 * The sections of an active ledger and the items in them. Each changing function takes and returns the whole
 * text, and keeps every byte outside the part that it changes.
 */

import { readBlocks } from '../document/blocks.ts'
import type { Document, Line, Range, Section } from '../document/document.ts'
import { readDocument, spliceAll } from '../document/document.ts'
import { itemKey } from '../event/item-text.ts'
import { escapeWords, readWords } from '../text/document-words.ts'
import { oneLine } from '../text/escape-markdown.ts'

/** In the order of the template. A missing section is inserted before the next one that exists. */
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

/** The subsections of State. */
const STATES = ['Done', 'Now', 'Next'] as const

export type SectionName = (typeof TITLES)[number] | (typeof STATES)[number]

/** A list item including its nested lines, or a paragraph. */
export interface Item extends Range {
  /** Unescaped words: of a list item its first line, without bullet and check box; of a paragraph all lines. */
  readonly text: string
  readonly isListed: boolean
}

const isState = (name: SectionName) => (STATES as readonly string[]).includes(name)

/** The first section with this name; symbols before the name and words in brackets after it are ignored. */
export function findSection({ sections }: Document, name: SectionName): Section | undefined {
  const isNamed = ({ title }: Section, wanted: string) => {
    const words = title.replace(/^[^\p{L}\p{N}]+/u, '').toLowerCase()
    return (
      words.startsWith(wanted.toLowerCase()) &&
      !/^[\p{L}\p{N}]/u.test(words.slice(wanted.length).trimStart())
    )
  }
  if (!isState(name)) return sections.find((one) => one.level === 2 && isNamed(one, name))
  return sections.find(
    (one) => one.level === 3 && one.parent && isNamed(one.parent, 'State') && isNamed(one, name),
  )
}

/** The items of a section, with unescaped words; empty if the section is missing. */
export function itemsIn(text: string, name: SectionName): Item[] {
  const items = itemsOf(findSection(readDocument(text), name)?.lines ?? [])
  return items.map((item) => ({ ...item, text: readWords(item.text) }))
}

/** True for what people write into an empty list, such as `none`. */
export function isPlaceholder(text: string): boolean {
  return /^(?:|[-—]|n\/a|\(?(?:none|nothing)(?: (?:currently|yet|so far|open))?\)?)\.?$/i.test(
    text.trim(),
  )
}

/** The list items and paragraphs among these lines. Their words are still escaped. */
export function itemsOf(lines: readonly Line[]): Item[] {
  return readBlocks(lines)
    .filter(({ kind }) => kind === 'item' || kind === 'text')
    .map(({ kind, words, lines, start, end }) => {
      const isListed = kind === 'item'
      const text = isListed ? words.text : lines.map((one) => one.text.trim()).join(' ')
      return { text, isListed, start, end }
    })
}

/** A text on one line, as reading it back gives it. */
export function itemWords(text: string): string {
  return oneLine(text, 'LEDGER.md')
}

/** A text as the words of an item: one line, escaped so that it starts no Markdown structure. */
export function itemLine(text: string): string {
  return escapeWords(itemWords(text))
}

/** Adds items at the end of a section; items that are already in it stay where they are. */
export function addItems(text: string, name: SectionName, items: readonly string[]): string {
  const known = new Set(itemsIn(text, name).map((item) => itemKey(item.text)))
  const lines = new Map(items.map((one) => [itemKey(itemWords(one)), `- ${itemLine(one)}`]))
  const added = [...lines].filter(([key]) => key !== '' && !known.has(key))
  return putLines(
    text,
    name,
    added.map(([, line]) => line),
  )
}

/** Adds lines of list items unchanged. `front`: before the existing items. */
export function putLines(
  text: string,
  name: SectionName,
  lines: readonly string[],
  place: 'front' | 'end' = 'end',
): string {
  if (lines.length === 0) return text
  const { document, section, top } = openSection(text, name)
  const items = itemsOf(section.lines)
  const at = place === 'front' ? items[0]?.start : items.at(-1)?.end
  return insertLines(document, at ?? top, lines)
}

/** Inserts whole lines at `at`: the start of a line, or the end of a last line without a line break. */
export function insertLines({ text, eol }: Document, at: number, lines: readonly string[]): string {
  const before = text.slice(0, at)
  const lead = before === '' || before.endsWith('\n') || before === '\ufeff' ? '' : eol
  const next = /^[^\r\n]*/.exec(text.slice(at))?.[0] ?? ''
  const needsNoGap = next.trim() === '' || /^\s*(?:[-*+|]|\d{1,9}[.)])\s/.test(next)
  const gap = at >= text.length || needsNoGap ? '' : eol
  return `${before}${lead}${lines.map((line) => `${line}${eol}`).join('')}${gap}${text.slice(at)}`
}

/** Takes items out. `removed` has their original lines; paragraphs are turned into list items. */
export function takeItems(
  text: string,
  name: SectionName,
  isWanted: (item: Item) => boolean,
): { text: string; removed: string[] } {
  const items = itemsIn(text, name).filter(isWanted)
  const removed = items.flatMap(({ start, end, isListed, text: words }) => {
    const lines = text.slice(start, end).replace(/\r?\n$/, '')
    return isListed ? lines.split(/\r?\n/) : [`- ${itemLine(words)}`]
  })
  return { text: spliceAll(text, items), removed }
}

/** A section without an open fence or comment, so that text added to it is read as its content. */
export interface OpenSection {
  readonly document: Document
  readonly section: Section
  /** Where the first line goes: after the heading, or after the blank line below it if the words were removed. */
  readonly top: number
  /** The end of its last non-blank line. */
  readonly bottom: number
}

/** Adds the section, empty, if it is missing, and closes a fence or comment that is open in it. */
export function openSection(before: string, name: SectionName): OpenSection {
  const read = readDocument(before)
  // An open fence or comment runs to the end of the text, so only the last section can have one.
  const found = findSection(read, name)
  const closer = found === undefined || found === read.sections.at(-1) ? read.closer : undefined
  const end = before.endsWith('\n') ? '' : read.eol
  const text = closer === undefined ? before : `${before}${end}${closer}${read.eol}`
  const document = readDocument(text)
  const section = findSection(document, name)
  if (section?.heading !== undefined) {
    const [first, ...others] = section.lines
    // Blank lines around removed words: new words take their place, so that blank lines do not pile up.
    const isHollow = others.length > 0 && section.lines.every(({ kind }) => kind === 'blank')
    const top = (isHollow ? first : section.heading)?.end ?? section.heading.end
    const bottom = section.lines.findLast(({ kind }) => kind !== 'blank')?.end ?? top
    return { document, section, top, bottom }
  }
  const state = isState(name) ? openSection(text, 'State') : undefined
  const within = state?.document ?? document
  const order: readonly SectionName[] = state === undefined ? TITLES : STATES
  const later = order.slice(order.indexOf(name) + 1).map((one) => findSection(within, one))
  const next = later.find((one) => one !== undefined)?.heading?.start
  const at = next ?? state?.section.content.end ?? within.text.length
  const heading = `${state === undefined ? '##' : '###'} ${name}`
  return openSection(putHeading(within, at, heading), name)
}

function putHeading({ text, eol }: Document, at: number, heading: string): string {
  const before = text.slice(0, at)
  const isEnded = before === '' || before === '\ufeff' || before.endsWith('\n')
  const gap = isEnded && /(?:^\ufeff?|\n\r?\n)$/.test(before) ? '' : eol
  return `${before}${isEnded ? '' : eol}${gap}${heading}${eol}${at < text.length ? eol : ''}${text.slice(at)}`
}
