/**
 * What a session is for: its first request; its last request, if that is a different task; and the requests in
 * between that led to the most work. Pure.
 */

import { countWords, sentencesOf, shorten } from '../text/markdown-to-text.ts'
import type { Prompt } from './first-request.ts'
import {
  asksOnly,
  BARE_QUESTION,
  firstRequest,
  lineOf,
  nameBefore,
  namesChoice,
  questionBefore,
} from './first-request.ts'
import { listedLine } from '../prompt/listed-line.ts'
import {
  beginsAs,
  continues,
  isFaultReport,
  isRefusal,
  isSame,
  isTask,
  requestIn,
} from '../prompt/request.ts'
import { asksForWork, beginsAsChore, ERROR, kindOf, onlyPoints } from '../prompt/request-kind.ts'
import { MAX_BARE } from '../turn/turns.ts'

/**
 * Prompts come oldest first. A request takes precedence over a question, and a question over a command name. If
 * the session does not begin with a task, the goal is `title`, the agent program's name for the session.
 */
export function goalIn(
  prompts: readonly Prompt[],
  max: number,
  title?: string,
): string | undefined {
  const first = firstRequest(prompts, max, title)
  if (first === undefined) return undefined
  const issue = issueIn(prompts)
  const room = max - issue.length
  const later = prompts.slice(prompts.indexOf(first) + 1)
  const task = lastTaskIn(later, first)
  const followUp = lastFollowUp(
    first,
    task === undefined ? later : later.slice(later.indexOf(task) + 1),
  )
  const most = Math.floor((room - (followUp?.length ?? 0)) * MAX_END_SHARE)
  const between =
    task === undefined ? [] : mainTasks(later.slice(0, later.indexOf(task)), first, task)
  const tasks = [
    ...between.map((one) => [one, MAX_MIDDLE] as const),
    ...(task ? [[task, most] as const] : []),
  ]
  const shown = tasks.map(([{ text }, length]) =>
    listedLine(length > MAX_MIDDLE ? text : withoutRemark(text), length),
  )
  const ends = [...shown, followUp].flatMap((one) => (one === undefined ? [] : `; then: ${one}`))
  // The first request itself says more than what was asked in between or before it.
  while (ends.length > 1 && ends.join('').length > room - MIN_FIRST) ends.shift()
  const end = ends.join('')
  const before = nameBefore(first, prompts, max) || questionBefore(first, prompts)
  const start = before.length + end.length > room - MIN_FIRST ? '' : before
  const whole = prompts.findLast(({ text }) => beginsAs(text, first)) ?? first
  const left = room - start.length - end.length
  const said = namesChoice(first) ? shorten(first.reply ?? '', left) : listedLine(whole.text, left)
  const goal = `${start}${said}${end}`
  return isNamed(issue, goal) ? goal : `${goal}${issue}`
}

/** UTF-16 units of the first request at least. */
const MIN_FIRST = 60

/** `It works. Can you add a test?`: there is no room for the remark. */
function withoutRemark(text: string): string {
  const line = lineOf(text)
  const [remark = '', request = ''] = sentencesOf(line)
  const isRemark = ASKS_YOU.test(request) && !asksForWork(remark) && remark.length > MIN_REMARK
  return isRemark ? line.slice(line.indexOf(request)) : text
}

const ASKS_YOU = /^(?:(?:can|could|would) (?:you|we)|please) /i
/** UTF-16 units of a remark that leaves little room. */
const MIN_REMARK = 40

/** Matches `#12` or `issues/12`, but not part of `HTTP/1.1`. */
function isNamed(issue: string, goal: string): boolean {
  return new RegExp(`[#/]${issue.replace(/\D/g, '')}(?!\\.?\\d)`).test(goal)
}

/** Maximum share of the goal that the last task may take. */
const MAX_END_SHARE = 0.4

/** The newest request that is clear on its own, preferably one that led to work. */
function lastTaskIn(later: readonly Prompt[], first: Prompt): Prompt | undefined {
  const line = lineOf(first.text)
  const tasks = later.filter((prompt) => {
    const { text, deeds, isAddition = false, isRemark = false } = prompt
    const isNew = isOwnTask(prompt, later.at(-1)) && !isSame(first, text)
    const isAside = isRemark || ((deeds === 0 || isAddition) && asksOnly(text))
    return isNew && !isAside && lineOf(text) !== line
  })
  const didAny = tasks.some(({ deeds }) => deeds > 0)
  return tasks.findLast((task) => !didAny || task.deeds > 0 || task === later.at(-1))
}

/**
 * A fault report belongs to the request before it, so it is not a separate task. As the newest prompt, however,
 * it counts, because it says where the session stands.
 */
function isOwnTask({ text, reply }: Prompt, newest: Prompt | undefined): boolean {
  const line = lineOf(text)
  const asks = sentencesOf(line).some(asksForWork)
  const isReport = isFaultReport(text) && !asks && text !== newest?.text
  const isFault = isReport || ERROR.test(line) || (isRefusal(text) && !asks)
  const isClear = isTask(text) && !continues(text) && !onlyPoints(line)
  return reply === undefined && isClear && !isFault
}

/** The prompts that led to the most work, in their original order. If nothing was done, those that ask for work. */
function mainTasks(
  between: readonly Prompt[],
  ...known: readonly [Prompt, Prompt]
): readonly Prompt[] {
  const [first, last] = known
  const lines = new Set(known.map(({ text }) => lineOf(text)))
  const wasWorkDone = [...known, ...between].some(({ deeds }) => deeds > 0)
  const own = between.filter((prompt) => {
    const line = lineOf(prompt.text)
    const isMain =
      isOwnTask(prompt, last) && !lines.has(line) && isForWork(prompt, line, wasWorkDone)
    lines.add(line)
    return isMain && !isSame(first, prompt.text)
  })
  const byChanges = own.toSorted((a, b) => b.changes - a.changes || b.deeds - a.deeds)
  const most = new Set(byChanges.slice(0, MAX_BETWEEN))
  return own.filter((prompt) => most.has(prompt))
}

/** The prompt led to work (or none did), and is not a chore, a question, or pasted text. */
function isForWork({ text, deeds, changes }: Prompt, line: string, wasWorkDone: boolean): boolean {
  const isWorthwhile = changes > 0 || ((deeds > 0 || !wasWorkDone) && asksForWork(line))
  const isPasted = PASTED.test(line) && !asksForWork(line)
  return isWorthwhile && !isPasted && !beginsAsChore(line) && !asksOnly(text)
}

/** Settings, command options, or keys. */
const PASTED = /[={}]| --\w|(?:\w: ?\w+){2}/

const MAX_BETWEEN = 2
/** UTF-16 units of a task between the first and the last. */
const MAX_MIDDLE = 90

/**
 * The newest prompt that is not a separate task but led to a change. After a command with a menu, the newest
 * choice counts too.
 */
function lastFollowUp(first: Prompt, later: readonly Prompt[]): string | undefined {
  const isCommand = kindOf(lineOf(first.text)) === 'command'
  const said = later.flatMap((prompt) => {
    const { text, reply, hasChanged } = prompt
    const isChoice = isCommand && reply !== undefined && kindOf(lineOf(text)) !== 'command'
    const counts = hasChanged === true || isChoice
    if (!counts || isOwnTask(prompt, later.at(-1))) return []
    if (reply !== undefined) return reply
    const line = lineOf(text)
    const isShort = /[?？]$/.test(line) && countWords(line) <= MAX_BARE
    if (isShort || continues(text) || BARE_QUESTION.test(line)) return []
    return requestIn(text, MAX_FOLLOW_UP) ?? []
  })
  return said.at(-1)
}

/** UTF-16 units of such a prompt. */
const MAX_FOLLOW_UP = 90

/** An issue or a pull request that a prompt names. */
const ISSUE =
  /\b(?:issues?|prs?|pull requests?|mr|fix(?:es)?|close[sd]?|resolve[sd]?|see|ticket|bug|of|for|in)[ -](#\d{1,6})\b|\/(?:issues|pull|merge_requests)\/(\d{1,6})\b/i

/** How many of the first prompts may name the issue. */
const MAX_EARLY = 3
/** UTF-16 units at the start of a prompt in which the issue may be named. */
const MAX_ISSUE_OFFSET = 600

function issueIn(asked: readonly Prompt[]): string {
  // A number far down in a long prompt, such as a plan, is an example or belongs to something else.
  const named = asked
    .slice(0, MAX_EARLY)
    .map(({ text }) => ISSUE.exec(text.slice(0, MAX_ISSUE_OFFSET)))
  const [, sign, number] = named.find((match) => match !== null) ?? []
  const issue = sign ?? (number === undefined ? undefined : `#${number}`)
  return issue === undefined ? '' : ` (${issue})`
}
