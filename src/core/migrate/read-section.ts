/** Reads the section of a field: lists item by item, registers as one text. */

import type { Block } from './blocks.ts'
import { textOf } from './blocks.ts'
import { decisionCells, splitDecision } from './ledger-lines.ts'
import type { Draft } from './draft.ts'
import type { Field, ListField, RegisterField } from './labels.ts'
import { isPlaceholder } from './labels.ts'

/** Reads items. Paragraphs count only if there are no items, and rows only in decisions. */
export function readList(
  field: ListField | 'decisions',
  blocks: readonly Block[],
  draft: Draft,
): void {
  const hasItems = blocks.some(({ kind }) => kind === 'item')
  for (const block of blocks) {
    if (block.kind === 'row') {
      if (field === 'decisions') addRow(block, draft)
    } else if (block.kind === 'item' || !hasItems) addItem(field, block, draft)
  }
}

/** Adds an item. A check box overrides the heading, because people tick items without moving them. */
export function addItem(field: ListField | 'decisions', block: Block, draft: Draft): void {
  const { text, mark, lines } = textOf(block)
  const isStruck = /^~~[^]*~~/.test(text)
  if (field === 'openQuestions') {
    const isSaid = RESOLVED.test(text) || RESOLVED_END.test(text)
    const isResolved = mark === 'checked' || isStruck || isSaid
    draft.add(isResolved ? 'resolvedQuestions' : 'openQuestions', text, lines)
  } else if (isStruck) return // retracted, so it goes into the note
  else if (field === 'decisions') addDecision(text, block.kind, lines, draft)
  else if (mark === 'checked') draft.add('thisSession', text, lines)
  else if (mark === 'unchecked') draft.add('next', text, lines)
  else draft.add(field, text, lines)
}

/** `RESOLVED: …`, `**parser:** RESOLVED - …`, `✓ CONFIRMED: …` */
const RESOLVED =
  /^(?:[`*_]*[\w-]+[`*_]*:[`*_]*\s*)?[^\p{L}\p{N}]{0,6}(?:RESOLVED|CONFIRMED)(?![\p{L}\p{N}])/u

/** `… (RESOLVED)`, `… **(CONFIRMED: yes)**` */
const RESOLVED_END =
  /\([^\p{L}\p{N}()]{0,6}(?:RESOLVED|CONFIRMED)(?![\p{L}\p{N}])[^()]*\)[^\p{L}\p{N}]{0,6}$/u

function addDecision(text: string, kind: Block['kind'], lines: number[], draft: Draft): void {
  if (isPlaceholder(text)) return
  const { key, value } = splitDecision(text)
  // A paragraph without a name is an explanation, not a decision.
  if (kind === 'item' || value !== '') draft.decide(key, value, lines)
}

function addRow(block: Block, draft: Draft): void {
  const [line] = block.lines
  const cells = decisionCells(line.text)
  if (cells === undefined) {
    draft.structure.push(line.at)
    return
  }
  const [key = '', ...rest] = cells.filter((cell) => cell !== '')
  draft.decide(key, rest.join('; '), [line.at], rest)
}

/**
 * A register holds a single text. If the section is long or contains several thoughts, the first one counts. `said` is
 * the text in the heading itself, as in `### Now — waiting for review`, and the heading's line number.
 */
export function readRegister(
  field: RegisterField,
  blocks: readonly Block[],
  draft: Draft,
  said?: { readonly text: string; readonly at: number },
): void {
  const current = blocks.filter((block) => textOf(block).mark === 'current')
  if (current.length > 0) return setAll(field, current, '; ', draft)
  if (said !== undefined) return draft.set(field, said.text, [said.at])
  const isWhole = blocks.every(({ kind }) => kind !== 'row')
  if (field === 'goal' && isWhole) return setAll(field, blocks, undefined, draft)
  const items = blocks.filter(({ kind }) => kind === 'item')
  const isList = items.length > 0 && items.length === blocks.length
  setAll(field, isList ? items : blocks.slice(0, 1), '; ', draft)
}

export function isRegister(field: Field): field is RegisterField {
  return field === 'goal' || field === 'test' || field === 'now'
}

/** UTF-16 units that a person still reads as one text. */
const MAX_JOINED = 600

/** Sets as many blocks as can be read as one text, at least the first. Items are separated by `; `, prose by spaces. */
export function setAll(
  field: RegisterField,
  blocks: readonly Block[],
  glue: string | undefined,
  draft: Draft,
): void {
  let text = ''
  let last: Block['kind'] | undefined
  const lines: number[] = []
  for (const block of blocks) {
    const more = textOf(block)
    if (isPlaceholder(more.text)) continue
    if (text !== '' && text.length + more.text.length > MAX_JOINED) break
    const between = glue ?? (last === 'item' && block.kind === 'item' ? '; ' : ' ')
    text = text === '' ? more.text : `${text}${between}${more.text}`
    last = block.kind
    lines.push(...more.lines)
  }
  if (text !== '') draft.set(field, text, lines)
}
