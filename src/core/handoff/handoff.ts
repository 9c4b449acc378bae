/**
 * A handoff as people and agents keep it: a Markdown document with a Ledger section, read as parts with exact
 * positions. Reads any text and never throws; unknown text keeps its place.
 */

import type { Document, Line, Range } from '../document/document.ts'
import { readDocument } from '../document/document.ts'
import type { Field } from '../document/fields.ts'
import { fieldsOf } from '../document/fields.ts'
import type { Instant } from '../event/instant.ts'
import { parseInstant } from '../event/instant.ts'
import type { Block, Keyed, Words } from '../document/blocks.ts'
import {
  readBlocks,
  readBlocksOfNow,
  readBoldKeyed,
  readKeyed,
  wordsOf,
} from '../document/blocks.ts'

/** The known sections of a Ledger: the title, and the section that contains each. */
export const PART_TITLES = {
  now: ['Now'],
  thisSession: ['This Session'],
  next: ['Next'],
  decisions: ['Decisions'],
  openQuestions: ['Open Questions'],
  workflow: ['Workflow State'],
  resolved: ['Resolved', 'workflow'],
  unknowns: ['Unknowns', 'workflow'],
  lastFailure: ['Last Failure', 'workflow'],
  checkpoints: ['Checkpoints'],
  phases: ['Phase Status', 'checkpoints'],
  validation: ['Validation State', 'checkpoints'],
  resume: ['Resume Context', 'checkpoints'],
  merged: ['Merged', 'checkpoints'],
} as const satisfies Record<string, readonly [title: string, parent?: string]>

export type PartName = keyof typeof PART_TITLES

/** In some files these are outside the Ledger, below a separate `## Checkpoints`. */
function mayBeOutside(name: PartName): boolean {
  const [, parent = name] = PART_TITLES[name]
  return parent === 'checkpoints'
}

/** A heading with the lines below it, up to the next heading. */
export interface Part extends Range {
  /** Undefined for an unknown section. */
  readonly name: PartName | undefined
  readonly heading: Line
  readonly level: number
  readonly title: string
  readonly lines: readonly Line[]
  readonly blocks: readonly Block[]
}

export interface Handoff {
  readonly document: Document
  readonly text: string
  readonly fields: readonly Field[]
  /** From its heading to its end. Undefined if the file has no Ledger. */
  readonly ledger: Range | undefined
  /** The Ledger's own heading and lines, then its sections in order. Together they are its text. */
  readonly parts: readonly Part[]
  /** The part that is used for each name, even if it is outside the Ledger. */
  readonly byName: Readonly<Partial<Record<PartName, Part>>>
  /** `**Key:** value` at the top of the Ledger. */
  readonly registers: readonly Keyed[]
}

const LEDGER = /^Ledger(?![\p{L}\p{N}_])/u
/** An ISO 8601 date or instant. */
export const DATE =
  /\d{4}-\d{2}-\d{2}(?:[Tt ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?: ?(?:[Zz]|[+-]\d{2}:?\d{2}))?)?(?!\d)/

export function readHandoff(text: string): Handoff {
  const document = readDocument(text)
  const ledger = ledgerOf(document)
  const isInside = ({ start }: Range) => ledger && start >= ledger.start && start < ledger.end
  const all = partsOf(document, ledger)
  const inside = all.filter(isInside)
  const outside = belowCheckpoints(all.filter((part) => !isInside(part)))
  const names = new Map<number, PartName>()
  for (const name of Object.keys(PART_TITLES) as PartName[]) {
    const part =
      findPart(name, inside) ?? (mayBeOutside(name) ? findPart(name, outside) : undefined)
    if (part !== undefined) names.set(part.start, name)
  }
  const named = all.map((part): Part => {
    const name = names.get(part.start)
    return { ...part, name, ...(name === 'now' && { blocks: readBlocksOfNow(part.lines) }) }
  })
  const parts = named.filter(isInside)
  const pairs = named.flatMap((part) =>
    part.name === undefined ? [] : [[part.name, part] as const],
  )
  const byName: Handoff['byName'] = Object.fromEntries(pairs)
  const fields = fieldsOf(document)
  return { document, text, fields, ledger, parts, byName, registers: registersOf(parts[0]) }
}

/** The value of a front matter key, if it is plain text. */
export function fieldOf({ fields }: Handoff, key: string): string | undefined {
  return fields.findLast((field) => field.key === key)?.value
}

/** A register by its key, ignoring case. */
export function registerOf({ registers }: Handoff, key: string): Keyed | undefined {
  return registers.find((register) => register.key.toLowerCase() === key.toLowerCase())
}

/** The `**Key:** value` lines of a part: registers, or the agent and task of its checkpoints. */
export function registersOf(part: Part | undefined): Keyed[] {
  return linesIn(part).flatMap((line) => readBoldKeyed(line) ?? [])
}

/** The `key: value` lines of a part, whether they are items or not. */
export function entriesOf(part: Part | undefined): Keyed[] {
  return linesIn(part).flatMap((line) => readKeyed(wordsOf(line)) ?? [])
}

function linesIn(part: Part | undefined): Line[] {
  return part?.lines.filter(({ kind }) => kind === 'text' || kind === 'item') ?? []
}

/** The date at the start of a text, and its instant. */
export function leadingDate({ text, start }: Words): (Words & { instant: Instant }) | undefined {
  const found = DATE.exec(text)
  if (found === null || !/^[`*_("]*$/.test(text.slice(0, found.index))) return undefined
  const [date] = found
  const instant = parseInstant(date)?.instant
  const at = start + found.index
  return instant && { text: date, start: at, end: at + date.length, instant }
}

/** The leading date of `**Updated:**`. */
export function updatedOf(handoff: Handoff): (Words & { instant: Instant }) | undefined {
  const value = registerOf(handoff, 'Updated')?.value
  return value && leadingDate(value)
}

/** The items of a part with their nested lines, without placeholders such as `(none)`. */
export function itemsOf(part: Part | undefined): Block[] {
  return (part?.blocks ?? []).filter(({ kind, words }) => kind === 'item' && !isEmpty(words.text))
}

/**
 * The current work: all items with an arrow, else the section's only item or line. Empty if the section is longer
 * prose.
 */
export function focusesOf(handoff: Handoff): Block[] {
  const { blocks = [] } = handoff.byName.now ?? {}
  const content = blocks.filter(({ kind }) => kind !== 'blank' && kind !== 'code')
  const arrows = content.filter(({ box }) => box === 'now')
  const [only] = content
  const isSingle = content.length === 1 && (only?.kind === 'item' || only?.kind === 'text')
  const found = arrows.length === 0 && isSingle ? content : arrows
  return found.filter(({ words }) => !isEmpty(words.text))
}

/** What templates and people write for nothing. */
export function isEmpty(text: string): boolean {
  return /^(?:|\((?:none|none yet|not started|n\/a)\)|none|-|\u2014)[.]?$/i.test(text.trim())
}

/** From the first `## Ledger` to a `---` line, the next `## ` heading, or the end. */
function ledgerOf({ sections, lines, text }: Document): Range | undefined {
  const heading = sections.find(({ level, title }) => level === 2 && LEDGER.test(title))?.heading
  if (heading === undefined) return undefined
  const ends = new Set(sections.flatMap(({ level, heading }) => (level === 2 ? [heading?.at] : [])))
  const last = lines.slice(heading.at + 1).find((line) => ends.has(line.at) || isRule(line))
  return { start: heading.start, end: last?.start ?? text.length }
}

/** The `---` line that ends a Ledger. */
export function isRule({ kind, text }: Line): boolean {
  return kind === 'rule' && text.trimEnd() === '---'
}

/** All sections with a heading. Each ends at a `---` line or, inside the Ledger, at the end of the Ledger. */
function partsOf({ sections }: Document, ledger: Range | undefined): Part[] {
  return sections.flatMap(({ heading, level, title, lines: all }) => {
    if (heading === undefined) return []
    const isInside = ledger && heading.start >= ledger.start && heading.start < ledger.end
    const cut = all.findIndex((line) => (isInside ? line.start >= ledger.end : isRule(line)))
    const lines = all.slice(0, cut === -1 ? undefined : cut)
    const end = lines.at(-1)?.end ?? heading.end
    const blocks = readBlocks(lines)
    return [{ name: undefined, heading, level, title, lines, blocks, start: heading.start, end }]
  })
}

/** The parts of a `## Checkpoints` outside the Ledger. */
function belowCheckpoints(parts: readonly Part[]): Part[] {
  const first = parts.findIndex(
    ({ level, title }) => level === 2 && titleMatches(title, PART_TITLES.checkpoints[0]),
  )
  if (first === -1) return []
  const rest = parts.slice(first + 1)
  const next = rest.findIndex(({ level }) => level <= 2)
  return parts.slice(first, next === -1 ? undefined : first + 1 + next)
}

/** The part with exactly this title, else the first whose title begins with it (`### Now — saved`). */
function findPart(name: PartName, parts: readonly Part[]): Part | undefined {
  const title = PART_TITLES[name][0].toLowerCase()
  return (
    parts.find((part) => withoutSymbols(part.title).toLowerCase() === title) ??
    parts.find((part) => titleMatches(part.title, PART_TITLES[name][0]))
  )
}

/** `Now (2026-06-08)` matches Now, and `Next Steps` matches Next; `Nowhere` and `Now and then` match neither. */
function titleMatches(title: string, name: string): boolean {
  const words = withoutSymbols(title)
  const rest = words.slice(name.length).replace(/^ steps\b/i, '')
  return words.toLowerCase().startsWith(name.toLowerCase()) && /^\s*(?![\p{L}\p{N}_\s])/u.test(rest)
}

/** The title without leading symbols (`🎯 Now`). */
function withoutSymbols(title: string): string {
  return title.replace(/^[^\p{L}\p{N}]+/u, '').trim()
}
