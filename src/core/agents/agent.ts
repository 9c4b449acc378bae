/**
 * Everything that ledger-git knows about one coding agent. `agents.ts` lists the records; docs/add-an-agent.md
 * explains how to write one. Pure.
 */

import type { SignalKind, ToolUse, TranscriptEntry } from './agent-signal.ts'
import type { Fields } from '../text/json-fields.ts'

/** A hook of ours in the agent's settings. */
export interface AgentHook {
  /** The agent's name of the event. */
  readonly event: string
  readonly kind: SignalKind
  /** Time-out in seconds. */
  readonly seconds: number
  /** The tools, or compaction triggers, that the hook runs for. */
  readonly matcher?: string
  /** The parts of an answer to this event that the agent reads. */
  readonly reads?: 'context and message' | 'message'
  /** At the end of a turn: the `decision` in an answer that makes the agent continue. */
  readonly asks?: 'block' | 'deny'
}

export interface Agent {
  /** Its product name. */
  readonly title: string
  /** Environment variable that the agent sets for the commands that it runs. */
  readonly variable: string
  /** Environment variable of its hooks with the folder that the agent was started in, wherever its shell is now. */
  readonly projectVariable?: string
  /** The settings file that the team shares, relative to the top of the worktree. */
  readonly file: string
  /** The settings file for this clone only. */
  readonly localFile?: string
  /** Units of the agent's time-outs per second. */
  readonly perSecond: 1 | 1000
  /** The name of our hook in the agent's own commands. */
  readonly hookName?: string
  /** What the user must still do before the agent runs hooks. */
  readonly note?: string
  /** Releases of the agent whose shell commands run git without its hooks. */
  readonly cutsOffGit?: string
  /** Texts for the agent: paths from the top of the worktree, each with its template. */
  readonly texts?: Readonly<Record<string, string>>
  /** Additional texts if contexts are tracked. */
  readonly contextTexts?: Readonly<Record<string, string>>
  readonly hooks: readonly AgentHook[]
  /** If contexts are tracked: the hook for tools that fill the context and that no other hook matches. */
  readonly contextHook?: AgentHook
  /** Events that are understood although no hook of ours is installed for them. */
  readonly otherEvents?: Readonly<Record<string, SignalKind>>

  /** Settings files that can switch hooks off, nearest first; the first that has the setting decides. */
  readonly switchFiles: readonly string[]
  /** The setting that switches our hooks off, with its value; `on` if a setting switches them on. */
  switchIn(settings: Fields): string | undefined

  /** The payload's key for the text of the agent's last message. */
  readonly lastMessage: string
  /** Texts that the agent sends instead of a message. */
  readonly noMessage?: RegExp
  /** Prompts that the agent's program sends by itself: they begin a turn but are not the user's words. */
  readonly ownPrompt?: RegExp
  /** Extract the user's words from a prompt, and the agent's from its last message, if the program adds to them. */
  readPrompt?(text: string): string
  readMessage?(text: string): string
  /** Compaction triggers after which nothing is compacted. */
  readonly noCompaction?: RegExp
  /** What a tool did. `hook`: the agent's name of the event. */
  readTool(name: string, payload: Fields, hook: string): ToolUse
  /** The entries in lines of a transcript. Never throws; lines that are not records of the agent are skipped. */
  readLines(lines: readonly string[]): TranscriptEntry[]
  /** What lines of a transcript that `readLines` ignores have among their first fields, if many lines do. */
  readonly unusedLine?: string
  /** The same lines without most of the content that `readLines` ignores. */
  toldLines?(lines: readonly string[]): string[]
}
