/** Which request a session began with, skipping mere look-ups, asides, and requests that were taken back. Pure. */

import { countWords, hasWords, plainLine } from '../text/markdown-to-text.ts'
import { isPlan } from '../prompt/plan-title.ts'
import { promptLine } from '../prompt/prompt-line.ts'
import type { Asked } from '../prompt/request.ts'
import { isRefusal } from '../prompt/request.ts'
import {
  ASKS_NOTHING,
  asksForWork,
  COMMAND,
  isNone,
  kindOf,
  onlyLooks,
} from '../prompt/request-kind.ts'

export interface Prompt extends Asked {
  /** Number of calls that changed something for the prompt. */
  readonly deeds: number
  /** Number of those calls that did more than record or share work. */
  readonly changes: number
  /** Number of turns in which the user spoke about the prompt, including its own. */
  readonly turns: number
  /** The prompt, together with what it replies to. */
  readonly reply?: string | undefined
  /** The prompt's own turn changed something beyond recording work. */
  readonly hasChanged?: boolean
}

/** `title`: the agent program's name for the session. */
export function firstRequest(
  asked: readonly Prompt[],
  max: number,
  title?: string,
): Prompt | undefined {
  const [first] = asked
  if (first === undefined) return undefined
  const all = asked.map(({ text }) => kindIn(text, max))
  // A request that the user took back at once, or an objection, is not what the session is for.
  const own = all.map((kind, i) => {
    if (isTakenBack(asked, i)) return 'nothing'
    return kind === 'request' && isOnlyLookup(asked, i) ? 'question' : kind
  })
  const kinds = own.some((kind) => kind !== 'nothing') ? own : all
  const command = asked.map(({ text }) => lineOf(text)).find((line) => kindOf(line) === 'command')
  // The title was made from the command, before anything was asked.
  const isOfCommand = command !== undefined && title?.includes(command) === true
  const isAsked = own.some((kind) => kind === 'request' || kind === 'question')
  if (title !== undefined && !isOfCommand && !isAsked) {
    return { text: titleLine(title), deeds: 0, changes: 0, turns: 1 }
  }
  const indexOfKind = (kind: string, min = 0) =>
    kinds.findIndex((one, i) => one === kind && (asked[i]?.changes ?? 0) >= min)
  // A command that led to a change says more than an incidental question.
  const at = [
    indexOfKind('request'),
    indexOfKind('question', 1),
    indexOfKind('command', 1),
    indexOfKind('question'),
    indexOfKind('command'),
  ]
  const chosen = asked[at.find((i) => i !== -1) ?? -1]
  return chosen ?? asked.find(({ text, deeds }) => deeds > 0 && isBrief(lineOf(text)))
}

/** The request only led to a look-up, or to recording and sharing work, and a later request led to a change. */
function isOnlyLookup(asked: readonly Prompt[], place: number): boolean {
  const one = asked[place]
  if (one === undefined || one.changes > 0) return false
  const line = lineOf(one.text)
  const isSmall =
    one.deeds > 0 || onlyLooks(line) || (ASKS_ONLY.test(line) && !MAY_ASK_FOR_WORK.test(line))
  return isSmall && asked.slice(place + 1).some(({ changes }) => changes > 0)
}

const ASKS_ONLY = /[?？吗]$/
/** Words that turn a question into a request for work. */
const MAY_ASK_FOR_WORK =
  /\b(?:can|could|would|will|please|help|want|need|let['’]?s|peux|pouvez|kannst|k[öo]nn(?:en|test)|puedes|podr[ií]as|pode)\b|[帮请能想要]|можешь|можете|давай|해\s?줘|줄래|ください|くれ/i

/** A question that was followed only by a refusal, or a prompt that refuses what was said before. */
function isTakenBack(asked: readonly Prompt[], place: number): boolean {
  const [one, next] = [asked[place], asked[place + 1]]
  if (one === undefined) return false
  if (place > 0 && isRefusal(one.text)) return true
  if (next === undefined || one.deeds + next.deeds > 0) return false
  return ASKS_ONLY.test(lineOf(one.text)) && isRefusal(next.text)
}

/** Too short to count as a request elsewhere, but better than nothing. */
function isBrief(line: string): boolean {
  return countWords(line) > 1 && !isNone(line)
}

/** A plan's title counts as a request, however short it is. */
function kindIn(text: string, max: number) {
  const line = promptLine(text, max)
  const isTitle = isPlan(text) && hasWords(line) && !/^(?:implementation )?plan$/i.test(line)
  return isTitle ? 'request' : kindOf(line)
}

/**
 * The name of the command that `first` was said to, and what was chosen from the command's menu, as a prefix.
 * Empty if `first` names work by itself.
 */
export function nameBefore(first: Prompt, asked: readonly Prompt[], max: number): string {
  const before = asked.slice(0, asked.indexOf(first))
  const lines = before.map(({ text }) => promptLine(text, max))
  const at = lines.findLastIndex(isName)
  const name = lines[at] ?? ''
  const line = promptLine(first.text, max)
  const isSaidToIt =
    name !== '' &&
    name.length <= MAX_NAME &&
    !ASKS_NOTHING.has(name) &&
    !COMMAND.test(line) &&
    !asksForWork(line)
  if (!isSaidToIt) return ''
  const choice = before.slice(at + 1).find(({ reply }) => reply?.includes('” to “') === true)
  return choice === undefined ? `${name}: ` : `${name}, ${choice.reply}; then: `
}

function isName(line: string): boolean {
  return COMMAND.test(line) && kindOf(line) === 'command'
}

/** UTF-16 units of a command name. */
const MAX_NAME = 60

export const lineOf = (text: string) => promptLine(text, MAX_LINE)
const MAX_LINE = 200

/** Some titles are written like identifiers: `fix-expired-contracts`. */
function titleLine(title: string): string {
  const line = plainLine(title)
  return (/\s/.test(line) ? line : line.replace(/[-_]+/g, ' ')).replace(/\.$/, '')
}
