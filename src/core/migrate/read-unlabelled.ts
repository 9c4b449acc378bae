/** Sections without a field of their own: labelled lines, and boxes, which speak for themselves. */

import type { Block } from './blocks.ts'
import { blocksOf, labelOf, textOf } from './blocks.ts'
import type { Draft } from './draft.ts'
import type { Field } from './labels.ts'
import { fieldOf } from './labels.ts'
import { readAbout } from './read-metadata.ts'
import { addItem, readList } from './read-section.ts'

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
