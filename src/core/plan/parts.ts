/**
 * The progress of a plan's parts, identified by the titles of their tasks. Progress is kept in the plan, and the parts
 * stay as they were cut. Pure.
 */

import { createHash } from 'node:crypto'
import { isFlag, isText, listOf, parseJson, withFields } from '../text/json-values.ts'
import type { Plan, Unit } from './plan.ts'
import { isOpen } from './plan.ts'

export interface Part {
  /** Digests of the titles of its tasks, because no text of a task is stored. */
  readonly tasks: readonly string[]
  readonly isDone: boolean
}

/** A plan whose parts are sub-issues of this issue. */
export interface TrackedPlan {
  readonly issue: string
  /** Path relative to the top of the worktree. */
  readonly plan: string
  readonly parts: readonly Part[]
}

export function partOf(units: readonly Unit[]): Part {
  const tasks = units.flatMap(({ task }) => (task === undefined ? [] : [digestOf(task.title)]))
  return { tasks, isDone: tasks.length > 0 && !units.some(isOpen) }
}

/** The parts in their current state. A part once done stays done, because two worktrees may work on two parts. */
export function partsNow(plan: Plan, parts: readonly Part[]): Part[] {
  const done = doneTasks(plan)
  return parts.map(({ tasks, isDone }) => ({
    tasks,
    isDone: isDone || (tasks.length > 0 && tasks.every((task) => done.has(task))),
  }))
}

/** `inside`: a part is partly done; `between`: parts are done, but none partly; `before`: none is begun. */
export function placeAmong(plan: Plan, parts: readonly Part[]): 'between' | 'inside' | 'before' {
  const done = doneTasks(plan)
  const counts = parts.map(({ tasks }) => tasks.filter((task) => done.has(task)).length)
  if (counts.some((count, i) => count > 0 && count < (parts[i]?.tasks.length ?? 0))) return 'inside'
  return counts.some((count) => count > 0) ? 'between' : 'before'
}

/** Tasks with the same title are done when all of them are. */
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

/** Damaged entries are not tracked. */
export function parseTrackedPlans(text: string | undefined): TrackedPlan[] {
  const value = parseJson(text)
  return Array.isArray(value) ? value.filter(isTrackedPlan) : []
}

const isTrackedPlan = withFields<TrackedPlan>({
  issue: isText,
  plan: isText,
  parts: listOf(withFields<Part>({ tasks: listOf(isText), isDone: isFlag })),
})
