/** What a session that ended without a message was asked last. Pure. */

import type { TranscriptEntry } from '../agents/agent-signal.ts'
import { SUMMARY_LIMITS } from '../message/items.ts'
import { questionsIn } from '../message/questions.ts'
import { quoteOf } from '../message/quote.ts'
import { promptLine } from '../prompt/prompt-line.ts'
import { isAnswer } from '../prompt/request.ts'
import { kindOf } from '../prompt/request-kind.ts'
import { foldLine, hasWords, plainLine } from '../text/markdown-to-text.ts'

/** UTF-16 units of a request, and of what it replies to. */
export const MAX_PART = 150

/** `yes` means nothing without the message it answers. */
export function requestOf(prompt: string, before: readonly TranscriptEntry[]): string {
  if (!isAnswer(prompt)) return promptLine(prompt, MAX_PART)
  const line = answerLine(prompt)
  const message = before.findLast(
    (entry) => (entry.kind === 'assistant' || isRequest(entry)) && hasWords(entry.text),
  )
  const about =
    message?.kind === 'assistant'
      ? (questionsIn(message.text, SUMMARY_LIMITS.question).at(-1) ??
        quoteOf(message.text, MAX_PART) ??
        '')
      : promptLine(message?.kind === 'prompt' ? message.text : '', MAX_PART)
  return hasWords(about) ? `“${line}” to: ${plainLine(about)}` : line
}

/** With its first words (`yes please`), which add nothing to a request. */
function answerLine(prompt: string): string {
  const [line, words] = [promptLine(prompt, MAX_PART), foldLine(prompt)]
  return words.length <= MAX_PART && /^\p{L}/u.test(words) && words.endsWith(line) ? words : line
}

/** A real request, neither another `go on` nor a command name. */
function isRequest(entry: TranscriptEntry): entry is TranscriptEntry & { kind: 'prompt' } {
  return (
    entry.kind === 'prompt' &&
    !isAnswer(entry.text) &&
    kindOf(promptLine(entry.text, MAX_PART)) !== 'command'
  )
}

/** What the agent was working for when the prompt at `place` was typed; both may be unfinished. */
export function runningRequest(entries: readonly TranscriptEntry[], place: number): string {
  const before = entries.slice(0, place).filter(({ kind }) => kind === 'prompt')
  const at = before.findLastIndex((entry) => entry.kind === 'prompt' && entry.isAddition !== true)
  const [entry, running] = [entries[place], before[at]]
  if (entry?.kind !== 'prompt' || entry.isAddition !== true) return ''
  return running?.kind === 'prompt' ? `${promptLine(running.text, MAX_PART / 2)}; then: ` : ''
}
