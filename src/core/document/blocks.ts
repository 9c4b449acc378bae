/**
 * The lines of a section as blocks: items with their nested lines, paragraphs, tables, code, gaps. Together the
 * blocks contain every line, so that one block can be moved or replaced without changing the others.
 */

import type { Line, Range } from './document.ts'

export type BlockKind = 'item' | 'text' | 'blank' | 'code' | 'other'

/** The state of an item, shown by a check box, an arrow or a symbol. */
export type Box = 'open' | 'done' | 'now'

export interface Block extends Range {
  readonly kind: BlockKind
  readonly lines: readonly Line[]
  /** Undefined for blocks other than items, and for items without a box. `[->]` is `now`. */
  readonly box: Box | undefined
  /** The words of the first line, without bullet and box. */
  readonly words: Words
}

/** A piece of text and its position. */
export interface Words extends Range {
  readonly text: string
}

/** An item's words, read as `key: value`. */
export interface Keyed extends Range {
  readonly key: string
  readonly value: Words
}

const BULLET = /^\s*(?:(?:[-*+]|\d{1,9}[.)])\s+)?/
const BOX = /^(?:\[(?: |x|X|->|\u2192)\]|[\u2705\u2611\u2714\u2b1c\u2610\u27a1]\ufe0f?)(?=\s|$)\s*/
const BOXES: readonly (readonly [RegExp, Box])[] = [
  [/^(?:\[ \]|[\u2b1c\u2610])/, 'open'],
  [/^(?:\[[xX]\]|[\u2705\u2611\u2714])/, 'done'],
  [/^(?:\[(?:->|\u2192)\]|\u27a1)/, 'now'],
]

/** Each line is in exactly one block, in order. */
export function readBlocks(lines: readonly Line[]): Block[] {
  const blocks: Block[] = []
  for (let at = 0; at < lines.length;) {
    const kind = kindOf(lines[at])
    const end = kind === 'item' ? endOfItem(lines, at) : endOfRun(lines, at)
    blocks.push(openBlock(kind, lines.slice(at, end)))
    at = end
  }
  return blocks
}

/**
 * Like `readBlocks`, but one line of text with only nested lines below it is a single block, as it would be with a
 * bullet. A line that introduces a list (`Open:`) is prose.
 */
export function readBlocksOfNow(lines: readonly Line[]): Block[] {
  const blocks = readBlocks(lines)
  const [first, ...below] = blocks.filter(({ kind }) => kind !== 'blank')
  const indent = first?.lines[0]?.indent ?? 0
  const isOneThing =
    first?.kind === 'text' &&
    first.lines.length === 1 &&
    !/:\**$/.test(first.words.text) &&
    below.length > 0 &&
    below.every(({ box, lines: [line] }) => box === undefined && (line?.indent ?? 0) > indent)
  if (!isOneThing) return blocks
  const [start, end] = [first, below.at(-1) ?? first].map((one) => blocks.indexOf(one))
  const inside = blocks.slice(start, (end ?? 0) + 1).flatMap((one) => one.lines)
  return [...blocks.slice(0, start), openBlock('text', inside), ...blocks.slice((end ?? 0) + 1)]
}

/** Reads `Key: value`, `**Key:** value` and `**Key**: value`; undefined if the words have no key. */
export function readKeyed({ text, start, end }: Words): Keyed | undefined {
  const [head = '', bold, plain] =
    /^(?:\*\*([^*]+?)(?::\*\*|\*\*[ \t]*:)|((?:`[^`]*`|[^:`]|:(?=\S))+?)(?<![ \t])[ \t]*:)(?=\s|$)[ \t]*/.exec(
      text,
    ) ?? []
  const key = (bold ?? plain)?.replace(/^[`"']|[`"']$/g, '').trim()
  if (key === undefined || key === '') return undefined
  const value = { text: text.slice(head.length), start: start + head.length, end }
  return { key, value, start, end }
}

/** Reads a line `**Key:** value`, with or without a bullet. */
export function readBoldKeyed(line: Line): Keyed | undefined {
  const words = wordsOf(line)
  return words.text.startsWith('**') ? readKeyed(words) : undefined
}

/** The words of one line, whatever its kind. */
export function wordsOf(line: Line): Words {
  const [bullet = ''] = BULLET.exec(line.text) ?? []
  const [box = ''] = BOX.exec(line.text.slice(bullet.length)) ?? []
  const text = line.text.slice(bullet.length + box.length).trimEnd()
  const start = line.start + bullet.length + box.length
  return { text, start, end: start + text.length }
}

function openBlock(kind: BlockKind, lines: readonly Line[]): Block {
  const [first] = lines
  const { start = 0, text = '' } = first ?? {}
  const mark = text.replace(BULLET, '')
  const box =
    kind === 'item' && BOX.test(mark) ? BOXES.find(([sign]) => sign.test(mark))?.[1] : undefined
  const words = first === undefined ? { text, start, end: start } : wordsOf(first)
  return { kind, lines, box, words, start, end: lines.at(-1)?.end ?? start }
}

function kindOf(line: Line | undefined): BlockKind {
  switch (line?.kind) {
    case 'item':
    case 'blank':
    case 'code':
    case 'text':
      return line.kind
    default:
      return 'other'
  }
}

function endOfRun(lines: readonly Line[], at: number): number {
  let end = at + 1
  while (end < lines.length && lines[end]?.kind === lines[at]?.kind) end++
  return end
}

/** An item includes everything indented deeper than itself, and lines that continue its first paragraph. */
function endOfItem(lines: readonly Line[], at: number): number {
  const { indent = 0 } = lines[at] ?? {}
  let end = at + 1
  for (let i = end; i < lines.length;) {
    const line = lines[i]
    const after = line?.kind === 'code' ? endOfRun(lines, i) : i + 1
    const isContinued = line?.kind === 'text' && i === end
    if (line?.kind !== 'blank') {
      if ((line?.indent ?? 0) <= indent && !isContinued) break
      end = after
    }
    i = after
  }
  return end
}
