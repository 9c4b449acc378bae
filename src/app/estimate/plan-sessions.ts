/** Arranges the open tasks of one or more plans into sessions. */

import { MUST_SHARD_PERCENT, tokensBelow } from '../../core/estimate/verdict.ts'
import type { Session } from '../../core/plan/sessions.ts'
import { planSessions } from '../../core/plan/sessions.ts'
import type { Window } from './estimate-task.ts'
import { sizesInPlan } from './estimate-task.ts'
import { learntRates } from './learnt-rates.ts'
import type { PlanFile } from './plan-file.ts'
import type { SessionContext } from '../shadow/session-context.ts'

export function orderIntoSessions(
  context: SessionContext,
  files: readonly PlanFile[],
  { window, remaining }: Window,
): Session[] {
  const sources = files.map((file) => ({ plan: file.plan, sizes: sizesInPlan(context, file) }))
  const later = tokensBelow(MUST_SHARD_PERCENT, window)
  const first = Math.min(remaining ?? later, later)
  return planSessions(sources, learntRates(context), { first, later })
}
