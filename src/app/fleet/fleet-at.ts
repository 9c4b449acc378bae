/**
 * The fleet as it was: what the event files said up to an instant. Nothing else is remembered: what git and the
 * sessions knew then is no longer known.
 */

import type { LedgerEvent } from '../../core/event/event.ts'
import type { Instant } from '../../core/event/instant.ts'
import { instantFromMillis, parseInstant } from '../../core/event/instant.ts'
import type { FleetLimits } from '../../core/fleet/build-fleet.ts'
import { buildFleet, FLEET_LIMITS } from '../../core/fleet/build-fleet.ts'
import type { Fleet } from '../../core/fleet/fleet.ts'
import type { EventFact, HeldLedger } from '../../core/fleet/fleet-facts.ts'
import { stateOf } from '../../core/ledger/join-state.ts'
import { parseDuration } from '../../core/settings/settings.ts'
import { listCheckpoints } from '../checkpoint/read-checkpoints.ts'
import type { LedgerPlace } from '../ledger/ledger-sources.ts'
import { eventsOf, placeOfRevision } from '../ledger/ledger-sources.ts'
import { settingsOfRevision } from '../ledger/read-settings.ts'
import { readCommit } from '../shadow/git-trees.ts'
import { collectErrors } from './collect-errors.ts'
import type { FleetContext } from './fleet-context.ts'
import { checkpointFact } from './gather-fleet.ts'
import { listPlaces } from './list-places.ts'

/** What `--at` means: an age, an instant, or a commit including all its events. Throws `REVISION_UNKNOWN`. */
export async function momentOf(context: FleetContext, word: string): Promise<Instant> {
  const age = parseDuration(word)
  if (age !== undefined) return instantFromMillis(Math.max(0, context.clock.now() - age))
  const instant = parseInstant(word)?.instant
  if (instant !== undefined) return instant
  const { repository } = context
  const commit = await repository.history.resolve(word)
  const { committedAt } = await readCommit(repository, commit)
  const { root } = await settingsOfRevision(repository, commit)
  const { events } = await eventsOf(
    repository.objects,
    await placeOfRevision(repository, commit, root),
  )
  // The clocks of event writers and committers may differ.
  return events.reduce(
    (newest, { ts }) => (ts > newest ? ts : newest),
    instantFromMillis(committedAt * 1000),
  )
}

/** `limits`: as for `gatherFleet`. */
export async function gatherFleetAt(
  context: FleetContext,
  at: Instant,
  limits: Partial<FleetLimits>,
): Promise<Fleet> {
  const most = { ...FLEET_LIMITS, ...limits }
  const { repository, clock } = context
  const errors = collectErrors()
  const places = await listPlaces(context, errors, most.branches)
  const { main, worktrees, branches, branchesLeftOut } = places
  const timeline = new Map<string, EventFact>()
  const heldAt = async (place: LedgerPlace | undefined): Promise<HeldLedger | undefined> => {
    if (place === undefined) return undefined
    const { events } = await eventsOf(repository.objects, place)
    const then = events.flatMap(withArchived).filter(({ ts }) => ts <= at)
    for (const event of then) timeline.set(`${event.id} ${event.file}`, { event, isPending: false })
    return { state: stateOf(then), files: new Set(then.map(({ file }) => file)) }
  }
  const worktreesThen = worktrees.map(async ({ path, branch, isMain, places }) => ({
    path,
    branch,
    isMain,
    isGone: false,
    isLocked: false,
    ledger: await errors.attempt('worktrees', branch ?? '', () => heldAt(places?.place)),
  }))
  const branchesThen = branches.map(async ({ name, head, at: here }) => ({
    name,
    head,
    ledger: await errors.attempt('branches', name, () => heldAt(here?.place)),
  }))
  const checkpoints = await errors.attempt('checkpoints', '', () => listCheckpoints(repository))
  return buildFleet(
    {
      now: instantFromMillis(clock.now()),
      at,
      mainBranch: main?.name,
      worktrees: await Promise.all(worktreesThen),
      branches: await Promise.all(branchesThen),
      sessions: [],
      events: [...timeline.values()],
      checkpoints: (checkpoints ?? []).map(checkpointFact).filter(({ ts }) => isBefore(ts, at)),
      errors: errors.found,
      leftOut: { branches: branchesLeftOut },
    },
    most,
  )
}

/** The events that a snapshot stands for were said one by one. */
function withArchived(event: LedgerEvent): readonly LedgerEvent[] {
  return event.covers.length === 0 ? [event] : event.covers
}

function isBefore(text: string | undefined, at: Instant): boolean {
  const instant = text === undefined ? undefined : parseInstant(text)?.instant
  return instant !== undefined && instant <= at
}
