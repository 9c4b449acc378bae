/**
 * The last turn in full, where `now` has only a part of it: which sentence of a message a reader will need,
 * no form tells. Without a last message, what the agent said between its calls. Pure.
 */

import type { TranscriptEntry } from '../agents/agent-signal.ts'
import type { Block } from '../text/markdown-to-text.ts'
import {
  blocksOf,
  countWords,
  hasWords,
  plainLine,
  sentencesOf,
  shorten,
} from '../text/markdown-to-text.ts'
import { SUMMARY_LIMITS } from '../message/items.ts'
import { isCourtesy, isOffer, isQuestion } from '../message/questions.ts'
import type { Line } from '../message/quote.ts'
import { joined, lengthOf, troubleIn, withGaps } from '../message/quote.ts'
import { wholePrompt } from '../prompt/prompt-line.ts'
import { isFaultReport } from '../prompt/request.ts'
import type { Turn } from '../turn/turns.ts'
import { askedIn, mainTurn, tells, turnsOf } from '../turn/turns.ts'

/** Words that an event has to lack of a turn before it is told in full. */
const MIN_UNTOLD = 8
/** UTF-16 units of the request; of a message that does not stand alone; of code. */
const ASKED = 300
const WHOLE = 700
const SHORT = 300
const MAX_CODE = 200

/** `told`: what the event's other fields say. Undefined where they say it all. */
export function lastTurnLine(
  entries: readonly TranscriptEntry[],
  message: string,
  told: readonly string[],
): string | undefined {
  const turns = turnsOf(entries)
  const turn = mainTurn(turns)
  const end = turn?.entries.findLast(tells)
  const isLast = turn === turns.at(-1) || end?.kind !== 'assistant'
  // Of a very long turn the log's end has no prompt.
  const lines = saidIn(turn?.entries ?? entries, isLast ? message : end.text)
  const untold = lines.filter(({ text }) => !told.some((one) => one.includes(text)))
  if (untold.reduce((sum, { text }) => sum + countWords(text), 0) < MIN_UNTOLD) return undefined
  const asked = turn === undefined ? '' : (askedWhole(turn) ?? askedIn(turn, ASKED) ?? '')
  // A sentence, or a line of output, may begin with a mark.
  return plainLine(`${asked}${headAndTail(lines, SUMMARY_LIMITS.lastTurn - asked.length)}`)
}

/** A request that goes on below its first sentences: no other field has the rest. */
function askedWhole(turn: Turn): string | undefined {
  const line = askedIn(turn, ASKED)
  // The rest of an error says no more.
  if (isFaultReport(turn.prompt.text)) return undefined
  const isQuoted = line?.startsWith('“') === true && !line.includes('” to ')
  const whole = isQuoted ? wholePrompt(turn.prompt.text, WHOLE) : undefined
  return whole && `“${whole}”: `
}

/** The last message; before a short one, or without one, the newest of what was said between calls. */
function saidIn(entries: readonly TranscriptEntry[], message: string): readonly Line[] {
  if (message.length > SHORT) return linesOf(message)
  const words = entries.flatMap((entry) => (entry.kind === 'assistant' ? entry.text.trim() : []))
  const texts = message === '' || words.at(-1) === message.trim() ? words : [...words, message]
  let told: readonly Line[] = []
  for (const text of texts.toReversed()) {
    const longer = [...withoutLead(linesOf(text)), ...told]
    if (told.length > 0 && joined(longer).length > BETWEEN) break
    told = longer
  }
  return told
}

const BETWEEN = 1000

/** `Now the tests:` leads to a call. */
function withoutLead(lines: readonly Line[]): readonly Line[] {
  const last = lines.at(-1)
  return last?.kind !== 'item' && /[:：]$/.test(last?.text ?? '') ? lines.slice(0, -1) : lines
}

/** All that is said: sentences, items, rows of tables, code. What is asked stands among the questions. */
function linesOf(message: string): Line[] {
  const blocks = blocksOf(message)
  return blocks.flatMap((block, i): Line[] => {
    const { kind, text } = block
    switch (kind) {
      case 'heading':
        return [{ kind: 'title', text: /[:：]$/.test(text) ? text : `${text}:` }]
      case 'text':
        return sentencesOf(text)
          .filter((one) => hasWords(one) && !isQuestion(one) && !isCourtesy(one))
          .filter((one) => !isOffer(one) || /[:：]$/.test(one))
          .map((one) => ({ kind: 'text', text: one }))
      case 'code':
      case 'quote':
        return blocks[i - 1]?.kind === kind ? [] : [{ kind: 'item', text: codeFrom(blocks, i) }]
      default:
        return [{ kind: 'item', text }]
    }
  })
}

/** One block of code or output, which begins at `start`. */
function codeFrom(blocks: readonly Block[], start: number): string {
  let code = ''
  const kind = blocks[start]?.kind
  for (let i = start; blocks[i]?.kind === kind && code.length <= MAX_CODE; i += 1) {
    const isSame = /(?:\\|&&|\|)\s*$/.test(code)
    code = `${code.replace(/\s*\\\s*$/, '')}${i === start ? '' : isSame ? ' ' : '; '}${blocks[i]?.text}`
  }
  return `\`${shorten(code, MAX_CODE)}\``
}

/** As much of its beginning and of its end as fits, in whole lines, and what went wrong between them. */
function headAndTail(lines: readonly Line[], max: number): string {
  const whole = joined(lines)
  if (whole.length <= max) return whole
  const trouble = troubleIn(lines, max)
  const most = ((max - lengthOf(trouble)) * 2) / 3
  let start = 0
  while (joined(lines.slice(0, start + 1)).length <= most) start += 1
  if (start === 0) return shorten(whole, max)
  const room = max - lengthOf(trouble) - joined(lines.slice(0, start)).length
  let end = lines.length
  while (lengthOf(lines.slice(end - 1)) <= room) end -= 1
  return withGaps(lines, [...lines.slice(0, start), ...trouble, ...lines.slice(end)])
}
