/** A request that is a list, as one line: each item is asked for. Pure. */

import type { Block } from '../text/markdown-to-text.ts'
import { plainLine, sentencesOf, shorten } from '../text/markdown-to-text.ts'
import { askedBlocks, promptLine } from './prompt-line.ts'

/** UTF-16 units of an item that tell it from others. */
const MIN_SAME = 30

/** A prompt as one line; where an item of a list stands in it, with the beginning of those behind it. */
export function listedLine(prompt: string, max: number): string {
  const line = promptLine(prompt, max)
  const blocks = askedBlocks(prompt)
  const last = blocks.findLastIndex((block) => isTold(block, line))
  const behind = last === -1 ? [] : blocks.slice(last + 1)
  const end = behind.findIndex(({ kind }) => kind !== 'item')
  const items = behind.slice(0, end === -1 ? undefined : end)
  const heads = items.filter(({ isNested }) => isNested !== true).map(headOf)
  let told = line
  for (const head of heads) {
    const longer = `${told.replace(/[.;]$/, '')}; ${shorten(head, MAX_HEAD)}`
    if (longer.length > max) break
    told = longer
  }
  return told
}

function isTold(block: Block, line: string): boolean {
  const head = block.kind === 'item' ? headOf(block) : ''
  return head.length >= MIN_HEAD && line.includes(head.slice(0, MIN_SAME))
}

function headOf({ text }: Block): string {
  return sentencesOf(plainLine(text))[0] ?? ''
}

/** UTF-16 units: a shorter item may stand in any word. */
const MIN_HEAD = 8
/** UTF-16 units of an item behind the one that is told. */
const MAX_HEAD = 60
