/** The part of the fleet that concerns one worktree, for a caller that has already read its ledger. */

import { instantFromMillis } from '../../core/event/instant.ts'
import { buildFleet } from '../../core/fleet/build-fleet.ts'
import type { Fleet } from '../../core/fleet/fleet.ts'
import type { JoinState } from '../../core/ledger/join-state.ts'
import type { LedgerPlace } from '../ledger/ledger-sources.ts'
import { collectErrors } from './collect-errors.ts'
import type { FleetContext } from './fleet-context.ts'
import { fleetSessions } from './fleet-sessions.ts'
import { heldLedger } from './held-ledgers.ts'

export interface SeenLedger {
  readonly place: LedgerPlace
  readonly state: JoinState
  /** Paths. */
  readonly pending: readonly string[]
}

/** Who works here and what needs attention; says nothing about whether `current.md` is fresh. */
export async function fleetHere(
  context: FleetContext,
  { place, state, pending }: SeenLedger,
): Promise<Pick<Fleet['worktrees'][number], 'agents'> & Pick<Fleet, 'attention' | 'more'>> {
  const { repository, clock } = context
  const { top, gitDir, commonDir } = repository.place
  const path = top ?? gitDir
  const { oid: head, branch } = await repository.history.head()
  const errors = collectErrors()
  const sessions = await errors.attempt('worktrees', 'sessions', () =>
    fleetSessions(context, errors),
  )
  const here = {
    path,
    branch,
    head,
    isMain: gitDir === commonDir,
    isGone: false,
    isLocked: false,
    ledger: heldLedger(place, state),
    pending: pending.map((path) => path.slice(path.lastIndexOf('/') + 1)),
  }
  const { worktrees, attention, more } = buildFleet({
    now: instantFromMillis(clock.now()),
    worktrees: [here],
    branches: [],
    sessions: (sessions ?? []).filter(({ state }) => state.worktree.path === path),
    events: [],
    checkpoints: [],
    errors: errors.found,
  })
  return { agents: worktrees[0]?.agents ?? [], attention, more }
}
