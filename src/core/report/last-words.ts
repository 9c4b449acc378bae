/**
 * The agent's last message. Some programs tell the texts of a whole turn as one: where the log's last words
 * end it, only those are the message, and what was asked before them is over. Pure.
 */

import type { TranscriptEntry } from '../agents/agent-signal.ts'

interface Told {
  readonly entries: readonly TranscriptEntry[]
  readonly lastMessage: string | undefined
  readonly questions: readonly string[]
}

export function withLastWords<T extends Told>(told: T): T {
  const { entries, lastMessage = '' } = told
  const last = entries.findLast(({ kind }) => kind === 'assistant' || kind === 'prompt')
  const words = last?.kind === 'assistant' ? last.text.trim() : ''
  const whole = lastMessage.trim()
  if (words === '' || words.length === whole.length || !whole.endsWith(words)) return told
  // Those of these words are read out of them again.
  return { ...told, lastMessage: words, questions: [] }
}
