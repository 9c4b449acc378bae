/**
 * The last turn in full, if `now` contains only part of it. Form does not tell which sentence of a message a
 * reader will need. Without a last message, this is what the agent said between its calls. Pure.
 */

import type { TranscriptEntry } from '../agents/agent-signal.ts'
import type { Block } from '../text/message-blocks.ts'
import { countWords, plainLine, sentencesOf, shorten } from '../text/markdown-to-text.ts'
import { blocksOf } from '../text/message-blocks.ts'
import { SUMMARY_LIMITS } from '../message/items.ts'
import { asksIn, isCourtesy, isOffer, keptSentences } from '../message/questions.ts'
import type { Line } from '../message/lines.ts'
import {
  isDetail,
  joinLines,
  lengthWithGap,
  outline,
  troubleIn,
  withGaps,
} from '../message/lines.ts'
import { wholePrompt } from '../prompt/prompt-line.ts'
import { isFaultReport } from '../prompt/request.ts'
import type { Turn } from '../turn/turns.ts'
import { askedIn, labelOf } from '../turn/outcome.ts'
import { mainTurn, isSubstantive, turnsOf } from '../turn/turns.ts'

/** The turn is reported in full only if the event lacks at least this many of its words. */
const MIN_UNREPORTED = 8
/** UTF-16 units: of the request, of the whole prompt, of a message that needs context, and of code. */
const ASKED = 300
const MAX_REQUEST = 700
const SHORT = 300
const MAX_CODE = 200

/** `reported`: what the event's other fields say. Undefined if they say everything. */
export function lastTurnLine(
  entries: readonly TranscriptEntry[],
  message: string,
  reported: readonly string[],
): string | undefined {
  const turns = turnsOf(entries)
  const turn = mainTurn(turns)
  const end = turn?.entries.findLast(isSubstantive)
  const isLast = turn === turns.at(-1) || end?.kind !== 'assistant'
  // If the turn is very long, the end of the log may not include its prompt.
  const lines = linesToReport(turn?.entries ?? entries, isLast ? message : end.text)
  const unreported = lines.filter(
    ({ kind, text }) => kind !== 'title' && !reported.some((one) => one.includes(text)),
  )
  if (unreported.reduce((sum, { text }) => sum + countWords(text), 0) < MIN_UNREPORTED)
    return undefined
  const asked = turn === undefined ? '' : (wholeRequest(turn) ?? labelOf(turn, ASKED) ?? '')
  // Strips list or heading marks: a sentence or a line of output may begin with one.
  return plainLine(`${asked}${shownOf(lines, SUMMARY_LIMITS.lastTurn - asked.length)}`)
}

/** The whole request, if it goes on after its first sentences: no other field has the rest. */
function wholeRequest(turn: Turn): string | undefined {
  const line = askedIn(turn, ASKED)
  // The rest of an error message adds nothing.
  if (isFaultReport(turn.prompt.text)) return undefined
  const isQuoted = line?.startsWith('“') === true && !line.includes('” to ')
  const whole = isQuoted ? wholePrompt(turn.prompt.text, MAX_REQUEST) : undefined
  return whole && `“${whole}”: `
}

/** The last message. If it is short or missing, the agent's newest words between calls come first. */
function linesToReport(entries: readonly TranscriptEntry[], message: string): readonly Line[] {
  if (message.length > SHORT) return linesOf(message)
  const words = entries.flatMap((entry) => (entry.kind === 'assistant' ? entry.text.trim() : []))
  const texts = message === '' || words.at(-1) === message.trim() ? words : [...words, message]
  let reported: readonly Line[] = []
  for (const text of texts.toReversed()) {
    const longer = [...withoutLead(linesOf(text)), ...reported]
    if (reported.length > 0 && joinLines(longer).length > MAX_BETWEEN) break
    reported = longer
  }
  return reported
}

const MAX_BETWEEN = 1000

/** Drops a line such as `Now the tests:`, which only introduces a call. */
function withoutLead(lines: readonly Line[]): readonly Line[] {
  const last = lines.at(-1)
  return last?.kind !== 'item' && /[:：]$/.test(last?.text ?? '') ? lines.slice(0, -1) : lines
}

/**
 * Everything the message says: sentences, items, table rows, code. Open questions at the end of a paragraph are left
 * out because the event lists them separately.
 */
function linesOf(message: string): Line[] {
  const blocks = blocksOf(message)
  const isAsked = asksIn(message)
  const isLeftOut = (one: string) =>
    isAsked(one) || isCourtesy(one) || (isOffer(one) && !/[:：]$/.test(one))
  return blocks.flatMap((block, i): Line[] => {
    const { kind, text } = block
    switch (kind) {
      case 'heading':
        return [{ kind: 'title', text: /[:：]$/.test(text) ? text : `${text}:` }]
      case 'text':
        return keptSentences(text, isLeftOut).map((one, at, all) => ({
          kind: 'text',
          text: one,
          isDetail: isDetail(all, at),
        }))
      case 'code':
      case 'quote':
        return blocks[i - 1]?.kind === kind ? [] : [{ kind: 'item', text: codeFrom(blocks, i) }]
      default: {
        const [first = text, ...others] = sentencesOf(text)
        const details = others.map((one) => ({ kind: 'text', text: one, isDetail: true }) as const)
        const item = { kind: 'item', text: first, isDetail: block.isNested === true } as const
        return [...headerOf(block), item, ...details]
      }
    }
  })
}

function headerOf({ header }: Block): Line[] {
  return header === undefined ? [] : [{ kind: 'title', text: `${header}:`, isDetail: true }]
}

/** The block of code or output that begins at `start`. */
function codeFrom(blocks: readonly Block[], start: number): string {
  let code = ''
  const kind = blocks[start]?.kind
  for (let i = start; blocks[i]?.kind === kind && code.length <= MAX_CODE; i += 1) {
    const isSame = /(?:\\|&&|\|)\s*$/.test(code)
    code = `${code.replace(/\s*\\\s*$/, '')}${i === start ? '' : isSame ? ' ' : '; '}${blocks[i]?.text}`
  }
  return `\`${shorten(code, MAX_CODE)}\``
}

function shownOf(lines: readonly Line[], max: number): string {
  const whole = joinLines(lines)
  return whole.length <= max ? whole : (outline(lines, max) ?? headAndTail(lines, max, whole))
}

/** As many whole lines from the beginning and the end as fit, and the problems reported in between. */
function headAndTail(lines: readonly Line[], max: number, whole: string): string {
  const trouble = troubleIn(lines, max)
  const most = ((max - lengthWithGap(trouble)) * 2) / 3
  let start = 0
  while (joinLines(lines.slice(0, start + 1)).length <= most) start += 1
  if (start === 0) return shorten(whole, max)
  const room = max - lengthWithGap(trouble) - joinLines(lines.slice(0, start)).length
  let end = lines.length
  while (lengthWithGap(lines.slice(end - 1)) <= room) end -= 1
  return withGaps(lines, [...lines.slice(0, start), ...trouble, ...lines.slice(end)])
}
