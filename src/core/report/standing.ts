/** Where things stand when the session ended on a message: in the agent's words. Pure. */

import type { TranscriptEntry } from '../agents/agent-signal.ts'
import { blocksOf, countWords, hasWords, plainLine, shorten } from '../text/markdown-to-text.ts'
import { SUMMARY_LIMITS } from './items.ts'
import { quoteOf } from './quote.ts'
import type { SessionWork } from './session-work.ts'
import type { Turn } from './turns.ts'
import { askedIn, didSomething, tellingTurns, turnLine, turnsOf } from './turns.ts'

const MIN_WORDS = 80
const PART = 200
/** A message as short as that stands with what it is about. */
const SHORT = 80
const MIN_REPORT = 3

/** By the message, behind the to-do in hand: the list alone may be older than what was said last. */
export function standing(
  work: SessionWork,
  task: string | undefined,
  message: string,
  questions: readonly string[],
  done: readonly string[],
): string | undefined {
  const limit = SUMMARY_LIMITS.now - (task === undefined ? 0 : task.length + 2)
  const said = byWords(work, message, questions, Math.max(limit, MIN_WORDS))
  if (task !== undefined && hasWords(task)) {
    return shorten(said === undefined ? task : `${task}; ${said}`, SUMMARY_LIMITS.now)
  }
  return said ?? task ?? (work.commits.length + work.files.length > 0 ? done.at(-1) : undefined)
}

function byWords(
  work: SessionWork,
  message: string,
  questions: readonly string[],
  limit: number,
): string | undefined {
  const turns = turnsOf(work.entries)
  const quote = quoteOf(message, limit)
  if (quote !== undefined && hasWords(quote)) return withContext(work, turns, quote, limit)
  const [question] = questions
  if (question !== undefined) return shorten(`waiting for an answer: ${question}`, limit)
  const telling = new Set(tellingTurns(turns))
  const before = earlier(turns.at(-1)) ?? lastWork(turns, (turn) => telling.has(turn))
  if (before !== undefined) return shorten(before, limit)
  const shown = blocksOf(message).map(({ text }) => text)
  // Of a table or code that has a beginning only nothing is shown.
  const words = [shown.join(' '), message].map(plainLine).find(hasWords)
  return words && shorten(words, limit)
}

/**
 * With what was asked, where the message is an answer aside or says little; and of an answer aside with the
 * work before it, since that is where things stand.
 */
function withContext(
  work: SessionWork,
  turns: readonly Turn[],
  quote: string,
  limit: number,
): string {
  const last = turns.at(-1)
  if (last === undefined) return quote
  const asked = askedIn(last.prompt.text)
  const before = didSomething(last.entries) ? undefined : lastWork(turns)
  if (before !== undefined) {
    const answer = shorten(`${asked ?? ''}${quote}`, limit - PART - BEFORE.length)
    return shorten(`${answer}${BEFORE}${before}`, limit)
  }
  // What the first turn was about is the goal, too.
  const isFirst = turns.length === 1 && countWords(quote) > MIN_REPORT
  const isAside = !didSomething(last.entries)
  if (isFirst || (quote.length >= SHORT && !isAside)) return quote
  const subject = plainLine(work.commits.at(-1)?.subject ?? '')
  if (asked !== undefined) return shorten(`${asked}${quote}`, limit)
  const isTold = !hasWords(subject) || quote.includes(subject)
  return isTold ? quote : shorten(`${quote.replace(/[.!。]$/, '')}: ${subject}`, limit)
}

const BEFORE = ' Before that: '

/** In the same turn: what failed last, or what was said before kind words. */
function earlier(turn: Turn | undefined): string | undefined {
  const told = turn?.entries ?? []
  const end = told.findLastIndex(({ kind }) => kind === 'assistant')
  for (const entry of told.slice(0, Math.max(end, 0)).toReversed()) {
    const failure = failureOf(entry)
    if (failure !== undefined) return failure
    const said = entry.kind === 'assistant' ? quoteOf(entry.text, PART) : undefined
    if (said !== undefined) return said
  }
  return undefined
}

function failureOf(entry: TranscriptEntry | undefined): string | undefined {
  if (entry?.kind !== 'tool' || entry.failed === undefined) return undefined
  return entry.label === undefined ? undefined : `failed: ${entry.label} (${entry.failed})`
}

/**
 * Of the turns before the last one: what the one before it failed at without a word; else the last that
 * changed something, in the agent's words, however short. None before that: it may be over.
 */
function lastWork(
  turns: readonly Turn[],
  isTelling = ({ entries }: Turn) => didSomething(entries),
): string | undefined {
  const before = turns.slice(0, -1)
  const calls = before.at(-1)?.entries.filter((entry) => {
    if (entry.kind === 'assistant') return quoteOf(entry.text, PART) !== undefined
    return entry.kind === 'tool' && entry.label !== undefined
  })
  const failure = failureOf(calls?.at(-1))
  const turn = before.findLast(isTelling)
  if (failure !== undefined || turn === undefined) return failure
  const end = turn.entries.findLast((entry) => entry.kind !== 'tool' || entry.label !== undefined)
  const said = end?.kind === 'assistant' ? quoteOf(end.text, PART) : undefined
  return turnLine(turn, PART) ?? (said && `${askedIn(turn.prompt.text) ?? ''}${said}`)
}
