/** `status`: is the ledger fresh, is this clone set up, what to run next. */

import { eventsAhead } from '../commit/add-event.ts'
import { checkLedger } from '../ledger/check.ts'
import type { SetupContext } from './context.ts'
import type { Activity } from './look.ts'
import { inactive, lookAtActivity } from './look.ts'
import { launcher } from './programs.ts'
import { findHandKept } from '../ledger/unmanaged-ledger.ts'
import { findDamage } from '../repair/find-damage.ts'
import { eventsOf, placeOfWorktree } from '../ledger/ledger-sources.ts'
import type { Clock } from '../ports.ts'

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

export async function readStatus(context: SetupContext & { clock: Clock }): Promise<StatusReport> {
  const { repository, settings, hooks, clock } = context
  const check = await checkLedger(repository, settings, { kind: 'worktree' })
  const place = await placeOfWorktree(repository, settings.root)
  const set = await eventsOf(repository.objects, place)
  const damage = await findDamage(repository, settings)
  const activity = await activityOf(context)
  const [first] = check.checked
  const fresh = check.fresh
  const handKept = await findHandKept(repository, settings.root)
  return {
    fresh,
    reason: handKept?.hasPending === true ? 'current.md is kept by hand' : (first?.reason ?? ''),
    pending: place.pending.map((path) => Buffer.from(path, 'latin1').toString('utf8')),
    driver: activity.driver,
    hooks: { folder: hooks.path, ...activity.hooks },
    ahead: eventsAhead(set.events, clock.now(), settings.maxDriftMillis).map(({ file }) => file),
    skipped: set.problems.length,
    damaged: damage.map(({ file }) => file),
    next: nextStep({
      fix: activity.fix,
      // The next commit renders the events beside it; `resolve` has nothing to resolve.
      fresh: fresh || handKept !== undefined,
      damaged: damage.length > 0,
      unmigrated: handKept !== undefined && !handKept.isMigrated,
      pending: place.pending.length,
    }),
  }
}

/** What is seen, and a commit that is tried out: no status promises what no commit does. */
async function activityOf(context: SetupContext): Promise<Activity> {
  const activity = await lookAtActivity(context)
  if (!activity.hooks.active.includes('pre-commit')) return activity
  const { isTaken } = await context.probes.commitEvent(context.settings.root)
  if (isTaken) return activity
  const started = await launcher(context)
  if (started.status === 'broken') return inactive(started)
  const { active, missing } = activity.hooks
  const others = active.filter((hook) => hook !== 'pre-commit')
  return {
    ...activity,
    hooks: { active: others, missing: ['pre-commit', ...missing] },
    fix: 'ledger-git doctor',
  }
}

function nextStep(state: {
  fix: string | null
  fresh: boolean
  damaged: boolean
  unmigrated: boolean
  pending: number
}): string | null {
  if (state.fix !== null) return state.fix
  if (state.damaged) return 'ledger-git event validate'
  if (!state.fresh) return 'ledger-git resolve'
  if (state.unmigrated) return 'ledger-git migrate'
  return state.pending > 0 ? 'your next git commit takes the pending events along' : null
}
