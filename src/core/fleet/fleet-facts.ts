/** What is known about a repository at one moment; the fleet is built from it. Plain data, in any order. */

import type { LedgerEvent } from '../event/event.ts'
import type { Instant } from '../event/instant.ts'
import type { LedgerChange } from '../ledger/diff-ledgers.ts'
import type { JoinState } from '../ledger/join-state.ts'
import type { SessionState } from '../session/session-state.ts'
import type { FleetContext, FleetError, FleetList } from './fleet.ts'

export interface FleetFacts {
  readonly now: Instant
  /** The past instant that was asked for; there are then no facts from sessions and git. */
  readonly at?: Instant | undefined
  readonly mainBranch?: string | undefined
  readonly worktrees: readonly WorktreeFacts[]
  readonly branches: readonly BranchFacts[]
  readonly sessions: readonly SessionFacts[]
  /** The newest events, each once. */
  readonly events: readonly EventFact[]
  readonly checkpoints: readonly CheckpointFacts[]
  readonly errors: readonly ErrorFact[]
  /** How many entries were already left out while gathering. */
  readonly leftOut?: Readonly<Partial<Record<FleetList, number>>>
}

/** A ledger, and the events that it contains. */
export interface HeldLedger {
  readonly state: JoinState
  /** Names of its event files. Names of archived events are in `state`. */
  readonly files: ReadonlySet<string>
}

/** What git currently says about a commit; unknown fields are absent. */
interface CommitFacts {
  readonly isFresh?: boolean | undefined
  /** Commits ahead of the main branch. */
  readonly ahead?: number | undefined
  readonly behind?: number | undefined
}

export interface WorktreeFacts extends CommitFacts {
  readonly path: string
  readonly branch: string | undefined
  readonly head?: string | undefined
  readonly isMain: boolean
  /** Its folder no longer exists. */
  readonly isGone: boolean
  /** Locked by a person (`git worktree lock`), so that it is kept although its folder may be missing. */
  readonly isLocked: boolean
  readonly note?: string | undefined
  /** The ledger of HEAD plus pending events. */
  readonly ledger: HeldLedger | undefined
  /** Names of event files that no commit holds. */
  readonly pending?: readonly string[] | undefined
}

export interface BranchFacts extends CommitFacts {
  readonly name: string
  readonly head: string
  readonly ledger: HeldLedger | undefined
  readonly changes?: readonly LedgerChange[] | undefined
}

export interface SessionFacts {
  readonly state: SessionState
  readonly isTimedOut: boolean
  /** True if nothing is left to do for the session. */
  readonly isFinished: boolean
  /** Undefined if its process is unknown. */
  readonly isOwnerAlive: boolean | undefined
  readonly context: FleetContext | undefined
}

export interface EventFact {
  readonly event: LedgerEvent
  readonly isPending: boolean
}

export interface CheckpointFacts {
  readonly id: string
  readonly ts: string | undefined
  readonly sessions: readonly { readonly agent: string; readonly branch: string | undefined }[]
  readonly commits: readonly string[]
  readonly files: number
}

export interface ErrorFact extends FleetError {
  /** The command that fixes it. */
  readonly command: string | undefined
}
