/**
 * The fleet: who works where on what, what waits for a person, and where branches disagree.
 *
 * One model for every view, in the documented form of `fleet --json` (`docs/commands.md`). Instants are ISO 8601 in
 * UTC. Null means unknown. Texts of people and agents are unchanged, except `subject`, `message`, `note`, `summary`
 * and `would_change`, which are single lines that are safe for a terminal.
 */

import type { DecisionValue } from '../event/event.ts'
import type { Level } from '../context/level.ts'

export interface Fleet {
  readonly generated_at: string
  /** The past instant that was asked for; null for the present. */
  readonly at: string | null
  /** The main branch; `ahead`, `behind` and `would_change` are relative to it. */
  readonly main_branch: string | null
  readonly attention: readonly Attention[]
  /** The main worktree first, then by path. */
  readonly worktrees: readonly FleetWorktree[]
  /** The main branch first, then by name. */
  readonly branches: readonly FleetBranch[]
  /** Decisions that two sides set without knowing of each other come first, then the newest. */
  readonly decisions_differ: readonly DifferingDecision[]
  /** Oldest first. */
  readonly open_questions: readonly OpenQuestion[]
  /** Newest first. */
  readonly timeline: readonly TimelineEvent[]
  /** Newest first. */
  readonly checkpoints: readonly FleetCheckpoint[]
  readonly errors: readonly FleetError[]
  readonly more: Readonly<Record<FleetList | 'agents', number>>
}

/** The lists that may be shortened; `more` counts the entries left out. */
export const FLEET_LISTS = [
  'attention',
  'worktrees',
  'branches',
  'decisions_differ',
  'open_questions',
  'timeline',
  'checkpoints',
] as const

export type FleetList = (typeof FLEET_LISTS)[number]

/** In display order. */
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
  /** A shell command that works in any folder of the repository. */
  readonly command: string | null
}

export interface FleetWorktree {
  readonly path: string
  readonly branch: string | null
  readonly head: string | null
  /** True for the main worktree. */
  readonly main: boolean
  readonly fresh: boolean | null
  /** Events that no commit holds yet. */
  readonly pending: number | null
  readonly ahead: number | null
  readonly behind: number | null
  /** A special state: gone, locked, rebasing, merging, a detached HEAD, no commit yet. */
  readonly note: string | null
  readonly agents: readonly FleetAgent[]
}

export interface FleetAgent {
  readonly agent: string
  /** Null if the agent is known only from events. */
  readonly session: string | null
  readonly phase: AgentPhase
  readonly now: string | null
  /** When `now` was reported. */
  readonly now_since: string | null
  /** When a hook of the session last ran; for an agent without hooks, the time of its newest event. */
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
  /** What merging it into the main branch would change in the ledger, one line each, as in `preview`. */
  readonly would_change: readonly string[] | null
  /** Lines of `would_change` that were cut. */
  readonly more: number
}

export interface DifferingDecision {
  readonly key: string
  /** True if two branches set it without knowing of each other; a merge takes the newest value. */
  readonly both_sides: boolean
  /** Newest first; merging all branches keeps the first one. */
  readonly values: readonly HeldValue[]
}

export interface HeldValue {
  /** Null means that the decision was removed. */
  readonly value: DecisionValue
  readonly agent: string
  /** The branch on which it was decided. */
  readonly branch: string | null
  readonly ts: string
  /** Branches whose ledger has this value; a worktree without a branch is given by its folder's name. */
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

/** An error while gathering facts; `part` is incomplete because of it. */
export interface FleetError {
  readonly part: Exclude<FleetList, 'attention'>
  /** A branch, the name of a folder, or a file. */
  readonly subject: string
  readonly message: string
}
