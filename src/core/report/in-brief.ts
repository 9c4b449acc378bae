/** The turns of a session that are not reported at length, as one item of `this_session`. Pure. */

import { countWords } from '../text/markdown-to-text.ts'
import { SUMMARY_LIMITS } from '../message/items.ts'
import { headlineOf, replyOf } from '../turn/outcome.ts'
import type { Turn } from '../turn/turns.ts'
import { changedSomething } from '../turn/turns.ts'
import { isTask, requestIn } from '../prompt/request.ts'

/**
 * `In brief: “Add a limit”: It is 100 a minute. “does it count by user”: By user and day. And 2 more`: the newest that
 * fit, and the number of the others. Leaves out what the lines in `reported` already name or `quoted` has the beginning of, and bare
 * names of commands or files.
 */
export function inBrief(
  turns: readonly Turn[],
  reported: readonly string[],
  quoted: readonly string[],
): string[] {
  const isReported = (line: string) =>
    reported.some((one) => one.includes(line.slice(1).replace(/…?”$/, ''))) ||
    quoted.some((one) => one.includes(line.slice(1, MAX_SAME).replace(/…?”$/, '')))
  const asked = new Map(
    turns.flatMap((turn) => {
      const line = requestIn(turn.prompt.text, MAX_REQUEST) ?? replyIn(turn)
      return line === undefined || !PHRASE.test(line) || isReported(line) ? [] : [[line, turn]]
    }),
  )
  const all = [...asked]
  const clear = all.filter(
    ([line, { prompt }]) => countWords(line) > MIN_WORDS || isTask(prompt.text),
  )
  const told = clear.length > 0 ? clear : all
  // What few turns leave is for longer answers.
  const room = Math.floor(SUMMARY_LIMITS.brief / told.length) - MAX_REQUEST
  const max = Math.min(Math.max(room, MIN_HEADLINE), MAX_HEADLINE)
  const shown = newestThatFit(told.map(([line, turn]) => briefly(line, turn, max)))
  const more = all.length - shown.length
  if (all.length === 0) return []
  return [`${IN_BRIEF}${shown.join(' ')}${more === 0 ? '' : ` And ${more} more`}`]
}

/** `“yes” to “Shall I move the tests?”`, if something was changed for it. */
function replyIn(turn: Turn): string | undefined {
  return changedSomething(turn.entries) ? replyOf(turn, MAX_REQUEST) : undefined
}

function briefly(line: string, turn: Turn, max: number): string {
  const said = headlineOf(turn, max)
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
