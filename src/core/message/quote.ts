/**
 * An agent's message in its own words: whole sentences from the first one on, and the end.
 *
 * Nothing is interpreted. What an event reports elsewhere (questions, remaining work) is left out. Code, tables, and
 * courtesies are left out too, unless the message contains nothing else. Pure.
 */

import type { Block } from '../text/message-blocks.ts'
import { countWords, plainLine, sentencesOf, shorten } from '../text/markdown-to-text.ts'
import { isStep, ownItems, VALUE } from './left.ts'
import type { Line } from './lines.ts'
import { COLON_AT_END, ended, fitting, isDetail, joinLines, MAX_NAME } from './lines.ts'
import type { Part } from './message-parts.ts'
import { fromAbove, partsOf } from './message-parts.ts'
import { asksIn, isCourtesy, isQuestion, keptSentences } from './questions.ts'

/** A line that ends with a colon needs at least this many words to mean something by itself. */
const MIN_LEAD = 6

/**
 * Undefined if the message says nothing, for example if it only asks. `isEarlier`: the user went on since, so nothing
 * else of the event reports what the message left undone. Its proposals for the next turns are still left out.
 */
export function quoteOf(message: string, max: number, isEarlier = false): string | undefined {
  const parts = partsOf(message).map(withValues)
  const told = parts.filter(
    ({ kind, title = '' }) =>
      (kind === 'other' && !(isEarlier && OFFERS.test(title))) ||
      (kind === 'left' && isEarlier && !PROPOSES.test(title)),
  )
  const isAsked = asksIn(message)
  const isNone = (sentence: string) => isAsked(sentence) || isNoNews(sentence)
  const isLeftOut = (sentence: string) =>
    isNone(sentence) || ((!isEarlier || PROPOSES.test(sentence)) && isStep(sentence))
  const saidIn = (itemsIn: ItemsIn, shown = told) => {
    return shown.flatMap((part) => withTitle(part, linesOf(part, isLeftOut, itemsIn)))
  }
  // Nested items are included if everything fits.
  const all = saidIn(contentItems)
  // A few words may only introduce a table that contains the news.
  const whole =
    joinLines(all).length < Math.min(FEW, max / 2) ? saidIn(contentItems, told.map(withRows)) : all
  const said = joinLines(whole).length <= max ? whole : whole === all ? saidIn(ownItems) : whole
  if (said.length > 0) return fitting(said, max)
  const steps = parts.flatMap((part) => linesOf(part, isNone))
  return steps.length > 0 ? fitting(steps, max) : undefined
}

const PROPOSES =
  /^\W*(?:\w+ ){0,2}next\b|^ready\b|^(?:les )?prochaines?\b|^próxim|^siguientes?\b|^nächste|^prossim|^следующ|^下一步|^次の|^다음/i

/** A title: `If you want, I can:` */
const OFFERS = /^if you(?:['’]d)? (?:want|wish|like|prefer)\b/i

/** `Pushed commit:` and the code or address alone on the next line are one text. */
function withValues(part: Part): Part {
  const blocks: Block[] = []
  for (const block of part.blocks) {
    const lead = blocks.at(-1)
    const isLed = lead?.kind === 'text' && block.kind === 'text' && COLON_AT_END.test(lead.text)
    if (isLed && VALUE.test(block.text)) {
      blocks[blocks.length - 1] = { ...lead, text: `${lead.text} ${block.text}` }
    } else blocks.push(block)
  }
  return { ...part, blocks }
}

/** UTF-16 units below which a message counts as a few words. */
const FEW = 200

/** Turns informative table rows into items. */
function withRows(part: Part): Part {
  const blocks = part.blocks.map((block) => {
    const isRow = block.kind === 'table' && countWords(block.text) >= MIN_ROW
    return isRow ? ({ ...block, kind: 'item' } as const) : block
  })
  return { ...part, blocks }
}

const MIN_ROW = 4

/** Sentences that are not news in any message: courtesies, offers. */
function isNoNews(sentence: string): boolean {
  return isCourtesy(sentence) || /^if you\b/i.test(sentence)
}

type ItemsIn = typeof ownItems

/** Skips a name such as `cli.py` with nested items, because these carry the content, unless they say what is left. */
function contentItems(blocks: readonly Block[]): boolean[] {
  return blocks.map(({ kind, text, isNested }, i) => {
    const below = blocks[i + 1]
    const isTopic = isNested !== true && below?.isNested === true && isName(text)
    return (
      kind === 'item' &&
      !(isTopic && (COLON_AT_END.test(text) || !(isNoNews(below.text) || isStep(below.text))))
    )
  })
}

function isName(text: string): boolean {
  return COLON_AT_END.test(text) || countWords(text) <= MAX_NAME
}

function linesOf(
  { blocks }: Part,
  isLeftOut: (sentence: string) => boolean,
  itemsIn: ItemsIn = ownItems,
): Line[] {
  const [items, choices] = [itemsIn(blocks), choicesIn(blocks)]
  return blocks.flatMap((block, i): Line[] => {
    const { kind, text } = block
    if (kind === 'item') {
      const isSaid = items[i] === true && choices[i] !== true && !isLeftOut(text)
      return isSaid ? [{ kind, text: `${leadTo(block, blocks[i - 1])}${text}` }] : []
    }
    if (kind !== 'text') return []
    const said = ({ text }: Block) => keptSentences(text, isLeftOut)
    const next = blocks[i + 1]
    const isFollowed = next?.kind === 'text' && said(next).length > 0
    const sentences = said(block).map(plainLine)
    return sentences.flatMap((one, at): Line[] => {
      const isLead = at === sentences.length - 1 && COLON_AT_END.test(one)
      const whole = isLead && !isFollowed ? withLedCode(one, blocks.slice(i + 1)) : one
      return whole === undefined ? [] : [{ kind, text: whole, isDetail: isDetail(sentences, at) }]
    })
  })
}

/** The item directly above a nested item, if it introduces it: `Cloned it into:`. */
function leadTo({ isNested }: Block, above: Block | undefined): string {
  const isLead = isNested === true && above?.kind === 'item' && above.isNested !== true
  return isLead && isName(above.text) ? `${above.text.replace(COLON_AT_END, '')}: ` : ''
}

/** An item below a question is a possible answer and is reported with the question. */
function choicesIn(blocks: readonly Block[]): (boolean | undefined)[] {
  const asks = ({ text }: Block) => isQuestion(sentencesOf(text).at(-1) ?? '')
  return fromAbove(blocks, ({ kind }) => kind !== 'item', asks)
}

/** `The configuration is:` says nothing without its continuation. */
const ENDS_OPEN = /\b(?:is|are|was|were|ist|sind|est|sont|es|son)\s*[:：]$/i
/** A shell command, as opposed to program code. */
const COMMAND =
  /^(?:\$ )?(?!(?:import|from|const|let|var|def|class|function|return|if|for|while|type|export)\b)[a-z][\w./@-]* [^{}();=]+$/
/** UTF-16 units of a line of code that is followed by more. */
const MAX_COMMAND = 80

/**
 * A lead with the line of code that it introduces, or the first of several. If it introduces anything else, it must
 * mean something by itself.
 */
function withLedCode(lead: string, after: readonly Block[]): string | undefined {
  const shown = after.findIndex(({ kind }) => kind !== 'code' && kind !== 'quote')
  const [first, ...others] = after.slice(0, shown === -1 ? undefined : shown)
  if (first !== undefined && others.length === 0) return `${lead} \`${first.text}\``
  if (countWords(lead) < MIN_LEAD || ENDS_OPEN.test(lead)) return undefined
  const shows = first !== undefined && COMMAND.test(first.text)
  return shows
    ? `${lead} \`${shorten(first.text, MAX_COMMAND)}\` …`
    : `${lead.replace(COLON_AT_END, '')}.`
}

/** A title above a table or code, which is left out, introduces nothing. Alone, it must mean something by itself. */
function withTitle({ kind, title, blocks }: Part, lines: readonly Line[]): readonly Line[] {
  if (title === undefined || lines[0]?.text.startsWith(title) === true) return lines
  const isAbove = ['table', 'code', 'quote'].includes(blocks[0]?.kind ?? '')
  const line: Line = isAbove
    ? { kind: 'text', text: ended(title) }
    : { kind: 'title', text: `${title}:` }
  if (lines.length > 0) return [line, ...lines]
  return isAbove && kind === 'other' && countWords(title) >= MIN_LEAD ? [line] : []
}
