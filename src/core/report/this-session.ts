/** What a session did, as the items of `this_session`. Pure. */

import { itemKey } from '../event/item-text.ts'
import { hasWords, plainLine, shorten } from '../text/markdown-to-text.ts'
import { inBrief } from './in-brief.ts'
import { isDoubtful } from '../turn/done-todos.ts'
import { fileLines } from './file-lines.ts'
import { items, SUMMARY_LIMITS, unique } from '../message/items.ts'
import { sharedLines } from './shared.ts'
import type { SessionWork } from '../turn/session-work.ts'
import { promptLine } from '../prompt/prompt-line.ts'
import { reportLines } from './reports.ts'
import {
  asksForNewWork,
  isDenial,
  isRefusal,
  isSame,
  isTask,
  requestIn,
} from '../prompt/request.ts'
import type { Turn } from '../turn/turns.ts'
import { testLine } from './test-line.ts'
import { askedIn, turnsToReport, turnLine } from '../turn/outcome.ts'
import {
  addsTo,
  ASKED,
  changedSomething,
  isChore,
  isStopped,
  mainTurn,
  isSubstantive,
  turnsOf,
  wasBegun,
  resumedBy,
  sharesAnswer,
} from '../turn/turns.ts'

/** Limit per kind; the newest are kept. */
const MAX_PER_KIND = 6
/**
 * Limit if there is only one kind. The rest is for the last turn, reports, tests, shared work, files, the turns in
 * brief, and the line that counts the items left out.
 */
const MAX_ONLY_KIND = SUMMARY_LIMITS.thisSession - 17
const MAX_TURNS = 5

/** Completed to-dos, turns that changed something, commits, and changed files. */
export function doneItems(work: SessionWork, todos: readonly string[]): string[] {
  const commits = work.commits.map(({ oid, subject }) => [oid.slice(0, 7), plainLine(subject)])
  const subjects = new Set(commits.map(([, subject = '']) => itemKey(subject)))
  const names = commits.flat().filter(hasWords)
  const isCommit = (line: string) => names.some((name) => line.includes(name))
  const { opening, recent, others, told } = turnLines(work, isCommit)
  const kinds = [
    items(todos).filter((text) => !subjects.has(itemKey(text)) && !isDoubtful(text, work)),
    items(work.commits.map(commitLine)),
  ]
  const isMixed = [...kinds, recent].filter(({ length }) => length > 0).length > 1
  const most = isMixed ? MAX_PER_KIND : MAX_ONLY_KIND
  // Showing one extra item takes no more room than saying how many were left out.
  const [tasks = [], made = []] = kinds.map((texts) =>
    texts.length === most + 1 ? texts : texts.slice(-most),
  )
  const shown = unique([
    ...tasks,
    ...opening,
    ...recent,
    ...reportLines(work.entries),
    ...inBrief(others, told),
    ...made,
    ...sharedLines(work.untold),
    ...testLine(work.untold, [...opening, ...recent]),
    ...fileLines(work),
  ])
  const more = kinds.flat().length - tasks.length - made.length
  return more === 0
    ? shown
    : [`${more} more ${more === 1 ? 'thing' : 'things'} before these`, ...shown]
}

/**
 * The first turn and the newest ones at length, and the others. Turns that an event already reported are left out, as
 * is the last turn, which `now` covers. A turn that only committed is covered by its commit.
 */
function turnLines({ entries, untold }: SessionWork, isCommit: (line: string) => boolean) {
  const isNew = new Set(untold)
  const turns = turnsOf(entries)
  const [last, before] = [turns.at(-1), turns.at(-2)]
  const main = mainTurn(turns)
  const resumed = new Set(turns.map(resumedBy))
  // The outcome of the first request is always reported, whatever was done for it.
  const repeated = new Set(
    turns.filter(
      (turn, i) =>
        (isStopped(turn) && isSaidAgain(turns, i)) || resumed.has(turn) || isContinued(turns, i),
    ),
  )
  const asked = turns.findIndex((turn) => isTask(turn.prompt.text))
  const first = turns.slice(Math.max(asked, 0)).find((turn) => !repeated.has(turn))
  const stopped = turns.filter((turn) => isStopped(turn) && asksForNewWork(turn.prompt.text))
  // What was sent again takes the place of what was stopped.
  const resent = turns.filter(
    (turn) => stopped.some((one) => one === turn.before) && sharesAnswer(turn),
  )
  const added = turns.filter((turn) => addsTo(turn) && changedSomething(turn.before?.entries ?? []))
  const reportable = new Set([
    ...turnsToReport(turns),
    ...stopped,
    ...resent,
    ...added,
    first,
    before,
    lastKnown(turns),
  ])
  const isToldByCommit = new Set<Turn>()
  const outcomes = turns.flatMap((turn) => {
    if (turn === last || turn === main || repeated.has(turn)) return []
    if (!reportable.has(turn) || !isNew.has(turn.prompt)) return []
    const line = turnLine(turn, SUMMARY_LIMITS.turn)
    const asked = requestIn(turn.prompt.text, ASKED)
    if (line === undefined) return []
    const isCommitOnly = isChore(turn) && asked === undefined
    const isKnown = isCommitOnly || (askedIn(turn) === undefined && isCommit(line))
    if (isKnown) isToldByCommit.add(turn)
    return isKnown ? [] : [{ turn, line }]
  })
  const newest = outcomes.slice(-MAX_TURNS)
  const opening = outcomes.find(({ turn }) => turn.prompt === first?.prompt)
  const isShown = opening === undefined || newest.includes(opening)
  const recent = isShown ? newest : [opening, ...newest]
  const room = shareOf(
    recent.map(({ line }) => line.length),
    SUMMARY_LIMITS.turns,
  )
  const told = new Set(recent.map(({ turn }) => turn))
  // `now` and the last turn in full tell these.
  for (const turn of [last, main]) if (turn !== undefined && isAnswered(turn)) told.add(turn)
  return {
    opening: isShown ? [] : recent.slice(0, 1).map(lineOf),
    recent: recent.slice(isShown ? 0 : 1).map(lineOf),
    told,
    others: turns.filter((turn) => told.has(turn) || isOther(turn)),
  }

  function isOther(turn: Turn): boolean {
    const isLeft = turn !== last && turn !== main && !isToldByCommit.has(turn)
    return isLeft && isNew.has(turn.prompt) && !isInNext(turn)
  }

  /** Of several prompts in one turn, the first and the last are quoted; `now` may quote only the last. */
  function isInNext(turn: Turn): boolean {
    const isInLast = last?.before === turn && addsTo(last)
    return repeated.has(turn) && !sharesAnswer(turn) && !isInLast
  }

  function lineOf({ turn, line }: { turn: Turn; line: string }): string {
    const said = (line.length > room ? turnLine(turn, room) : undefined) ?? line
    return plainLine(`${said}${refusalOf(turn, turns)}`)
  }
}

/** What each text may have of the total: what short texts leave is for the others. */
function shareOf(lengths: readonly number[], total: number): number {
  let left = total
  const sorted = lengths.toSorted((a, b) => a - b)
  for (const [i, length] of sorted.entries()) {
    const share = Math.floor(left / (sorted.length - i))
    if (length > share) return share
    left -= length
  }
  return total
}

function isAnswered({ entries }: Turn): boolean {
  return entries.findLast(isSubstantive)?.kind === 'assistant'
}

/** The last answered turn with the same request as the last turn, if that one got no answer. */
function lastKnown(turns: readonly Turn[]): Turn | undefined {
  const last = turns.at(-1)
  const text = last?.prompt.text ?? ''
  if (last === undefined || isAnswered(last) || requestIn(text, ASKED) === undefined) {
    return undefined
  }
  return turns.findLast((turn) => isAnswered(turn) && isSame({ text: turn.prompt.text }, text))
}

/** The user's objection to a proposal, or to work that was reported as done. */
function refusalOf({ prompt, entries }: Turn, turns: readonly Turn[]): string {
  const next = turns[turns.findIndex((turn) => turn.prompt === prompt) + 1]?.prompt.text ?? ''
  if (!isDenial(next) && (changedSomething(entries) || !isRefusal(next))) return ''
  return `; the user: “${promptLine(next, ASKED)}”`
}

/** The next prompt has the outcome of both. */
function isContinued(turns: readonly Turn[], place: number): boolean {
  const next = turns[place + 1]
  return next !== undefined && sharesAnswer(next)
}

/** The next prompt is a corrected version of this one. */
function isSaidAgain(turns: readonly Turn[], place: number): boolean {
  const [one, next] = [turns[place], turns[place + 1]]
  if (one === undefined || next === undefined) return false
  const asked = { text: one.prompt.text, wasBegun: wasBegun(one.entries) }
  const { text } = next.prompt
  // A command's template may surround it.
  const isContained = asked.text.length >= MIN_CONTAINED && text.includes(asked.text.trim())
  return isContained || isSame(asked, text)
}

/** UTF-16 units. */
const MIN_CONTAINED = 40

function commitLine({ oid, subject }: SessionWork['commits'][number]): string {
  const id = oid.slice(0, 7)
  const text = plainLine(subject)
  if (!hasWords(text)) return `commit ${id}`
  return `${shorten(text, SUMMARY_LIMITS.item - id.length - 3)} (${id})`
}
