/**
 * What a coding agent's hook says, in words that are the same for every agent.
 *
 * The adapters in `io/agents/` read native payloads into this record; use cases see nothing else. A
 * field that an agent does not send is undefined, never guessed. Texts are as long as `MAX_TEXT`.
 */

import type { TodoChange } from '../session/todos.ts'

export const AGENT_NAMES = ['claude', 'codex', 'gemini'] as const
export type AgentName = (typeof AGENT_NAMES)[number]

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
  readonly agent: AgentName
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
  readonly model: string | undefined
  readonly tool: ToolUse | undefined
  /** Whose signal it is, when not the main agent's: a sign of life, never a change of phase. */
  readonly subagent: Subagent | undefined
}

export interface ToolUse {
  /** As the agent calls it. */
  readonly name: string
  readonly id: string | undefined
  /** Files it wrote, as the agent named them: absolute, or relative to its folder. */
  readonly files: readonly string[]
  /** True when it may also have written files that it does not name (a shell). */
  readonly mayWrite: boolean
  readonly todos: TodoChange | undefined
}

export interface Subagent {
  readonly id: string
  readonly type: string | undefined
  readonly transcript: string | undefined
}

/** Why a payload is no signal, in a few words for the log; never text of the payload. */
export interface Refusal {
  readonly refused: string
}

/** UTF-16 units of a prompt or message that are kept: both its ends, which say the most. */
export const MAX_TEXT = 16_000

export function keepEnds(text: string): string {
  if (text.length <= MAX_TEXT) return text.toWellFormed()
  const half = MAX_TEXT / 2 - 2
  return `${text.slice(0, half)}\n…\n${text.slice(-half)}`.toWellFormed()
}
