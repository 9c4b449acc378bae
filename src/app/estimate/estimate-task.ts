/** Estimates what a task takes, and whether it fits: for a plan file or for a text. */

import { judge } from '../../core/estimate/verdict.ts'
import type { Work } from '../../core/estimate/work.ts'
import { estimateTokens, fileTokens, TOKENS_PER_STEP } from '../../core/estimate/work.ts'
import { namedPaths } from '../../core/estimate/named-files.ts'
import { openWork, pathsIn, textWork } from '../../core/plan/plan-work.ts'
import type { Window } from './estimate-context.ts'
import { sizesOf } from './estimate-context.ts'
import { keepEstimate, learntRates } from './learnt-rates.ts'
import type { PlanFile } from './plan-file.ts'
import type { SessionContext } from '../shadow/session-context.ts'

export type Estimate = ReturnType<typeof estimate>

/**
 * `session`: the session that will do the task, whose result is later compared with the estimate; undefined for
 * none.
 */
export function estimatePlan(
  context: SessionContext,
  { plan, text, folder }: PlanFile,
  room: Window,
  session: string | undefined,
): Estimate {
  const work = openWork(plan, sizesOf(context, pathsIn(plan), folder))
  return estimate(context, work, room, session, text)
}

export function estimateText(
  context: SessionContext,
  text: string,
  room: Window,
  session: string | undefined,
): Estimate {
  const work = textWork(text, sizesOf(context, namedPaths(text), undefined))
  return estimate(context, work, room, session, text)
}

function estimate(
  context: SessionContext,
  work: Work,
  room: Window,
  session: string | undefined,
  text: string,
) {
  const rates = learntRates(context)
  const tokens = estimateTokens(work, rates)
  const plain = estimateTokens(work, { ...rates, ratio: 1 })
  if (session !== undefined) keepEstimate(context, session, text, plain)
  const files = [...work.files].map(([path, bytes]) => ({ path, tokens: fileTokens(bytes, rates) }))
  return {
    ...judge(tokens, room),
    tokens,
    work,
    rates,
    room,
    files,
    tokensPerStep: TOKENS_PER_STEP,
  }
}
