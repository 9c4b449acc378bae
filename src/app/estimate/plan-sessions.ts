/** Arranges the open tasks of one or more plans into sessions. */

import { MUST_SHARD_PERCENT, tokensBelow } from '../../core/estimate/verdict.ts'
import { pathsIn } from '../../core/plan/plan-work.ts'
import type { Session } from '../../core/plan/sessions.ts'
import { planSessions } from '../../core/plan/sessions.ts'
import type { Window } from './estimate-context.ts'
import { sizesOf } from './estimate-context.ts'
import { learntRates } from './learnt-rates.ts'
import type { PlanFile } from './plan-file.ts'
import type { SessionContext } from '../shadow/session-context.ts'

export function orderIntoSessions(
  context: SessionContext,
  files: readonly PlanFile[],
  { window, remaining }: Window,
): Session[] {
  const sources = files.map(({ plan, folder }) => ({
    plan,
    sizes: sizesOf(context, pathsIn(plan), folder),
  }))
  const later = tokensBelow(MUST_SHARD_PERCENT, window)
  const first = Math.min(remaining ?? later, later)
  return planSessions(sources, learntRates(context), { first, later })
}
