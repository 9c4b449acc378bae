/**
 * What a coding agent tells, in words that are the same for every agent: by its hooks, and in the
 * transcript that it keeps of a session. A field that an agent does not send is undefined, never guessed.
 */

import type { Instant } from '../event/instant.ts'
import type { Todo, TodoChange } from '../session/todos.ts'
import { applyTodos } from '../session/todos.ts'
import { hasWords } from '../text/markdown-to-text.ts'

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
  /** True at the end of a turn that the agent goes on with when it is asked to, and was not asked already. */
  readonly mayAsk?: true
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
  /** Those of `files` that a patch removed. */
  readonly removed?: readonly string[] | undefined
  /** What a shell was told to run, where it ran. */
  readonly command?: string
  /** Where that ran, by what the agent says. */
  readonly folder?: string | undefined
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
  /** What the agent is asked before it is done; only where the signal says `mayAsk`. */
  readonly ask?: string | undefined
}

/** A transcript holds these, in the order they happened. `at`: when it was said, of a call when it was answered. */
export type TranscriptEntry =
  /** What the user asked; not what the agent's program puts into the user's mouth. */
  | { readonly kind: 'prompt'; readonly text: string; readonly at?: Instant | undefined }
  /** One response, however many lines it spans. */
  | { readonly kind: 'assistant'; readonly text: string }
  /** A call that was not refused. One that failed names no files and no to-dos. */
  | {
      readonly kind: 'tool'
      readonly tool: ToolUse
      /** What it did, in a few words; none of a subagent's tools and of the to-do list. */
      readonly label?: string
      /** What went wrong. */
      readonly failed?: string
      /** Nothing answered the call: it runs, or waits for a permission. */
      readonly isOpen?: true
      /** Of a shell command that ended well: the end of what it printed tells whether tests passed. */
      readonly ran?: { readonly command: string; readonly output: string }
      /** Of a tool of another server that ended well: the first line of what it gave back. */
      readonly told?: string
      /** What a subagent said at its end. */
      readonly report?: string
      readonly at?: Instant | undefined
    }
  /** A call that the user refused, with what the user said to it. */
  | { readonly kind: 'refusal'; readonly label: string; readonly said: string | undefined }
  /** What the agent asked with a tool of its own; without an answer it is open. */
  | {
      readonly kind: 'question'
      readonly question: AskedQuestion
      readonly at?: Instant | undefined
    }
  | { readonly kind: 'plan'; readonly plan: ProposedPlan; readonly at?: Instant | undefined }
  /** The user stopped the turn. */
  | { readonly kind: 'interruption' }
  /** The program could not go on: a limit, a lost login, an error of the model's service. */
  | { readonly kind: 'failure'; readonly text: string }
  /** What the program calls the session, in a few words. Stands first, wherever the program wrote it. */
  | { readonly kind: 'title'; readonly text: string }
  /** What the program wrote for a user who was away: where things stand. */
  | { readonly kind: 'recap'; readonly text: string }
  /** The conversation was compacted: what was said before is this text only. */
  | { readonly kind: 'summary'; readonly text: string }

export interface AskedQuestion {
  /** A word or two. */
  readonly about: string | undefined
  readonly text: string
  readonly options: readonly string[]
  readonly answer: string | undefined
}

export interface ProposedPlan {
  /** Markdown. */
  readonly text: string
  readonly outcome: 'open' | 'accepted' | 'refused'
  /** What the user said to it. */
  readonly said: string | undefined
}

/** The to-do list at the end of a transcript. */
export function todosOf(entries: readonly TranscriptEntry[]): readonly Todo[] {
  const changes = entries.flatMap((entry) => (entry.kind === 'tool' && entry.tool.todos) || [])
  return changes.reduce<readonly Todo[]>(applyTodos, [])
}

/** UTF-16 units of a prompt or message that are kept: both its ends, which say the most. */
export const MAX_TEXT = 16_000

export function titleEntry(text: string | undefined): TranscriptEntry[] {
  return text === undefined || !hasWords(text) ? [] : [{ kind: 'title', text: keepEnds(text) }]
}

export function keepEnds(text: string): string {
  if (text.length <= MAX_TEXT) return text.toWellFormed()
  const half = MAX_TEXT / 2 - 2
  return `${text.slice(0, half)}\n…\n${text.slice(-half)}`.toWellFormed()
}
