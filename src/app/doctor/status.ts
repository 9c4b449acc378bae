/** `status`: is the ledger fresh, is this clone set up, and what should be run next? */

import { LedgerError } from '../../core/errors/errors.ts'
import { eventsAhead } from '../../core/event/event-set.ts'
import { nameToText } from '../../core/git/objects.ts'
import { shellWord } from '../../core/text/shell-word.ts'
import type { Instant } from '../../core/event/instant.ts'
import { instantToMillis } from '../../core/event/instant.ts'
import type { HookName } from '../hooks/hook-context.ts'
import { HOOKS } from '../hooks/hook-context.ts'
import { changedEvents } from '../commit/changed-events.ts'
import { checkWorktree } from '../ledger/check.ts'
import type { LedgerPlace, WorktreePlace } from '../ledger/ledger-sources.ts'
import {
  eventsOf,
  ledgerPaths,
  placeOfRevision,
  placeOfWorktree,
} from '../ledger/ledger-sources.ts'
import { pendingEvents } from '../ledger/pending-events.ts'
import { stateOfTree } from '../ledger/render-tree.ts'
import { passedOver } from '../ledger/passed-over.ts'
import { findUnmanaged } from '../ledger/unmanaged-ledger.ts'
import type { DamagedEvent } from '../repair/find-damage.ts'
import { findDamage } from '../repair/find-damage.ts'
import type { Setup } from '../setup/setup.ts'
import type { Finding } from './finding.ts'
import { isBroken } from './finding.ts'
import { ignored } from './ledger.ts'
import type { Seen } from './look.ts'
import { environment, installationFinding, look, neverSetUp } from './look.ts'
import { tryLauncher } from './try-driver.ts'

export interface StatusReport {
  readonly fresh: boolean
  readonly reason: string
  readonly pending: readonly string[]
  readonly driver: { readonly active: boolean; readonly reason: string }
  readonly hooks: {
    readonly folder: string
    readonly active: readonly HookName[]
    readonly missing: readonly HookName[]
  }
  /** Event files whose `ts` is further ahead of the clock than `clock.max_drift`. */
  readonly ahead: readonly string[]
  readonly skipped: number
  /** Event files that are not as they were written. */
  readonly damaged: readonly string[]
  readonly next: string | null
}

/** The report, and what it is based on. */
export async function readStatus(setup: Setup) {
  const { repository, settings, hooks } = setup
  // Listing the ledger and looking for changed events take git longest. Everything else that needs no events is asked
  // meanwhile, and before they fill this process's memory, which makes starting git slower.
  const listing = placeOfWorktree(repository, settings.root)
  const [place, changes, seen, hiding] = await Promise.all([
    listing,
    changedEvents(repository, settings),
    lookHere(setup, listing),
    ignored(setup),
  ])
  const { fresh, reason, pending, update } = await judge(setup, place)
  const state = await stateOfTree(repository.objects, place)
  const problems = state.problems.filter(({ file }) => !state.retracted.has(file))
  const damage = await findDamage(repository, settings, place, changes)
  const { driver, active, fix } = await readActivity(setup, seen)
  const unmanaged = await findUnmanaged(repository, settings.root)
  const hidden = [hiding].find(isBroken)
  const passed = fresh ? undefined : await passedOver(repository, settings.root)
  const next = async () => {
    if (fix !== null) return fix
    if (update !== undefined) return update
    if (hidden !== undefined) return 'ledger-git doctor'
    if (damage[0] !== undefined) return nextForDamage(damage[0], damage.length)
    // For a hand-kept current.md, the next commit renders the events; `resolve` has nothing to do.
    if (!fresh && unmanaged === undefined) return passed?.fix ?? 'ledger-git resolve'
    if (unmanaged?.isMigrated === false) return 'ledger-git migrate'
    // A problem is better fixed before a commit holds the event than after.
    if (problems.some(({ file }) => pending.some((path) => path.endsWith(`/${file}`))))
      return 'ledger-git event validate'
    if (pending.length === 0) return null
    const sequence = await repository.commits.sequence()
    // A rebase or pick continues without them, and no commit can be made while paths are unmerged.
    const first = sequence === undefined ? '' : `${sequence}: finish that first; `
    return `${first}your next git commit takes the pending events along`
  }
  const report: StatusReport = {
    fresh,
    reason:
      hidden?.message ?? (unmanaged?.hasPending === true ? 'current.md is kept by hand' : reason),
    pending,
    driver,
    hooks: {
      folder: hooks.path,
      active,
      missing: HOOKS.filter((hook) => !active.includes(hook)),
    },
    ahead: await eventsAheadOfClock(setup, place, state.latest),
    skipped: problems.length,
    damaged: damage.map(({ file }) => file),
    next: await next(),
  }
  return { report, place, state }
}

/** `update`: how to get the release that can render `current.md`, if this one cannot. */
async function judge({ repository, settings }: Setup, place: WorktreePlace) {
  try {
    const { fresh, checked, pending } = await checkWorktree(repository, settings, place)
    return { fresh, reason: checked[0]?.reason ?? '', pending }
  } catch (error) {
    if (!(error instanceof LedgerError) || error.code !== 'FORMAT_TOO_NEW') throw error
    const head = await placeOfRevision(repository, 'HEAD', settings.root)
    const names = await pendingEvents(repository.objects, place, head)
    const pending = names.map((name) => `${ledgerPaths(settings.root).events}/${nameToText(name)}`)
    return { fresh: false, reason: error.message, pending, update: error.next }
  }
}

/** A single missing event needs no inspection: either restore it or drop it for good. */
function nextForDamage({ file, code, next }: DamagedEvent, count: number): string {
  if (count > 1 || code !== 'missing') return 'ledger-git event validate'
  return `${next}, or ledger-git event drop ${shellWord(file)}`
}

/** Usually no event is ahead, and looking at the newest one is enough. */
async function eventsAheadOfClock(
  { repository, settings, clock }: Setup,
  place: LedgerPlace,
  latest: Instant | undefined,
): Promise<string[]> {
  const [now, maxDrift] = [clock.now(), settings.maxDriftMillis]
  if (latest === undefined || instantToMillis(latest) <= now + maxDrift) return []
  const { events } = await eventsOf(repository.objects, place)
  return eventsAhead(events, now, maxDrift).map(({ file }) => file)
}

interface Activity {
  readonly driver: { readonly active: boolean; readonly reason: string }
  readonly active: readonly HookName[]
  /** Fixes the first thing that is broken; null if nothing is. */
  readonly fix: string | null
}

function lookHere(setup: Setup, worktree: Promise<WorktreePlace>): Promise<Seen | undefined> {
  const { top, gitDir } = setup.repository.place
  const here = { path: top ?? gitDir, gitDir, isBare: top === undefined }
  return look(setup, [here], worktree)
}

/** What was seen in this worktree, and a trial commit, so that status never promises what commits do not do. */
async function readActivity(setup: Setup, seen: Seen | undefined): Promise<Activity> {
  if (seen === undefined) return inactive(await neverSetUp(setup))
  const installation = installationFinding(seen.installation, setup)
  const off = [environment(setup), seen.launcher, installation].find(isBroken)
  if (off !== undefined) return inactive(off)
  const driver = seen.driver.find(isBroken)
  // Without a hooks folder, only git's configuration can run hooks.
  const isFolderThere = !isBroken(seen.hooksFolder)
  const active = seen.hooks
    .filter(({ finding, isConfig }) => !isBroken(finding) && (isFolderThere || isConfig))
    .map(({ route }) => route.hook)
  const hookProblems = seen.hooks.map(({ finding }) => finding).filter(isBroken)
  const fixes = new Set(hookProblems.map(({ fix }) => fix))
  // If there are several steps, or one long step for many files, refer to doctor, which lists them.
  const isLong = fixes.size > 1 || (hookProblems.length > 1 && setup.hooks.owner === 'foreign')
  const ofHooks = isLong ? 'ledger-git doctor' : ([...fixes][0] ?? null)
  const activity: Activity = {
    driver: {
      active: driver === undefined,
      reason: driver?.message ?? 'configured for this clone',
    },
    active,
    fix: [driver, seen.hooksFolder].find(isBroken)?.fix ?? ofHooks,
  }
  if (!active.includes('pre-commit')) return activity
  try {
    if (await setup.probes.takesEvent(setup.settings.root)) return activity
  } catch (error) {
    if (!(error instanceof LedgerError)) throw error
    // A trial commit is not possible here.
    return { ...activity, fix: activity.fix ?? error.next ?? null }
  }
  const started = await tryLauncher(setup)
  if (isBroken(started)) return inactive(started)
  const others = active.filter((hook) => hook !== 'pre-commit')
  return { ...activity, active: others, fix: 'ledger-git doctor' }
}

/** Driver and hooks are both inactive for the same reason. */
function inactive({ message, fix }: Finding): Activity {
  return { driver: { active: false, reason: message }, active: [], fix }
}
