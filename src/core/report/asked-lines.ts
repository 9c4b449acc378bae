/** Turns for which only the request is reported, as items of `this_session`. Pure. */

import { countWords } from '../text/markdown-to-text.ts'
import { SUMMARY_LIMITS, unique } from '../message/items.ts'
import { isTask, requestIn } from '../prompt/request.ts'
import { ASKS, asksForWork } from '../prompt/request-kind.ts'

/** `Asked for before: “Add a limit”; “Rename the parser” and 2 more`: the newest that fit, and the number of the others. */
export function askedBefore(asked: readonly string[]): string[] {
  const shown = newestThatFit(asked, SUMMARY_LIMITS.item - ASKED_BEFORE.length - ROOM_FOR_MORE)
  return shown.length === 0 ? [] : [`${ASKED_BEFORE}${withNumber(shown, asked)}`]
}

function withNumber(shown: readonly string[], all: readonly string[]): string {
  const more = all.length - shown.length
  return `${shown.join('; ')}${more === 0 ? '' : ` and ${more} more`}`
}

const ASKED_BEFORE = 'Asked for before: '

/**
 * Requests that were only answered: the newest that are clear without context, and the total number. Leaves out
 * those that the lines in `reported` already name or that `quoted` has the beginning of, and bare names of commands or
 * files.
 */
export function alsoAsked(
  prompts: readonly string[],
  reported: readonly string[],
  quoted: readonly string[],
): string[] {
  const asked = new Map(prompts.map((text) => [requestIn(text, MAX_REQUEST), text] as const))
  const isUnreported = (line: string) =>
    !reported.some((one) => one.includes(line.slice(1).replace(/…?”$/, ''))) &&
    !quoted.some((one) => one.includes(line.slice(1, MAX_SAME).replace(/…?”$/, '')))
  const all = unique(
    [...asked.keys()].flatMap((line = '') =>
      PHRASE.test(line) && isUnreported(line) ? [line] : [],
    ),
  )
  const meaningful = all.filter(
    (line) => countWords(line) > MIN_WORDS || isTask(asked.get(line) ?? ''),
  )
  // A question that led to no change was answered at the time.
  const tasks = meaningful.filter((line) => !isQuestion(line.slice(1, -1)))
  const preferred = tasks.length > 0 ? tasks : meaningful
  const shown = newestThatFit(
    preferred.length > 0 ? preferred : all,
    SUMMARY_LIMITS.item - ALSO_ASKED.length - ROOM_FOR_MORE,
  )
  return all.length === 0 ? [] : [`${ALSO_ASKED}${withNumber(shown, all)}`]
}

function isQuestion(line: string): boolean {
  return (/[?？]$/.test(line) || ASKS.test(line)) && !asksForWork(line)
}

const ALSO_ASKED = 'Also asked: '
/** UTF-16 units: the maximum length of one request, and the room reserved for ` and N more`. */
const MAX_REQUEST = 60
const ROOM_FOR_MORE = 15
const MIN_WORDS = 3
/** UTF-16 units of a beginning. Two requests of one turn are quoted with few more. */
const MAX_SAME = 32
const PHRASE = /\s|[^\0-\x7f“”…]/

function newestThatFit(texts: readonly string[], max: number): string[] {
  const shown: string[] = []
  for (const text of texts.toReversed()) {
    if ([text, ...shown].join('; ').length > max) break
    shown.unshift(text)
  }
  return shown
}
