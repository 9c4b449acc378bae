/** Three versions of one handoff to one: by sections where they are text, else as git merges any file. */

import { mergeHandoffs } from '../../core/handoff/merge-handoffs.ts'
import type { MergedText, MergeText, MergeTexts } from '../ports/merge-text.ts'

/** In bytes. The largest that people keep are a seventh of it; what is larger is something else. */
const LARGEST = 1024 * 1024
/** Sections that git merges, one call each: nobody waits for a call for each of thousands. */
const MOST_SECTIONS = 100

export function mergeHandoffFiles(sides: MergeTexts, mergeText: MergeText): MergedText {
  const [base, ours, theirs] = [sides.base, sides.ours, sides.theirs].map(textOf)
  if (base === undefined || ours === undefined || theirs === undefined) return mergeText(sides)
  let sections = 0
  const { text, isConflict } = mergeHandoffs(base, ours, theirs, (...texts) => {
    sections += 1
    if (sections > MOST_SECTIONS) return { text: '', isConflict: true }
    const [base, ours, theirs] = texts.map((text) => Buffer.from(text)) as [Buffer, Buffer, Buffer]
    const { content, isConflict } = mergeText({ base, ours, theirs })
    return { text: Buffer.from(content).toString('utf8'), isConflict }
  })
  return sections > MOST_SECTIONS ? mergeText(sides) : { content: Buffer.from(text), isConflict }
}

/** Undefined for what is not UTF-8, or too large to be a handoff. */
function textOf(bytes: Uint8Array): string | undefined {
  if (bytes.length > LARGEST) return undefined
  try {
    // What begins with a byte order mark keeps it.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}
