/**
 * How a session ended, where it did not end on a message of the agent: with a question or plan that nobody
 * answered, a refused call, an interruption, a tool that still ran, a prompt without a reply.
 *
 * Only what came after the last prompt tells: what a turn before said is over.
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
import { doneBefore, failuresBefore, lastDeed } from '../turn/last-calls.ts'
import { planFileIn, planParts } from './plan-parts.ts'
import { questionsIn } from '../message/questions.ts'
import { quoteOf } from '../message/quote.ts'
import { planTitle } from '../prompt/plan-title.ts'
import { promptLine } from '../prompt/prompt-line.ts'
import { isAnswer } from '../prompt/request.ts'
import { kindOf } from '../prompt/request-kind.ts'
import { lastWork } from './standing.ts'
import { tells, turnsOf } from '../turn/turns.ts'

export interface Ending {
  /** One line. */
  readonly now: string
  /** Questions that the agent asked with a tool, without an answer. */
  readonly questions: readonly string[]
  /** The user did not let it go on. */
  readonly isStopped?: true
}

/** Before a to-do that was in hand when the user asked for something else. */
export const ON_LIST = 'on its list: '

/** UTF-16 units of a part of the line, and of the words that begin it. */
const PART = 150
const MAX_STATE = 30
const QUESTION = SUMMARY_LIMITS.question

/** Undefined: on a message, or nothing is known. `task`: what it was at, by its to-do list; that `isLate`. */
export function endingOf(
  entries: readonly TranscriptEntry[],
  task: string | undefined,
  isLate = false,
): Ending | undefined {
  const start = entries.findLastIndex((entry) => entry.kind === 'prompt' && hasWords(entry.text))
  const told = entries.slice(start + 1).filter(tells)
  if (start === -1 && told.length === 0) return undefined
  const deeds = told.filter(({ kind }) => kind !== 'interruption' && kind !== 'failure')
  const opening = entries[start]
  const request =
    opening?.kind === 'prompt' ? requestOf(opening.text, entries.slice(0, start)) : undefined
  const last = deeds.at(-1)
  const stop = told.at(-1)
  const isAsked = isLate && opening?.kind === 'prompt' && !isAnswer(opening.text)
  const aim = task === undefined || isAsked ? request : shorten(task, PART)
  // A to-do is nothing that was asked for.
  const goal = [asked(request), aim === request ? undefined : `${ON_LIST}${aim}`]
  const isInterrupted = stop?.kind === 'interruption'
  const deed = lastDeed(deeds, isInterrupted ? 'stopped in' : 'no answer yet from')
  const failure = failuresBefore(deeds)
  // The last call stands whole; before it, what there is room for.
  const head = stop?.kind === 'failure' ? [errorOf(stop.text), ...goal] : [aim]
  const room = SUMMARY_LIMITS.now - MAX_STATE - [...head, failure, deed].join('; ').length
  const said = shorten(lastSaid(deeds) ?? '', Math.max(0, room - 2))
  const left = room - said.length - 4
  const done = doneBefore(deeds, left)
  const work = [...head, said, done, failure, deed]
  if (stop?.kind === 'failure') return says('stopped by an error', work)
  if (last === undefined && task === undefined) {
    if (request === undefined) return undefined
    const isAlone = isBare(opening) && !request.includes('” to: ')
    const before = isAlone ? lastWork(turnsOf(entries.slice(0, start)), PART * 2) : undefined
    return says(isInterrupted ? 'interrupted by the user, before a reply to' : 'no reply yet to', [
      request,
      before && `before that: ${before}`,
    ])
  }
  switch (last?.kind) {
    case 'question':
      return waiting(deeds)
    case 'plan':
      return planEnding(last.plan, planFileIn(entries))
    case 'refusal': {
      // Of an interrupted one nobody can tell whether it was refused, or stopped while it ran.
      const isStopped = isInterrupted && last.said === undefined
      const said = heard(last.said)
      const why = said === undefined ? goal : [said]
      const state = isStopped ? 'the user stopped' : 'the user refused'
      return { ...says(state, [refusedCalls(deeds), ...why]), isStopped: true }
    }
    default:
      if (isInterrupted) return { ...says('interrupted by the user', work), isStopped: true }
      return last?.kind === 'assistant' ? undefined : says('not finished', work)
  }
}

/** A command without words, or no more than to go on. */
function isBare(opening: TranscriptEntry | undefined): boolean {
  if (opening?.kind !== 'prompt') return false
  return isAnswer(opening.text) || kindOf(promptLine(opening.text, PART)) === 'command'
}

/** `yes` alone says nothing without what it answers. */
function requestOf(prompt: string, before: readonly TranscriptEntry[]): string {
  const line = promptLine(prompt, PART)
  if (!isAnswer(prompt)) return line
  const message = before.findLast(
    (entry) => (entry.kind === 'assistant' || isRequest(entry)) && hasWords(entry.text),
  )
  const about =
    message?.kind === 'assistant'
      ? (questionsIn(message.text, QUESTION).at(-1) ?? quoteOf(message.text, PART) ?? '')
      : promptLine(message?.kind === 'prompt' ? message.text : '', PART)
  return hasWords(about) ? `“${line}” to: ${plainLine(about)}` : line
}

/** Not one more `go on`, nor the name of a command. */
function isRequest(entry: TranscriptEntry): entry is TranscriptEntry & { kind: 'prompt' } {
  return (
    entry.kind === 'prompt' &&
    !isAnswer(entry.text) &&
    kindOf(promptLine(entry.text, PART)) !== 'command'
  )
}

function asked(aim: string | undefined): string | undefined {
  return aim === undefined ? undefined : `asked for: ${aim}`
}

/** Without the answer of the server that may stand behind it. */
function errorOf(text: string): string {
  const reason = /"message"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(text)?.[1]?.replaceAll('\\"', '"')
  const said = foldLine(text.replace(/[{<][^]*/, ''))
  return shorten(reason === undefined ? said : `${said} ${foldLine(reason)}`, PART)
}

function says(state: string, parts: readonly (string | undefined)[]): Ending {
  const known = parts.filter((part) => part !== undefined && part !== '')
  const now = known.length === 0 ? state : `${state}: ${known.join('; ')}`
  return { now: shorten(now, SUMMARY_LIMITS.now), questions: [] }
}

/** The questions of one call stand together. */
function waiting(told: readonly TranscriptEntry[]): Ending {
  const before = told.findLastIndex(({ kind }) => kind !== 'question')
  const asked = told.slice(before + 1)
  const open = asked.flatMap((entry) => {
    if (entry.kind !== 'question' || entry.question.answer !== undefined) return []
    const { text, options } = entry.question
    const choice = options.length === 0 ? '' : ` (${options.join(' / ')})`
    return [asQuestion(plainLine(`${text}${choice}`))]
  })
  if (open.length > 0) return { ...says('waiting for an answer', [open[0]]), questions: open }
  const answers = asked.flatMap((entry) =>
    entry.kind === 'question'
      ? shorten(plainLine(`${entry.question.answer ?? ''} (asked: ${entry.question.text})`), PART)
      : [],
  )
  return says('the user answered, and nothing followed', answers)
}

/** Of a long one the end asks. */
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

/** A plan that is taken to a new session counts as refused here, too, without a word. */
function planEnding({ text, outcome, said }: ProposedPlan, file: string | undefined): Ending {
  const title = shorten(planTitle(text), PART)
  const isLeft = outcome === 'refused' && said === undefined
  const state = isLeft ? 'the plan was not accepted in this session' : PLAN[outcome]
  const words = heard(said)
  const place = file && `in ${file}`
  const others = [`${state}: ${title}`, words ?? '', PARTS, place ?? ''].join('; ')
  const parts = planParts(text, SUMMARY_LIMITS.now - others.length)
  return says(state, [title, words, parts && `${PARTS}${parts}`, place])
}

const PARTS = 'its parts: '

function refusedCalls(told: readonly TranscriptEntry[]): string {
  const before = told.findLastIndex(({ kind }) => kind !== 'refusal')
  const calls = told
    .slice(before + 1)
    .flatMap((entry) => (entry.kind === 'refusal' ? [entry.label] : []))
  return shorten(foldLine([...new Set(calls)].join(', ')), PART)
}

function heard(said: string | undefined): string | undefined {
  const words = shorten(plainLine(said ?? ''), PART)
  return words === '' ? undefined : `the user said: ${words}`
}

/** Words of a text that says something. */
const MIN_SAID = 3

/** What the agent said before its last call; before a few words, which announce a step, also what it had found. */
function lastSaid(deeds: readonly TranscriptEntry[]): string | undefined {
  const texts = deeds.flatMap((entry) => (entry.kind === 'assistant' ? entry.text : []))
  const last = texts.at(-1) ?? ''
  const found = last.length < LONG / 2 ? texts.findLast(({ length }) => length > LONG) : undefined
  const quotes = [found ?? '', last].map((text) => quoteOf(text, PART) ?? '')
  const said = quotes.filter((quote) => countWords(quote) > MIN_SAID).map((quote) => `“${quote}”`)
  return said.length === 0 ? undefined : said.join('; ')
}

const LONG = 300
