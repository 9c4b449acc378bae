/**
 * What the user replied to, where a reply says little alone: to `yes`, `go on` or `2` belongs the question, the
 * offer or the option that stands before it. By form, so in any language. Pure.
 */

import type { Block } from '../text/markdown-to-text.ts'
import {
  blocksOf,
  countWords,
  foldLine,
  hasWords,
  plainLine,
  sentencesOf,
  shorten,
} from '../text/markdown-to-text.ts'
import { isCourtesy, isQuestion, questionsIn } from '../message/questions.ts'
import { promptLine } from '../prompt/prompt-line.ts'
import { isAgreement, isAnswer, isRefusal, isTask } from '../prompt/request.ts'
import { isNone, isWork } from '../prompt/request-kind.ts'

/** Words of a reply, and of one that names an option. */
const MAX_WORDS = 10
const MAX_CHOICE = 6
/** `Done.` is nothing to reply to. */
const MIN_ABOUT = 3
/** UTF-16 units. */
const MAX_REPLY = 80

/** `“yes” to “Shall I move the tests as well?”`; undefined where the prompt stands alone. `max`: of what it is about. */
export function replyLine(prompt: string, message: string, max: number): string | undefined {
  const said = foldLine(prompt)
  const line = said.length > MAX_REPLY ? promptLine(prompt, MAX_REPLY) : said
  if (!hasWords(line)) return undefined
  const count = countWords(said)
  const option = count <= MAX_CHOICE ? optionIn(message, line) : undefined
  const isReply = count <= MAX_WORDS && repliesTo(prompt, message)
  const end = isReply ? endOf(message, max) : ''
  const about = option ?? (countWords(end) < MIN_ABOUT ? '' : end)
  if (hasWords(about)) {
    return `“${line}” to “${shorten(plainLine(about).replace(/[:：]$/, ''), max)}”`
  }
  return isBare(prompt, line) ? `“${line}”` : undefined
}

/** Two words that may be a request: what they are to is not known. */
function isBare(prompt: string, line: string): boolean {
  return isAnswer(prompt) && countWords(line) > 1 && !isAgreement(prompt) && !isNone(line)
}

/** A word of agreement, or few words behind a question that ask for nothing new; not below a list of questions. */
function repliesTo(prompt: string, message: string): boolean {
  if (isAgreement(prompt)) return true
  const line = promptLine(prompt, MAX_REPLY)
  const isNew = isTask(prompt) || isWork(line) || isQuestion(line) || isNone(line)
  const last = blocksOf(message).findLast(isSaid)
  return !isNew && last?.kind === 'text' && isQuestion(lastSentence(message))
}

/** By its number or letter, alone or beside a few words: `2`, `Option B`, `3, aber ohne Tests`; by its key: `CA`. */
function optionIn(message: string, line: string): string | undefined {
  const chosen = menuItem(message, line)
  if (chosen !== undefined) return chosen
  const all = line.match(NAME) ?? []
  // `1 e faça tudo`: beside a number a letter is a word.
  const numbers = all.filter((one) => /\d/.test(one))
  const [name, ...others] = numbers.length > 0 ? numbers : all
  if (name === undefined || others.length > 0) return undefined
  const label = new RegExp(
    String.raw`^[\s#>*_|([-]*(?:\p{L}+ )?${name}\s*(?:[.):\]*|]|[–—-] )+\s*(?=\S)`,
    'iu',
  )
  const found = message.split('\n').findLast((one) => label.test(one))
  // An option may be the row of a table.
  return found?.replace(label, '').replace(/\s*\|\s*$/, '')
}

/** `[CA] Create Architecture` in a menu, by its key. */
function menuItem(message: string, line: string): string | undefined {
  const key = KEY.exec(line)?.[1]?.toUpperCase()
  if (key === undefined || isAgreement(line) || isRefusal(line)) return undefined
  const menu = new Map(
    blocksOf(message).flatMap(({ kind, text }) => {
      const [, label = '', item = ''] = isSaid({ kind, text }) ? (LABEL.exec(text) ?? []) : []
      return label === '' ? [] : [[label, item] as const]
    }),
  )
  // One alone is no menu.
  return menu.size > 1 ? menu.get(key) : undefined
}

const LABEL = /^\[([A-Z][A-Z\d]{1,3})\]:?\s+(\S.*)$/
const KEY = /^\W{0,3}([a-z][a-z\d]{1,3})\W{0,3}$/i

/** `a` and `I` are words, too. */
const NAME = /(?<![\p{L}\p{N}.])(?:\d{1,2}|[b-hB-HA]|^a)(?![\p{L}\p{N}'’]|\.\d)/gu

/** What it asks, else its last sentence: an offer, or what is next. */
function endOf(message: string, max: number): string {
  const blocks = blocksOf(message)
  const start = blocks.findLastIndex(({ kind }) => kind !== 'item') + 1
  const items = blocks.slice(start)
  if (items.length > 1 && items.every(({ text }) => isQuestion(text))) {
    const lead = sentencesOf(blocks[start - 1]?.text ?? '').at(-1) ?? ''
    return [lead, items.map(({ text }) => text).join(' ')].join(' ')
  }
  return questionsIn(message, max).at(-1) ?? lastSentence(message)
}

function lastSentence(message: string): string {
  const last = blocksOf(message).findLast(isSaid)
  const sentences = sentencesOf(last?.text ?? '').filter((one) => !isCourtesy(one))
  return sentences.at(-1) ?? ''
}

function isSaid({ kind }: Block): boolean {
  return kind === 'text' || kind === 'item'
}
