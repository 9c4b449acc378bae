/**
 * What a coding agent tells, in words that are the same for every agent: by its hooks, and in the
 * transcript that it keeps of a session. A field that an agent does not send is undefined, never guessed.
 */

import type { Todo, TodoChange } from '../session/todos.ts'
import { applyTodos } from '../session/todos.ts'

/** The moments of a session that mean something here. */
export type SignalKind =
  | 'session_start'
  | 'turn_start'
  | 'turn_end'
  | 'session_end'
  | 'tool_used'
  | 'before_compaction'
  | 'subagent_end'

export interface AgentSignal {
  readonly agent: string
  readonly kind: SignalKind
  /** The agent's session id, safe as a file name (`isSessionId`). A subagent names its parent's. */
  readonly session: string
  /** Absolute folder of the session; undefined: the folder that the hook runs in. */
  readonly cwd: string | undefined
  /** Absolute path. Some agents keep no transcript. */
  readonly transcript: string | undefined
  /** Of `session_start`. A forked session resumes. */
  readonly source: 'startup' | 'resume' | 'clear' | 'compact' | undefined
  /** Why a session ended, or what started a compaction (`manual`, `auto`). */
  readonly reason: string | undefined
  readonly prompt: string | undefined
  /** The agent's last message, where the payload has it. */
  readonly lastMessage: string | undefined
  readonly tool: ToolUse | undefined
  /** Whose signal it is, when not the main agent's: a sign of life, never a change of phase. */
  readonly subagent: Subagent | undefined
}

export interface ToolUse {
  /** As the agent calls it. */
  readonly name: string
  /** Files it wrote, as the agent named them: absolute, or relative to its folder. */
  readonly files: readonly string[]
  /**
   * True when it may also have written files that it does not name (a shell). Tells a person's commit
   * within a turn from the agent's: in a turn without a writing tool nothing is the agent's.
   */
  readonly mayWrite: boolean
  readonly todos: TodoChange | undefined
  /** Files that it read, named as `files` are. */
  readonly reads?: readonly string[]
  /** What a shell was told to run, where it ran. */
  readonly command?: string
}

export interface Subagent {
  readonly id: string
  readonly transcript: string | undefined
}

/** What an agent and the person at its terminal get to read. */
export interface SignalAnswer {
  /** For the model. */
  readonly context?: string | undefined
  readonly message?: string | undefined
}

/** A transcript holds these, in the order they happened. */
export type TranscriptEntry =
  /** What the user asked; not what the agent's program puts into the user's mouth. */
  | { readonly kind: 'prompt'; readonly text: string }
  /** One response, however many lines it spans. */
  | { readonly kind: 'assistant'; readonly text: string }
  /** A tool that ran; failed and refused calls are left out. */
  | { readonly kind: 'tool'; readonly tool: ToolUse }
  /** The conversation was compacted: what was said before is this text only. */
  | { readonly kind: 'summary'; readonly text: string }

/** The to-do list at the end of a transcript. */
export function todosOf(entries: readonly TranscriptEntry[]): readonly Todo[] {
  const changes = entries.flatMap((entry) => (entry.kind === 'tool' && entry.tool.todos) || [])
  return changes.reduce<readonly Todo[]>(applyTodos, [])
}

/** UTF-16 units of a prompt or message that are kept: both its ends, which say the most. */
export const MAX_TEXT = 16_000

export function keepEnds(text: string): string {
  if (text.length <= MAX_TEXT) return text.toWellFormed()
  const half = MAX_TEXT / 2 - 2
  return `${text.slice(0, half)}\n…\n${text.slice(-half)}`.toWellFormed()
}
