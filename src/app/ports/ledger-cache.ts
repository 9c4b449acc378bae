/** What reading a ledger leaves for the next run. `io/cache/` implements it. */

import type { JoinState } from '../../core/ledger/join-state.ts'

/** What was read before, kept between runs. Losing it costs time, never data: nothing here throws. */
export interface LedgerCache {
  /** The `events/` trees of which a state is kept, the last used first. */
  states(): string[]
  state(tree: string): JoinState | undefined
  keepState(tree: string, state: JoinState): void
  /** The `events/` tree that was looked through last, and what was found. */
  verified(): VerifiedTree | undefined
  keepVerified(verified: VerifiedTree): void
  /** Forgets all of it, what other releases kept too: it holds what events say. */
  clear(): void
}

/** Which files of an `events/` tree are not what their names were made of. */
export interface VerifiedTree {
  readonly tree: string
  readonly damaged: readonly DamagedBlob[]
  /** Those of them that no acceptance in the same tree names. */
  readonly open: readonly DamagedBlob[]
}

export interface DamagedBlob {
  /** File name in `events/`. */
  readonly file: string
  readonly oid: string
}
