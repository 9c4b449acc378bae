/** Which of all that was asked a session began with: not a look, an aside, or what was taken back. Pure. */

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
  /** Calls that changed something for it. */
  readonly deeds: number
  /** Of those, what did more than record or share. */
  readonly changes: number
  /** How often the user said something to it. */
  readonly turns: number
  /** It, with what it replies to. */
  readonly reply?: string | undefined
  /** In its own turn something was changed, not only recorded. */
  readonly hasChanged?: boolean
}

/** `title`: what the agent's program calls the session. */
export function firstOf(asked: readonly Prompt[], max: number, title?: string): Prompt | undefined {
  const [first] = asked
  if (first === undefined) return undefined
  const all = asked.map(({ text }) => kindIn(text, max))
  // What the user took back at once, or said against something, is not what the session is for.
  const own = all.map((kind, i) => {
    if (isTakenBack(asked, i)) return 'nothing'
    return kind === 'request' && isLook(asked, i) ? 'question' : kind
  })
  const kinds = own.some((kind) => kind !== 'nothing') ? own : all
  const command = asked.map(({ text }) => lineOf(text)).find((line) => kindOf(line) === 'command')
  // A title of that was made before anything was asked.
  const isOfCommand = command !== undefined && title?.includes(command) === true
  const isAsked = own.some((kind) => kind === 'request' || kind === 'question')
  if (title !== undefined && !isOfCommand && !isAsked) {
    return { text: titleLine(title), deeds: 0, changes: 0, turns: 1 }
  }
  const placeOf = (kind: string, min = 0) =>
    kinds.findIndex((one, i) => one === kind && (asked[i]?.changes ?? 0) >= min)
  // A command that something was changed for says more than a question aside.
  const at = [
    placeOf('request'),
    placeOf('question', 1),
    placeOf('command', 1),
    placeOf('question'),
    placeOf('command'),
  ]
  const meant = asked[at.find((i) => i !== -1) ?? -1]
  return meant ?? asked.find(({ text, deeds }) => deeds > 0 && isBrief(lineOf(text)))
}

/**
 * Something was only looked up for it, or recorded and shared, before something was changed for another request.
 */
function isLook(asked: readonly Prompt[], place: number): boolean {
  const one = asked[place]
  if (one === undefined || one.changes > 0) return false
  const line = lineOf(one.text)
  const isSmall = one.deeds > 0 || onlyLooks(line) || (ASKS_ONLY.test(line) && !MAY_WANT.test(line))
  return isSmall && asked.slice(place + 1).some(({ changes }) => changes > 0)
}

const ASKS_ONLY = /[?？吗]$/
/** Words with which a question asks for work. */
const MAY_WANT =
  /\b(?:can|could|would|will|please|help|want|need|let['’]?s|peux|pouvez|kannst|k[öo]nn(?:en|test)|puedes|podr[ií]as|pode)\b|[帮请能想要]|можешь|можете|давай|해\s?줘|줄래|ください|くれ/i

/** A question that only a refusal followed, or a refusal of what was said before. */
function isTakenBack(asked: readonly Prompt[], place: number): boolean {
  const [one, next] = [asked[place], asked[place + 1]]
  if (one === undefined) return false
  if (place > 0 && isRefusal(one.text)) return true
  if (next === undefined || one.deeds + next.deeds > 0) return false
  return ASKS_ONLY.test(lineOf(one.text)) && isRefusal(next.text)
}

/** Too short for a request elsewhere. */
function isBrief(line: string): boolean {
  return countWords(line) > 1 && !isNone(line)
}

/** A plan's title says what is to be done, however short it is. */
function kindIn(text: string, max: number) {
  const line = promptLine(text, max)
  const isTitle = isPlan(text) && hasWords(line) && !/^(?:implementation )?plan$/i.test(line)
  return isTitle ? 'request' : kindOf(line)
}

/** What is no work by itself was said to the command before it, or to what was chosen from its menu. */
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

/** UTF-16 units. */
const MAX_NAME = 60

export const lineOf = (text: string) => promptLine(text, MAX_LINE)
const MAX_LINE = 200

/** Some are written as a name: `fix-expired-contracts`. */
function titleLine(title: string): string {
  const line = plainLine(title)
  return (/\s/.test(line) ? line : line.replace(/[-_]+/g, ' ')).replace(/\.$/, '')
}
