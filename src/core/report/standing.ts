/** Where things stand when the session ended on a message: in the agent's words. Pure. */

import { blocksOf, countWords, hasWords, plainLine, shorten } from '../text/markdown-to-text.ts'
import { announcedIn, wasOnlySaid } from './announced.ts'
import { SUMMARY_LIMITS } from '../message/items.ts'
import { isQuestion } from '../message/questions.ts'
import { statedSteps } from '../message/left.ts'
import { isMenu } from '../message/message-parts.ts'
import { promptLine } from '../prompt/prompt-line.ts'
import { quoteOf } from '../message/quote.ts'
import { asksAnew } from '../prompt/request.ts'
import { ASKS } from '../prompt/request-kind.ts'
import type { SessionWork } from '../turn/session-work.ts'
import type { Turn } from '../turn/turns.ts'
import {
  askedIn,
  didSomething,
  isChore,
  mainTurn,
  outcomeOf,
  tells,
  tellingTurns,
  turnsOf,
  wasBegun,
} from '../turn/turns.ts'

const PART = 200
const MIN_REPORT = 3
const SHORT = 80

/** By the message, with the to-do in hand behind it: the list alone may be older than what was said last. */
export function standing(
  work: SessionWork,
  task: string | undefined,
  message: string,
  questions: readonly string[],
  done: readonly string[],
): string | undefined {
  const hand =
    task === undefined || !hasWords(task)
      ? ''
      : ` (in progress on its list: ${shorten(task, PART)})`
  const stop = questions.length === 0 ? announcedIn(message) : undefined
  const only = stop === undefined && questions.length === 0 && wasOnlySaid(work) ? ONLY_SAID : ''
  const end = `${stop === undefined ? '' : ` ${STOPPED}: “${shorten(plainLine(stop), PART)}”`}${hand}`
  const rest = message.trimEnd().slice(0, stop === undefined ? undefined : -stop.length)
  const limit = SUMMARY_LIMITS.now - end.length - only.length
  const said = hasWords(rest) ? byWords(work, rest, questions, limit) : undefined
  // Kind words are no answer: then it is told what was done before them.
  const own = quoteOf(rest, PART)?.slice(0, MIN_OWN) ?? ''
  const mark = own !== '' && said?.includes(own) === true ? only : ''
  if (said !== undefined || stop !== undefined) return `${said ?? ''}${mark}${end}`.trim()
  return task ?? (work.commits.length + work.files.length > 0 ? done.at(-1) : undefined)
}

const STOPPED = 'Nothing followed its last words'
const ONLY_SAID = ' (only said: no file was changed for it, and no command run)'

/** UTF-16 units by which its own words are known. */
const MIN_OWN = 20

function byWords(
  work: SessionWork,
  message: string,
  questions: readonly string[],
  limit: number,
): string | undefined {
  const turns = turnsOf(work.entries)
  const told = withContext(work, turns, message, limit)
  if (told !== undefined) return told
  const [question] = questions
  const shown = blocksOf(message)
  const words = [shown.map(({ text }) => text).join(' '), message].map(plainLine).find(hasWords)
  if (question !== undefined) return shorten(`waiting for an answer: ${question}`, limit)
  const before = tellingTurns(turns).findLast((turn) => turn !== turns.at(-1))
  const line = failureOf(turns.at(-1)) ?? (before && outcomeOf(before, PART))
  const isShown = shown.some(({ kind }) => kind !== 'text')
  if (line !== undefined && !isShown) return line
  const last = turns.at(-1)
  const asked = last === undefined || turns.length === 1 ? '' : (askedIn(last) ?? '')
  // Of a table or code that has a beginning only nothing is shown.
  return words && shorten(`${asked}${words}`, limit)
}

/** With what was asked; an answer aside that leaves room also with the work before it, where things stand. */
function withContext(
  work: SessionWork,
  turns: readonly Turn[],
  message: string,
  limit: number,
): string | undefined {
  const last = turns.at(-1)
  if (isMenu(message)) return atMenu(turns, limit)
  const quote = quoteOf(message, limit)
  if (quote === undefined || !hasWords(quote)) return undefined
  // What the first turn was about is the goal, too.
  if (last === undefined || (turns.length === 1 && countWords(quote) > MIN_REPORT)) return quote
  const asked = askedIn(last) ?? ''
  const isBeside = !didSomething(last.entries) || isChore(last)
  const answer = `${asked}${quoteOf(message, limit - asked.length) ?? quote}`
  const said = asked === '' && answer.length < SHORT ? withSubject(answer, work) : answer
  const room = limit - said.length - BEFORE.length
  const before = isBeside ? lastWork(turns, Math.max(room, PART)) : undefined
  if (before === undefined) return said
  if (before.length <= room) return `${said}${BEFORE}${before}`
  // A long answer shares the room: where the work stands is what it is asked for.
  const half = Math.floor((limit - BEFORE.length) / 2)
  const short =
    isAsking(last) && !saysWhatIsLeft(message) ? shortened(message, half - asked.length) : undefined
  const main = short && lastWork(turns, limit - BEFORE.length - asked.length - short.length)
  return main === undefined ? said : `${asked}${short}${BEFORE}${main}`
}

/** Of a menu, as a command shows one, nothing is news; where things stand is what was done before. */
function atMenu(turns: readonly Turn[], limit: number): string {
  const before = lastWork(turns, limit - AT_MENU.length - BEFORE.length)
  return before === undefined ? AT_MENU : `${AT_MENU}${BEFORE}${before}`
}

const AT_MENU = 'Waiting for a choice from a menu.'

/** In whole sentences, and with a sign where more follows. */
function shortened(message: string, max: number): string | undefined {
  const quote = quoteOf(message, max - 2)
  return quote === undefined || /[.!?。！？…]["”»’)]?$/.test(quote) ? quote : `${quote} …`
}

/** Then the answer is where things stand. */
function saysWhatIsLeft(message: string): boolean {
  return statedSteps(message).length > 0 || /\b(?:remaining|remains|not yet|still)\b/i.test(message)
}

/** Only to know something: nothing was looked into for it with a command. */
function isAsking({ prompt, entries }: Turn): boolean {
  const line = promptLine(prompt.text, PART)
  return (ASKS.test(line) || isQuestion(line)) && !wasBegun(entries)
}

/** `Committed and pushed.` says little without what. */
function withSubject(said: string, { commits }: SessionWork): string {
  const subject = plainLine(commits.at(-1)?.subject ?? '')
  return !hasWords(subject) || said.includes(subject)
    ? said
    : `${said.replace(/[.!。]$/, '')}: ${subject}.`
}

const BEFORE = ' Before that: '

/**
 * Of the turns before the last one: that before its chores, else the last that changed something; of a stopped one
 * what the next says. None before that: what was only said may be what the user speaks against.
 */
export function lastWork(turns: readonly Turn[], max: number): string | undefined {
  const last = turns.at(-1)
  const main = mainTurn(turns)
  if (main !== undefined && main !== last) return outcomeOf(main, max)
  const before = turns.slice(0, -1)
  const at = before.findLastIndex((turn) => didSomething(turn.entries) || wasTried(turn))
  const later = at === -1 ? [] : before.slice(at)
  return later.flatMap((turn) => outcomeOf(turn, max) ?? []).at(0)
}

/** Another task was asked for and answered, and nothing came of it. */
function wasTried({ prompt, entries }: Turn): boolean {
  const hasAnswer = entries.findLast(tells)?.kind === 'assistant'
  return hasAnswer && asksAnew(prompt.text) && wasBegun(entries)
}

/** What a turn failed at, where only kind words follow. */
function failureOf(turn: Turn | undefined): string | undefined {
  const call = turn?.entries.findLast((entry) => entry.kind === 'tool' && entry.label !== undefined)
  if (call?.kind !== 'tool' || call.failed === undefined) return undefined
  return `failed: ${call.label} (${call.failed})`
}
