/**
 * The prompts that a long log has before the part that was read, as hooks reported them. Without them, their turns would
 * be lost without a word, and the first turn that was read would have no request. Pure.
 */

import type { TranscriptEntry } from '../agents/agent-signal.ts'
import { foldLine } from '../text/markdown-to-text.ts'

/** UTF-16 units by which a prompt is recognized: hooks and logs may disagree about its end. */
const MAX_SAME = 200

/**
 * The entries, with the prompts of `reported` (oldest first, those in the entries included) that are not in them. Only
 * those before the first one that is in both: a program may log a prompt in other words.
 */
export function withEarlierPrompts(
  entries: readonly TranscriptEntry[],
  reported: readonly string[],
): TranscriptEntry[] {
  const read = entries.flatMap((entry) => (entry.kind === 'prompt' ? [startOf(entry.text)] : []))
  const starts = reported.map(startOf)
  let end = starts.length
  for (const start of read.toReversed()) {
    const at = starts.slice(0, end).lastIndexOf(start)
    if (at !== -1) end = at
  }
  const missing = Math.min(end, Math.max(0, reported.length - read.length))
  const earlier = reported
    .slice(end - missing, end)
    .map((text) => ({ kind: 'prompt', text, isUnread: true }) as const)
  // What a program says about the whole session comes first.
  const at = entries.findIndex(({ kind }) => kind !== 'title' && kind !== 'ended')
  return entries.toSpliced(at === -1 ? entries.length : at, 0, ...earlier)
}

function startOf(prompt: string): string {
  return foldLine(prompt.slice(0, MAX_SAME * 2)).slice(0, MAX_SAME)
}
