/**
 * The agent's last message. Some programs tell the texts of a whole turn as one: where the log's last words
 * end it, only those are the message, and what was asked before them is over. Pure.
 */

import type { TranscriptEntry } from '../agents/agent-signal.ts'
import { hasWords } from '../text/markdown-to-text.ts'

interface Told {
  readonly entries: readonly TranscriptEntry[]
  readonly lastMessage: string | undefined
  readonly questions: readonly string[]
}

export function withLastWords<T extends Told>(whole: T): T {
  const told = withoutLateError(withoutFarewell(whole))
  const { entries, lastMessage = '' } = told
  const last = entries.findLast(({ kind }) => kind === 'assistant' || kind === 'prompt')
  const words = last?.kind === 'assistant' ? last.text.trim() : ''
  const message = lastMessage.trim()
  if (!hasWords(words) || words.length === message.length || !message.endsWith(words)) return told
  // Those of these words are read out of them again.
  return { ...told, lastMessage: words, questions: [] }
}

/** Meant for the program, and no prompt that waits for a reply. */
function withoutFarewell<T extends Told>(told: T): T {
  const last = told.entries.at(-1)
  if (last?.kind !== 'prompt' || !/^\W*(?:exit|quit|bye|logout)\w?\W*$/i.test(last.text))
    return told
  return { ...told, entries: told.entries.slice(0, -1) }
}

/** Behind the message that ended the turn an error is that of a call that nobody asked for. */
function withoutLateError<T extends Told>(told: T): T {
  const { entries, lastMessage } = told
  if (lastMessage === undefined || entries.at(-1)?.kind !== 'failure') return told
  const own = entries.slice(0, -1)
  const before = own.findLast(({ kind }) => kind !== 'recap' && kind !== 'title')
  return before?.kind === 'assistant' ? { ...told, entries: own } : told
}
