/**
 * Everything that ledger-git knows about one coding agent. `agents.ts` lists the records; docs/add-an-agent.md
 * tells how to write one. Pure.
 */

import type { SignalKind, ToolUse, TranscriptEntry } from './agent-signal.ts'
import type { Fields } from '../text/json-fields.ts'

/** A hook of ours in the agent's settings. */
export interface AgentHook {
  /** The agent's name of the event. */
  readonly event: string
  readonly kind: SignalKind
  /** Its time-out. */
  readonly seconds: number
  /** Tools, or triggers of a compaction, that the hook is for. */
  readonly matcher?: string
  /** What the agent reads of an answer to this event. */
  readonly reads?: 'context and message' | 'message'
  /** At the end of a turn: the word by which an answer makes the agent go on. */
  readonly asks?: 'block' | 'deny'
}

export interface Agent {
  /** Its product name. */
  readonly title: string
  /** Set in the environment of the commands that it runs. */
  readonly variable: string
  /** In the environment of its hooks: the folder that it was started in, wherever its shell has gone since. */
  readonly projectVariable?: string
  /** The settings file that the team shares, from the top of the worktree. */
  readonly file: string
  /** The one for this clone only. */
  readonly localFile?: string
  /** The agent's unit of time-outs in a second. */
  readonly perSecond: 1 | 1000
  /** By which the agent's own commands name the hook. */
  readonly hookName?: string
  /** What is left for the user to do: what it runs no hooks without. */
  readonly note?: string
  /** Releases whose own commands run git without its hooks. */
  readonly cutsOffGit?: string
  /** Texts for the agent, from the top of the worktree, by their template. */
  readonly texts?: Readonly<Record<string, string>>
  /** More of them where contexts are followed. */
  readonly contextTexts?: Readonly<Record<string, string>>
  readonly hooks: readonly AgentHook[]
  /** Where contexts are followed: for the tools that fill one and tell nothing else. */
  readonly contextHook?: AgentHook
  /** Events that are understood, though no hook of ours is installed for them. */
  readonly otherEvents?: Readonly<Record<string, SignalKind>>

  /** Settings files that can switch hooks off, nearest first; the first that has the setting decides. */
  readonly switchFiles: readonly string[]
  /** The setting that switches our hooks off, with its value; `on` where one switches them on. */
  switchIn(settings: Fields): string | undefined

  /** The payload's name for the text of the agent's last message. */
  readonly lastMessage: string
  /** Texts that the agent sends in place of a message. */
  readonly noMessage?: RegExp
  /** Prompts that the agent sends by itself: they begin a turn, and say nothing of the user's. */
  readonly ownPrompt?: RegExp
  /** The user's words in a prompt, and the agent's in its last message, where the program adds to them. */
  readPrompt?(text: string): string
  readMessage?(text: string): string
  /** Triggers of a compaction at which nothing is compacted. */
  readonly noCompaction?: RegExp
  /** What a tool did; `hook`: the agent's name of the event. */
  readTool(name: string, payload: Fields, hook: string): ToolUse
  /** What lines of a transcript say. Never throws; what is none of the agent's records is passed over. */
  readLines(lines: readonly string[]): TranscriptEntry[]
  /** The same lines without most of what `readLines` passes over. */
  toldLines?(lines: readonly string[]): string[]
}
