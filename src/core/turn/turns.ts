/** The turns of a session: what was asked in each, what was done for it, and whether it ended. Pure. */

import type { TranscriptEntry } from '../agents/agent-signal.ts'
import { hasWords } from '../text/markdown-to-text.ts'
import { isQuestion } from '../message/questions.ts'
import { promptLine } from '../prompt/prompt-line.ts'
import { asksForNewWork, isAgreement, isAnswer } from '../prompt/request.ts'
import { isWork, SHELL } from '../prompt/request-kind.ts'

export interface Turn {
  readonly prompt: TranscriptEntry & { readonly kind: 'prompt' }
  /** The entries after the prompt. */
  readonly entries: readonly TranscriptEntry[]
  /** The previous turn. */
  readonly before: Turn | undefined
}

export function turnsOf(entries: readonly TranscriptEntry[]): Turn[] {
  const turns: (Turn & { entries: TranscriptEntry[] })[] = []
  for (const entry of entries) {
    if (entry.kind === 'prompt') turns.push({ prompt: entry, entries: [], before: turns.at(-1) })
    else turns.at(-1)?.entries.push(entry)
  }
  return turns
}

/** Commands that record or share work. */
const CHORES = [
  String.raw`\bgit (?:-C \S+ )?(?:commit|push|merge|rebase|revert|tag|cherry-pick)\b`,
  String.raw`\bgh (?:pr|issue|release) (?:create|merge|close|edit|comment)\b`,
]
const CHANGE = new RegExp(
  [
    String.raw`\b(?:npm|cargo|twine) publish\b|<<-?\s*['"]?\w+['"]?\s*>|>\s*[\w./~-]+\s*<<`,
    String.raw`(?:^|[;&|]\s*)(?:sudo )?(?:mv|cp|rm|ln|mkdir|chmod|chown|crontab|systemctl (?:re)?start)\s`,
    String.raw`(?:^|[;&|]\s*)(?:sudo )?(?:npm|pnpm|yarn|pip3?|apt(?:-get)?|brew|docker compose) (?:i|install|add|uninstall|remove|up|down)\b`,
  ].join('|'),
)
const DEED = new RegExp([...CHORES, CHANGE.source].join('|'))

/** False for a turn that only read and talked. */
export function changedSomething(entries: readonly TranscriptEntry[]): boolean {
  return countDeeds(entries) > 0
}

/** A file was changed, or any command was run. */
export function wasBegun(entries: readonly TranscriptEntry[]): boolean {
  return entries.some((entry) => {
    if (entry.kind !== 'tool' || entry.failed !== undefined) return false
    return entry.tool.files.length > 0 || (entry.tool.command ?? entry.ran) !== undefined
  })
}

export function countDeeds(entries: readonly TranscriptEntry[]): number {
  return entries.filter((entry) => isDeed(entry, DEED)).length
}

/** The number of deeds, without those that only record or share work. A turn without any is a chore. */
export function countChanges(entries: readonly TranscriptEntry[]): number {
  return entries.filter((entry) => isDeed(entry, CHANGE)).length
}

function isDeed(entry: TranscriptEntry, command: RegExp): boolean {
  if (entry.kind !== 'tool' || entry.failed !== undefined) return false
  return entry.tool.files.length > 0 || command.test(entry.tool.command ?? entry.ran?.command ?? '')
}

/** The turn only recorded or shared work, and said little about it. */
export function isChore({ entries }: Turn): boolean {
  const last = entries.findLast(isSubstantive)
  const isShort = last?.kind === 'assistant' && last.text.length <= MAX_CHORE
  return isShort && changedSomething(entries) && countChanges(entries) === 0
}

/** UTF-16 units of a chore's last message. */
const MAX_CHORE = 300

/** The last turn, or the one before trailing chores: its outcome is where things stand. */
export function mainTurn(turns: readonly Turn[]): Turn | undefined {
  const last = turns.at(-1)
  if (last === undefined || !isChore(last)) return last
  const hasMessage = ({ entries }: Turn) => entries.findLast(isSubstantive)?.kind === 'assistant'
  return turns.findLast((turn) => !isChore(turn) && hasMessage(turn)) ?? last
}

/** UTF-16 units of a request that is shown with its outcome. */
export const ASKED = 90

/**
 * The unfinished turn that a prompt such as `go on` resumes. That is not a question that met only an error, if an error
 * had stopped the work before it, too.
 */
export function resumedBy({ prompt, before }: Turn): Turn | undefined {
  if (before === undefined || !isUnfinished(before)) return undefined
  // After `continue`, also `continur`.
  const isAgain =
    isAnswer(prompt.text) && !isQuestion(prompt.text.trim()) && isAgreement(before.prompt.text)
  if (!isAgain && !isAgreement(prompt.text)) return undefined
  let work = before
  for (let i = 0; i < MAX_RESUMED && metOnlyError(work) && !asksForWork(work); i += 1) {
    work = work.before ?? work
  }
  return endsIn(work, ['failure']) && !metOnlyError(work) ? work : before
}

/** More often than anybody tells an agent to go on. */
export const MAX_RESUMED = 20

function asksForWork({ prompt }: Turn): boolean {
  const line = promptLine(prompt.text, ASKED)
  return asksForNewWork(prompt.text) && (isWork(line) || !isQuestion(line))
}

/** The program could not begin. */
function metOnlyError({ entries }: Turn): boolean {
  const kinds = entries.filter(isSubstantive).map(({ kind }) => kind)
  return kinds.length > 0 && kinds.every((kind) => kind === 'failure')
}

/** The previous prompt met only an error, and the agent worked after this one, which asks for nothing. */
function redoesRequest({ prompt, entries, before }: Turn): boolean {
  const asksNothing = isAnswer(prompt.text) && !SHELL.test(prompt.text.trim())
  const hasWorked = entries.some(({ kind }) => kind === 'tool')
  return before !== undefined && metOnlyError(before) && asksNothing && hasWorked
}

/** The prompt was typed into the running turn before it, which goes on in this one. */
export function addsTo({ prompt, before }: Turn): boolean {
  return prompt.isAddition === true && before !== undefined && !isStopped(before)
}

/**
 * Both prompts have the same answer. Besides an addition, this is true if the user stopped the previous turn before the
 * agent said or did anything, and then sent a new version of the prompt or something that asks for nothing by itself; and
 * if an error stopped it, and the agent then worked for something that asks for nothing.
 */
export function sharesAnswer(turn: Turn): boolean {
  const { prompt, before } = turn
  if (redoesRequest(turn)) return resumedBy(turn) === undefined
  if (before === undefined || !isStopped(before) || !isUnanswered(before)) return addsTo(turn)
  const isNew = asksForNewWork(prompt.text) || isQuestion(prompt.text.trim())
  return !isNew || isNewVersion(before.prompt.text, prompt.text)
}

/** Both begin alike, or the start and the end that they have in common make up half of the shorter one. */
export function isNewVersion(earlier: string, later: string): boolean {
  const [one, other] = [earlier, later].map((text) => promptLine(text, ASKED).slice(0, SAME_START))
  return one === other || commonLength(earlier, later) >= Math.min(earlier.length, later.length) / 2
}

/** UTF-16 units. */
const SAME_START = 12

/** UTF-16 units of the start and of the end that both texts have. */
function commonLength(one: string, other: string): number {
  const max = Math.min(one.length, other.length)
  let start = 0
  while (start < max && one[start] === other[start]) start += 1
  let end = 0
  while (end < max - start && one.at(-1 - end) === other.at(-1 - end)) end += 1
  return start + end
}

function isUnanswered({ entries }: Turn): boolean {
  return entries.filter(isSubstantive).every(({ kind }) => kind === 'interruption')
}

/** The turn was stopped, so its outcome is unknown. */
export function isStopped(turn: Pick<Turn, 'entries'>): boolean {
  return endsIn(turn, ['interruption', 'failure'])
}

function isUnfinished(turn: Turn): boolean {
  return endsIn(turn, ['interruption', 'failure', 'refusal'])
}

function endsIn({ entries }: Pick<Turn, 'entries'>, kinds: readonly TranscriptEntry['kind'][]) {
  const last = entries.findLast(isSubstantive)
  return last !== undefined && kinds.includes(last.kind)
}

/** Entries that can end a turn. Excludes calls without a label (subagents, to-do lists) and texts by the program. */
export function isSubstantive(entry: TranscriptEntry): boolean {
  switch (entry.kind) {
    case 'tool':
      return entry.label !== undefined
    case 'assistant':
    case 'prompt':
      return hasWords(entry.text)
    default:
      return !['summary', 'recap', 'title', 'ended'].includes(entry.kind)
  }
}

/** Words of a message that says nothing to a reader who was not there. */
export const MAX_BARE = 3
