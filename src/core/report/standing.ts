/** Where things stand when the session ended with a message, in the agent's words. Pure. */

import { countWords, hasWords, plainLine, shorten } from '../text/markdown-to-text.ts'
import { blocksOf } from '../text/message-blocks.ts'
import { announcedIn } from './announced.ts'
import { SUMMARY_LIMITS } from '../message/items.ts'
import { isQuestion } from '../message/questions.ts'
import { statedSteps } from '../message/left.ts'
import { promptLine } from '../prompt/prompt-line.ts'
import { ended } from '../message/lines.ts'
import { quoteOf } from '../message/quote.ts'
import { asksForNewWork } from '../prompt/request.ts'
import { ASKS } from '../prompt/request-kind.ts'
import type { SessionWork } from '../turn/session-work.ts'
import type { Turn } from '../turn/turns.ts'
import { askedIn, outcomeOf, turnsToReport } from '../turn/outcome.ts'
import {
  changedSomething,
  isChore,
  mainTurn,
  isSubstantive,
  turnsOf,
  wasBegun,
} from '../turn/turns.ts'

const PART = 200
const MIN_REPORT = 3
const SHORT = 80

/**
 * Based on the message, followed by the to-do in progress. The list alone may be older than the agent's last
 * words.
 */
export function standing(
  work: SessionWork,
  task: string | undefined,
  message: string,
  questions: readonly string[],
  done: readonly string[],
): string | undefined {
  const inProgress =
    task === undefined || !hasWords(task)
      ? ''
      : ` (in progress on its list: ${shorten(task, PART)})`
  const announcement = questions.length === 0 ? announcedIn(message) : undefined
  const end = `${announcement === undefined ? '' : ` ${STOPPED}: “${shorten(plainLine(announcement), PART)}”`}${inProgress}`
  const rest = message
    .trimEnd()
    .slice(0, announcement === undefined ? undefined : -announcement.length)
  const limit = SUMMARY_LIMITS.now - end.length
  const said = hasWords(rest) ? standingText(work, rest, questions, limit) : undefined
  if (said !== undefined || announcement !== undefined) return `${said ?? ''}${end}`.trim()
  return task ?? (work.commits.length + work.files.length > 0 ? done.at(-1) : undefined)
}

const STOPPED = 'Nothing followed its last words'

function standingText(
  work: SessionWork,
  message: string,
  questions: readonly string[],
  limit: number,
): string | undefined {
  const turns = turnsOf(work.entries)
  const contextual = withContext(work, turns, message, limit)
  if (contextual !== undefined) return contextual
  const [question] = questions
  const shown = blocksOf(message)
  // A table without rows or an empty code block yields no blocks: then the raw message is used.
  const words = [shown.map(({ text }) => text).join(' '), message].map(plainLine).find(hasWords)
  if (question !== undefined) return shorten(`waiting for an answer: ${question}`, limit)
  const before = turnsToReport(turns).findLast((turn) => turn !== turns.at(-1))
  const line = failureOf(turns.at(-1)) ?? (before && outcomeOf(before, PART))
  const isShown = shown.some(({ kind }) => kind !== 'text')
  if (line !== undefined && !isShown) return line
  const last = turns.at(-1)
  const asked = last === undefined || turns.length === 1 ? '' : (askedIn(last) ?? '')
  return words && shorten(`${asked}${words}`, limit)
}

/**
 * The message with its request. If the turn was only an incidental answer and there is room, the line also includes
 * the earlier work, which is where things stand.
 */
function withContext(
  work: SessionWork,
  turns: readonly Turn[],
  message: string,
  limit: number,
): string | undefined {
  const last = turns.at(-1)
  const quote = quoteOf(message, limit)
  if (quote === undefined || !hasWords(quote)) return undefined
  // The goal already says what the first turn was about.
  if (last === undefined || (turns.length === 1 && countWords(quote) > MIN_REPORT)) return quote
  const asked = askedIn(last) ?? ''
  const isAside = !changedSomething(last.entries) || isChore(last)
  const answer = `${asked}${quoteOf(message, limit - asked.length) ?? quote}`
  const said = asked === '' && answer.length < SHORT ? withSubject(answer, work) : answer
  const told = ended(said)
  const room = limit - told.length - BEFORE.length
  const before = isAside ? lastWork(turns, Math.max(room, PART)) : undefined
  if (before === undefined) return said
  if (before.length <= room) return `${told}${BEFORE}${before}`
  // A long answer shares the room with the earlier work, which is what readers look for here.
  const half = Math.floor((limit - BEFORE.length) / 2)
  const short =
    isAsking(last) && !saysWhatIsLeft(message) ? shortened(message, half - asked.length) : undefined
  const main = short && lastWork(turns, limit - BEFORE.length - asked.length - short.length)
  return main === undefined ? said : `${asked}${short}${BEFORE}${main}`
}

/** In whole sentences, with an ellipsis if more follows. */
function shortened(message: string, max: number): string | undefined {
  const quote = quoteOf(message, max - 2)
  return quote === undefined || /[.!?。！？…]["”»’)]?$/.test(quote) ? quote : `${quote} …`
}

/** If so, the answer itself says where things stand. */
function saysWhatIsLeft(message: string): boolean {
  return statedSteps(message).length > 0 || /\b(?:remaining|remains|not yet|still)\b/i.test(message)
}

/** The user only wanted information, and no command was run to find it. */
function isAsking({ prompt, entries }: Turn): boolean {
  const line = promptLine(prompt.text, PART)
  return (ASKS.test(line) || isQuestion(line)) && !wasBegun(entries)
}

/** `Committed and pushed.` says little without the commit's subject. */
function withSubject(said: string, { commits }: SessionWork): string {
  const subject = plainLine(commits.at(-1)?.subject ?? '')
  return !hasWords(subject) || said.includes(subject)
    ? said
    : `${ended(said)} Last commit: ${subject}.`
}

const BEFORE = ' Before that: '

/**
 * The work before the last turn: the turn before trailing chores, else the last turn that changed something. If
 * that turn was stopped, the next one is used. Turns that only talked do not count, because the user may be
 * objecting to them.
 */
export function lastWork(turns: readonly Turn[], max: number): string | undefined {
  const last = turns.at(-1)
  const main = mainTurn(turns)
  if (main !== undefined && main !== last) return outcomeOf(main, max)
  const before = turns.slice(0, -1)
  const at = before.findLastIndex((turn) => changedSomething(turn.entries) || wasTried(turn))
  const later = at === -1 ? [] : before.slice(at)
  return later.flatMap((turn) => outcomeOf(turn, max) ?? []).at(0)
}

/** A new task was requested, begun, and answered. */
function wasTried({ prompt, entries }: Turn): boolean {
  const hasAnswer = entries.findLast(isSubstantive)?.kind === 'assistant'
  return hasAnswer && asksForNewWork(prompt.text) && wasBegun(entries)
}

/** What the turn failed at, if only courtesies follow. */
function failureOf(turn: Turn | undefined): string | undefined {
  const call = turn?.entries.findLast((entry) => entry.kind === 'tool' && entry.label !== undefined)
  if (call?.kind !== 'tool' || call.failed === undefined) return undefined
  return `failed: ${call.label} (${call.failed})`
}
