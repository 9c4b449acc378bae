/** Sections: of a field (lists item by item, registers as one text), or of none, with labelled lines. */

import { MAX_ITEM_LENGTH } from '../text/escape-markdown.ts'
import type { Block } from './blocks.ts'
import { blocksOf, labelOf, textOf } from './blocks.ts'
import { decisionCells, splitDecision } from './ledger-lines.ts'
import type { Draft } from './draft.ts'
import { readAbout } from './metadata.ts'
import type { Field, ListField, RegisterField } from './labels.ts'
import { fieldOf, isPlaceholder, splitLabel } from './labels.ts'
import type { Section } from '../document/document.ts'

/** Reads items; paragraphs only where there are none, and rows only in decisions. */
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

/** An item where it belongs: a box says more than the heading, as nobody moves a line for it. */
function addItem(field: ListField | 'decisions', block: Block, draft: Draft): void {
  const { text, mark, lines } = textOf(block)
  if (field === 'decisions') addDecision(text, block.kind, lines, draft)
  else if (field === 'openQuestions') {
    const isResolved = mark === 'checked' || RESOLVED.test(text)
    draft.add(isResolved ? 'resolvedQuestions' : 'openQuestions', text, lines)
  } else if (mark === 'checked') draft.add('thisSession', text, lines)
  else if (mark === 'unchecked') draft.add('next', text, lines)
  else draft.add(field, text, lines)
}

/** `RESOLVED: …`, `parser_choice: RESOLVED - …` */
const RESOLVED = /^(?:[`*_]*[\w-]+[`*_]*:\s*)?[*_]*RESOLVED\b/

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
 * A register holds one text. Of a long section, or one with several thoughts, the first counts; a
 * heading such as `### Now — waiting for review` says it already.
 */
export function readRegister(
  field: RegisterField,
  section: Section,
  blocks: readonly Block[],
  draft: Draft,
): void {
  const { suffix } = splitLabel(section.title)
  const current = blocks.filter((block) => textOf(block).mark === 'current')
  if (current.length > 0) return setAll(field, current, '; ', draft)
  if (suffix !== '' && !suffix.startsWith('(')) return setSuffix(field, suffix, section, draft)
  const isWhole = blocks.every(({ kind }) => kind !== 'row')
  if (field === 'goal' && isWhole) return setAll(field, blocks, undefined, draft)
  const items = blocks.filter(({ kind }) => kind === 'item')
  const isList = items.length > 0 && items.length === blocks.length
  setAll(field, isList ? items : blocks.slice(0, 1), '; ', draft)
}

function setSuffix(field: RegisterField, suffix: string, section: Section, draft: Draft): void {
  if (section.heading !== undefined) draft.set(field, suffix, [section.heading.at])
}

/** As many blocks as a ledger shows in full; at least the first. Items are told apart, prose is not. */
function setAll(
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
    if (text !== '' && text.length + more.text.length > MAX_ITEM_LENGTH) break
    const between = glue ?? (last === 'item' && block.kind === 'item' ? '; ' : ' ')
    text = text === '' ? more.text : `${text}${between}${more.text}`
    last = block.kind
    lines.push(...more.lines)
  }
  if (text !== '') draft.set(field, text, lines)
}

/** A section without a field of its own: labelled lines, and boxes, which speak for themselves. */
export function readNeutral(blocks: readonly Block[], draft: Draft): void {
  let open: Field | undefined
  for (const block of blocks) {
    const label = labelOf(block.lines[0].text)
    const field = label === undefined ? undefined : fieldOf(label.label)
    if (field !== undefined) open = readLabelled(field, block, draft)
    else if (readAbout(block, draft)) open = undefined
    else if (block.kind === 'item') readLoose(block, open, draft)
    else open = undefined
  }
}

/** `**Goal:** text` is a value; `- Done:` and `**What was done:**` head the items that follow. */
function readLabelled(field: Field, block: Block, draft: Draft): Field | undefined {
  const [head, ...below] = block.lines
  const rest = labelOf(head.text)?.rest ?? ''
  if (rest === '' && (isListed(field) || below.length === 0)) {
    draft.structure.push(head.at)
    if (isListed(field)) readList(field, blocksOf(below), draft)
    return block.kind === 'paragraph' ? field : undefined
  }
  const { text, lines } = textOf({ ...block, lines: [{ ...head, text: rest }, ...below] })
  if (field === 'goal' || field === 'test' || field === 'now') {
    draft.set(field, field === 'test' ? withoutCode(text) : text, lines)
  } else if (isListed(field)) {
    addItem(field, { kind: 'item', lines: [{ ...head, text: rest }, ...below] }, draft)
  }
  return undefined
}

function readLoose(block: Block, open: Field | undefined, draft: Draft): void {
  const { mark } = textOf(block)
  if (open !== undefined && isListed(open)) addItem(open, block, draft)
  else if (mark === 'checked') addItem('thisSession', block, draft)
  else if (mark === 'unchecked') addItem('next', block, draft)
}

function isListed(field: Field): field is 'thisSession' | 'next' | 'decisions' | 'openQuestions' {
  return !['goal', 'test', 'now', 'checkpoints'].includes(field)
}

/** A command that stands in code marks as a whole. */
function withoutCode(text: string): string {
  return /^`([^`]+)`$/.exec(text)?.[1] ?? text
}
