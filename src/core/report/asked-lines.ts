/** Turns of which only what was asked is told, as items of `this_session`. Pure. */

import { countWords } from '../text/markdown-to-text.ts'
import { SUMMARY_LIMITS, unique } from '../message/items.ts'
import { isTask, requestIn } from '../prompt/request.ts'
import { ASKS, asksForWork } from '../prompt/request-kind.ts'

/** `Asked for before: “Add a limit”; “Rename the parser”`: the newest that fit. */
export function askedBefore(asked: readonly string[]): { line: string[]; left: number } {
  const told = newest(asked, SUMMARY_LIMITS.item - BEFORE.length)
  const line = told.length === 0 ? [] : [`${BEFORE}${told.join('; ')}`]
  return { line, left: asked.length - told.length }
}

const BEFORE = 'Asked for before: '

/**
 * What was only answered then: the newest that say something alone, and how many there were. Not what the lines
 * that are `told` name, nor the bare name of a command or a file.
 */
export function alsoAsked(prompts: readonly string[], told: readonly string[]): string[] {
  const asked = new Map(prompts.map((text) => [requestIn(text, SHORT), text] as const))
  const isNews = (line: string) =>
    !told.some((one) => one.includes(line.slice(1).replace(/…?”$/, '')))
  const all = unique(
    [...asked.keys()].flatMap((line = '') => (PHRASE.test(line) && isNews(line) ? [line] : [])),
  )
  const saying = all.filter((line) => countWords(line) > MIN_WORDS || isTask(asked.get(line) ?? ''))
  // A question that nothing was changed for was answered then.
  const tasks = saying.filter((line) => !isQuestion(line.slice(1, -1)))
  const telling = tasks.length > 0 ? tasks : saying
  const shown = newest(telling.length > 0 ? telling : all, SUMMARY_LIMITS.item - ALSO.length - MORE)
  const more = all.length - shown.length
  const others = more === 0 ? '' : ` and ${more} more`
  return all.length === 0 ? [] : [`${ALSO}${shown.join('; ')}${others}`]
}

function isQuestion(line: string): boolean {
  return (/[?？]$/.test(line) || ASKS.test(line)) && !asksForWork(line)
}

const ALSO = 'Also asked: '
/** UTF-16 units of a request, and for the number of the others. */
const SHORT = 60
const MORE = 15
const MIN_WORDS = 3
const PHRASE = /\s|[^\0-\x7f“”…]/

function newest(texts: readonly string[], max: number): string[] {
  const told: string[] = []
  for (const text of texts.toReversed()) {
    if ([text, ...told].join('; ').length > max) break
    told.unshift(text)
  }
  return told
}
