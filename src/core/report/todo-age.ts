/** Whether a to-do list still says where things stand. Pure. */

import type { TranscriptEntry } from '../agents/agent-signal.ts'
import type { Todo } from '../session/todos.ts'
import { asksAnew } from './request.ts'
import { deedsIn } from './turns.ts'

/**
 * True of a list from before the user asked for something else: what it still names was done without a word
 * to it, or given up.
 */
export function isOld(entries: readonly TranscriptEntry[]): boolean {
  const later = sinceList(entries)
  const end = later.findIndex((entry) => entry.kind === 'prompt' && asksAnew(entry.text))
  return end > 0 && later[end - 1]?.kind === 'assistant'
}

/** So is one that nobody kept while much was done up to the report. */
export function isBehind(entries: readonly TranscriptEntry[]): boolean {
  return deedsIn(sinceList(entries)) >= MANY
}

const MANY = 10

function sinceList(entries: readonly TranscriptEntry[]): readonly TranscriptEntry[] {
  const at = entries.findLastIndex(
    (entry) => entry.kind === 'tool' && entry.tool.todos !== undefined,
  )
  return at === -1 ? [] : entries.slice(at + 1)
}

export function isDone({ status }: Todo): boolean {
  return status === 'completed'
}

export function todosWith(todos: readonly Todo[], status: Todo['status']): string[] {
  return todos.filter((todo) => todo.status === status).map(({ text }) => text)
}
