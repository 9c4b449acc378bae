/** Where things stand by an agent's message: its first statements. Pure. */

import type { Block } from '../text/markdown-to-text.ts'
import { hasWords, sentencesOf, shorten } from '../text/markdown-to-text.ts'
import type { Part } from './message-parts.ts'
import { partsOf } from './message-parts.ts'
import { isCourtesy, isQuestion } from './questions.ts'

/** Announcing an action is no state, unless the session ended right there. */
const INTENT =
  /^(?:(?:now|okay|ok|great|good|perfect|excellent|first|next|then|so)[,.!:]?\s+)*(?:let me|let us|let’s|let's|i'll|i’ll|i will|i'm going to)\s+(?:now\s+|also\s+|first\s+)?(?=\S)/i

/** `Done.`, `Good point!`: true, but of no use to who was not there. */
const FILLER =
  /^(?:\S+[.!]|(?:good|great|nice|fair) \S+[.!]|(?:that's|that is) (?:it|all)[.!]|all (?:done|set)[.!]|you(?:'|’)re (?:absolutely )?right[.!]|here(?:'s|’s| is| are)\b.*[:.]|.{0,12}\b(?:summary|changes)\b.{0,20}:|(?:awaiting|waiting for) (?:\w+ )?(?:instructions?|input|orders)[.!]?)$/i

/** Titles that say nothing about what stands below them. */
const PLAIN_TITLE =
  /^(?:summary|changes?(?: made)?|what changed|results?|overview|details?|status|done|completed?|notes?|fix(?:es)?|key .*|the \w+|here.*|.*\bsummary\b.*|\d+[.)].*)$/i

/**
 * Whole statements, as many as fit. Undefined when the message has none, as when it only asks. `reported`:
 * items that stand elsewhere, and here only where the message says nothing else.
 */
export function headlineOf(
  message: string,
  max: number,
  reported: ReadonlySet<string> = new Set(),
): string | undefined {
  const parts = partsOf(message).filter(({ kind }) => kind !== 'left' && kind !== 'asked')
  const blocks = parts.flatMap((part) => part.blocks)
  const prose = parts.flatMap((part) => statements(part, reported))
  const news = prose.filter(({ text }) => !INTENT.test(text) && !isEmpty(text))
  const others = news.filter(({ isReported }) => isReported !== true)
  if (news[0]?.kind === 'text') return joined(others, max)
  if (news.length > 0) return joined(withTitle(news, parts), max)
  const plan = prose.find(({ text }) => INTENT.test(text))
  if (plan !== undefined) {
    return shorten(`about to ${plan.text.replace(INTENT, '').replace(/[:.]$/, '')}`, max)
  }
  const title = parts.find(({ title = '' }) => title !== '' && !PLAIN_TITLE.test(title))?.title
  const rows = blocks.filter(({ kind }) => kind === 'table')
  if (rows.length > 0) return title === undefined ? joined(rows, max) : shorten(title, max)
  if (prose.length > 0) return joined(prose, max)
  const heading = title ?? parts.find((part) => part.title !== undefined)?.title
  if (heading !== undefined) return shorten(heading, max)
  const other = (['quote', 'code'] as const)
    .map((kind) => blocks.find((block) => block.kind === kind))
    .find((block) => block !== undefined)
  return other && shorten(other.text, max)
}

/** The same in a few words: without the lists. */
export function shortHeadlineOf(message: string, max: number): string | undefined {
  const prose = partsOf(message)
    .filter(({ kind }) => kind !== 'left' && kind !== 'asked')
    .flatMap((part) => statements(part, new Set()))
    .filter(({ kind, text }) => kind === 'text' && !INTENT.test(text) && !isEmpty(text))
  return prose.length === 0 ? headlineOf(message, max) : joined(prose, max)
}

function isEmpty(sentence: string): boolean {
  return FILLER.test(sentence) || isCourtesy(sentence) || !hasWords(sentence)
}

/** A list that begins the news says little without its title. */
function withTitle(news: readonly Statement[], parts: readonly Part[]): readonly Statement[] {
  const [first, ...others] = news
  if (first?.kind !== 'item') return news
  const title = parts.find((part) => part.blocks.includes(first.block))?.title
  if (title === undefined || PLAIN_TITLE.test(title) || first.text.startsWith(title)) return news
  return [{ ...first, text: `${title}: ${first.text}` }, ...others]
}

/**
 * Sentences that are no questions. A colon at the very start takes the first quoted line along (`Here is
 * the message:`); one that leads to code or nothing is a full stop.
 */
function statements({ title, blocks }: Part, reported: ReadonlySet<string>): Statement[] {
  return blocks.flatMap((block, i): Statement[] => {
    const { kind, text, isNested } = block
    if (kind !== 'text' && (kind !== 'item' || isNested === true)) return []
    const isFirst = i === 0 && title === undefined
    const said = text.endsWith(':') ? `${text.slice(0, -1)}${leadTo(blocks[i + 1], isFirst)}` : text
    const own = sentencesOf(said).filter((sentence) => !isQuestion(sentence))
    const isReported = kind === 'item' && reported.has((own[0] ?? '').replace(/[.:]$/, ''))
    return own.map((sentence) => ({ kind, text: withoutSign(sentence), block, isReported }))
  })
}

interface Statement {
  readonly kind: Block['kind']
  readonly text: string
  readonly block: Block
  readonly isReported: boolean
}

/** `✅ All green`: the sign is of the screen. */
function withoutSign(sentence: string): string {
  const plain = sentence.replace(/^(?:[\p{Extended_Pictographic}\ufe0f\u20e3]\s*)+(?=\p{L})/u, '')
  return hasWords(plain) ? plain : sentence
}

function leadTo(next: Block | undefined, isFirst: boolean): string {
  if (next?.kind === 'quote' && isFirst) return `: ${next.text}`
  return next === undefined || next.kind === 'code' || next.kind === 'quote' ? '.' : ':'
}

type Line = Pick<Block, 'kind' | 'text'>

/** Whole sentences up to `max`; items are parted by semicolons. A colon at the end leads nowhere. */
function joined(all: readonly Line[], max: number): string {
  let taken: Line[] = []
  for (const next of all) {
    const longer = [...taken, next]
    if (lineOf(longer).length > max) break
    taken = longer
  }
  while (taken.length > 1 && taken.at(-1)?.text.endsWith(':') === true) taken = taken.slice(0, -1)
  return (taken.length === 0 ? shorten(all[0]?.text ?? '', max) : lineOf(taken)).replace(/:$/, '')
}

function lineOf(all: readonly Line[]): string {
  return all.reduce((line, { kind, text }, i) => {
    if (i === 0) return text
    const before = all[i - 1]?.kind
    const mark = /[.!:;…。]$/.test(line) ? '' : kind !== 'text' && before === kind ? ';' : '.'
    return `${line}${mark} ${text}`
  }, '')
}
