/** Where things stand by an agent's message: its first statements. Pure. */

import type { Block } from '../text/markdown-to-text.ts'
import { countWords, hasWords, sentencesOf, shorten } from '../text/markdown-to-text.ts'
import type { Part } from './message-parts.ts'
import { partsOf } from './message-parts.ts'
import { isCourtesy, isQuestion } from './questions.ts'

/** Announcing an action is no state, unless the session ended right there. */
const INTENT =
  /^(?:(?:now|okay|ok|great|good|perfect|excellent|first|next|then|so)[,.!:]?\s+)*(?:let me|let us|let’s|let's|i'll|i’ll|i will|i'm going to)\s+(?:now\s+|also\s+|first\s+)?(?=\S)/i

/** `Done.`, `Good point!`: true, but of no use to who was not there. */
const FILLER =
  /^(?:\S+[.!]|(?:good|great|nice|fair) \S+[.!]|(?:that's|that is) (?:it|all)[.!]|all (?:done|set)[.!]|you(?:'|’)re (?:absolutely )?right[.!]|here(?:'s|’s| is| are)\b.*[:.]|.{0,12}\b(?:summary|changes)\b.{0,20}:|(?:awaiting|waiting for) (?:\w+ )?(?:instructions?|input|orders)[.!]?|(?:ah,? )?(?:got it|understood|makes sense|fair enough|will do)\b[^.!]{0,40}[.!])$/i

/** So does a turn's end without a word on what it was. */
const BARE_REPORT =
  /^(?:(?:i(?:'ve|’ve| have) )?(?:successfully )?(?:completed|finished) (?:the|this|your|all(?: of)?(?: the)?) (?:requested )?(?:tasks?|requests?|work|steps?|changes?)|(?:the |all |your )*(?:\w+ )?(?:tasks?|requests?|changes?|fix|correction|clarification)(?: is| are| has been| have been| was| were)?(?: now)? (?:complete[d]?|done|fulfilled|finished|committed|applied|made|pushed|saved)|(?:pushed|committed)(?: the)? changes(?: to \S+)?|j['’]ai (?:terminé|fini) (?:la|cette|les|ces) (?:tâche|modification)s?|la correction a été appliquée)(?: \([^)]*\))?[.!]?$/i

/** What the user may do, or get. */
const OFFER = /^if (?:you|possible)\b/i

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
  const prose = parts.flatMap((part) => statements(part, reported))
  const news = prose.filter(({ text }) => !INTENT.test(text) && !isEmpty(text))
  const others = news.filter(({ isReported }) => isReported !== true)
  if (news[0]?.kind === 'text') return joined(others, max)
  if (news.length > 0) return joined(ofOneList(news), max)
  const plan = prose.find(({ text }) => INTENT.test(text))
  if (plan !== undefined) {
    return shorten(`about to ${plan.text.replace(INTENT, '').replace(/[:.]$/, '')}`, max)
  }
  const title = parts.find(({ title = '' }) => title !== '' && !PLAIN_TITLE.test(title))?.title
  const rows = parts.flatMap(({ blocks }) => blocks).filter(({ kind }) => kind === 'table')
  if (prose.length > 0 && rows.length === 0) return undefined
  if (title !== undefined) return shorten(title, max)
  return rows.length === 0 ? undefined : joined(rows, max)
}

/** The same in a few words: without the lists. */
export function shortHeadlineOf(message: string, max: number): string | undefined {
  const prose = newsIn(message).filter(({ kind }) => kind === 'text')
  return prose.length === 0 ? headlineOf(message, max) : joined(prose, max)
}

/** Statements without announcements, kind words and what is left. */
export function newsIn(message: string): Statement[] {
  return partsOf(message)
    .filter(({ kind }) => kind !== 'left' && kind !== 'asked')
    .flatMap((part) => statements(part, new Set()))
    .filter(({ text }) => !INTENT.test(text) && !isEmpty(text))
}

function isEmpty(sentence: string): boolean {
  const isBare = [FILLER, BARE_REPORT, OFFER].some((pattern) => pattern.test(sentence))
  return isBare || isCourtesy(sentence) || !hasWords(sentence)
}

/** A list that begins the news says little without its title, and the items of another one nothing. */
export function ofOneList(news: readonly Statement[]): readonly Statement[] {
  const [first] = news
  if (first === undefined) return news
  const [, ...others] = news.filter(({ kind, part }) => kind === 'text' || part === first.part)
  const { title } = first.part
  if (title === undefined || PLAIN_TITLE.test(title) || first.text.startsWith(title)) {
    return [first, ...others]
  }
  return [{ ...first, text: `${title}: ${first.text}` }, ...others]
}

/** Sentences that are no questions. */
function statements(part: Part, reported: ReadonlySet<string>): Statement[] {
  const { blocks } = part
  return blocks.flatMap((block, i): Statement[] => {
    const { kind, text, isNested } = block
    if (kind !== 'text' && (kind !== 'item' || isNested === true)) return []
    const all = sentencesOf(text)
    const left = all.findIndex((sentence) => LEFT.test(sentence))
    const own = all.slice(0, left === -1 ? undefined : left).filter((one) => !isQuestion(one))
    const last = own.at(-1)
    if (last !== undefined && LEADS.test(last)) {
      own.splice(-1, 1, ...ledTo(last, blocks[i + 1]))
    }
    const isReported = kind === 'item' && reported.has((own[0] ?? '').replace(/[.:]$/, ''))
    return own.map((sentence) => ({ kind, text: withoutSign(sentence), part, isReported }))
  })
}

export interface Statement {
  readonly kind: Block['kind']
  readonly text: string
  readonly part: Part
  readonly isReported: boolean
}

/** `✅ All green`: the sign is of the screen. */
function withoutSign(sentence: string): string {
  const plain = sentence.replace(/^(?:[\p{Extended_Pictographic}\ufe0f\u20e3]\s*)+(?=\p{L})/u, '')
  return hasWords(plain) ? plain : sentence
}

export const LEADS = /[:：]$/

/** What follows is left to do, and stands elsewhere. */
const LEFT = /^(?:next|remaining|follow[- ]?ups?|to-?dos?)\b[^.:]{0,20}:/i

/** A line that says something even without what it leads to has so many words, or one of these. */
const STATEMENT = 6
const SAYS = /^(?:i|we|it|let)\b|\b\p{L}+ed\b/iu

/** A line with a colon at its end leads to a list; to what does not follow here, such as a table, nowhere. */
function ledTo(line: string, next: Block | undefined): string[] {
  if (next?.kind === 'item' && next.isNested !== true) return [line]
  const words = line.replace(LEADS, '')
  return countWords(words) < STATEMENT && !SAYS.test(words) ? [] : [`${words}.`]
}

type Line = Pick<Block, 'kind' | 'text'>

/** Whole sentences up to `max`, and of one behind little as much as fits; items are parted by semicolons. */
export function joined(all: readonly Line[], max: number): string {
  let taken: Line[] = []
  for (const next of all) {
    const longer = [...taken, next]
    if (lineOf(longer).length > max) {
      const room = max - lineOf(taken).length - 2
      if (room > max * 0.7) taken.push({ ...next, text: shorten(next.text, room) })
      break
    }
    taken = longer
  }
  while (taken.length > 1 && LEADS.test(taken.at(-1)?.text ?? '')) taken = taken.slice(0, -1)
  return (taken.length === 0 ? shorten(all[0]?.text ?? '', max) : lineOf(taken)).replace(LEADS, '')
}

function lineOf(all: readonly Line[]): string {
  return all.reduce((line, { kind, text }, i) => {
    if (i === 0) return text
    const before = all[i - 1]?.kind
    const mark = /[.!:;…。！：]["'”’)]?$/.test(line)
      ? ''
      : kind !== 'text' && before === kind
        ? ';'
        : '.'
    return `${line}${mark} ${text}`
  }, '')
}
