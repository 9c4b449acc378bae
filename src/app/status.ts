/** `status`: is the ledger fresh, is this clone set up, what to run next. */

import type { Settings } from '../core/settings.ts'
import { eventsAhead } from './add-event.ts'
import { checkLedger } from './check.ts'
import { findHandKept } from './hand-kept.ts'
import { findDamage } from './find-damage.ts'
import type { FilesPort, HooksFolder } from './ports.ts'
import { eventsOf, ledgerPaths, placeOfWorktree } from './ledger-places.ts'
import type { Clock, RepositoryPort } from './ports.ts'
import { HOOKS } from './run-hook.ts'
import { activeHooks } from './setup/hook-routes.ts'

export interface StatusReport {
  readonly fresh: boolean
  readonly reason: string
  readonly pending: readonly string[]
  readonly driver: { readonly active: boolean; readonly reason: string }
  readonly hooks: {
    readonly folder: string
    readonly active: readonly string[]
    readonly missing: readonly string[]
  }
  /** Event files whose `ts` is further ahead of the clock than `clock.max_drift`. */
  readonly ahead: readonly string[]
  readonly skipped: number
  /** Event files that are not what they were written as. */
  readonly damaged: readonly string[]
  readonly next: string | null
}

export async function readStatus(context: {
  repository: RepositoryPort
  settings: Settings
  files: FilesPort
  hooks: HooksFolder
  gitVersion: string
  clock: Clock
}): Promise<StatusReport> {
  const { repository, settings, files, hooks, gitVersion, clock } = context
  const check = await checkLedger(repository, settings, { kind: 'worktree' })
  const place = await placeOfWorktree(repository, settings.root)
  const set = await eventsOf(repository.objects, place)
  const damage = await findDamage(repository, settings)
  const driver = await driverState(repository, settings, files)
  const places = { files, hooks, top: repository.place.top }
  const active = await activeHooks(repository, gitVersion, places)
  const missing = HOOKS.filter((hook) => !active.includes(hook))
  const [first] = check.checked
  const fresh = check.fresh
  const handKept = await findHandKept(repository, settings.root)
  return {
    fresh,
    reason: handKept?.hasPending === true ? 'current.md is kept by hand' : (first?.reason ?? ''),
    pending: place.pending.map((path) => Buffer.from(path, 'latin1').toString('utf8')),
    driver,
    hooks: { folder: hooks.path, active, missing },
    ahead: eventsAhead(set.events, clock.now(), settings.maxDriftMillis).map(({ file }) => file),
    skipped: set.problems.length,
    damaged: damage.map(({ file }) => file),
    next: nextStep({
      driver: driver.active,
      hooks: missing.length === 0,
      // The next commit renders the events beside it; `resolve` has nothing to resolve.
      fresh: fresh || handKept !== undefined,
      damaged: damage.length > 0,
      unmigrated: handKept !== undefined && !handKept.isMigrated,
      pending: place.pending.length,
    }),
  }
}

async function driverState(
  repository: RepositoryPort,
  settings: Settings,
  files: FilesPort,
): Promise<StatusReport['driver']> {
  const path = ledgerPaths(settings.root).current
  if ((await repository.config('merge.ledger.driver')) === undefined) {
    return { active: false, reason: 'merge.ledger.driver is not configured in this clone' }
  }
  if ((await repository.attribute('merge', path)) !== 'ledger') {
    return { active: false, reason: `${path} has no attribute merge=ledger` }
  }
  if (files.kind(`${repository.place.commonDir}/ledger-git/run`) !== 'file') {
    return { active: false, reason: 'the launcher ledger-git/run is gone' }
  }
  return { active: true, reason: 'configured for this clone and its worktrees' }
}

function nextStep(state: {
  driver: boolean
  hooks: boolean
  fresh: boolean
  damaged: boolean
  unmigrated: boolean
  pending: number
}): string | null {
  if (!state.driver) return 'ledger-git install'
  // Another install may not help: a global hooks folder, a manager that wrote its hooks anew.
  if (!state.hooks) return 'ledger-git doctor'
  if (state.damaged) return 'ledger-git event validate'
  if (!state.fresh) return 'ledger-git resolve'
  if (state.unmigrated) return 'ledger-git migrate'
  return state.pending > 0 ? 'your next git commit takes the pending events along' : null
}
