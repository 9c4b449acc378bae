/**
 * What an agent's last message tells the next agent: where things stand, what it asked, what is left.
 *
 * These are rules about form (fences, lists, question marks), with a few English words where form does
 * not tell; a message in another language loses little.
 */

import type { Block } from '../text/markdown-to-text.ts'
import { blocksOf, sentencesOf, shorten } from '../text/markdown-to-text.ts'

/** Announcing an action is no state, unless the session ended right there. */
const INTENT =
  /^(?:(?:now|okay|ok|great|good|perfect|excellent|first|next|then|so)[,.!:]?\s+)*(?:let me|let us|let’s|let's|i'll|i’ll|i will|i'm going to)\s+(?:now\s+|also\s+|first\s+)?(?=\S)/i

/** `Done.`, `Good point!`: true, but of no use to who was not there. */
const FILLER =
  /^(?:\S+[.!]|(?:good|great|nice|fair) \S+[.!]|all (?:done|set)[.!]|you(?:'|’)re right[.!]|here(?:'s|’s| is| are)\b.*:|.{0,12}\b(?:summary|changes)\b.{0,20}:)$/i

/**
 * Where things stand: the first statements, as many whole sentences as fit. Undefined when the message
 * has none, as when it only asks.
 */
export function headlineOf(message: string, max: number): string | undefined {
  const blocks = blocksOf(message)
  const prose = statements(beforeNextSteps(blocks))
  const news = prose.filter(({ text }) => !INTENT.test(text) && !FILLER.test(text))
  if (news.length > 0) return joined(news, max)
  const plan = prose.find(({ text }) => INTENT.test(text))
  if (plan !== undefined) {
    return shorten(`about to ${plan.text.replace(INTENT, '').replace(/[:.]$/, '')}`, max)
  }
  const rows = blocks.filter(({ kind }) => kind === 'table')
  if (rows.length > 0) return joined(rows, max)
  if (prose.length > 0) return joined(prose, max)
  const other = (['heading', 'quote', 'code'] as const)
    .map((kind) => blocks.find((block) => block.kind === kind))
    .find((block) => block !== undefined)
  return other && shorten(other.text, max)
}

/**
 * Sentences that are no questions. A colon at the very start takes the first quoted line along (`Here is
 * the message:`); one that leads to code or nothing is a full stop.
 */
function statements(blocks: readonly Block[]): Block[] {
  return blocks.flatMap(({ kind, text }, i): Block[] => {
    if (kind !== 'text' && kind !== 'item') return []
    const said = text.endsWith(':') ? `${text.slice(0, -1)}${leadTo(blocks[i + 1], i)}` : text
    const own = sentencesOf(said).filter((sentence) => !isQuestion(sentence))
    return own.map((sentence) => ({ kind, text: sentence }))
  })
}

function leadTo(next: Block | undefined, place: number): string {
  if (next?.kind === 'quote' && place === 0) return `: ${next.text}`
  return next === undefined || next.kind === 'code' || next.kind === 'quote' ? '.' : ':'
}

/** Whole sentences up to `max`; items are parted by semicolons. A colon at the end leads nowhere. */
function joined(all: readonly Block[], max: number): string {
  let taken: Block[] = []
  for (const next of all) {
    const longer = [...taken, next]
    if (lineOf(longer).length > max) break
    taken = longer
  }
  while (taken.length > 1 && taken.at(-1)?.text.endsWith(':') === true) taken = taken.slice(0, -1)
  return (taken.length === 0 ? shorten(all[0]?.text ?? '', max) : lineOf(taken)).replace(/:$/, '')
}

function lineOf(all: readonly Block[]): string {
  return all.reduce((line, { kind, text }, i) => {
    const isList = kind !== 'text' && all[i - 1]?.kind === kind && !/[.!:;]$/.test(line)
    return i === 0 ? text : `${line}${isList ? ';' : ''} ${text}`
  }, '')
}

function isQuestion(sentence: string): boolean {
  return /[?？][)"'”’*]*$/.test(sentence)
}

/** Courtesies at the end of a message that leave nothing open. */
const COURTESY =
  /\b(?:anything else|(?:can|may|could) i (?:help|assist)|would you like (?:me )?to (?:do|work on) (?:next|now)|what(?:'s| is) next|what would you like)\b/i

/** A question this short is about the sentence before it. */
const SHORT = 40

/** The sentences that ask the user something, in their order. */
export function questionsIn(message: string, max: number): string[] {
  const texts = blocksOf(message).filter(({ kind }) => kind === 'text' || kind === 'item')
  return texts.flatMap(({ text }) => {
    const sentences = sentencesOf(text)
    return sentences.flatMap((sentence, i) => {
      if (!isQuestion(sentence) || COURTESY.test(sentence) || sentence.length < 6) return []
      const before = sentence.length < SHORT ? (sentences[i - 1] ?? '') : ''
      const whole = before === '' || isQuestion(before) ? sentence : `${before} ${sentence}`
      return [whole.length <= max ? whole : shorten(sentence, max)]
    })
  })
}

const WHAT_IS_LEFT =
  /^(?:(?:suggested |possible |recommended |remaining )?next steps?|remaining(?: work| tasks| items)?|to[ -]?dos?|still (?:to do|open|missing)|what(?:'s| is) left|not (?:yet )?done|follow[ -]?ups?)\b[^.?!]{0,40}:?$/i

function leftAt(blocks: readonly Block[]): number {
  return blocks.findLastIndex(
    ({ kind, text }) => (kind === 'text' || kind === 'heading') && WHAT_IS_LEFT.test(text),
  )
}

function beforeNextSteps(blocks: readonly Block[]): readonly Block[] {
  const at = leftAt(blocks)
  return at === -1 ? blocks : blocks.slice(0, at)
}

/** The list below a line such as `Next steps:`. */
export function nextStepsIn(message: string): string[] {
  const blocks = blocksOf(message)
  const at = leftAt(blocks)
  if (at === -1) return []
  const after = blocks.slice(at + 1)
  const end = after.findIndex(({ kind }) => !['item', 'code', 'quote'].includes(kind))
  return (end === -1 ? after : after.slice(0, end))
    .filter(({ kind, text }) => kind === 'item' && !isQuestion(text))
    .map(({ text }) => text)
}
