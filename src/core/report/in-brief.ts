/** The turns of a session that are not reported at length, as one item of `this_session`. Pure. */

import { countWords } from '../text/markdown-to-text.ts'
import { SUMMARY_LIMITS } from '../message/items.ts'
import { ended } from '../message/lines.ts'
import { askedIn, endAfterCall, headlineOf, labelOf } from '../turn/outcome.ts'
import type { Turn } from '../turn/turns.ts'
import {
  ASKED,
  changedSomething,
  isStopped,
  MAX_RESUMED,
  resumedBy,
  sharesAnswer,
} from '../turn/turns.ts'
import { promptLine } from '../prompt/prompt-line.ts'
import { isTask, requestIn } from '../prompt/request.ts'

/**
 * `In brief: “Add a limit”: It is 100 a minute. “does it count by user”: By user and day. And 2 more`: the newest that
 * fit, and the number of the others. Leaves out turns in `told`, turns in which nothing was asked or said, those whose
 * request stands beside that of a turn in `told`, and those with the request and the answer of another turn.
 */
export function inBrief(turns: readonly Turn[], told: ReadonlySet<Turn>): string[] {
  const labels = [...told].map((turn) => ({ turn, label: askedIn(turn) ?? '' }))
  const isLeft = (one: Brief) => isNews(one) && !labels.some((other) => quotes(other, one))
  const briefs = turns.map(briefOf).filter((one) => told.has(one.turn) || isLeft(one))
  const all = withoutRepetitions(briefs, told)
  const named = all.filter(({ line }) => line !== undefined && PHRASE.test(line))
  const clear = named.filter(isClear)
  const most = clear.length > 0 ? clear : named
  // What few turns leave is for longer answers.
  const room = Math.floor(SUMMARY_LIMITS.brief / most.length) - MAX_REQUEST
  const max = Math.min(Math.max(room, MIN_HEADLINE), MAX_HEADLINE)
  const shown = newestThatFit(most.map((brief) => textOf(brief, max)))
  const more = all.length - shown.length
  if (all.length === 0) return []
  if (shown.length === 0) return [`${more} more ${more === 1 ? 'turn' : 'turns'}`]
  return [`${IN_BRIEF}${shown.join(' ')}${more === 0 ? '' : ` And ${more} more`}`]
}

interface Brief {
  readonly turn: Turn
  /** What was asked. Of a prompt that asks for nothing, what it replies to, or its own words. */
  readonly line: string | undefined
  readonly isRequest: boolean
  readonly said: string | undefined
}

function briefOf(turn: Turn): Brief {
  const { text } = turn.prompt
  const request = requestIn(text, MAX_REQUEST)
  const line = request ?? labelOf(turn, MAX_REQUEST)?.slice(0, -2)
  const isRequest = request !== undefined && PHRASE.test(request)
  return { turn, line, isRequest, said: headlineOf(turn, MAX_HEADLINE) }
}

function isNews({ isRequest, said }: Brief): boolean {
  return isRequest || said !== undefined
}

/** More than a few words that ask for something, or any words for which something was changed or failed. */
function isClear({ turn: { prompt, entries }, line = '', isRequest }: Brief): boolean {
  if (changedSomething(entries)) return true
  if (isRequest) return countWords(line) > MIN_WORDS || isTask(prompt.text)
  return entries.some((entry) => entry.kind === 'tool' && entry.failed !== undefined)
}

/** A later turn that goes on with this one is told under both requests. */
function quotes(later: { turn: Turn; label: string }, { turn, line }: Brief): boolean {
  const start = line?.slice(1, MAX_SAME).replace(/…?”$/, '')
  if (start === undefined || !later.label.includes(start)) return false
  const isOwn = promptLine(later.turn.prompt.text, ASKED).includes(start)
  return !isOwn && goesOnWith(later.turn, turn)
}

function goesOnWith(later: Turn, turn: Turn): boolean {
  let one: Turn | undefined = later
  for (let i = 0; i < MAX_RESUMED && one !== undefined && one.before !== turn; i += 1) {
    one = resumedBy(one) ?? (sharesAnswer(one) ? one.before : undefined)
  }
  return one?.before === turn
}

/**
 * Without the turns in `told`. Of turns with the same request and the same answer, one is kept; a turn without an
 * answer is left out if the same was asked later.
 */
function withoutRepetitions(briefs: readonly Brief[], told: ReadonlySet<Turn>): readonly Brief[] {
  const known = new Set(briefs.filter(({ turn }) => told.has(turn)).map(keyOf))
  const kept = briefs.toReversed().filter((brief) => {
    const isKnown = brief.line !== undefined && known.has(keyOf(brief))
    known.add(keyOf(brief)).add(keyOf({ ...brief, said: undefined }))
    return !isKnown && !told.has(brief.turn)
  })
  return kept.toReversed()
}

function keyOf({ line, said }: Brief): string {
  return `${line}: ${said}`
}

function textOf({ turn, line }: Brief, max: number): string {
  const said = headlineOf(turn, max) ?? (isStopped(turn) ? ended(endAfterCall(turn)) : undefined)
  return said === undefined ? `${line}.` : `${line}: ${said}`
}

const IN_BRIEF = 'In brief: '
/** UTF-16 units: of a request, of what was said to it, and the room reserved for ` And N more`. */
const MAX_REQUEST = 60
const MIN_HEADLINE = 140
const MAX_HEADLINE = 400
const ROOM_FOR_MORE = 15
const MIN_WORDS = 3
/** UTF-16 units of a beginning. Two requests of one turn are quoted with few more. */
const MAX_SAME = 32
const PHRASE = /\s|[^\0-\x7f“”…]/

function newestThatFit(texts: readonly string[]): string[] {
  const max = SUMMARY_LIMITS.brief - IN_BRIEF.length - ROOM_FOR_MORE
  const shown: string[] = []
  for (const text of texts.toReversed()) {
    if ([text, ...shown].join(' ').length > max) break
    shown.unshift(text)
  }
  return shown
}
