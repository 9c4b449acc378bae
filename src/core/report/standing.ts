/** Where things stand when the session ended on a message: in the agent's words. Pure. */

import type { TranscriptEntry } from '../agents/agent-signal.ts'
import { blocksOf, hasWords, plainLine, shorten } from '../text/markdown-to-text.ts'
import { didSomething, turnHeadline, turnsOf } from './done.ts'
import { headlineOf, shortHeadlineOf } from './headline.ts'
import { SUMMARY_LIMITS } from './items.ts'
import { isCourtesy } from './questions.ts'
import { asksOnly, promptLine } from './request.ts'
import type { SessionWork } from './session-work.ts'

const MIN_WORDS = 80
const PART = 140

/** By the message, behind the to-do in hand: the list alone may be older than what was said last. */
export function standing(
  work: SessionWork,
  task: string | undefined,
  message: string,
  questions: readonly string[],
  done: readonly string[],
): string | undefined {
  const limit = SUMMARY_LIMITS.now - (task === undefined ? 0 : task.length + 2)
  const said = byWords(work, message, questions, done, Math.max(limit, MIN_WORDS))
  if (task !== undefined && !hasWords(task)) return said ?? task
  if (task !== undefined) {
    const isNews = said !== undefined && !isCourtesy(said)
    return shorten(isNews ? `${task}; ${said}` : task, SUMMARY_LIMITS.now)
  }
  return said ?? (work.commits.length + work.files.length > 0 ? done.at(-1) : undefined)
}

function byWords(
  work: SessionWork,
  message: string,
  questions: readonly string[],
  done: readonly string[],
  limit: number,
): string | undefined {
  const headline = headlineOf(message, limit, new Set(done))
  if (headline !== undefined && hasWords(headline) && !isCourtesy(headline)) {
    return besideWork(work, withCommit(work, plainLine(headline)), message, limit)
  }
  const [question] = questions
  if (question !== undefined) return shorten(`waiting for an answer: ${question}`, limit)
  const before = earlier(work) ?? lastWork(work)
  if (before !== undefined) return shorten(before, limit)
  const shown = blocksOf(message).map(({ text }) => text)
  // Of a table or code that has a beginning only nothing is shown.
  const words = [shown.join(' '), message].map(plainLine).find(hasWords)
  return words && shorten(words, limit)
}

/** `Committed.` and `Pushed.` leave open what. */
function withCommit({ commits }: SessionWork, said: string): string {
  const subject = plainLine(commits.at(-1)?.subject ?? '')
  const isBare =
    said.length < 60 && /\b(?:commit|push|done|ship)|commit(?:té|tato|tiert)|완료/iu.test(said)
  if (!isBare || !hasWords(subject) || said.includes(subject)) return said
  return `${said.replace(/[.!。]$/, '')}: ${subject}`
}

/** An answer to a question aside does not say where the work stands: that follows. */
function besideWork(work: SessionWork, said: string, message: string, limit: number): string {
  const last = turnsOf(work.entries).at(-1)
  if (last === undefined || didSomething(last.entries) || !asksOnly(last.prompt.text)) {
    return said
  }
  const before = lastWork(work)
  if (before === undefined) return said
  const answer = `answered: ${promptLine(last.prompt.text, 90)} ${shortHeadlineOf(message, PART) ?? said}`
  return shorten(`${shorten(answer, PART)} Before that: ${shorten(before, PART)}`, limit)
}

/** In the same turn: what failed last, or what was said before kind words. */
function earlier({ entries }: SessionWork): string | undefined {
  const told = turnsOf(entries).at(-1)?.entries ?? []
  const end = told.findLastIndex(({ kind }) => kind === 'assistant')
  for (const entry of told.slice(0, Math.max(end, 0)).toReversed()) {
    const failure = failureOf(entry)
    if (failure !== undefined) return failure
    const said = entry.kind === 'assistant' ? shortHeadlineOf(entry.text, PART) : undefined
    if (said !== undefined && !said.startsWith('about to ') && !isCourtesy(said)) return said
  }
  return undefined
}

function failureOf(entry: TranscriptEntry | undefined): string | undefined {
  if (entry?.kind !== 'tool' || entry.failed === undefined) return undefined
  return entry.label === undefined ? undefined : `failed: ${entry.label} (${entry.failed})`
}

/** Of the turns before the last one: what failed without a word on it, or a headline. */
function lastWork({ entries }: SessionWork): string | undefined {
  const turns = turnsOf(entries).slice(0, -1).toReversed()
  for (const turn of turns) {
    const end = turn.entries.findLast(({ kind }) => kind === 'assistant')
    const said = end?.kind === 'assistant' ? headlineOf(end.text, PART) : undefined
    const calls = turn.entries.filter((entry) => entry.kind === 'tool' && entry.label !== undefined)
    const failure = said === undefined ? failureOf(calls.at(-1)) : undefined
    if (failure !== undefined) return failure
    const headline = didSomething(turn.entries) ? (said ?? turnHeadline(turn, PART)) : undefined
    if (headline !== undefined && !isCourtesy(headline)) return headline
  }
  return undefined
}
