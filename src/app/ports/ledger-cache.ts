/** What reading a ledger leaves for the next run. Implemented in `io/cache/`. */

import type { JoinState } from '../../core/ledger/join-state.ts'

/** A cache of what was read in earlier runs. Losing it costs time, never data; nothing here throws. */
export interface LedgerCache {
  /** The `events/` trees whose state is cached, most recently used first. */
  states(): string[]
  state(tree: string): JoinState | undefined
  keepState(tree: string, state: JoinState): void
  /** The last verified `events/` tree, and what was found. */
  verified(): VerifiedTree | undefined
  keepVerified(verified: VerifiedTree): void
  /** Clears everything, including what other releases cached, because the cache contains text of events. */
  clear(): void
}

/** Which files of an `events/` tree do not match the hash in their names. */
export interface VerifiedTree {
  readonly tree: string
  readonly damaged: readonly DamagedBlob[]
  /** The damaged files that no acceptance in the same tree names. */
  readonly open: readonly DamagedBlob[]
}

export interface DamagedBlob {
  /** File name in `events/`. */
  readonly file: string
  readonly oid: string
}
