/** Gathers what is known about all worktrees, branches and sessions into one fleet. */

import { instantFromMillis } from '../../core/event/instant.ts'
import type { FleetLimits } from '../../core/fleet/build-fleet.ts'
import { buildFleet, FLEET_LIMITS } from '../../core/fleet/build-fleet.ts'
import type { Fleet } from '../../core/fleet/fleet.ts'
import type { BranchFacts, CheckpointFacts, WorktreeFacts } from '../../core/fleet/fleet-facts.ts'
import { CHECKPOINTS_BRANCH } from '../../core/checkpoint/checkpoint.ts'
import { folderName } from '../../core/text/folder-name.ts'
import { foldState } from '../../core/ledger/join.ts'
import { renderLedger } from '../../core/ledger/render.ts'
import type { Settings } from '../../core/settings/settings.ts'
import type { ListedCheckpoint } from '../checkpoint/read-checkpoints.ts'
import { checkpointTips, listCheckpoints } from '../checkpoint/read-checkpoints.ts'
import { freshnessOf } from '../ledger/freshness.ts'
import type { LedgerPlace } from '../ledger/ledger-sources.ts'
import type { Errors } from './collect-errors.ts'
import { collectErrors } from './collect-errors.ts'
import type { Distance, FleetContext, FleetMemory } from './fleet-context.ts'
import { newestEvents } from './fleet-events.ts'
import { fleetSessions } from './fleet-sessions.ts'
import type { HeadPlace } from './head-place.ts'
import type { StateOf } from './held-ledgers.ts'
import { heldLedger, statesOf } from './held-ledgers.ts'
import type { Places, SeenBranch, SeenWorktree } from './list-places.ts'
import { listPlaces } from './list-places.ts'
import { wouldChange } from './would-change.ts'

interface Look {
  readonly context: FleetContext
  readonly errors: Errors
  readonly recall: Recall
  readonly places: Places
  readonly stateOf: StateOf
}

/**
 * `limits`: see `buildFleet`; without a limit on branches, merged ones are included. `before`: the memory of an earlier
 * look by the same process; what it found is not computed again.
 */
export async function gatherFleet(
  context: FleetContext,
  limits: Partial<FleetLimits>,
  before?: FleetMemory,
): Promise<{ readonly fleet: Fleet; readonly memory: FleetMemory }> {
  const most = { ...FLEET_LIMITS, ...limits }
  const { repository, clock } = context
  const errors = collectErrors()
  const { recall, memory } = recallOf(before)
  const places = await listPlaces(context, errors, most.branches)
  const all = allPlaces(places)
  const look = { context, errors, recall, places, stateOf: statesOf(repository, all) }
  const branches: BranchFacts[] = []
  for (const one of places.branches) branches.push(await branchFacts(look, one))
  const worktrees: WorktreeFacts[] = []
  for (const one of places.worktrees) worktrees.push(await worktreeFacts(look, one))
  const pending = new Set(worktrees.flatMap((one) => one.pending ?? []))
  const newest = await errors.attempt('timeline', '', () =>
    newestEvents(repository, all, pending, most.timeline, errors),
  )
  const sessions = await errors.attempt('worktrees', 'sessions', () =>
    fleetSessions(context, errors),
  )
  const fleet = buildFleet(
    {
      now: instantFromMillis(clock.now()),
      mainBranch: places.main?.name,
      worktrees,
      branches,
      sessions: sessions ?? [],
      events: newest?.events ?? [],
      checkpoints: await checkpointFacts(look),
      errors: errors.found,
      leftOut: { branches: places.branchesLeftOut, timeline: newest?.leftOut ?? 0 },
    },
    most,
  )
  return { fleet, memory }
}

function allPlaces({ main, worktrees, branches }: Places): LedgerPlace[] {
  const heads = [main, ...branches, ...worktrees].flatMap((one) => one?.at?.place ?? [])
  return [...heads, ...worktrees.flatMap(({ places }) => places?.place ?? [])]
}

async function branchFacts(look: Look, { name, head, at }: SeenBranch): Promise<BranchFacts> {
  const { errors, stateOf, places } = look
  const attempt = <T>(action: () => Promise<T>) => errors.attempt('branches', name, action)
  const state = at && (await attempt(() => stateOf(at.place)))
  const distance = await attempt(async () => distanceOf(look, head))
  const isMain = name === places.main?.name
  const changes =
    state && (isMain ? [] : await attempt(async () => changesOf(look, head, at, distance)))
  return {
    name,
    head,
    ledger: at && state && heldLedger(at.place, state),
    isFresh: at && state && (await attempt(() => isFresh(look, at.place, at.settings))),
    ahead: distance?.ahead,
    behind: distance?.behind,
    changes,
  }
}

async function worktreeFacts(look: Look, seen: SeenWorktree): Promise<WorktreeFacts> {
  const { path, branch, head, isMain, isGone, at, places } = seen
  const { errors, stateOf } = look
  const attempt = <T>(action: () => Promise<T>) =>
    errors.attempt('worktrees', branch ?? folderName(path), action)
  const state = places && (await attempt(() => stateOf(places.place)))
  const distance =
    head === undefined ? undefined : await attempt(async () => distanceOf(look, head))
  const { shown } = places ?? {}
  return {
    path,
    branch,
    head,
    isMain,
    isGone,
    isLocked: seen.locked !== undefined,
    note: noteOf(seen),
    ledger: places && state && heldLedger(places.place, state),
    isFresh: at && state && shown && (await attempt(() => isFresh(look, shown, at.settings))),
    pending: places?.pending,
    ahead: distance?.ahead,
    behind: distance?.behind,
  }
}

function noteOf({
  isGone,
  damage,
  head,
  branch,
  underWay,
  locked,
}: SeenWorktree): string | undefined {
  const notes = [
    isGone && 'its folder is gone',
    head === undefined && damage === undefined && 'no commit yet',
    underWay ?? (head !== undefined && branch === undefined && 'detached HEAD'),
    locked !== undefined && (locked === '' ? 'locked' : `locked: ${locked}`),
  ].filter((note) => typeof note === 'string')
  return notes.length === 0 ? undefined : notes.join(', ')
}

/** Distance from the main branch. */
async function distanceOf({ places: { main }, context, recall }: Look, head: string) {
  if (main === undefined) return undefined
  if (head === main.commit) return { ahead: 0, behind: 0 }
  return recall('distance', `${main.commit} ${head}`, () =>
    context.fleet.distance(main.commit, head),
  )
}

async function changesOf(
  { places: { main }, context: { repository }, recall, stateOf }: Look,
  commit: string,
  { place }: HeadPlace,
  distance: Distance | undefined,
) {
  if (main?.at === undefined) return undefined
  if (distance?.ahead === 0) return []
  const ours = { commit: main.commit, place: main.at.place }
  const theirs = { commit, place, isAhead: distance?.behind === 0 }
  return wouldChange(repository, ours, theirs, stateOf, (key, make) => recall('changes', key, make))
}

/** True if `current.md` is the rendering of the events beside it. */
async function isFresh(
  { context: { repository }, recall, stateOf }: Look,
  place: LedgerPlace,
  { mode }: Pick<Settings, 'mode'>,
): Promise<boolean> {
  const key = `${place.eventsTree} ${place.current?.oid} ${place.current?.mode} ${mode}`
  return recall('freshness', key, async () => {
    const render = async () => renderLedger(foldState(await stateOf(place)), place.eventsTree)
    return (await freshnessOf(repository.objects, place, mode, render)).fresh
  })
}

/** Lists checkpoints again only if the local or the fetched branch has moved. */
async function checkpointFacts({ context, errors, recall }: Look): Promise<CheckpointFacts[]> {
  const { repository } = context
  const listed = await errors.attempt('checkpoints', CHECKPOINTS_BRANCH, async () => {
    const key = (await checkpointTips(repository)).join(' ')
    return recall('checkpoints', key, () => listCheckpoints(repository))
  })
  return (listed ?? []).map(checkpointFact)
}

export function checkpointFact(checkpoint: ListedCheckpoint): CheckpointFacts {
  const { id, condensedAt: ts, sessions, commits, files } = checkpoint
  return { id, ts, sessions, commits, files: files.length }
}

/** `what`: the kind of answer; each kind has its own type. `make` is called if `key` is not remembered. */
type Recall = <T>(
  what: 'distance' | 'freshness' | 'changes' | 'checkpoints',
  key: string,
  make: () => Promise<T>,
) => Promise<T>

/** Reuses what the previous look found. `memory` holds only what this look asked for. */
function recallOf(before: FleetMemory | undefined): {
  readonly recall: Recall
  readonly memory: FleetMemory
} {
  const memory = new Map<string, unknown>()
  const recall: Recall = async <T>(what: string, key: string, make: () => Promise<T>) => {
    const name = `${what} ${key}`
    const value = (memory.get(name) ?? before?.get(name) ?? (await make())) as T
    memory.set(name, value)
    return value
  }
  return { recall, memory }
}
