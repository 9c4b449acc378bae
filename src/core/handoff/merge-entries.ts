/**
 * The entries of a section that the merge handles separately: items, registers, phases, questions, and the text
 * between them. An entry consists of whole lines. Entries and the blank lines between them make up the section.
 */

import type { Line } from '../document/document.ts'
import type { Field } from '../document/fields.ts'
import type { Instant } from '../event/instant.ts'
import { itemKey } from '../event/item-text.ts'
import type { Block, BlockKind } from '../document/blocks.ts'
import { readKeyed, wordsOf } from '../document/blocks.ts'
import type { Handoff } from './handoff.ts'
import { focusesOf, isEmpty } from './handoff.ts'
import type { PhaseState } from './phases.ts'
import { phasesOf } from './phases.ts'

/** How a known section is read. */
export type Reading = 'items' | 'bold' | 'keyed' | 'list' | 'phases' | 'whole'

export interface Entry {
  /** Unique within its section. An item has the same id in each of its lists. */
  readonly id: string
  readonly role: 'item' | 'register' | 'phase' | 'member' | 'text'
  /** `keyed`: a separate line of text. */
  readonly kind: BlockKind | 'keyed'
  readonly lines: readonly string[]
  /** The blank lines before the entry; undefined for the first. */
  readonly gap?: readonly string[] | undefined
  /** The words of an item, the value of a register, or the whole text of anything else; on one line. */
  readonly words: string
  /** The item is the current work. */
  readonly isFocus?: boolean
  /** The text before the value of a register, on its first line. */
  readonly before?: string
  readonly status?: PhaseState | undefined
  readonly time?: Instant | undefined
  /** The lines of an item below its first one. */
  readonly rest?: readonly Unit[]
}

/** A nested line, or a piece of code, whose lines stay together. */
export interface Unit {
  readonly id: string
  readonly lines: readonly string[]
}

/** An entry, or a blank line. */
export type Piece = Entry | string

export type Raw = (line: Line) => string

/** The text on one line, in the form used for comparison. */
export function fold(text: string): string {
  return text.normalize('NFC').replace(/\s+/g, ' ').trim()
}

/** Makes ids unique by numbering repeated ones. */
export function numbered<T extends { readonly id: string }>(all: readonly T[]): T[] {
  const seen = new Map<string, number>()
  return all.map((one) => {
    const n = (seen.get(one.id) ?? 0) + 1
    seen.set(one.id, n)
    return n === 1 ? one : { ...one, id: `${one.id} #${n}` }
  })
}

export function readFront(front: readonly Line[], fields: readonly Field[], raw: Raw): Piece[] {
  const pieces: Piece[] = []
  const starts = new Map(fields.map((field) => [field.start, field]))
  for (let at = 0; at < front.length;) {
    const { start = 0, end = 0, text = '' } = front[at] ?? {}
    const found = starts.get(start)
    const field = found?.key === '' ? undefined : found // a field needs a key
    const first = at++
    while (at < front.length && (front[at]?.start ?? 0) < (field?.end ?? end)) at += 1
    const lines = front.slice(first, at)
    if (field === undefined && text.trim() === '') pieces.push(...lines.map(raw))
    else if (field === undefined) pieces.push(textEntry('keyed', lines.map(raw)))
    else {
      const own = lines.map(raw)
      const [before = ''] = /^.*?:(?=\s|$)\s*/.exec(text) ?? []
      pieces.push(register('keyed', field.key, before.length, own))
    }
  }
  return pieces
}

/** Reads a section that is a single value. */
export function readWhole(title: string, lines: readonly string[]): Piece[] {
  const first = lines.findIndex((line) => line.trim() !== '')
  if (first === -1) return [...lines]
  const last = lines.findLastIndex((line) => line.trim() !== '')
  const value = lines.slice(first, last + 1)
  return [...lines.slice(0, first), register('other', title, 0, value), ...lines.slice(last + 1)]
}

export function readEntries(
  blocks: readonly Block[],
  reading: Reading,
  handoff: Handoff,
  raw: Raw,
): Piece[] {
  const focuses = new Set(focusesOf(handoff).map(({ start }) => start))
  const phases = new Map(phasesOf(handoff).map((phase) => [phase.start, phase]))
  return blocks.flatMap((block): Piece[] => {
    const lines = block.lines.map(raw)
    const isFocus = reading === 'items' && focuses.has(block.start)
    if (block.kind === 'blank') return lines
    if (block.kind === 'text' && !isFocus) return textPieces(block, reading, raw)
    if (block.kind !== 'item' && !isFocus) return [textEntry(block.kind, lines)]
    const words = block.words.text
    const phase = reading === 'phases' ? phases.get(block.start) : undefined
    if (phase !== undefined) {
      const { status, time } = phase
      return [
        { ...textEntry('item', lines), id: `phase ${phase.key}`, role: 'phase', status, time },
      ]
    }
    const keyed = isKeyed(words, reading) ? readKeyed(block.words) : undefined
    if (keyed !== undefined) {
      return [register('item', keyed.key, keyed.value.start - block.start, lines)]
    }
    const role = reading === 'items' && !isEmpty(words) ? 'item' : 'member'
    const rest = unitsOf(block.lines.slice(1), raw)
    return [
      { id: `${role} ${itemKey(words)}`, role, kind: block.kind, lines, words, isFocus, rest },
    ]
  })
}

/** Text between items. If its lines begin with keys, each key begins an entry. */
function textPieces({ lines }: Block, reading: Reading, raw: Raw): Entry[] {
  const keys = lines.map((line) => {
    const words = wordsOf(line)
    return isKeyed(words.text, reading) ? readKeyed(words) : undefined
  })
  const starts = lines.flatMap((_, i) => (i === 0 || keys[i] !== undefined ? [i] : []))
  return starts.map((at, i) => {
    const own = lines.slice(at, starts[i + 1]).map(raw)
    const keyed = keys[at]
    if (keyed === undefined) return textEntry('text', own)
    return register('keyed', keyed.key, keyed.value.start - (lines[at]?.start ?? 0), own)
  })
}

function isKeyed(words: string, reading: Reading): boolean {
  return reading === 'keyed' || (reading === 'bold' && words.startsWith('**'))
}

function register(
  kind: Entry['kind'],
  key: string,
  valueAt: number,
  lines: readonly string[],
): Entry {
  const [first = '', ...rest] = lines
  const words = fold([first.slice(valueAt), ...rest].join('\n'))
  return { id: `key ${key}`, role: 'register', kind, lines, words, before: first.slice(0, valueAt) }
}

/** Text without further structure: a different text is a different entry. */
function textEntry(kind: Entry['kind'], lines: readonly string[]): Entry {
  const words = fold(lines.join('\n'))
  return { id: `text ${words}`, role: 'text', kind, lines, words }
}

function unitsOf(lines: readonly Line[], raw: Raw): Unit[] {
  const units: string[][] = []
  let open: string | undefined
  for (const line of lines) {
    const before = open
    open = line.kind
    if (before === 'blank' || (before === 'code' && line.kind === 'code'))
      units.at(-1)?.push(raw(line))
    else units.push([raw(line)])
  }
  return numbered(
    units.map((own) => ({ id: own.filter((line) => line.trim() !== '').join('\n'), lines: own })),
  )
}
