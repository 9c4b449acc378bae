/** Whether a to-do list still says where things stand. Pure. */

import type { TranscriptEntry } from '../agents/agent-signal.ts'
import type { Todo } from '../session/todos.ts'
import { items, SUMMARY_LIMITS } from '../message/items.ts'
import { asksAnew } from '../prompt/request.ts'
import { deedsIn } from './turns.ts'

/**
 * True of a list from before the user asked for something else: what it still names was done without a word
 * to it, or given up. In the middle of a turn only of one that nobody keeps: work is done, and none of it is in
 * progress there.
 */
export function isOld(entries: readonly TranscriptEntry[], todos: readonly Todo[]): boolean {
  const later = sinceList(entries)
  const end = later.findIndex((entry) => entry.kind === 'prompt' && asksAnew(entry.text))
  const isKept = todos.some(({ status }) => status === 'in_progress')
  return (
    end > 0 &&
    (later[end - 1]?.kind === 'assistant' || (!isKept && deedsIn(later.slice(0, end)) > 0))
  )
}

/** So is one that nobody kept while much was done up to the report, or very much without one. */
export function isBehind(entries: readonly TranscriptEntry[], isReported: boolean): boolean {
  const later = sinceList(entries)
  const calls = later.filter((entry) => entry.kind === 'tool' && entry.label !== undefined)
  return calls.length >= MANY_CALLS || (isReported && deedsIn(later) >= MANY_DEEDS)
}

const MANY_DEEDS = 10
const MANY_CALLS = 25

function sinceList(entries: readonly TranscriptEntry[]): readonly TranscriptEntry[] {
  const at = entries.findLastIndex(
    (entry) => entry.kind === 'tool' && entry.tool.todos !== undefined,
  )
  return at === -1 ? [] : entries.slice(at + 1)
}

/** `Summarize the results`: the last message was that. */
export function isReporting(todo: string): boolean {
  return /^(?:summari[sz]e|report|present|share|communicate|deliver|provide (?:the |a )?(?:final )?(?:summary|report))\b/i.test(
    todo,
  )
}

/** What a list from before the last request still names: done without a word to it, or not at all. */
export function notTicked(list: readonly Todo[]): string[] {
  const open = items(list.filter((todo) => !isDone(todo)).map(({ text }) => text))
  const shown = open.filter(
    (_, i) => lineOf(open.slice(0, i + 1)).length <= SUMMARY_LIMITS.item - MORE,
  )
  const more = open.length - shown.length
  return shown.length === 0 ? [] : [`${lineOf(shown)}${more === 0 ? '' : ` and ${more} more`}`]
}

/** UTF-16 units for the number of the others. */
const MORE = 15

function lineOf(todos: readonly string[]): string {
  return `Not ticked on its list, done or not: ${todos.join('; ')}`
}

export function isDone({ status }: Todo): boolean {
  return status === 'completed'
}

export function todosWith(todos: readonly Todo[], status: Todo['status']): string[] {
  return todos.filter((todo) => todo.status === status).map(({ text }) => text)
}
