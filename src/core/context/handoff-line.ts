/** A text as one line of a document that agents read; it cannot end a loop that waits for a promise tag. */

import { noteLine } from '../briefing/note-line.ts'

/** A loop ends wherever it reads its promise tag. */
const PROMISE = /<(?=\s*\/?\s*promise\b)/gi

export function handoffLine(text: string): string {
  return noteLine(text, '').replace(PROMISE, '‹')
}
