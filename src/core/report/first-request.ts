/** Which request a session began with, skipping mere look-ups, asides and objections. Pure. */

import { countWords, hasWords, plainLine, sentencesOf } from '../text/markdown-to-text.ts'
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
  MAX_CHORE,
  onlyLooks,
} from '../prompt/request-kind.ts'

export interface Prompt extends Asked {
  /** Number of calls that changed something for the prompt. */
  readonly deeds: number
  /** Number of those calls that did more than record or share work. */
  readonly changes: number
  /** The prompt, together with what it replies to. */
  readonly reply?: string | undefined
  /** The prompt's own turn changed something beyond recording work. */
  readonly hasChanged?: boolean
  /** The prompt was typed while the agent worked for the one before it. */
  readonly isAddition?: boolean
  /** The prompt was answered with a few words, and nothing else. */
  readonly isRemark?: boolean
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
  // An objection is not what the session is for.
  const own = all.map((kind, i) => {
    const text = asked[i]?.text ?? ''
    if (i > 0 && isRefusal(text)) return 'nothing'
    if (isMenuChoice(asked, i)) return 'request'
    return kind === 'request' && isOnlyLookup(asked, i) ? 'question' : kind
  })
  const kinds = own.some((kind) => kind !== 'nothing') ? own : all
  const command = asked.map(({ text }) => lineOf(text)).find((line) => kindOf(line) === 'command')
  // The title was made from the command, before anything was asked.
  const isOfCommand = command !== undefined && title?.includes(command) === true
  const isAsked = own.some((kind) => kind === 'request' || kind === 'question')
  if (title !== undefined && !isOfCommand && !isAsked) {
    return { text: titleLine(title), deeds: 0, changes: 0 }
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

/** What was chosen from a command's menu, if that led to a change. */
function isMenuChoice(asked: readonly Prompt[], place: number): boolean {
  const [before, one] = [asked[place - 1], asked[place]]
  if (before === undefined || one?.hasChanged !== true) return false
  return namesChoice(one) && isName(lineOf(before.text))
}

/** The prompt's words together with what they are a reply to. */
export function namesChoice({ reply }: Prompt): boolean {
  return reply?.includes('” to “') === true
}

/** The request only led to a look-up, or to recording and sharing work, and a later request led to a change. */
function isOnlyLookup(asked: readonly Prompt[], place: number): boolean {
  const one = asked[place]
  if (one === undefined || one.changes > 0) return false
  const line = lineOf(one.text)
  if (MAKES.test(line)) return false
  const isSmall =
    (one.deeds > 0 && countWords(line) <= MAX_CHORE) ||
    sentencesOf(line).every(onlyLooks) ||
    asksOnly(one.text)
  return isSmall && asked.slice(place + 1).some(({ changes }) => changes > 0)
}

/** The answer may be the text that was asked for. */
const MAKES = /^(?:please )?(?:write|draft|compose|design|invent)\b/i

/** The prompt ends with a question that names no work. `can you add …?` does name work. */
export function asksOnly(text: string): boolean {
  const line = lineOf(text)
  const sentences = sentencesOf(line)
  const isQuestion =
    BARE_QUESTION.test(line) ||
    (/[?？]$/.test(line) && kindOf(sentences.at(-1) ?? '') !== 'request')
  if (isQuestion && !sentences.some(asksForWork)) return true
  return /吗$|[对是]吧$/.test(line) && !/[帮请能想要]/.test(line)
}

/** Also without a question mark. */
export const BARE_QUESTION =
  /^(?:(?:what|why|how|who)(?:['’]s)?|is (?:it|this|that|there)|are (?:we|you|they|there)|(?:does|did|was|were|has)(?:n['’]t)?|(?:do|have) (?:we|you|i|they)|should(?:n['’]t)? (?:we|i|it|this|that))\b(?!.*[.!?] )/i

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
    !lines.slice(at + 1).some((one) => ['request', 'question'].includes(kindOf(one))) &&
    name.length <= MAX_NAME &&
    !ASKS_NOTHING.has(name) &&
    !COMMAND.test(line) &&
    !asksForWork(line)
  if (!isSaidToIt) return ''
  const choice = before.slice(at + 1).find(namesChoice)
  return choice === undefined ? `${name}: ` : `${name}, ${choice.reply}; then: `
}

/** The question that the first request points back to, as in `Let's get this in`. As a prefix; empty if there is none. */
export function questionBefore(first: Prompt, asked: readonly Prompt[]): string {
  let at = asked.indexOf(first)
  while (at > 0 && POINTS_BACK.test(lineOf(asked[at]?.text ?? ''))) at -= 1
  const { text } = asked[at] ?? first
  const isAsked = at !== asked.indexOf(first) && kindOf(lineOf(text)) === 'question'
  return isAsked ? `${promptLine(text, MAX_QUESTION)}; then: ` : ''
}

const POINTS_BACK =
  /^(?:[\w'’]+ ){1,6}(?:this|it|them|these)(?=[^\p{L}\p{N}]*$|[.,;:!?]| (?:in|into|to|via|on|with|for|as|then|now|up|out|by|first|and|too|needs?|should|can|could|must|would)\b)/iu

/** UTF-16 units of that question. */
const MAX_QUESTION = 120

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
