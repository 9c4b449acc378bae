/** Where things stand when the session ended on a message: in the agent's words. Pure. */

import { blocksOf, countWords, hasWords, plainLine, shorten } from '../text/markdown-to-text.ts'
import { SUMMARY_LIMITS } from './items.ts'
import { quoteOf } from './quote.ts'
import type { SessionWork } from './session-work.ts'
import type { Turn } from './turns.ts'
import { askedIn, didSomething, outcomeOf, tellingTurns, turnsOf } from './turns.ts'

const PART = 200
const MIN_REPORT = 3
const SHORT = 80

/** By the message, with the to-do in hand behind it: the list alone may be older than what was said last. */
export function standing(
  work: SessionWork,
  task: string | undefined,
  message: string,
  questions: readonly string[],
  done: readonly string[],
): string | undefined {
  const hand =
    task === undefined || !hasWords(task)
      ? ''
      : ` (in progress on its list: ${shorten(task, PART)})`
  const said = byWords(work, message, questions, SUMMARY_LIMITS.now - hand.length)
  if (said !== undefined) return `${said}${hand}`
  return task ?? (work.commits.length + work.files.length > 0 ? done.at(-1) : undefined)
}

function byWords(
  work: SessionWork,
  message: string,
  questions: readonly string[],
  limit: number,
): string | undefined {
  const turns = turnsOf(work.entries)
  const told = withContext(work, turns, message, limit)
  if (told !== undefined) return told
  const [question] = questions
  if (question !== undefined) return shorten(`waiting for an answer: ${question}`, limit)
  const before = tellingTurns(turns).findLast((turn) => turn !== turns.at(-1))
  const line = failureOf(turns.at(-1)) ?? (before && outcomeOf(before, PART))
  if (line !== undefined) return line
  const shown = blocksOf(message).map(({ text }) => text)
  // Of a table or code that has a beginning only nothing is shown.
  const words = [shown.join(' '), message].map(plainLine).find(hasWords)
  return words && shorten(words, limit)
}

/** With what was asked; an answer aside that leaves room also with the work before it, where things stand. */
function withContext(
  work: SessionWork,
  turns: readonly Turn[],
  message: string,
  limit: number,
): string | undefined {
  const last = turns.at(-1)
  const quote = quoteOf(message, limit)
  if (quote === undefined || !hasWords(quote)) return undefined
  // What the first turn was about is the goal, too.
  if (last === undefined || (turns.length === 1 && countWords(quote) > MIN_REPORT)) return quote
  const asked = askedIn(last.prompt.text) ?? ''
  const answer = `${asked}${quoteOf(message, limit - asked.length) ?? quote}`
  const said = asked === '' && answer.length < SHORT ? withSubject(answer, work) : answer
  const before = didSomething(last.entries) ? undefined : lastWork(turns)
  const isLong = said.length + BEFORE.length + (before?.length ?? 0) > limit
  return before === undefined || isLong ? said : `${said}${BEFORE}${before}`
}

/** `Committed and pushed.` says little without what. */
function withSubject(said: string, { commits }: SessionWork): string {
  const subject = plainLine(commits.at(-1)?.subject ?? '')
  return !hasWords(subject) || said.includes(subject)
    ? said
    : `${said.replace(/[.!。]$/, '')}: ${subject}`
}

const BEFORE = ' Before that: '

/** Of the turns before the last one: the last that changed something. None before that: it may be over. */
function lastWork(turns: readonly Turn[]): string | undefined {
  const turn = turns.slice(0, -1).findLast(({ entries }) => didSomething(entries))
  return turn && outcomeOf(turn, PART)
}

/** What a turn failed at, where only kind words follow. */
function failureOf(turn: Turn | undefined): string | undefined {
  const call = turn?.entries.findLast((entry) => entry.kind === 'tool' && entry.label !== undefined)
  if (call?.kind !== 'tool' || call.failed === undefined) return undefined
  return `failed: ${call.label} (${call.failed})`
}
