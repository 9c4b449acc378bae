/** A turn as one line: what was asked, and what the agent said or changed for it. Pure. */

import type { TranscriptEntry } from '../agents/agent-signal.ts'
import { countWords, hasWords } from '../text/markdown-to-text.ts'
import { fileNames } from './changed-files.ts'
import { ended } from '../message/lines.ts'
import { quoteOf } from '../message/quote.ts'
import { questionsIn } from '../message/questions.ts'
import { replyLine } from './reply.ts'
import { promptLine } from '../prompt/prompt-line.ts'
import { isAgreement, requestIn, wordsIn } from '../prompt/request.ts'
import type { Turn } from './turns.ts'
import {
  addsTo,
  ASKED,
  changedSomething,
  isNewVersion,
  isStopped,
  isSubstantive,
  MAX_BARE,
  MAX_RESUMED,
  resumedBy,
  sharesAnswer,
} from './turns.ts'

/** Turns that changed something. If none did, turns with an answer. */
export function turnsToReport(turns: readonly Turn[]): readonly Turn[] {
  const changed = turns.filter(({ entries }) => changedSomething(entries))
  if (changed.length > 0) return changed
  return turns.filter((turn) => {
    return requestIn(turn.prompt.text, ASKED) !== undefined || askedIn(turn) !== undefined
  })
}

/**
 * The request and its outcome: the agent's last words. For a turn without them, the files it changed and how it
 * ended.
 */
export function outcomeOf(turn: Turn, max: number, isEarlier = false): string | undefined {
  const { entries } = turn
  const last = entries.findLast(isSubstantive)
  if (last?.kind === 'assistant') {
    const label = labelOf(turn) ?? ''
    const said = quoteOf(last.text, max - label.length, isEarlier)
    return said === undefined ? undefined : `${label}${said}`
  }
  const asked = askedIn(turn) ?? ''
  if (asked === '') return undefined
  const files = fileNames(entries)
  const end = files === undefined ? endAfterCall(turn) : `changed ${files}, ${howItEnded(turn)}`
  const words = lastWordsIn(turn, max - asked.length - end.length)
  if (words === undefined) {
    return files !== undefined || isStopped(turn) ? `${asked}${end}` : undefined
  }
  const deed = isStopped(turn) ? end : files && `changed ${files}`
  return `${asked}“${words}”${deed === undefined ? '' : `; ${deed}`}`
}

/**
 * What was asked, or the prompt's own words: without any, the answer would seem to belong to the turn before. Words of
 * agreement follow the request before them.
 */
export function labelOf(turn: Turn, max = ASKED): string | undefined {
  const { text } = turn.prompt
  const asked = askedIn(turn, max)
  if (asked !== undefined) return asked
  const words = wordsIn(text, MAX_BRIEF)
  if (words !== undefined) return `${words}: `
  const line = promptLine(text, MAX_BRIEF)
  if (!isAgreement(text) || !hasWords(line)) return undefined
  const request = requestBefore(turn, max - THEN.length - line.length)
  return request === undefined ? undefined : `${request}${THEN}“${line}”: `
}

/** The newest prompt of several words before one that asks for nothing. */
function requestBefore({ before }: Turn, max: number): string | undefined {
  let asking = before
  for (let i = 0; i < MAX_RESUMED && asking !== undefined; i += 1) {
    const { text } = asking.prompt
    const words = wordsIn(text, max)
    const request = requestIn(text, max) ?? (countWords(words ?? '') > 1 ? words : undefined)
    if (request !== undefined) return request
    asking = asking.before
  }
  return undefined
}

/** UTF-16 units of a prompt that says little by itself. */
const MAX_BRIEF = 60

/** How the turn ended, and the call that the user refused then, or its last successful call. */
export function endAfterCall(turn: Turn): string {
  const call = turn.entries.findLast(
    (entry) => entry.kind === 'refusal' || (entry.kind === 'tool' && isDone(entry)),
  )
  const end = howItEnded(turn)
  if (!isStopped(turn)) return end
  if (call?.kind === 'refusal') return `${end} at ${call.label}`
  return call?.kind === 'tool' ? `${end} after ${call.label}` : end
}

/** The agent's last words in a turn that ended without a message. Later changes may have made them obsolete. */
function lastWordsIn({ entries }: Turn, max: number): string | undefined {
  const at = entries.findLastIndex((entry) => entry.kind === 'assistant' && hasWords(entry.text))
  const words = entries[at]
  const room = max - '“”; '.length
  if (words?.kind !== 'assistant' || room <= MIN_ROOM) return undefined
  if (!isStopped({ entries }) && changedSomething(entries.slice(at))) return undefined
  const said = quoteOf(words.text, room)
  return said !== undefined && countWords(said) > MAX_BARE ? said : undefined
}

function isDone(entry: TranscriptEntry & { kind: 'tool' }): boolean {
  return entry.label !== undefined && entry.isOpen !== true && entry.failed === undefined
}

/** How a turn without a last message ended. */
function howItEnded({ entries }: Turn): string {
  switch (entries.findLast(isSubstantive)?.kind) {
    case 'interruption':
      return 'stopped by the user'
    case 'refusal':
      return 'the next call refused by the user'
    case 'failure':
      return 'stopped by an error'
    default:
      return 'without a last message'
  }
}

/** The turn's outcome, if it means something to a reader who was not there. */
export function turnLine(turn: Turn, max: number): string | undefined {
  const last = turn.entries.findLast(isSubstantive)
  const line = outcomeOf(turn, max, true)
  if (line === undefined || last?.kind !== 'assistant') return line
  const label = labelOf(turn) ?? ''
  const isBare = countWords(line) - countWords(label) <= MAX_BARE
  if (isBare && countWords(label) <= MAX_BARE * 2) return undefined
  return asksAgain(turn, last.text) ? undefined : line
}

/** The agent asked again after an option was chosen, so there is no outcome yet. */
function asksAgain({ prompt }: Turn, message: string): boolean {
  return CHOICE.test(prompt.text) && questionsIn(message, ASKED).length > 0
}

/**
 * The beginning of the agent's last words in the turn, if they mean something to a reader who was not there. Without
 * such words: the changed files, and how the turn ended.
 */
export function headlineOf(turn: Turn, max: number): string | undefined {
  const last = turn.entries.findLast(isSubstantive)
  if (last?.kind !== 'assistant') {
    const files = fileNames(turn.entries)
    return files === undefined ? undefined : ended(`changed ${files}, ${howItEnded(turn)}`)
  }
  const said = asksAgain(turn, last.text) ? undefined : quoteOf(last.text, max, true)
  return said !== undefined && countWords(said) > MAX_BARE ? ended(said) : undefined
}

/** `“Add a limit”: `, or a reply with what it replies to; undefined if neither is informative. */
export function askedIn(turn: Turn, max = ASKED): string | undefined {
  const line = replyOrRequest(turn, max) ?? requestIn(turn.prompt.text, max)
  return line === undefined ? undefined : `${line}: `
}

/** For `go on` after a stopped turn, what was asked in that turn. */
function replyOrRequest(turn: Turn, max: number): string | undefined {
  let asking = turn
  for (let i = 0; i < MAX_RESUMED; i += 1) asking = resumedBy(asking) ?? asking
  const said = replyWithRequest(asking, max)
  return asking === turn ? said : (said ?? requestIn(asking.prompt.text, max))
}

/** A reply, preceded by the request that was answered only with a question. */
function replyWithRequest(turn: Turn, max: number): string | undefined {
  const { before } = turn
  const both = sharesAnswer(turn) ? bothRequests(turn, max) : undefined
  if (both !== undefined) return both
  const reply = replyOf(turn, max)
  const hasSubject = reply?.includes('” to “') === true
  if (!hasSubject || before === undefined || changedSomething(before.entries)) return reply
  const request = requestIn(before.prompt.text, max)
  return request === undefined ? reply : `${request}${THEN}${replyOf(turn, SHORT_ABOUT) ?? reply}`
}

/**
 * `“Rename it”, then “And test it”`: the first request and the last one; without the first, if the last is a new version
 * of it.
 */
function bothRequests(turn: Turn, max: number): string | undefined {
  const added: Turn[] = []
  let start = turn
  for (; sharesAnswer(start) && start.before !== undefined; start = start.before) added.push(start)
  const room = Math.floor((max - THEN.length) / 2)
  const { text } = start.prompt
  const first = requestIn(text, room)
  const last = added.find((one) => additionIn(one, room) !== undefined)
  if (last === undefined) return requestIn(text, max)
  const isReplaced = !addsTo(last) && isNewVersion(text, last.prompt.text)
  if (first === undefined || isReplaced) return additionIn(last, max)
  return `${first}${THEN}${additionIn(last, room)}`
}

/** What asks for something, or was followed by a change, as `30 would be better, no?` may be. */
function additionIn({ prompt, entries }: Turn, max: number): string | undefined {
  const isFollowed = fileNames(entries) !== undefined
  const line = isFollowed ? promptLine(prompt.text, max - 2) : ''
  return requestIn(prompt.text, max) ?? (countWords(line) > MAX_BARE ? `“${line}”` : undefined)
}

const THEN = ', then '

/** UTF-16 units of what a reply is to, when it follows a request. */
const SHORT_ABOUT = 50

/** Undefined if the previous turn has no last message, as after an interruption: then the prompt replies to nothing. */
export function replyOf({ prompt, before }: Turn, max: number): string | undefined {
  const last = before?.entries.findLast(isSubstantive)
  return last?.kind === 'assistant' ? replyLine(prompt.text, last.text, max) : undefined
}

/** UTF-16 units for the agent's words. */
const MIN_ROOM = 60
/** `b`, `2`: one of the options that the agent offered. */
const CHOICE = /^\W*\w{1,2}\W*$/
