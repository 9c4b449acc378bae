/**
 * The agent's last message. Some programs report all texts of a turn as one message. If that ends with the last
 * words of the log, only those words are the message, and questions asked before them are dropped. Pure.
 */

import type { TranscriptEntry } from '../agents/agent-signal.ts'
import { isObject, parseJson } from '../text/json-values.ts'
import { hasWords } from '../text/markdown-to-text.ts'
import { isGreeting } from '../prompt/request.ts'

interface Reported {
  readonly entries: readonly TranscriptEntry[]
  readonly lastMessage: string | undefined
  readonly questions: readonly string[]
}

export function withLastWords<T extends Reported>(whole: T): T {
  const work = withWholeMessage(withoutLateError(withoutGreeting(withoutFarewell(whole))))
  const { entries, lastMessage = '' } = work
  const last = entries.findLast(({ kind }) => kind === 'assistant' || kind === 'prompt')
  const words = last?.kind === 'assistant' ? last.text.trim() : ''
  const message = lastMessage.trim()
  if (!hasWords(words) || words.length === message.length) return work
  // Questions in these words are extracted from them again later.
  if (message.endsWith(words)) return { ...work, lastMessage: words, questions: [] }
  // The hook reports only the end of what the agent said, or as data what the log has in words.
  const isPart = hasWords(message) && (words.endsWith(message) || isObject(parseJson(message)))
  return isPart ? { ...work, lastMessage: words } : work
}

/** If the agent only ticks its to-do list between two texts, the texts are one message. */
function withWholeMessage<T extends Reported>(work: T): T {
  const { entries, lastMessage } = work
  const end = entries.findLastIndex(({ kind }) => kind === 'assistant')
  const start = entries.findLastIndex((entry, i) => i < end && !isListUpdate(entry))
  const [first, last] = [entries[start], entries[end]]
  if (first?.kind !== 'assistant' || last?.kind !== 'assistant' || start === end - 1) return work
  if (lastMessage !== undefined && lastMessage.trim() !== last.text.trim()) return work
  // Short introductions such as `All is done, let me tick it.` are not part of the message.
  if (first.text.length < Math.max(MIN_PART, last.text.length / 2)) return work
  const text = `${first.text.trim()}\n\n${last.text.trim()}`
  const before = [...entries.slice(0, start), ...entries.slice(start + 1, end)]
  return {
    ...work,
    entries: [...before, { kind: 'assistant', text }, ...entries.slice(end + 1)],
    ...(lastMessage !== undefined && { lastMessage: text }),
  }
}

/** UTF-16 units of the text before the list. */
const MIN_PART = 200

function isListUpdate(entry: TranscriptEntry): boolean {
  return entry.kind === 'tool' && entry.tool.todos !== undefined && entry.failed === undefined
}

/**
 * Drops a last prompt such as `exit` or `:wq`, even if it was interrupted at once. It is meant for the program, a
 * shell, or an editor, and does not wait for a reply.
 */
function withoutFarewell<T extends Reported>(work: T): T {
  const { entries } = work
  const end = entries.findLastIndex(({ kind }) => kind !== 'interruption')
  const last = entries[end]
  if (last?.kind !== 'prompt' || !FAREWELL.test(last.text.trim())) return work
  return { ...work, entries: entries.slice(0, end) }
}

const FAREWELL = /^(?:\W*(?:exit|quit|bye|logout|clear|cls)\w?\W*|:?wq?!?|:?q!?|:x)$/i

/** Drops a greeting at the end, with what the agent said to it: where things stand was said before. */
function withoutGreeting<T extends Reported>(work: T): T {
  const { entries, lastMessage = '' } = work
  const at = entries.findLastIndex(({ kind }) => kind === 'prompt')
  const greeting = entries[at]
  if (greeting?.kind !== 'prompt' || !isGreeting(greeting.text)) return work
  const said = entries.slice(at + 1)
  const isShort = (text: string) => text.length <= MAX_GREETING
  const isBare = said.every((entry) => entry.kind === 'assistant' && isShort(entry.text))
  const isFirst = !entries.slice(0, at).some(({ kind }) => kind === 'prompt')
  if (isFirst || !isBare || !isShort(lastMessage)) return work
  return { ...work, entries: entries.slice(0, at), lastMessage: undefined, questions: [] }
}

/** UTF-16 units of an answer that says nothing but hello. */
const MAX_GREETING = 200

/** Drops an error after the message that ended the turn: nobody asked for the call that failed. */
function withoutLateError<T extends Reported>(work: T): T {
  const { entries, lastMessage } = work
  if (lastMessage === undefined || entries.at(-1)?.kind !== 'failure') return work
  const own = entries.slice(0, -1)
  const before = own.findLast(({ kind }) => kind !== 'recap' && kind !== 'title')
  return before?.kind === 'assistant' ? { ...work, entries: own } : work
}
