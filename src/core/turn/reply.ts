/**
 * What the user replied to, if the reply says little by itself. For `yes`, `go on`, or `2` this is the preceding
 * question, offer, or option. Mostly recognized by form, so it works in many languages. Pure.
 */

import type { Block } from '../text/message-blocks.ts'
import {
  countWords,
  foldLine,
  hasWords,
  plainLine,
  sentencesOf,
  shorten,
} from '../text/markdown-to-text.ts'
import { blocksOf } from '../text/message-blocks.ts'
import { optionNamed } from '../message/offered.ts'
import { isCourtesy, isQuestion, questionsIn } from '../message/questions.ts'
import { promptLine } from '../prompt/prompt-line.ts'
import { isAgreement, isAnswer, isTask } from '../prompt/request.ts'
import { COMMAND, isNone, isWork } from '../prompt/request-kind.ts'

/** Maximum number of words: of a reply, and of a reply that names an option. */
const MAX_WORDS = 10
const MAX_CHOICE = 6
/** Minimum number of words in what is replied to: `Done.` is too short. */
const MIN_ABOUT = 3
/** UTF-16 units of a reply. */
const MAX_REPLY = 80

/**
 * `“yes” to “Shall I move the tests as well?”`; undefined if the prompt is clear by itself. `max`: UTF-16
 * units of what the reply is to.
 */
export function replyLine(prompt: string, message: string, max: number): string | undefined {
  const said = foldLine(prompt)
  const line = said.length > MAX_REPLY ? promptLine(prompt, MAX_REPLY) : said
  if (!hasWords(line) || COMMAND.test(line)) return undefined
  const count = countWords(said)
  const option =
    count <= MAX_CHOICE || NUMBER_FIRST.test(line) ? optionIn(message, line) : undefined
  const isReply = count <= MAX_WORDS && repliesTo(prompt, message)
  const end = isReply ? subjectOf(message, line, max) : ''
  const about = option ?? (countWords(end) < MIN_ABOUT ? '' : end)
  if (hasWords(about)) {
    return `“${line}” to “${shorten(plainLine(about).replace(/[:：]$/, ''), max)}”`
  }
  return isUnclear(prompt, line) ? `“${line}”` : undefined
}

/** `5 seems the right one to begin with`, but not `5 tests fail`. */
const NUMBER_FIRST =
  /^#?\d{1,2}(?:,| (?:and|but|does|first|is|looks|please|seems|sounds|then|with)\b)/i

/** Two or more words that may be a request; it is unknown what they reply to. */
function isUnclear(prompt: string, line: string): boolean {
  return isAnswer(prompt) && countWords(line) > 1 && !isAgreement(prompt) && !isNone(line)
}

/** A word of agreement, or a few words after a question that ask for nothing new. Not after a list of questions. */
function repliesTo(prompt: string, message: string): boolean {
  if (isAgreement(prompt)) return true
  const line = promptLine(prompt, MAX_REPLY)
  const isNew = isTask(prompt) || isWork(line) || isQuestion(line) || isNone(line)
  const last = blocksOf(message).findLast(isTextOrItem)
  return !isNew && last?.kind === 'text' && isQuestion(lastSentence(message))
}

/**
 * The option that a reply names by number or letter, alone or with a few words: `2`, `Option B`, `3, aber ohne
 * Tests`.
 */
function optionIn(message: string, line: string): string | undefined {
  const all = line.match(NAME) ?? []
  // `1 e faça tudo`: next to a number, a letter is a word.
  const numbers = all.filter((one) => /\d/.test(one))
  const [name, ...others] = numbers.length > 0 ? numbers : all
  if (name === undefined || others.length > 0) return undefined
  return optionNamed(message, name)
}

/** Excludes `a` (except at the start) and `I`, which are also words. */
const NAME = /(?<![\p{L}\p{N}.])(?:\d{1,2}|[b-hB-HA]|^a)(?![\p{L}\p{N}'’]|\.\d)/gu

/**
 * What the message asks. If nothing, or if only another sentence shares a word with the reply, that sentence: `ok build
 * it` is about the one that says *build*. A reply without a word of its own is about the last sentence.
 */
function subjectOf(message: string, reply: string, max: number): string {
  const blocks = blocksOf(message)
  const asked = questionsIn(message, max).at(-1)
  const words = ownWordsIn(reply)
  const isShared = (text: string) => ownWordsIn(text).some((word) => words.includes(word))
  const named = blocks
    .filter(isTextOrItem)
    .flatMap(({ text }) => sentencesOf(text))
    .findLast((one) => !IS_NAME.test(one) && isShared(one))
  if (asked !== undefined && (named === undefined || isShared(asked))) return asked
  return named ?? (words.length === 0 ? lastSentence(message) : '')
}

/** A path or another name in a list offers nothing. */
const IS_NAME = /^[\w./`~@-]+$/

function ownWordsIn(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []
  return words.filter((word) => !COMMON.test(word))
}

/** Words that a reply and what it is about may share by chance. */
const COMMON =
  /^(?:yes|yeah|yep|okay|sure|please|thanks|this|that|these|those|them|they|its|good|great|fine|perfect|sounds?|looks?|nice|cool|right|now|let|lets|try|and|but|then|with|the|for|you|can|just|all|both|ahead|continue|proceed|going|want|like|not|are|was|have|will|would|should|what|how|one|first)$/

function lastSentence(message: string): string {
  const last = blocksOf(message).findLast(isTextOrItem)
  const sentences = sentencesOf(last?.text ?? '').filter((one) => !isCourtesy(one))
  return sentences.at(-1) ?? ''
}

function isTextOrItem({ kind }: Block): boolean {
  return kind === 'text' || kind === 'item'
}
