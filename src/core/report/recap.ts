/** The recap that the agent's program wrote for a user who was away. Pure. */

import type { TranscriptEntry } from '../agents/agent-signal.ts'
import { hasWords, plainLine, shorten } from '../text/markdown-to-text.ts'
import { SUMMARY_LIMITS } from '../message/items.ts'

/** Undefined if anything followed the recap. */
export function recapOf(entries: readonly TranscriptEntry[]): string | undefined {
  const last = entries.at(-1)
  return last?.kind === 'recap' && hasWords(last.text)
    ? shorten(plainLine(last.text), SUMMARY_LIMITS.now)
    : undefined
}
