/** Estimates what a task takes, and whether it fits: for a plan file or for a text. */

import { judge } from '../../core/estimate/verdict.ts'
import type { Work } from '../../core/estimate/work.ts'
import { estimateTokens, fileTokens, TOKENS_PER_STEP } from '../../core/estimate/work.ts'
import { namedPaths } from '../../core/estimate/named-files.ts'
import type { FileSizes } from '../../core/plan/plan-work.ts'
import { openWork, pathsIn, textWork } from '../../core/plan/plan-work.ts'
import { keepEstimate, learntRates } from './learnt-rates.ts'
import type { PlanFile } from './plan-file.ts'
import type { SessionContext } from '../shadow/session-context.ts'

/** What is known about the agent's context window. */
export interface Window {
  readonly window: number
  /** Undefined if unknown. */
  readonly remaining: number | undefined
}

/** Used if nothing says otherwise. */
export const DEFAULT_WINDOW = 200_000

/** What is to be done, and the text that says so. */
interface Task {
  readonly work: Work
  readonly text: string
}

/** What is open in a plan. */
export function planTask(context: SessionContext, file: PlanFile): Task {
  return { work: openWork(file.plan, sizesInPlan(context, file)), text: file.text }
}

export function textTask(context: SessionContext, text: string): Task {
  return { work: textWork(text, sizesOf(context, namedPaths(text), undefined)), text }
}

export type Estimate = ReturnType<typeof estimateTask>

/** `session`: the one that will do the task, whose result is later compared with the estimate; undefined for none. */
export function estimateTask(
  context: SessionContext,
  { work, text }: Task,
  room: Window,
  session: string | undefined,
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

/** The sizes of the files that a plan names. */
export function sizesInPlan(context: SessionContext, { plan, folder }: PlanFile): FileSizes {
  return sizesOf(context, pathsIn(plan), folder)
}

/**
 * The sizes of the named files in the worktree. Names are relative to its top, as in plans, or to the plan's folder.
 * `folder`: the plan's folder relative to the top; undefined if it is outside the worktree.
 */
function sizesOf(
  { repository, plans }: SessionContext,
  names: readonly string[],
  folder: string | undefined,
): FileSizes {
  const { top } = repository.place
  const sizes = new Map<string, number>()
  for (const name of names) {
    const size =
      plans.size(`${top}/${name}`) ??
      (folder === undefined ? undefined : plans.size(`${top}/${folder}/${name}`))
    if (size !== undefined) sizes.set(name, size)
  }
  return sizes
}
