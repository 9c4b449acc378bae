/**
 * Progress of the parts of plans: to tell where a session is in a plan, and for the issue that has the parts as its
 * sub-issues.
 */

import type { Breakpoint } from '../../core/context/decide.ts'
import { LedgerError } from '../../core/errors/errors.ts'
import type { Plan } from '../../core/plan/plan.ts'
import type { TrackedPlan } from '../../core/plan/parts.ts'
import { partOf, partsNow, placeAmong } from '../../core/plan/parts.ts'
import { shardFolder } from '../../core/plan/shard-folder.ts'
import type { SessionContext } from '../shadow/session-context.ts'
import { tellIssue } from '../tracker/put-in-outbox.ts'
import type { TrackerContext } from '../tracker/tracker-ports.ts'
import { readPlanFile } from './plan-file.ts'
import type { ShardFile } from './shard-files.ts'

/** Limit for tracked plans; the newest are kept. */
const MAX_PLANS = 100

const PLACES = { between: 'good', inside: 'bad', before: 'none' } as const

/** For a session that has just ticked an item in this plan, whose parts are written as files. `path` is absolute. */
export function placeInPlan(session: SessionContext, path: string): Breakpoint {
  const folder = shardFolder(path)
  const files = session.plans.list(folder).map((name) => `${folder}/${name}`)
  const parts = files
    .flatMap((file) => planAt(session, file) ?? [])
    .map(({ units }) => partOf(units))
  const plan = planAt(session, path)
  return plan === undefined ? 'none' : PLACES[placeAmong(plan, parts)]
}

function planAt(session: SessionContext, path: string): Plan | undefined {
  try {
    return readPlanFile(session, path, path).plan
  } catch (error) {
    // Another branch may not have it.
    if (error instanceof LedgerError) return undefined
    throw error
  }
}

/** Creates a sub-issue for each part, and from now on reports progress in the parent issue at each checkpoint. */
export async function trackShards(
  session: SessionContext,
  issue: string,
  { plan, path }: { readonly plan: string; readonly path: string | undefined },
  shards: readonly ShardFile[],
): Promise<void> {
  const parts = shards.map(({ title, text, tokens, file }) => {
    return { kind: 'shard', title: title || file, tokens, text } as const
  })
  const tracker = await session.tracker()
  if (parts.length > 1) await tellIssue(tracker, { issue, branch: undefined }, parts)
  const tracked = { issue, plan, parts: shards.map(({ units }) => partOf(units)) }
  await tellProgress(tracker, tracked)
  if (path === undefined) return
  await tracker.outbox.changePlans((plans) => {
    return [...plans.filter((one) => !isSamePlan(one, tracked)), tracked].slice(-MAX_PLANS)
  })
}

/** At a checkpoint, updates the issues of plans of which more parts are done than was last reported. */
export async function trackProgress(session: SessionContext): Promise<void> {
  const tracker = await session.tracker()
  const { outbox } = tracker
  const grownOf = (before: TrackedPlan) => {
    const now = withProgress(session, before)
    return doneIn(now) > doneIn(before) ? now : undefined
  }
  if (!outbox.readPlans().some(grownOf)) return
  // Check again and report under the lock, so that the last report is always the most advanced one.
  await outbox.changePlans(async (plans) => {
    const grown = plans.map(grownOf)
    for (const one of grown) if (one !== undefined) await tellProgress(tracker, one)
    return plans.map((before, i) => grown[i] ?? before)
  })
}

function isSamePlan(a: TrackedPlan, b: TrackedPlan): boolean {
  return a.issue === b.issue && a.plan === b.plan
}

function withProgress(session: SessionContext, tracked: TrackedPlan): TrackedPlan {
  const plan = planAt(session, `${session.repository.place.top}/${tracked.plan}`)
  return plan === undefined ? tracked : { ...tracked, parts: partsNow(plan, tracked.parts) }
}

async function tellProgress(tracker: TrackerContext, tracked: TrackedPlan): Promise<void> {
  const { issue, plan, parts } = tracked
  const progress = { kind: 'progress', plan, done: doneIn(tracked), total: parts.length } as const
  await tellIssue(tracker, { issue, branch: undefined }, [progress])
}

function doneIn({ parts }: TrackedPlan): number {
  return parts.filter(({ isDone }) => isDone).length
}
