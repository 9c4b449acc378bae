/**
 * What a coding agent reports through its hooks and in the transcript of a session, in one form for all agents.
 * A field that an agent does not send is undefined, never guessed.
 */

import type { Instant } from '../event/instant.ts'
import type { Todo, TodoChange } from '../session/todos.ts'
import { applyTodos } from '../session/todos.ts'
import { hasWords } from '../text/markdown-to-text.ts'

/** The moments of a session that ledger-git follows. */
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
  /** The session's folder, absolute. Undefined means the folder that the hook runs in. */
  readonly cwd: string | undefined
  /** Absolute path. Some agents keep no transcript. */
  readonly transcript: string | undefined
  /** For `session_start` only. A forked session counts as resumed. */
  readonly source: 'startup' | 'resume' | 'clear' | 'compact' | undefined
  /** Why a session ended, or what started a compaction (`manual`, `auto`). */
  readonly reason: string | undefined
  readonly prompt: string | undefined
  /** The agent's last message, if the payload has it. */
  readonly lastMessage: string | undefined
  readonly tool: ToolUse | undefined
  /** True at the end of a turn that the agent would continue if asked, unless it was asked already. */
  readonly mayAsk?: true
  /** The subagent that sent the signal, if any. Such a signal is a sign of life and never changes the phase. */
  readonly subagent: Subagent | undefined
}

export interface ToolUse {
  /** The agent's name of the tool. */
  readonly name: string
  /** Files it wrote, as the agent named them: absolute, or relative to its folder. */
  readonly files: readonly string[]
  /**
   * True if the tool may also have written files that it does not name (a shell). This separates a person's commit
   * within a turn from the agent's: without a writing tool in the turn, the commit is not the agent's.
   */
  readonly mayWrite: boolean
  readonly todos: TodoChange | undefined
  /** Files it read, in the same form as `files`. */
  readonly reads?: readonly string[]
  /** The paths among `files` that a patch removed. */
  readonly removed?: readonly string[] | undefined
  /** The shell command, if the tool ran one. */
  readonly command?: string
  /** The folder that the command ran in, as the agent reports it. */
  readonly folder?: string | undefined
}

export interface Subagent {
  readonly id: string
  readonly transcript: string | undefined
}

/** What the agent and the person at its terminal are shown. */
export interface SignalAnswer {
  /** For the model. */
  readonly context?: string | undefined
  readonly message?: string | undefined
  /** What the agent is asked before it stops; only for a signal with `mayAsk`. */
  readonly ask?: string | undefined
}

/** An entry of a transcript; entries are in order. `at`: when the text was written, or when the call was answered. */
export type TranscriptEntry =
  /** What the user asked, without texts that the agent's program adds in the user's name. */
  | {
      readonly kind: 'prompt'
      readonly text: string
      readonly at?: Instant | undefined
      /** Typed while the agent worked on the prompt before: what follows is done for both. */
      readonly isAddition?: true
      /** What was done for it is before the part of the log that was read. */
      readonly isUnread?: true
    }
  /** One response, however many lines it spans. */
  | { readonly kind: 'assistant'; readonly text: string }
  /** A call that was not refused. A failed call names no files and no to-dos. */
  | {
      readonly kind: 'tool'
      readonly tool: ToolUse
      /** What it did, in a few words. Tools of subagents and of the to-do list have no label. */
      readonly label?: string
      /** What went wrong. */
      readonly failed?: string
      /** The call has no answer yet: it is running, or waiting for permission. */
      readonly isOpen?: true
      /** For a shell command that succeeded. The end of its output shows whether tests passed. */
      readonly ran?: { readonly command: string; readonly output: string }
      /** For an MCP tool that succeeded: the first line of its result. */
      readonly told?: string
      /** The final message of a subagent. */
      readonly report?: string
      readonly at?: Instant | undefined
    }
  /** A call that the user refused, with the user's comment. */
  | { readonly kind: 'refusal'; readonly label: string; readonly said: string | undefined }
  /** A question that the agent asked through a question tool; open until it is answered. */
  | {
      readonly kind: 'question'
      readonly question: AskedQuestion
      readonly at?: Instant | undefined
    }
  | { readonly kind: 'plan'; readonly plan: ProposedPlan; readonly at?: Instant | undefined }
  /** The user stopped the turn. `isAfterEnd`: the agent had said all of its last message. */
  | {
      readonly kind: 'interruption'
      readonly at?: Instant | undefined
      readonly isAfterEnd?: boolean
    }
  /**
   * The program could not continue: a limit, a lost login, an error of the model's service. `isAfterEnd`: the agent had
   * said all of its last message, and was to be told that a background task had ended.
   */
  | { readonly kind: 'failure'; readonly text: string; readonly isAfterEnd?: boolean }
  /** The program's name for the session, in a few words. Always the first entry, wherever the program wrote it. */
  | { readonly kind: 'title'; readonly text: string }
  /**
   * What the program reported of a background task that ended after the agent's last words, and what the task reported.
   * Always among the first entries.
   */
  | { readonly kind: 'ended'; readonly text: string; readonly report: string }
  /** The program's summary of the current state for a user who was away. */
  | { readonly kind: 'recap'; readonly text: string }
  /** The conversation was compacted: this text replaces what was said before. */
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
  /** The user's comment on it. */
  readonly said: string | undefined
}

/** The to-do list at the end of a transcript. */
export function todosOf(entries: readonly TranscriptEntry[]): readonly Todo[] {
  const changes = entries.flatMap((entry) => (entry.kind === 'tool' && entry.tool.todos) || [])
  return changes.reduce<readonly Todo[]>(applyTodos, [])
}

/** UTF-16 units of a prompt or message that are kept: its start and its end, which matter most. */
export const MAX_TEXT = 16_000

export function titleEntry(text: string | undefined): TranscriptEntry[] {
  return text === undefined || !hasWords(text) ? [] : [{ kind: 'title', text: keepEnds(text) }]
}

/** Cuts the middle out of a text longer than `MAX_TEXT`. Lone surrogates become U+FFFD. */
export function keepEnds(text: string): string {
  if (text.length <= MAX_TEXT) return text.toWellFormed()
  const half = MAX_TEXT / 2 - 2
  return `${text.slice(0, half)}\n…\n${text.slice(-half)}`.toWellFormed()
}
