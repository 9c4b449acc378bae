/**
 * How far the parts of a plan are, by what names their tasks: progress is kept in the plan, so the parts stay as
 * they were cut. Pure.
 */

import { createHash } from 'node:crypto'
import { isFlag, isText, listOf, parseJson, withFields } from '../text/json-values.ts'
import type { Plan, Unit } from './plan.ts'
import { isOpen } from './plan.ts'

export interface Part {
  /** Digests of its tasks' titles: no text of a task is stored. */
  readonly tasks: readonly string[]
  readonly isDone: boolean
}

/** A plan whose parts are sub-issues of this issue. */
export interface TrackedPlan {
  readonly issue: string
  /** From the top of the worktree. */
  readonly plan: string
  readonly parts: readonly Part[]
}

export function partOf(units: readonly Unit[]): Part {
  const tasks = units.flatMap(({ task }) => (task === undefined ? [] : [digestOf(task.title)]))
  return { tasks, isDone: tasks.length > 0 && !units.some(isOpen) }
}

/** As the plan is now. What was done once stays done: two worktrees work on two parts of one plan. */
export function partsNow(plan: Plan, parts: readonly Part[]): Part[] {
  const done = doneTasks(plan)
  return parts.map(({ tasks, isDone }) => ({
    tasks,
    isDone: isDone || (tasks.length > 0 && tasks.every((task) => done.has(task))),
  }))
}

/** `between`: one is done, and none in the midst; `inside`: one is. */
export function placeAmong(plan: Plan, parts: readonly Part[]): 'between' | 'inside' | 'before' {
  const done = doneTasks(plan)
  const counts = parts.map(({ tasks }) => tasks.filter((task) => done.has(task)).length)
  if (counts.some((count, i) => count > 0 && count < (parts[i]?.tasks.length ?? 0))) return 'inside'
  return counts.some((count) => count > 0) ? 'between' : 'before'
}

/** Tasks of one title are done when all of them are. */
function doneTasks({ units }: Plan): ReadonlySet<string> {
  const titles = (some: readonly Unit[]) => some.flatMap(({ task }) => task?.title ?? [])
  const open = new Set(titles(units.filter(isOpen)))
  return new Set(
    titles(units)
      .filter((title) => !open.has(title))
      .map(digestOf),
  )
}

function digestOf(title: string): string {
  return createHash('sha256').update(title).digest('hex').slice(0, 16)
}

/** What is damaged is not tracked. */
export function parseTrackedPlans(text: string | undefined): TrackedPlan[] {
  const value = parseJson(text)
  return Array.isArray(value) ? value.filter(isTrackedPlan) : []
}

const isTrackedPlan = withFields<TrackedPlan>({
  issue: isText,
  plan: isText,
  parts: listOf(withFields<Part>({ tasks: listOf(isText), isDone: isFlag })),
})
