/** A text of somebody's as one line of a document that agents read: it ends no loop that waits for a promise. */

import { noteLine } from '../briefing/note-line.ts'

/** A loop ends on its promise tag wherever it reads one. */
const PROMISE = /<(?=\s*\/?\s*promise\b)/gi

export function handoffLine(text: string): string {
  return noteLine(text, '').replace(PROMISE, '‹')
}
