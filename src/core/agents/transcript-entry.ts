/** What a transcript holds, in words that are the same for every agent. In the order it happened. */

import type { ToolUse } from './agent-signal.ts'
import type { Todo } from '../session/todos.ts'
import { applyTodos } from '../session/todos.ts'

export type TranscriptEntry =
  /** What the user asked; not what the agent's program puts into the user's mouth. */
  | { readonly kind: 'prompt'; readonly text: string }
  /** One response, however many lines it spans. */
  | { readonly kind: 'assistant'; readonly text: string }
  /** A tool that ran; failed and refused calls are left out. */
  | { readonly kind: 'tool'; readonly tool: ToolUse }
  /** The conversation was compacted: what was said before is this text only. */
  | { readonly kind: 'summary'; readonly text: string }
  /** The agent gave a task to a subagent. */
  | { readonly kind: 'subagent'; readonly type: string | undefined; readonly task: string }

/** The to-do list at the end, on top of what was known before. */
export function todosOf(
  entries: readonly TranscriptEntry[],
  before: readonly Todo[] = [],
): readonly Todo[] {
  return entries.reduce<readonly Todo[]>(
    (todos, entry) =>
      entry.kind === 'tool' && entry.tool.todos !== undefined
        ? applyTodos(todos, entry.tool.todos)
        : todos,
    before,
  )
}

/** Files that tools named as written, each once, in the order of first mention. */
export function filesOf(entries: readonly TranscriptEntry[]): readonly string[] {
  return [...new Set(entries.flatMap((entry) => (entry.kind === 'tool' ? entry.tool.files : [])))]
}
