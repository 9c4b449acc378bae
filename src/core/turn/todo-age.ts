/** Whether a to-do list still describes where things stand. Pure. */

import type { TranscriptEntry } from '../agents/agent-signal.ts'
import { todosOf } from '../agents/agent-signal.ts'
import type { Todo } from '../session/todos.ts'
import { items, SUMMARY_LIMITS } from '../message/items.ts'
import { asksForNewWork } from '../prompt/request.ts'
import type { SessionWork } from './session-work.ts'
import { countDeeds } from './turns.ts'

/**
 * True of a list that predates the user's last request for other work. Its open to-dos were done without being
 * ticked, or given up. If that request came in the middle of a turn, this applies only to a list that nobody
 * maintained: work was done, but the list shows none in progress.
 */
export function isOutdated(entries: readonly TranscriptEntry[], todos: readonly Todo[]): boolean {
  const later = entriesSinceList(entries)
  const end = later.findIndex((entry) => entry.kind === 'prompt' && asksForNewWork(entry.text))
  const isKept = todos.some(({ status }) => status === 'in_progress')
  return (
    end > 0 &&
    (later[end - 1]?.kind === 'assistant' || (!isKept && countDeeds(later.slice(0, end)) > 0))
  )
}

/** True of a list that was not updated during a lot of work before the report, or during very many calls. */
export function isBehind(entries: readonly TranscriptEntry[], isReported: boolean): boolean {
  const later = entriesSinceList(entries)
  const calls = later.filter((entry) => entry.kind === 'tool' && entry.label !== undefined)
  return calls.length >= MANY_CALLS || (isReported && countDeeds(later) >= MANY_DEEDS)
}

const MANY_DEEDS = 10
const MANY_CALLS = 25

function entriesSinceList(entries: readonly TranscriptEntry[]): readonly TranscriptEntry[] {
  const at = entries.findLastIndex(
    (entry) => entry.kind === 'tool' && entry.tool.todos !== undefined,
  )
  return at === -1 ? [] : entries.slice(at + 1)
}

/** `Summarize the results`: the last message did that. */
export function isReporting(todo: string): boolean {
  return /^(?:summari[sz]e|report|present|share|communicate|deliver|provide (?:the |a )?(?:final )?(?:summary|report))\b/i.test(
    todo,
  )
}

/** Open to-dos of a list that predates the last request: done without being ticked, or not done at all. */
export function untickedLines(list: readonly Todo[]): string[] {
  const open = items(list.filter((todo) => !isDone(todo)).map(({ text }) => text))
  const shown = open.filter(
    (_, i) => lineOf(open.slice(0, i + 1)).length <= SUMMARY_LIMITS.item - ROOM_FOR_MORE,
  )
  const more = open.length - shown.length
  return shown.length === 0 ? [] : [`${lineOf(shown)}${more === 0 ? '' : ` and ${more} more`}`]
}

/** UTF-16 units reserved for ` and N more`. */
const ROOM_FOR_MORE = 15

function lineOf(todos: readonly string[]): string {
  return `Not ticked on its list, done or not: ${todos.join('; ')}`
}

/** Completed to-dos, without those that were completed when an earlier event of the session reported them. */
export function newlyDone(
  { entries, untold }: Pick<SessionWork, 'entries' | 'untold'>,
  todos: readonly Todo[],
): string[] {
  const isNew = new Set(untold)
  const reported = entries.filter(
    (entry) => !isNew.has(entry) && 'at' in entry && entry.at !== undefined,
  )
  const known = new Set(todosWith(todosOf(reported), 'completed'))
  return todosWith(todos, 'completed').filter((text) => !known.has(text))
}

export function isDone({ status }: Todo): boolean {
  return status === 'completed'
}

export function todosWith(todos: readonly Todo[], status: Todo['status']): string[] {
  return todos.filter((todo) => todo.status === status).map(({ text }) => text)
}
