/** A request that contains a list, as one line that names its items. Pure. */

import type { Block } from '../text/message-blocks.ts'
import { plainLine, sentencesOf, shorten } from '../text/markdown-to-text.ts'
import { askedBlocks, promptLine } from './prompt-line.ts'

/** UTF-16 units that distinguish an item from others. */
const MIN_SAME = 30

/** A prompt as one line. If the line contains a list item, the beginnings of the items after it follow. */
export function listedLine(prompt: string, max: number): string {
  const line = promptLine(prompt, max)
  const blocks = askedBlocks(prompt)
  const last = blocks.findLastIndex((block) => isInLine(block, line))
  const following = last === -1 ? [] : blocks.slice(last + 1)
  const end = following.findIndex(({ kind }) => kind !== 'item')
  const items = following.slice(0, end === -1 ? undefined : end)
  const heads = items.filter(({ isNested }) => isNested !== true).map(headOf)
  let result = line
  for (const head of heads) {
    const longer = `${result.replace(/[.;]$/, '')}; ${shorten(head, MAX_HEAD)}`
    if (longer.length > max) break
    result = longer
  }
  return result
}

function isInLine(block: Block, line: string): boolean {
  const head = block.kind === 'item' ? headOf(block) : ''
  return head.length >= MIN_HEAD && line.includes(head.slice(0, MIN_SAME))
}

function headOf({ text }: Block): string {
  return sentencesOf(plainLine(text))[0] ?? ''
}

/** UTF-16 units: a shorter item could match part of any word. */
const MIN_HEAD = 8
/** UTF-16 units of each item that follows. */
const MAX_HEAD = 60
