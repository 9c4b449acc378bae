/**
 * An agent's message in its own words: whole sentences from its first news on, and how it ends.
 *
 * Nothing is interpreted. What stands elsewhere in an event is left out (questions, what is left), and so
 * are code, tables and kind words, unless the message says nothing else. Pure.
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

/** `Done.`, `Good point!`, `完了。`: nothing to begin with. */
const MAX_FILLER = 3
const MAX_SIGNS = 5
/** A line with a colon at its end says something by itself with so many words. */
const MIN_LEAD = 6

/** Undefined when the message says nothing, as when it only asks. */
export function quoteOf(message: string, max: number): string | undefined {
  const parts = partsOf(message)
  const told = parts.filter(({ kind }) => kind !== 'left' && kind !== 'asked')
  const saidIn = (isOwn: IsOwn, shown = told) => {
    const said = shown.flatMap((part) => titled(part, linesOf(part, isElsewhere, isOwn)))
    return fromNews(said)
  }
  // What is nested stands where there is room for all.
  const all = saidIn(saysMore)
  // Few words may only lead to a table, which has the news.
  const whole =
    joined(all).length < Math.min(FEW, max / 2) ? saidIn(saysMore, told.map(withRows)) : all
  const said = joined(whole).length <= max ? whole : whole === all ? saidIn(isOwnItem) : whole
  if (said.length > 0) return fitting(said, max)
  const steps = parts.flatMap((part) => linesOf(part, isKind))
  return steps.length > 0 ? fitting(steps, max) : undefined
}

/** UTF-16 units. */
const FEW = 200

/** With the rows of tables that say something, as items. */
function withRows(part: Part): Part {
  const blocks = part.blocks.map((block) => {
    const isRow = block.kind === 'table' && countWords(block.text) >= MIN_ROW
    return isRow ? ({ ...block, kind: 'item' } as const) : block
  })
  return { ...part, blocks }
}

const MIN_ROW = 4

/** Of an answer that is code: its beginning, and how long it is. */
export function codeLine(message: string, max: number): string | undefined {
  const code = blocksOf(message).filter(({ kind }) => kind === 'code')
  const [first] = code
  if (first === undefined) return undefined
  const others = code.length - 1
  const more = others === 0 ? '' : ` and ${others} more ${others === 1 ? 'line' : 'lines'} of code`
  return `\`${shorten(first.text, max - more.length - 2)}\`${more}`
}

function isElsewhere(sentence: string): boolean {
  return isKind(sentence) || isStep(sentence)
}

/** What is no news in any message: questions, courtesies, offers. */
function isKind(sentence: string): boolean {
  return isQuestion(sentence) || isCourtesy(sentence) || /^if you\b/i.test(sentence)
}

type IsOwn = typeof isOwnItem

/** Of a name such as `cli.py` the items below it speak, unless they say what is left. */
function saysMore({ kind, text, isNested }: Block, place: number, blocks: readonly Block[]) {
  const below = blocks[place + 1]
  const isTopic = isNested !== true && below?.isNested === true && isName(text)
  return kind === 'item' && !(isTopic && (LEADS.test(text) || !isElsewhere(below.text)))
}

function isName(text: string): boolean {
  return LEADS.test(text) || countWords(text) <= MAX_FILLER
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
    const sentences = sentencesOf(text)
      .filter((one) => !isLeftOut(one) && hasWords(one))
      .map(plainLine)
    return sentences.flatMap((one, at): Line[] => {
      const isLead = at === sentences.length - 1 && LEADS.test(one)
      const whole = isLead ? ledTo(one, blocks.slice(i + 1)) : one
      return whole === undefined ? [] : [{ kind, text: whole }]
    })
  })
}

/** The item right above a nested one, where it leads to it: `Cloned it into:`. */
function leadTo({ isNested }: Block, above: Block | undefined): string {
  const isLead = isNested === true && above?.kind === 'item' && above.isNested !== true
  return isLead && isName(above.text) ? `${above.text.replace(LEADS, '')}: ` : ''
}

/** An item below a question: it stands with that, as an answer that may be given. */
function isChoice(place: number, blocks: readonly Block[]): boolean {
  const above = blockAbove(blocks, place, ({ kind }) => kind !== 'item')
  return above !== undefined && isQuestion(sentencesOf(above.text).at(-1) ?? '')
}

const LEADS = /[:：]$/
/** `The configuration is:` says nothing without it. */
const ENDS_OPEN = /\b(?:is|are|was|were|ist|sind|est|sont|es|son)\s*[:：]$/i
/** For a shell, not of a program. */
const COMMAND =
  /^(?:\$ )?(?!(?:import|from|const|let|var|def|class|function|return|if|for|while|type|export)\b)[a-z][\w./@-]* [^{}();=]+$/
/** UTF-16 units of a line of code that more follow. */
const MAX_COMMAND = 80

/** With the line of code that it leads to, or the first of them; what leads to more has to say something itself. */
function ledTo(lead: string, after: readonly Block[]): string | undefined {
  const shown = after.findIndex(({ kind }) => kind !== 'code' && kind !== 'quote')
  const [first, ...others] = after.slice(0, shown === -1 ? undefined : shown)
  if (first !== undefined && others.length === 0) return `${lead} \`${first.text}\``
  if (countWords(lead) < MIN_LEAD || ENDS_OPEN.test(lead)) return undefined
  const shows = first !== undefined && COMMAND.test(first.text)
  return shows ? `${lead} \`${shorten(first.text, MAX_COMMAND)}\` …` : `${lead.replace(LEADS, '')}.`
}

function titled({ title }: Part, lines: readonly Line[]): readonly Line[] {
  const isSaid = title === undefined || lines[0]?.text.startsWith(title) === true
  return isSaid || lines.length === 0 ? lines : [{ kind: 'title', text: `${title}:` }, ...lines]
}

function fromNews(lines: readonly Line[]): readonly Line[] {
  const start = lines.findIndex(({ kind, text }) => kind !== 'text' || !isFiller(text))
  return start === -1 ? lines : lines.slice(start)
}

function isFiller(text: string): boolean {
  return countWords(text) <= MAX_FILLER && (/[\0-\xff]{3}/.test(text) || text.length <= MAX_SIGNS)
}

/** As many lines as fit from the start, what went wrong in those that do not, and the last sentence. */
function fitting(lines: readonly Line[], max: number): string {
  const whole = joined(lines)
  if (whole.length <= max) return whole
  const last = lines.at(-1)
  const isEnd = last?.kind === 'text' && countWords(last.text) > MAX_FILLER
  const end = isEnd && last.text.length <= max / 3 ? [last] : []
  const trouble = troubleIn(lines.slice(0, -1), max - lengthOf(end))
  const room = max - lengthOf(end) - lengthOf(trouble)
  const count = countFitting(lines, room)
  const head = lines.slice(0, count)
  const others = [...without(trouble, head), ...end]
  if (joined(head).length >= room / 3) return withGaps(lines, [...head, ...others])
  // Behind little, or nothing, as much of the next line as fits.
  const start = shorten(joined(lines.slice(0, count + 2)), room)
  const behind = joined([...without(trouble, lines.slice(0, count + 1)), ...end])
  return behind === '' ? start : `${start.replace(/…$/, '')}${GAP}${behind}`
}

/** How many lines fit, the last one left out and no title at their end. */
function countFitting(lines: readonly Line[], room: number): number {
  let count = 0
  while (count < lines.length - 1 && joined(lines.slice(0, count + 1)).length <= room) count += 1
  while (count > 0 && lines[count - 1]?.kind === 'title') count -= 1
  return count
}

/** The newest lines that tell what went wrong, in a third of the room, of those that do not fit into its first half. */
export function troubleIn(lines: readonly Line[], max: number): readonly Line[] {
  const tells = ({ kind, text }: Line) =>
    TROUBLE.test(text) && (kind !== 'item' || countWords(text) > MAX_FILLER)
  const left = lines.slice(countFitting(lines, max / 2)).filter(tells)
  let start = left.length
  while (start > 0 && joined(left.slice(start - 1)).length <= max / 3) start -= 1
  return left.slice(start)
}

/** Those that say something else than `told`. */
function without(lines: readonly Line[], told: readonly Line[]): readonly Line[] {
  const texts = new Set(told.map(({ text }) => text))
  return lines.filter(({ text }) => !texts.has(text))
}

/** UTF-16 units that they take behind others. */
export function lengthOf(lines: readonly Line[]): number {
  return lines.length === 0 ? 0 : GAP.length + joined(lines).length
}

/** Those of the lines that are kept, with a sign where some between them are not. */
export function withGaps(lines: readonly Line[], kept: readonly Line[]): string {
  const isKept = new Set(kept)
  const runs = lines.map((line, i) => {
    if (!isKept.has(line) || isKept.has(lines[i - 1] as Line)) return ''
    const end = lines.findIndex((one, at) => at > i && !isKept.has(one))
    return joined(lines.slice(i, end === -1 ? undefined : end))
  })
  return runs.filter((run) => run !== '').join(GAP)
}

const GAP = ' … '

/** What went wrong or was not done, and not what was done against it. */
const TROUBLE =
  /^(?!.*\b(?:fix(?:e[sd])?|resolve[sd]?|handle[sd]?|prevents?|instead|if|when)\b).*(?:(?<!\b(?:no|0|without) )\b(?:fail(?:s|ed|ing|ures?)|blocked|unable to|untested|timed out|(?:could|did|does|can|is|are|was|were|have|has)(?: not|n['’]t)|cannot|not (?:yet|run|tested|verified|committed|pushed|done))\b|失败|无法|尚未|失敗|できません|실패|не (?:удалось|запускал)|échou|fehlgeschlagen)/i

/** Items are parted by semicolons. */
export function joined(lines: readonly Line[]): string {
  return lines.reduce((all, { kind, text }, i) => {
    if (i === 0) return text
    const isEnded = /[.!:;…。！：]["'”’)]?$/.test(all.slice(-2))
    const mark = kind !== 'text' && lines[i - 1]?.kind === kind ? ';' : '.'
    return `${all}${isEnded ? '' : mark} ${text}`
  }, '')
}
