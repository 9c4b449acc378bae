/** Lists of an event: plain lines without duplicates, within limits. Pure. */

import { itemKey } from '../event/item-text.ts'
import { plainLine, shorten } from '../text/markdown-to-text.ts'

/**
 * Maximum UTF-16 units per text, and of all turns together; for `thisSession`, `next`, and `questions`, the maximum number
 * of lines.
 */
export const SUMMARY_LIMITS = {
  now: 600,
  goal: 480,
  item: 240,
  turn: 1500,
  turns: 3600,
  brief: 1200,
  report: 400,
  lastTurn: 1950,
  question: 300,
  thisSession: 35,
  next: 10,
  questions: 5,
} as const

export function items(texts: readonly string[]): string[] {
  return unique(
    texts
      .map((text) => shorten(plainLine(text), SUMMARY_LIMITS.item))
      .filter((text) => itemKey(text) !== ''),
  )
}

export function unique(texts: readonly string[]): string[] {
  return [...new Map(texts.map((text) => [itemKey(text), text])).values()]
}
