/**
 * The fleet: who works where on what, what waits for a person, and where branches disagree.
 *
 * One model for every view: the documented shape of `fleet --json` (`docs/commands.md`). Instants are ISO
 * 8601 in UTC. Null: not known. Texts that people and agents wrote stand as written, but for `subject`,
 * `message`, `note`, `summary` and `would_change`, which are one safe line each.
 */

import type { DecisionValue } from '../event/event.ts'
import type { Level } from '../context/level.ts'

export interface Fleet {
  readonly generated_at: string
  /** The instant that it shows, where one in the past was asked for. */
  readonly at: string | null
  /** The main branch: ahead, behind and `would_change` are about it. */
  readonly main_branch: string | null
  readonly attention: readonly Attention[]
  /** The main one first, then by path. */
  readonly worktrees: readonly FleetWorktree[]
  /** The main one first, then by name. */
  readonly branches: readonly FleetBranch[]
  /** Those that two sides set without knowing of each other first, then the newest. */
  readonly decisions_differ: readonly DifferingDecision[]
  /** The oldest first. */
  readonly open_questions: readonly OpenQuestion[]
  /** The newest first. */
  readonly timeline: readonly TimelineEvent[]
  /** The newest first. */
  readonly checkpoints: readonly FleetCheckpoint[]
  readonly errors: readonly FleetError[]
  readonly more: Readonly<Record<FleetList | 'agents', number>>
}

/** The lists that are cut, with what is cut counted in `more`. */
export type FleetList =
  | 'attention'
  | 'worktrees'
  | 'branches'
  | 'decisions_differ'
  | 'open_questions'
  | 'timeline'
  | 'checkpoints'

/** In the order in which they are shown. */
export const ATTENTION_KINDS = [
  'stalled',
  'waiting',
  'broken',
  'stale',
  'context',
  'question',
  'left_behind',
] as const

export interface Attention {
  readonly kind: (typeof ATTENTION_KINDS)[number]
  /** Who or what: never an absolute path. */
  readonly subject: string
  readonly message: string
  readonly since: string | null
  /** For a shell, in any folder of the repository. */
  readonly command: string | null
}

export interface FleetWorktree {
  readonly path: string
  readonly branch: string | null
  readonly head: string | null
  /** The one that all others were added to. */
  readonly main: boolean
  readonly fresh: boolean | null
  /** Events that no commit holds yet. */
  readonly pending: number | null
  readonly ahead: number | null
  readonly behind: number | null
  /** What is particular: gone, locked, rebasing, merging, a detached HEAD, no commit yet. */
  readonly note: string | null
  readonly agents: readonly FleetAgent[]
}

export interface FleetAgent {
  readonly agent: string
  /** Null where only events tell of the agent. */
  readonly session: string | null
  readonly phase: AgentPhase
  readonly now: string | null
  /** When `now` was said. */
  readonly now_since: string | null
  /** When a hook of the session last ran; of an agent without hooks, its newest event. */
  readonly last_sign: string | null
  readonly context: FleetContext | null
}

export type AgentPhase =
  | 'active'
  | 'active_committed'
  | 'idle'
  | 'ended'
  | 'timed_out'
  | 'left_behind'
  | 'unknown'

export interface FleetContext {
  readonly percent: number
  readonly level: Level
}

export interface FleetBranch {
  readonly name: string
  readonly head: string
  readonly fresh: boolean | null
  readonly ahead: number | null
  readonly behind: number | null
  /** What merging it into the main branch would change in the ledger, a line each, as `preview` says it. */
  readonly would_change: readonly string[] | null
  /** Lines of `would_change` that were cut. */
  readonly more: number
}

export interface DifferingDecision {
  readonly key: string
  /** True where two branches set it without knowing of each other: a merge takes the newest. */
  readonly both_sides: boolean
  /** The newest first: merging all branches keeps that one. */
  readonly values: readonly HeldValue[]
}

export interface HeldValue {
  /** Null: taken back. */
  readonly value: DecisionValue
  readonly agent: string
  /** Where it was said. */
  readonly branch: string | null
  readonly ts: string
  /** Branches whose ledger holds this value; a worktree without a branch by its folder's name. */
  readonly held_on: readonly string[]
}

export interface OpenQuestion {
  readonly text: string
  readonly ts: string
  readonly agent: string
  readonly branch: string | null
}

export interface TimelineEvent {
  readonly file: string
  readonly ts: string
  readonly agent: string
  readonly branch: string | null
  readonly type: string | null
  readonly summary: string
  /** No commit holds it yet. */
  readonly pending: boolean
}

export interface FleetCheckpoint {
  readonly id: string
  readonly ts: string | null
  readonly agent: string
  readonly branch: string | null
  readonly commits: readonly string[]
  readonly summary: string
}

/** What went wrong while gathering: that part is incomplete. */
export interface FleetError {
  readonly part: Exclude<FleetList, 'attention'>
  /** A branch, a folder's name, a file. */
  readonly subject: string
  readonly message: string
}
