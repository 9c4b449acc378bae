/** What is known of a repository at one moment: the fleet is made of it. Plain data, in any order. */

import type { LedgerEvent } from '../event/event.ts'
import type { Instant } from '../event/instant.ts'
import type { LedgerChange } from '../ledger/diff-ledgers.ts'
import type { JoinState } from '../ledger/join-state.ts'
import type { SessionState } from '../session/session-state.ts'
import type { FleetContext, FleetError, FleetList } from './fleet.ts'

export interface FleetFacts {
  readonly now: Instant
  /** The past instant that all of it is about; sessions and git then tell nothing. */
  readonly at?: Instant | undefined
  readonly mainBranch?: string | undefined
  readonly worktrees: readonly WorktreeFacts[]
  readonly branches: readonly BranchFacts[]
  readonly sessions: readonly SessionFacts[]
  /** The newest ones; each once. */
  readonly events: readonly EventFact[]
  readonly checkpoints: readonly CheckpointFacts[]
  readonly errors: readonly ErrorFact[]
  /** What gathering left out already. */
  readonly leftOut?: Readonly<Partial<Record<FleetList, number>>>
}

/** A ledger, and which events it knows of. */
export interface HeldLedger {
  readonly state: JoinState
  /** Names of its event files. Archived ones are in the state. */
  readonly files: ReadonlySet<string>
}

/** What git knows of a commit now; absent where nobody knows. */
interface CommitFacts {
  readonly isFresh?: boolean | undefined
  /** Against the main branch. */
  readonly ahead?: number | undefined
  readonly behind?: number | undefined
}

export interface WorktreeFacts extends CommitFacts {
  readonly path: string
  readonly branch: string | undefined
  readonly head?: string | undefined
  readonly isMain: boolean
  /** Its folder is not there any more. */
  readonly isGone: boolean
  /** Somebody said that it stays, though its folder may be away. */
  readonly isLocked: boolean
  readonly note?: string | undefined
  /** Of HEAD, with its pending events. */
  readonly ledger: HeldLedger | undefined
  /** Files of events that no commit holds. */
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
  /** Nothing is left to do for it. */
  readonly isFinished: boolean
  /** Undefined: nobody knows its process. */
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
  /** What mends it. */
  readonly command: string | undefined
}
