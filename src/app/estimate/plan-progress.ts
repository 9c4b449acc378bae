/**
 * How far the parts of plans are: for the place at which a session is in one, and for the issue that has them as its
 * sub-issues. Those are kept beside the outbox, in `<common-dir>/ledger-git/outbox/plans.json`.
 */

import type { Breakpoint } from '../../core/context/decide.ts'
import { LedgerError } from '../../core/errors/errors.ts'
import type { Plan } from '../../core/plan/plan.ts'
import type { TrackedPlan } from '../../core/plan/parts.ts'
import {
  parseTrackedPlans,
  partOf,
  partsNow,
  placeAmong,
  renderTrackedPlans,
} from '../../core/plan/parts.ts'
import { shardFolder } from '../../core/plan/shard-folder.ts'
import type { SessionContext } from '../shadow/session-context.ts'
import { tellIssue } from '../tracker/put-in-outbox.ts'
import { readPlanFile } from './plan-file.ts'
import type { ShardFile } from './shard-files.ts'

const PLACES = { between: 'good', inside: 'bad', before: 'none' } as const

/** Of a session that just ticked something in this plan, whose parts are written. `path`: absolute. */
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

/** A sub-issue for each part, and their progress in the parent, from now on at each checkpoint. */
export async function trackShards(
  session: SessionContext,
  issue: string,
  { plan, path }: { readonly plan: string; readonly path: string | undefined },
  shards: readonly ShardFile[],
): Promise<void> {
  const parts = shards.map(({ title, text, tokens, file }) => {
    return { kind: 'shard', title: title || file, tokens, text } as const
  })
  if (parts.length > 1) {
    await tellIssue(await session.tracker(), { issue, branch: undefined }, parts)
  }
  const tracked = { issue, plan, parts: shards.map(({ units }) => partOf(units)) }
  await tellProgress(session, tracked)
  if (path === undefined) return
  const others = readTracked(session).filter((one) => !isSamePlan(one, tracked))
  writeTracked(session, [...others, tracked])
}

/** At a checkpoint: the issues of plans of which more parts are done than they were told. */
export async function trackProgress(session: SessionContext): Promise<void> {
  const grown = readTracked(session).flatMap((before) => {
    const now = asItIs(session, before)
    return doneIn(now) > doneIn(before) ? [now] : []
  })
  if (grown.length === 0) return
  for (const tracked of grown) await tellProgress(session, tracked)
  // Read anew: another process may have begun to track a plan in the meantime.
  const known = readTracked(session)
  const nowOf = (one: TrackedPlan) => grown.find((tracked) => isSamePlan(tracked, one)) ?? one
  writeTracked(session, known.map(nowOf))
}

function isSamePlan(a: TrackedPlan, b: TrackedPlan): boolean {
  return a.issue === b.issue && a.plan === b.plan
}

function asItIs(session: SessionContext, tracked: TrackedPlan): TrackedPlan {
  const plan = planAt(session, `${session.repository.place.top}/${tracked.plan}`)
  return plan === undefined ? tracked : { ...tracked, parts: partsNow(plan, tracked.parts) }
}

async function tellProgress(session: SessionContext, tracked: TrackedPlan): Promise<void> {
  const { issue, plan, parts } = tracked
  const progress = { kind: 'progress', plan, done: doneIn(tracked), total: parts.length } as const
  await tellIssue(await session.tracker(), { issue, branch: undefined }, [progress])
}

function doneIn({ parts }: TrackedPlan): number {
  return parts.filter(({ isDone }) => isDone).length
}

/** Plans that are tracked, the newest last. */
const MOST = 100

function readTracked({ plans, repository }: SessionContext): TrackedPlan[] {
  return parseTrackedPlans(plans.read(fileIn(repository)))
}

function writeTracked(
  { plans, repository }: SessionContext,
  tracked: readonly TrackedPlan[],
): void {
  plans.write(fileIn(repository), renderTrackedPlans(tracked.slice(-MOST)), 0o600)
}

function fileIn({ place }: SessionContext['repository']): string {
  return `${place.commonDir}/ledger-git/outbox/plans.json`
}
