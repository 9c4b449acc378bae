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
  const told = withWholeMessage(withoutLateError(withoutFarewell(whole)))
  const { entries, lastMessage = '' } = told
  const last = entries.findLast(({ kind }) => kind === 'assistant' || kind === 'prompt')
  const words = last?.kind === 'assistant' ? last.text.trim() : ''
  const message = lastMessage.trim()
  if (!hasWords(words) || words.length === message.length || !message.endsWith(words)) return told
  // Those of these words are read out of them again.
  return { ...told, lastMessage: words, questions: [] }
}

/** What is said on both sides of a to-do list that is only ticked is one message. */
function withWholeMessage<T extends Told>(told: T): T {
  const { entries, lastMessage } = told
  const end = entries.findLastIndex(({ kind }) => kind === 'assistant')
  const start = entries.findLastIndex((entry, i) => i < end && !isTicking(entry))
  const [first, last] = [entries[start], entries[end]]
  if (first?.kind !== 'assistant' || last?.kind !== 'assistant' || start === end - 1) return told
  if (lastMessage !== undefined && lastMessage.trim() !== last.text.trim()) return told
  // Not `All is done, let me tick it.`
  if (first.text.length < Math.max(MIN_PART, last.text.length / 2)) return told
  const text = `${first.text.trim()}\n\n${last.text.trim()}`
  const before = [...entries.slice(0, start), ...entries.slice(start + 1, end)]
  return {
    ...told,
    entries: [...before, { kind: 'assistant', text }, ...entries.slice(end + 1)],
    ...(lastMessage !== undefined && { lastMessage: text }),
  }
}

/** UTF-16 units of what is told before it. */
const MIN_PART = 200

function isTicking(entry: TranscriptEntry): boolean {
  return entry.kind === 'tool' && entry.tool.todos !== undefined && entry.failed === undefined
}

/** Meant for the program, a shell or an editor, and no prompt that waits for a reply: also where it was stopped at once. */
function withoutFarewell<T extends Told>(told: T): T {
  const { entries } = told
  const end = entries.findLastIndex(({ kind }) => kind !== 'interruption')
  const last = entries[end]
  if (last?.kind !== 'prompt' || !FAREWELL.test(last.text.trim())) return told
  return { ...told, entries: entries.slice(0, end) }
}

const FAREWELL = /^(?:\W*(?:exit|quit|bye|logout|clear|cls)\w?\W*|:?wq?!?|:?q!?|:x)$/i

/** Behind the message that ended the turn an error is that of a call that nobody asked for. */
function withoutLateError<T extends Told>(told: T): T {
  const { entries, lastMessage } = told
  if (lastMessage === undefined || entries.at(-1)?.kind !== 'failure') return told
  const own = entries.slice(0, -1)
  const before = own.findLast(({ kind }) => kind !== 'recap' && kind !== 'title')
  return before?.kind === 'assistant' ? { ...told, entries: own } : told
}
