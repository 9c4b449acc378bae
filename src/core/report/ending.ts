/**
 * How a session ended if it did not end with a message of the agent: an unanswered question or plan, a refused
 * call, an interruption, a tool that was still running, or a prompt without a reply.
 *
 * Only what followed the last prompt counts: earlier turns are over.
 */

import type { ProposedPlan, TranscriptEntry } from '../agents/agent-signal.ts'
import {
  countWords,
  endOf,
  foldLine,
  hasWords,
  plainLine,
  shorten,
} from '../text/markdown-to-text.ts'
import { SUMMARY_LIMITS } from '../message/items.ts'
import { doneBefore, failuresBefore, lastCall } from '../turn/last-calls.ts'
import { planFileIn, planParts } from './plan-parts.ts'
import { quoteOf } from '../message/quote.ts'
import { planTitle } from '../prompt/plan-title.ts'
import { promptLine } from '../prompt/prompt-line.ts'
import { isAnswer } from '../prompt/request.ts'
import { kindOf } from '../prompt/request-kind.ts'
import { MAX_PART, requestOf, runningRequest } from './last-request.ts'
import { lastWork } from './standing.ts'
import { isSubstantive, turnsOf } from '../turn/turns.ts'

export interface Ending {
  /** One line. */
  readonly now: string
  /** Questions that the agent asked with a tool and that nobody answered. */
  readonly questions: readonly string[]
  /** The user stopped the session or refused a call. */
  readonly isStopped?: true
}

/** Precedes a to-do that was in progress when the user asked for something else. */
export const ON_LIST = 'on its list: '

/** UTF-16 units of the words that begin the line. */
const MAX_STATE = 30
const QUESTION = SUMMARY_LIMITS.question

/**
 * Undefined if the session ended with a message, or if nothing is known. `task`: the to-do that was in progress.
 * `isLate`: the to-do list lags behind the work.
 */
export function endingOf(
  entries: readonly TranscriptEntry[],
  task: string | undefined,
  isLate = false,
): Ending | undefined {
  const start = entries.findLastIndex((entry) => entry.kind === 'prompt' && hasWords(entry.text))
  const recent = entries.slice(start + 1).filter(isSubstantive)
  if (start === -1 && recent.length === 0) return undefined
  const activity = recent.filter(({ kind }) => kind !== 'interruption' && kind !== 'failure')
  const opening = entries[start]
  const request =
    opening?.kind === 'prompt'
      ? `${runningRequest(entries, start)}${requestOf(opening.text, entries.slice(0, start))}`
      : undefined
  const last = activity.at(-1)
  const stop = recent.at(-1)
  const isAsked = isLate && opening?.kind === 'prompt' && !isAnswer(opening.text)
  const aim = task === undefined || isAsked ? request : shorten(task, MAX_PART)
  // A to-do is not something that the user asked for.
  const goal = [asked(request), aim === request ? undefined : `${ON_LIST}${aim}`]
  const isInterrupted = stop?.kind === 'interruption'
  const lastCallText = lastCall(activity, isInterrupted ? 'stopped in' : 'no answer yet from')
  const failure = failuresBefore(activity)
  // The last call is kept whole; what precedes it gets the remaining room.
  const head = stop?.kind === 'failure' ? [errorOf(stop.text), ...goal] : [aim]
  const room = SUMMARY_LIMITS.now - MAX_STATE - [...head, failure, lastCallText].join('; ').length
  const said = shorten(lastSaid(activity) ?? '', Math.max(0, room - 2))
  const left = room - said.length - 4
  const done = doneBefore(activity, left)
  const work = [...head, said, done, failure, lastCallText]
  if (stop?.kind === 'failure') return endingWith('stopped by an error', work)
  if (last === undefined && task === undefined) {
    if (request === undefined) return undefined
    const isAlone = isUninformative(opening) && !request.includes('” to: ')
    const before = isAlone ? lastWork(turnsOf(entries.slice(0, start)), MAX_PART * 2) : undefined
    return endingWith(
      isInterrupted ? 'interrupted by the user, before a reply to' : 'no reply yet to',
      [request, before && `before that: ${before}`],
    )
  }
  switch (last?.kind) {
    case 'question':
      return questionEnding(activity)
    case 'plan':
      return planEnding(last.plan, planFileIn(entries))
    case 'refusal': {
      // If the session was interrupted, a refusal cannot be told from a call that was stopped while it ran.
      const isStopped = isInterrupted && last.said === undefined
      const said = userWords(last.said)
      const why = said === undefined ? goal : [said]
      const state = isStopped ? 'the user stopped' : 'the user refused'
      return { ...endingWith(state, [refusedCalls(activity), ...why]), isStopped: true }
    }
    default:
      if (isInterrupted) return { ...endingWith('interrupted by the user', work), isStopped: true }
      return last?.kind === 'assistant' ? undefined : endingWith('not finished', work)
  }
}

/** The prompt is a bare command, or only says to go on. */
function isUninformative(opening: TranscriptEntry | undefined): boolean {
  if (opening?.kind !== 'prompt') return false
  return isAnswer(opening.text) || kindOf(promptLine(opening.text, MAX_PART)) === 'command'
}

function asked(aim: string | undefined): string | undefined {
  return aim === undefined ? undefined : `asked for: ${aim}`
}

/** The error text without the raw server response that may follow it. */
function errorOf(text: string): string {
  const reason = /"message"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(text)?.[1]?.replaceAll('\\"', '"')
  const said = foldLine(text.replace(/[{<][^]*/, ''))
  return shorten(reason === undefined ? said : `${said} ${foldLine(reason)}`, MAX_PART)
}

function endingWith(state: string, parts: readonly (string | undefined)[]): Ending {
  const known = parts.filter((part) => part !== undefined && part !== '')
  const now = known.length === 0 ? state : `${state}: ${known.join('; ')}`
  return { now: shorten(now, SUMMARY_LIMITS.now), questions: [] }
}

/** What the last call asks, if it has no answer, also if only words of the agent or its program follow. */
export function askedLast(entries: readonly TranscriptEntry[]): readonly string[] {
  const end = entries.findLastIndex(({ kind }) => kind !== 'assistant' && kind !== 'recap')
  return openIn(entries.slice(0, end + 1))
}

/** The questions of one call are reported together. */
function lastAsked(recent: readonly TranscriptEntry[]): readonly TranscriptEntry[] {
  return recent.slice(recent.findLastIndex(({ kind }) => kind !== 'question') + 1)
}

function openIn(recent: readonly TranscriptEntry[]): readonly string[] {
  return lastAsked(recent).flatMap((entry) => {
    if (entry.kind !== 'question' || entry.question.answer !== undefined) return []
    const { text, options } = entry.question
    const choice = options.length === 0 ? '' : ` (${options.join(' / ')})`
    return [asQuestion(plainLine(`${text}${choice}`))]
  })
}

function questionEnding(recent: readonly TranscriptEntry[]): Ending {
  const open = openIn(recent)
  if (open.length > 0) return { ...endingWith('waiting for an answer', [open[0]]), questions: open }
  const answers = lastAsked(recent).flatMap((entry) =>
    entry.kind === 'question' ? answerTo(entry) : [],
  )
  return endingWith('the user answered, and nothing followed', answers)
}

function answerTo({ question }: TranscriptEntry & { kind: 'question' }): string {
  return shorten(plainLine(`${question.answer ?? ''} (asked: ${question.text})`), MAX_PART)
}

/** If the text is too long, its end is kept, because that is where the question is. */
function asQuestion(text: string): string {
  if (text.length <= QUESTION) return text
  const end = endOf(text, QUESTION)
  return /[?？]/.test(end) ? end : shorten(text, QUESTION)
}

const PLAN: Readonly<Record<ProposedPlan['outcome'], string>> = {
  open: 'waiting for a yes to the plan',
  accepted: 'the user accepted the plan, and nothing followed',
  refused: 'the user refused the plan',
}

/** A plan that is taken to a new session also counts as refused without a comment. */
function planEnding({ text, outcome, said }: ProposedPlan, file: string | undefined): Ending {
  const title = shorten(planTitle(text), MAX_PART)
  const isLeft = outcome === 'refused' && said === undefined
  const state = isLeft ? 'the plan was not accepted in this session' : PLAN[outcome]
  const words = userWords(said)
  const place = file && `in ${file}`
  const others = [`${state}: ${title}`, words ?? '', PARTS, place ?? ''].join('; ')
  const parts = planParts(text, SUMMARY_LIMITS.now - others.length)
  return endingWith(state, [title, words, parts && `${PARTS}${parts}`, place])
}

const PARTS = 'its parts: '

function refusedCalls(recent: readonly TranscriptEntry[]): string {
  const before = recent.findLastIndex(({ kind }) => kind !== 'refusal')
  const calls = recent
    .slice(before + 1)
    .flatMap((entry) => (entry.kind === 'refusal' ? [entry.label] : []))
  return shorten(foldLine([...new Set(calls)].join(', ')), MAX_PART)
}

function userWords(said: string | undefined): string | undefined {
  const words = shorten(plainLine(said ?? ''), MAX_PART)
  return words === '' ? undefined : `the user said: ${words}`
}

/** A quote needs more words than this to say anything. */
const MIN_SAID = 2

/**
 * The agent's last words before its last call, unless the user answered a question since. If those are few, they only
 * announce a step, so its last longer findings are included too.
 */
function lastSaid(activity: readonly TranscriptEntry[]): string | undefined {
  const newest = activity.findLast((entry) =>
    entry.kind === 'question' ? entry.question.answer !== undefined : entry.kind === 'assistant',
  )
  if (newest?.kind === 'question') return `the user answered: ${answerTo(newest)}`
  const texts = activity.flatMap((entry) => (entry.kind === 'assistant' ? entry.text : []))
  const last = texts.at(-1) ?? ''
  const found = last.length < LONG / 2 ? texts.findLast(({ length }) => length > LONG) : undefined
  const quotes = [found ?? '', last].map((text) => quoteOf(text, MAX_PART) ?? '')
  const said = quotes.filter((quote) => countWords(quote) > MIN_SAID).map((quote) => `“${quote}”`)
  return said.length === 0 ? undefined : said.join('; ')
}

const LONG = 300
