/**
 * Lines that introduce what follows without being headings: `**Goal:** text`, `- Now: text`, `Done:` above a list,
 * and `Goal (incl. success criteria):` from the template that Codex uses for its `CONTINUITY.md`.
 */

import type { Line } from '../document/document.ts'
import type { Block, Label } from './blocks.ts'
import { blocksOf, headOf, textOf } from './blocks.ts'
import type { Draft } from './draft.ts'
import type { Field } from './labels.ts'
import { fieldOf, isTemplate } from './labels.ts'
import { readAbout } from './metadata.ts'
import { addItem, isRegister, readList, readRegister, setAll } from './read-section.ts'

/** A label and the blocks it introduces. */
interface Group {
  readonly head: Line
  readonly rest: string
  readonly field: Field
  readonly blocks: Block[]
  /** A label alone on its line also introduces the blocks after it; in a list, the items next to it. */
  readonly isOpen: boolean
}

/** Maximum depth of nested labels, such as `State`, then `Done`. Anything deeper is text. */
const MAX_DEPTH = 3

/** Reads a section without a field: labelled lines, and check boxes, which need no label. */
export function readLabelled(blocks: readonly Block[], draft: Draft, depth = 1): void {
  let open: Group | undefined
  const close = () => {
    if (open !== undefined) readGroup(open, draft)
    open = undefined
  }
  for (const block of blocks) {
    const head = headOf(block.lines[0].text)
    const field = head === undefined ? undefined : fieldOf(head.label)
    if (open !== undefined && goesOn(open, block, head, field)) {
      open.blocks.push(block)
    } else if (head !== undefined && field !== undefined) {
      close()
      open = groupOf(field, head, block)
    } else {
      close()
      if (!readAbout(block, draft)) readOther(block, head, draft, depth)
    }
  }
  close()
}

function groupOf(field: Field, { rest }: Label, { kind, lines }: Block): Group {
  const [head, ...below] = lines
  const isOpen = rest === '' && (kind === 'paragraph' || below.length === 0)
  return { head, rest, field, blocks: blocksOf(below), isOpen }
}

/** Items and rows continue a group unless they introduce something; a paragraph only if the group is still empty. */
function goesOn(
  { head: own, isOpen, field, blocks }: Group,
  { kind, lines: [line] }: Block,
  head: Label | undefined,
  ownField: Field | undefined,
): boolean {
  if (!isOpen) return false
  if (own.kind === 'item') {
    const headsMore = head !== undefined && (head.rest === '' || isTemplate(head.label))
    return kind === 'item' && line.indent === own.indent && !headsMore
  }
  if (kind === 'paragraph') return blocks.length === 0 && head === undefined
  return ownField === undefined || field === 'decisions'
}

function readGroup({ head, rest, field, blocks }: Group, draft: Draft): void {
  if (field === 'checkpoints') return
  if (rest === '') {
    draft.structure.push(head.at)
    if (isRegister(field)) readRegister(field, blocks, draft)
    else readList(field, blocks, draft)
    return
  }
  const own: Line = { ...head, text: rest, kind: 'text' }
  if (!isRegister(field)) {
    addItem(field, { kind: 'item', lines: [own, ...blocks.flatMap(({ lines }) => lines)] }, draft)
  } else if (field === 'goal') {
    setAll(field, [{ kind: 'paragraph', lines: [own] }, ...blocks], undefined, draft)
  } else {
    // A list below a sentence only explains it.
    const goesOn = blocks[0]?.kind === 'paragraph' ? blocks[0].lines : []
    const { text, lines } = textOf({ kind: 'paragraph', lines: [own, ...goesOn] })
    draft.set(field, field === 'test' ? withoutCode(text) : text, lines)
  }
}

/** An item that introduces labels (`- State:`), a check box, or an arrow. Anything else is text for the note. */
function readOther(block: Block, head: Label | undefined, draft: Draft, depth: number): void {
  if (block.kind !== 'item') return
  const { mark } = textOf(block)
  if (mark === 'current') draft.arrows.push(block)
  else if (mark === 'checked') addItem('thisSession', block, draft)
  else if (mark === 'unchecked') addItem('next', block, draft)
  else if (head !== undefined && depth < MAX_DEPTH) {
    const below = blocksOf(block.lines.slice(1))
    const isLabelled = ({ lines: [line] }: Block) => fieldOf(headOf(line.text)?.label ?? '')
    if (below.some(isLabelled)) readLabelled(below, draft, depth + 1)
  }
}

/** Removes code marks if they surround the whole command. */
function withoutCode(text: string): string {
  return /^`([^`]+)`$/.exec(text)?.[1] ?? text
}
