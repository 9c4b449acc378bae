/** Three-way merge of a handoff: section by section if all versions are text, otherwise as git merges any file. */

import { mergeHandoffs } from '../../core/handoff/merge-handoffs.ts'
import { decodeUtf8 } from '../../core/text/byte-text.ts'
import type { MergedText, MergeText, MergeTexts } from '../ports/merge-text.ts'

/** In bytes. The largest real handoffs are a seventh of this; a larger file is not a handoff. */
const MAX_BYTES = 1024 * 1024
/** Git merges each section in a separate call; thousands of calls would take too long. */
const MAX_SECTIONS = 100

export function mergeHandoffFiles(sides: MergeTexts, mergeText: MergeText): MergedText {
  const [base, ours, theirs] = [sides.base, sides.ours, sides.theirs].map(textOf)
  if (base === undefined || ours === undefined || theirs === undefined) return mergeText(sides)
  let sections = 0
  const { text, isConflict } = mergeHandoffs(base, ours, theirs, (...texts) => {
    sections += 1
    if (sections > MAX_SECTIONS) return { text: '', isConflict: true }
    const [base, ours, theirs] = texts.map((text) => Buffer.from(text)) as [Buffer, Buffer, Buffer]
    const { content, isConflict } = mergeText({ base, ours, theirs })
    return { text: Buffer.from(content).toString('utf8'), isConflict }
  })
  return sections > MAX_SECTIONS ? mergeText(sides) : { content: Buffer.from(text), isConflict }
}

/** Undefined if the bytes are not UTF-8 or are too large to be a handoff. */
function textOf(bytes: Uint8Array): string | undefined {
  return bytes.length > MAX_BYTES ? undefined : decodeUtf8(bytes)
}
