/**
 * What a session is for: the first that was asked, the last where that is another task, and of those between them
 * what most was done for. Pure.
 */

import { sentencesOf, shorten } from '../text/markdown-to-text.ts'
import type { Prompt } from './first-request.ts'
import { firstOf, lineOf, nameBefore } from './first-request.ts'
import { listedLine } from '../prompt/listed-line.ts'
import { promptLine } from '../prompt/prompt-line.ts'
import {
  beginsAs,
  continues,
  isFaultReport,
  isPartOf,
  isSame,
  isTask,
  requestIn,
} from '../prompt/request.ts'
import { asksForWork, beginsAsChore, ERROR, kindOf } from '../prompt/request-kind.ts'

/**
 * Oldest first. A request counts before a question, a question before the name of a command. Where the session
 * does not begin with a task, `title` says it: what the agent's program calls the session.
 */
export function goalIn(
  prompts: readonly Prompt[],
  max: number,
  title?: string,
): string | undefined {
  const first = firstOf(prompts, max, title)
  if (first === undefined) return undefined
  const issue = issueIn(prompts)
  const room = max - issue.length
  const later = prompts.slice(prompts.indexOf(first) + 1)
  const task = lastOf(later, first)
  const few = fewWordsIn(first, task === undefined ? later : later.slice(later.indexOf(task) + 1))
  const most = Math.floor((room - (few?.length ?? 0)) * END)
  const between =
    task === undefined ? [] : mainOnes(later.slice(0, later.indexOf(task)), first, task)
  const tasks = [
    ...between.map((one) => [one, MIDDLE] as const),
    ...(task ? [[task, most] as const] : []),
  ]
  const shown = tasks.map(([{ text }, length], i) => {
    const before = [first, ...tasks.slice(0, i).map(([one]) => one)]
    return lineUnlike(text, before, length)
  })
  const ends = [...shown, few]
  const end = ends.map((one) => (one === undefined ? '' : `; then: ${one}`)).join('')
  const start = nameBefore(first, prompts, max)
  const whole = prompts.findLast(({ text }) => beginsAs(text, first)) ?? first
  const goal = `${start}${listedLine(whole.text, room - start.length - end.length)}${end}`
  return isNamed(issue, goal) ? goal : `${goal}${issue}`
}

/** As `#12` or `issues/12`, not as a part of `HTTP/1.1`. */
function isNamed(issue: string, goal: string): boolean {
  return new RegExp(`[#/]${issue.replace(/\D/g, '')}(?!\\.?\\d)`).test(goal)
}

/** Of the whole, at most. */
const END = 0.4

/** The newest that says alone what is to be done; one that something was done for, where there is one. */
function lastOf(later: readonly Prompt[], first: Prompt): Prompt | undefined {
  const line = lineOf(first.text)
  const tasks = later.filter((prompt) => {
    const { text, deeds } = prompt
    const isNew =
      isOwnTask(prompt, later.at(-1)) && !isSame(first, text) && !isPartOf(text, first.text)
    const isAside = deeds === 0 && asksOnly(text)
    return isNew && !isAside && lineOf(text) !== line
  })
  const didAny = tasks.some(({ deeds }) => deeds > 0)
  return tasks.findLast(
    (task) => !didAny || task.deeds > 0 || task.turns > 2 || task === later.at(-1),
  )
}

/** What went wrong is about what was asked before it; said last, it is where the session stands. */
function isOwnTask({ text, reply }: Prompt, newest: Prompt | undefined): boolean {
  const line = lineOf(text)
  const isReport = isFaultReport(text) && !asksForWork(line) && text !== newest?.text
  const isFault = isReport || ERROR.test(line)
  return reply === undefined && isTask(text) && !continues(text) && !isFault
}

/** Of one that begins as one before it does, as a template that is filled in again, from where it differs. */
function lineUnlike(text: string, before: readonly Prompt[], max: number): string {
  const line = promptLine(text, LONG)
  const same = Math.max(...before.map((one) => sameStart(promptLine(one.text, LONG), line)))
  if (same < MIN_TEMPLATE || same === line.length) return listedLine(text, max)
  // From the word in which it differs; scripts without spaces have none.
  const space = line.lastIndexOf(' ', same)
  const from = same - space > MAX_WORD ? same : space + 1
  const rest = line.slice(from).replace(/^[\udc00-\udfff]/, '')
  return shorten(`${shorten(line, SHOWN)} ${rest}`, max)
}

function sameStart(one: string, other: string): number {
  let i = 0
  while (i < one.length && one[i] === other[i]) i += 1
  return i
}

/** UTF-16 units that are compared, that a template has, of it that are shown again, and of a word. */
const LONG = 1000
const MIN_TEMPLATE = 60
const SHOWN = 25
const MAX_WORD = 40

/** What most was done for, in the order of the asking; where little was, what asks for it by its form. */
function mainOnes(
  between: readonly Prompt[],
  ...known: readonly [Prompt, Prompt]
): readonly Prompt[] {
  const [first, last] = known
  const lines = new Set(known.map(({ text }) => lineOf(text)))
  const wasWorked = [...known, ...between].some(({ deeds }) => deeds > 0)
  const own = between.filter((prompt) => {
    const line = lineOf(prompt.text)
    const isMain = isOwnTask(prompt, last) && !lines.has(line) && isForWork(prompt, line, wasWorked)
    lines.add(line)
    return (
      isMain &&
      !isSame(first, prompt.text) &&
      !isPartOf(prompt.text, first.text) &&
      !isSame(prompt, last.text)
    )
  })
  const byChanges = own.toSorted((a, b) => b.changes - a.changes || b.deeds - a.deeds)
  const most = new Set(byChanges.slice(0, MAX_BETWEEN))
  return own.filter((prompt) => most.has(prompt))
}

/** Something was done for it, or for none; and it is neither a chore, a question nor something pasted. */
function isForWork({ text, deeds, changes }: Prompt, line: string, wasWorked: boolean): boolean {
  const isWorth = changes > 0 || ((deeds > 0 || !wasWorked) && asksForWork(line))
  const isPasted = PASTED.test(line) && !asksForWork(line)
  return isWorth && !isPasted && !beginsAsChore(line) && !asksOnly(text)
}

/** Settings, options of a command, keys. */
const PASTED = /[={}]| --\w|(?:\w: ?\w+){2}/

const MAX_BETWEEN = 2
/** UTF-16 units of one that stands between the first and the last. */
const MIDDLE = 90

/**
 * The newest that is no task of its own, and that something was changed for; to a command, which has a menu, the
 * newest choice.
 */
function fewWordsIn(first: Prompt, later: readonly Prompt[]): string | undefined {
  const isCommand = kindOf(lineOf(first.text)) === 'command'
  const said = later.flatMap((prompt) => {
    const { text, reply, hasChanged } = prompt
    const isChoice = isCommand && reply !== undefined && kindOf(lineOf(text)) !== 'command'
    const counts = hasChanged === true || isChoice
    if (!counts || isOwnTask(prompt, later.at(-1))) return []
    return reply ?? (continues(text) ? [] : (requestIn(text, FEW) ?? []))
  })
  return said.at(-1)
}

/** UTF-16 units. */
const FEW = 90

/** It ends with a question that names no work: `can you add …?` does. */
function asksOnly(text: string): boolean {
  const line = lineOf(text)
  const sentences = sentencesOf(line)
  const isQuestion = /[?？]$/.test(line) && kindOf(sentences.at(-1) ?? '') !== 'request'
  return (isQuestion && !sentences.some(asksForWork)) || /[对是][吧吗]$/.test(line)
}

/** An issue or a pull request that a prompt names. */
const ISSUE =
  /\b(?:issues?|prs?|pull requests?|mr|fix(?:es)?|close[sd]?|resolve[sd]?|see|ticket|bug|of|for|in)[ -](#\d{1,6})\b|\/(?:issues|pull|merge_requests)\/(\d{1,6})\b/i

/** Prompts of which one may still say what the first was about. */
const EARLY = 3
/** UTF-16 units of a prompt in which it is named. */
const MAX_BEFORE = 600

function issueIn(asked: readonly Prompt[]): string {
  // Far down in a long one, as in a plan, it is an example, or something else's.
  const named = asked.slice(0, EARLY).map(({ text }) => ISSUE.exec(text.slice(0, MAX_BEFORE)))
  const [, sign, number] = named.find((match) => match !== null) ?? []
  const issue = sign ?? (number === undefined ? undefined : `#${number}`)
  return issue === undefined ? '' : ` (${issue})`
}
