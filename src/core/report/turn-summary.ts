/**
 * What a session did, as the fields of an event that helps the next reader.
 *
 * Invariants:
 * - If anything happened (a commit, a changed file, a to-do, a message that contains words, a requested task), the
 *   event says something. If nothing happened, or only a greeting, there is no event.
 * - Each text is one plain line and appears once. The same input gives the same fields.
 * - Texts must arrive without secrets: half a secret is no longer recognized as one.
 *
 * The goal is a single register for the whole repository. A session sets it only if the ledger has none.
 */

import { itemKey } from '../event/item-text.ts'
import type { NewEvent } from '../event/event.ts'
import type { HandoffChange } from '../handoff/change.ts'
import { choicesIn } from './decisions.ts'
import type { Ending } from './ending.ts'
import { askedLast, endingOf, ON_LIST } from './ending.ts'
import { goalOf } from './session-goal.ts'
import { items, SUMMARY_LIMITS, unique } from '../message/items.ts'
import { lastTurnLine } from './last-turn.ts'
import { withLastWords } from '../turn/last-words.ts'
import { leftAtEnd } from './next-steps.ts'
import { withOwnPaths } from '../turn/own-paths.ts'
import { recapOf } from './recap.ts'
import type { SessionWork } from '../turn/session-work.ts'
import { standing } from './standing.ts'
import { doneItems } from './this-session.ts'
import { statedSteps } from '../message/left.ts'
import { questionsIn } from '../message/questions.ts'
import { isOwnCommand, isTalk, isTask, requestIn } from '../prompt/request.ts'
import { lastPassedTest } from '../turn/test-command.ts'
import {
  isBehind,
  isDone,
  isOutdated,
  isReporting,
  newlyDone,
  untickedLines,
  todosWith,
} from '../turn/todo-age.ts'
import { changedSomething } from '../turn/turns.ts'
import { hasWords, plainLine, shorten } from '../text/markdown-to-text.ts'
import type { TranscriptEntry } from '../agents/agent-signal.ts'
import { todosOf } from '../agents/agent-signal.ts'

export type TurnSummary = Pick<
  NewEvent,
  'goal' | 'now' | 'thisSession' | 'next' | 'openQuestions' | 'stream'
> &
  Partial<HandoffChange>

/** Behind a complete answer, neither Esc, while hooks still run, nor an error of the program stops anything. */
function withoutLateStops(work: SessionWork): SessionWork {
  const counts = (entry: TranscriptEntry) => !('isAfterEnd' in entry && entry.isAfterEnd === true)
  return { ...work, entries: work.entries.filter(counts), untold: work.untold.filter(counts) }
}

/** Returns the non-empty fields; undefined if there are none. */
export function summarizeTurn(whole: SessionWork): TurnSummary | undefined {
  const work = withOwnPaths(withLastWords(withoutLateStops(whole)))
  if (!hasHappened(work)) return undefined
  const list = work.todos ?? todosOf(work.entries)
  const hasOldList = isOutdated(work.entries, list)
  const kept = hasOldList ? list.filter(isDone) : list
  const [task] = items(todosWith(kept, 'in_progress'))
  // What a hook reported at the end of the turn outranks the log, which may lag behind.
  const hasLastMessage = work.lastMessage !== undefined && hasWords(work.lastMessage)
  const ending =
    hasLastMessage && !isStandstill(work.entries.at(-1))
      ? undefined
      : endingOf(work.entries, task, isBehind(work.entries, false))
  const message = ending === undefined ? lastMessageOf(work) : ''
  const isLate = isBehind(work.entries, ending === undefined)
  const todos = isLate ? kept.filter(isDone) : kept
  const active = items(todosWith(todos, 'in_progress')).filter(
    (text) => ending !== undefined || !isReporting(text),
  )
  const [first, ...others] = active
  const questions = openQuestions(work, message, ending)
  const done = newlyDone(whole, todos)
  const thisSession = [...doneItems(work, done), ...(hasOldList ? untickedLines(list) : [])]
  const recap = recapOf(work.entries)
  const endingText = withRecap(ending, recap)
  const now = endingText ?? standing(work, first, message, questions, thisSession)
  // A to-do that was in progress before another request appears only in `now`: it may or may not be done.
  const isInNow = first !== undefined && (endingText?.includes(`${ON_LIST}${first}`) ?? true)
  const current = isInNow ? [first] : []
  const pending = [...(isInNow ? others : active), ...todosWith(todos, 'pending')]
  const said = leftAtEnd(work.entries, message, ending === undefined)
  const left = [...pending, ...said, ...statedSteps(recap ?? '')]
  const closed = items(todosWith(todos, 'completed'))
  const next = nextItems(left, [...closed, ...thisSession, ...current, now ?? ''])
  const isListDone = ending === undefined && list.length > 0 && list.every(isDone)
  const decisions = choicesIn(work.untold, work.entries)
  const test = lastPassedTest(work.untold)
  const facts = work.commits.length + work.files.length + next.length + decisions.length
  if (facts === 0 && list.length === 0 && isSmallTalk(work)) return undefined
  if (facts + thisSession.length + questions.length === 0 && now === undefined) return undefined
  const goal = goalOf(work)
  const lastTurn = lastTurnLine(work.entries, message, [
    now ?? '',
    ...thisSession,
    ...next,
    ...questions,
  ])
  // It comes first because it continues `now`, and is the line shown when there is little room.
  const lines = lastTurn === undefined ? thisSession : unique([lastTurn, ...thisSession])
  return {
    ...(goal === undefined ? {} : { goal }),
    ...(now === undefined ? {} : { now }),
    ...(lines.length === 0 ? {} : { thisSession: lines }),
    ...(test === undefined ? {} : { test: test.command }),
    // Completed to-dos clear the old next steps.
    ...(next.length === 0 && !isListDone ? {} : { next }),
    ...(decisions.length === 0 ? {} : { decisions }),
    ...(questions.length === 0 ? {} : { openQuestions: questions }),
  }
}

/**
 * Merges the summary with what the session wrote into handoffs. The handoffs are the session's own words and take
 * precedence; the summary fills the gaps. If there are several handoffs, the first one provides the state, and all
 * of them contribute what was done, decided, and asked.
 */
export function withHandoffs(
  summary: TurnSummary | undefined,
  changes: readonly { readonly stream: string; readonly change: HandoffChange }[],
): TurnSummary | undefined {
  const [first] = changes
  if (first === undefined) return summary
  const all = [...changes.map(({ change }) => change), summary ?? {}]
  const listOf = (name: 'thisSession' | 'openQuestions' | 'resolvedQuestions') => {
    const texts = unique(all.flatMap((one) => one[name] ?? []))
    return texts.length === 0 ? {} : { [name]: texts }
  }
  const decisions = new Map(
    [summary ?? {}, ...changes.map(({ change }) => change)].flatMap((one) =>
      (one.decisions ?? []).map((decision) => [decision.key, decision] as const),
    ),
  )
  return {
    ...summary,
    ...first.change,
    ...listOf('thisSession'),
    ...listOf('openQuestions'),
    ...listOf('resolvedQuestions'),
    ...(decisions.size === 0 ? {} : { decisions: [...decisions.values()] }),
    stream: first.stream,
  }
}

/** What a last message does not tell: an error of the program, or a plan that nobody has answered. */
function isStandstill(last: TranscriptEntry | undefined): boolean {
  return last?.kind === 'failure' || (last?.kind === 'plan' && last.plan.outcome === 'open')
}

/** A recap does not cover a request that the user stopped; it describes the work before that. */
function withRecap(ending: Ending | undefined, recap: string | undefined): string | undefined {
  if (recap === undefined) return ending?.now
  if (ending?.isStopped !== true) return recap
  return shorten(`${ending.now}; before that: ${recap}`, SUMMARY_LIMITS.now)
}

/** A prompt alone is not an event, unless it asks for a task: then it is worth knowing that nobody did it. */
function hasHappened(work: SessionWork): boolean {
  const { entries, todos, commits, files, lastMessage, questions } = work
  const texts = [
    lastMessage ?? '',
    ...files,
    ...questions,
    ...(todos ?? []).map(({ text }) => text),
  ]
  if (commits.length > 0 || texts.some(hasWords) || entries.some(isActivity)) return true
  // A command defined by the repository, which the program could not even start.
  const hasFailed = entries.at(-1)?.kind === 'failure'
  return entries.some(
    (entry) =>
      entry.kind === 'prompt' && (isTask(entry.text) || (hasFailed && isOwnCommand(entry.text))),
  )
}

const NOT_ACTIVITY = new Set<TranscriptEntry['kind']>([
  'prompt',
  'interruption',
  'summary',
  'failure',
  'title',
  'ended',
])

function isActivity(entry: TranscriptEntry): boolean {
  if (entry.kind === 'assistant') return hasWords(entry.text)
  if (entry.kind === 'tool') return entry.label !== undefined || entry.tool.todos !== undefined
  return !NOT_ACTIVITY.has(entry.kind)
}

/** Nobody asked for anything (`hi`, `echo "test"`), and nothing was left half done. */
function isSmallTalk({ entries, firstPrompt }: SessionWork): boolean {
  const prompts = entries.flatMap((entry) => (entry.kind === 'prompt' ? [entry.text] : []))
  const asked = firstPrompt === undefined ? prompts : [firstPrompt, ...prompts]
  if (asked.length === 0 || entries.at(-1)?.kind !== 'assistant' || changedSomething(entries))
    return false
  // A command that was followed by other requests is not small talk.
  const before = prompts.slice(0, -1)
  return (
    asked.every(isTalk) &&
    before.every((text) => requestIn(text, SUMMARY_LIMITS.item) === undefined)
  )
}

function lastMessageOf({ entries, lastMessage }: SessionWork): string {
  if (lastMessage !== undefined && hasWords(lastMessage)) return lastMessage
  const last = entries.findLast((entry) => entry.kind === 'assistant' && hasWords(entry.text))
  return last?.kind === 'assistant' ? last.text : ''
}

/** What is left to do, without what is done or in progress. */
function nextItems(left: readonly string[], excluded: readonly string[]): string[] {
  const known = new Set(excluded.map(itemKey))
  const open = items(left).filter((text) => !known.has(itemKey(text)))
  const limit = SUMMARY_LIMITS.next
  if (open.length <= limit) return open
  return [...open.slice(0, limit - 1), `and ${open.length - limit + 1} more`]
}

function openQuestions(
  { entries, questions }: SessionWork,
  message: string,
  ending: Ending | undefined,
): string[] {
  const limit = SUMMARY_LIMITS.question
  const known = questions.map(plainLine).filter(hasWords)
  const all = unique(
    [...known, ...(ending?.questions ?? askedLast(entries)), ...questionsIn(message, limit)].map(
      (text) => shorten(plainLine(text), limit),
    ),
  )
  return all.filter(hasWords).slice(-SUMMARY_LIMITS.questions)
}
