/**
 * An agent's message in its own words: whole sentences from the first one on, and the end.
 *
 * Nothing is interpreted. What an event reports elsewhere (questions, remaining work) is left out. Code, tables, and
 * courtesies are left out too, unless the message contains nothing else. Pure.
 */

import type { Block } from '../text/markdown-to-text.ts'
import {
  blocksOf,
  countWords,
  hasWords,
  plainLine,
  sentencesOf,
  shorten,
} from '../text/markdown-to-text.ts'
import { isOwnItem, isStep } from './left.ts'
import type { Part } from './message-parts.ts'
import { blockAbove, partsOf } from './message-parts.ts'
import { isCourtesy, isQuestion } from './questions.ts'

export interface Line {
  readonly kind: 'title' | 'text' | 'item'
  readonly text: string
}

/** Words of a name, as opposed to a sentence. */
const MAX_NAME = 3
/** A line that ends with a colon needs at least this many words to mean something by itself. */
const MIN_LEAD = 6

/** Undefined if the message says nothing, for example if it only asks. */
export function quoteOf(message: string, max: number): string | undefined {
  const parts = partsOf(message).map(withValues)
  const told = parts.filter(({ kind }) => kind !== 'left' && kind !== 'asked')
  const saidIn = (isOwn: IsOwn, shown = told) => {
    return shown.flatMap((part) => withTitle(part, linesOf(part, isReportedElsewhere, isOwn)))
  }
  // Nested items are included if everything fits.
  const all = saidIn(carriesContent)
  // A few words may only introduce a table that contains the news.
  const whole =
    joinLines(all).length < Math.min(FEW, max / 2)
      ? saidIn(carriesContent, told.map(withRows))
      : all
  const said = joinLines(whole).length <= max ? whole : whole === all ? saidIn(isOwnItem) : whole
  if (said.length > 0) return fitting(said, max)
  const steps = parts.flatMap((part) => linesOf(part, isNoNews))
  return steps.length > 0 ? fitting(steps, max) : undefined
}

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

const VALUE = /^(?:`[^`]+`|https?:\/\/\S+)$/

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

/** For an answer that is code: its first line, and how many more there are. */
export function codeLine(message: string, max: number): string | undefined {
  const code = blocksOf(message).filter(({ kind }) => kind === 'code')
  const [first] = code
  if (first === undefined) return undefined
  const others = code.length - 1
  const more = others === 0 ? '' : ` and ${others} more ${others === 1 ? 'line' : 'lines'} of code`
  return `\`${shorten(first.text, max - more.length - 2)}\`${more}`
}

function isReportedElsewhere(sentence: string): boolean {
  return isNoNews(sentence) || isStep(sentence)
}

/** Sentences that are not news in any message: questions, courtesies, offers. */
function isNoNews(sentence: string): boolean {
  return isQuestion(sentence) || isCourtesy(sentence) || /^if you\b/i.test(sentence)
}

type IsOwn = typeof isOwnItem

/** Skips a name such as `cli.py` with nested items, because these carry the content, unless they say what is left. */
function carriesContent({ kind, text, isNested }: Block, place: number, blocks: readonly Block[]) {
  const below = blocks[place + 1]
  const isTopic = isNested !== true && below?.isNested === true && isName(text)
  return (
    kind === 'item' && !(isTopic && (COLON_AT_END.test(text) || !isReportedElsewhere(below.text)))
  )
}

function isName(text: string): boolean {
  return COLON_AT_END.test(text) || countWords(text) <= MAX_NAME
}

function linesOf(
  { blocks }: Part,
  isLeftOut: (sentence: string) => boolean,
  isOwn: IsOwn = isOwnItem,
): Line[] {
  return blocks.flatMap((block, i): Line[] => {
    const { kind, text } = block
    if (kind === 'item') {
      const isSaid = isOwn(block, i, blocks) && !isChoice(i, blocks) && !isLeftOut(text)
      return isSaid ? [{ kind, text: `${leadTo(block, blocks[i - 1])}${text}` }] : []
    }
    if (kind !== 'text') return []
    const said = ({ text }: Block) =>
      sentencesOf(text).filter((one) => !isLeftOut(one) && hasWords(one))
    const next = blocks[i + 1]
    const isFollowed = next?.kind === 'text' && said(next).length > 0
    const sentences = said(block).map(plainLine)
    return sentences.flatMap((one, at): Line[] => {
      const isLead = at === sentences.length - 1 && COLON_AT_END.test(one)
      const whole = isLead && !isFollowed ? withLedCode(one, blocks.slice(i + 1)) : one
      return whole === undefined ? [] : [{ kind, text: whole }]
    })
  })
}

/** The item directly above a nested item, if it introduces it: `Cloned it into:`. */
function leadTo({ isNested }: Block, above: Block | undefined): string {
  const isLead = isNested === true && above?.kind === 'item' && above.isNested !== true
  return isLead && isName(above.text) ? `${above.text.replace(COLON_AT_END, '')}: ` : ''
}

/** An item below a question is a possible answer and is reported with the question. */
function isChoice(place: number, blocks: readonly Block[]): boolean {
  const above = blockAbove(blocks, place, ({ kind }) => kind !== 'item')
  return above !== undefined && isQuestion(sentencesOf(above.text).at(-1) ?? '')
}

const COLON_AT_END = /[:：]$/
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
    ? { kind: 'text', text: `${title}.` }
    : { kind: 'title', text: `${title}:` }
  if (lines.length > 0) return [line, ...lines]
  return isAbove && kind === 'other' && countWords(title) >= MIN_LEAD ? [line] : []
}

/** As many lines from the start as fit, the problems in the rest, and the last sentence. */
function fitting(lines: readonly Line[], max: number): string {
  const whole = joinLines(lines)
  if (whole.length <= max) return whole
  const last = lines.at(-1)
  const isEnd = last?.kind === 'text' && countWords(last.text) > MAX_NAME
  const end = isEnd && last.text.length <= max / 3 ? [last] : []
  const isCut = end.length === 0
  const space = isCut ? max - MORE.length : max - lengthWithGap(end)
  const trouble = troubleIn(lines.slice(0, -1), space)
  const room = space - lengthWithGap(trouble)
  const count = countFitting(lines, room)
  const head = lines.slice(0, count)
  const others = [...linesNotIn(trouble, head), ...end]
  if (joinLines(head).length >= room / 3) {
    return `${withGaps(lines, [...head, ...others])}${isCut ? MORE : ''}`
  }
  // If few or no lines fit, as much of the next line as fits is added.
  const start = shorten(joinLines(lines.slice(0, count + 2)), room)
  const behind = withGaps(lines, [...linesNotIn(trouble, lines.slice(0, count + 1)), ...end])
  return behind === '' ? start : `${start.replace(/…$/, '')}${GAP}${behind}`
}

/** The number of lines that fit, without the last line and without a title or a lead at the end. */
function countFitting(lines: readonly Line[], room: number): number {
  let count = 0
  while (count < lines.length - 1 && joinLines(lines.slice(0, count + 1)).length <= room) count += 1
  while (count > 0 && COLON_AT_END.test(lines[count - 1]?.text ?? '')) count -= 1
  return count
}

/**
 * The newest sentences about problems, in up to a third of the room, among those that do not fit into its first half.
 * An item would need the list that it is from.
 */
export function troubleIn(lines: readonly Line[], max: number): readonly Line[] {
  const isTrouble = ({ kind, text }: Line) =>
    kind === 'text' && text.length <= max / 3 && !COLON_AT_END.test(text) && TROUBLE.test(text)
  const left = lines.slice(countFitting(lines, max / 2)).filter(isTrouble)
  let start = left.length
  while (start > 0 && joinLines(left.slice(start - 1)).length <= max / 3) start -= 1
  return left.slice(start)
}

/** The lines whose texts are not in `told`. */
function linesNotIn(lines: readonly Line[], told: readonly Line[]): readonly Line[] {
  const texts = new Set(told.map(({ text }) => text))
  return lines.filter(({ text }) => !texts.has(text))
}

/** UTF-16 units of these lines when they follow others. */
export function lengthWithGap(lines: readonly Line[]): number {
  return lines.length === 0 ? 0 : GAP.length + joinLines(lines).length
}

/** The kept lines, with an ellipsis wherever lines between them are missing. */
export function withGaps(lines: readonly Line[], kept: readonly Line[]): string {
  const isKept = new Set(kept)
  const runs = lines.map((line, i) => {
    if (!isKept.has(line) || isKept.has(lines[i - 1] as Line)) return ''
    const end = lines.findIndex((one, at) => at > i && !isKept.has(one))
    return joinLines(lines.slice(i, end === -1 ? undefined : end))
  })
  return runs.filter((run) => run !== '').join(GAP)
}

const GAP = ' … '
/** After the last line that fits, if more follow it. */
const MORE = ' …'

/** What went wrong or was not done, except sentences about its remedy. */
const TROUBLE =
  /^(?!.*\b(?:fix(?:e[sd])?|resolve[sd]?|handle[sd]?|prevents?|instead|if|when)\b).*(?:(?<!\b(?:no|0|without) )\b(?:fail(?:s|ed|ing|ures?)|blocked|unable to|untested|timed out|(?:could|did|does|can|is|are|was|were|have|has)(?: not|n['’]t)|cannot|not (?:yet|run|tested|verified|committed|pushed|done))\b|失败|无法|尚未|失敗|できません|실패|не (?:удалось|запускал)|échou|fehlgeschlagen)/i

/** Joins lines as sentences. Consecutive items are separated by semicolons. */
export function joinLines(lines: readonly Line[]): string {
  return lines.reduce((all, { kind, text }, i) => {
    if (i === 0) return text
    const isEnded = /[.!:;…。！：]["'”’)]?$/.test(all.slice(-2))
    const mark = kind !== 'text' && lines[i - 1]?.kind === kind ? ';' : '.'
    return `${all}${isEnded ? '' : mark} ${text}`
  }, '')
}
