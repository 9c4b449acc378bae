/**
 * A plan as tasks in units: the form that sharding, ordering and estimating work on, whatever the plan was
 * written in.
 *
 * A unit is one task with what belongs to it. The texts of the units, put together, are the plan's text: that
 * nothing is lost when it is cut is a matter of counting units.
 */

export type PlanForm = 'tasks' | 'sections' | 'stories'

export interface Plan {
  readonly form: PlanForm
  readonly title: string
  /** Of a shard: what was written in front of its tasks by us. Its files are the tasks' no more. */
  readonly head: string
  /** What each shard is to know: what stands before the first task. Of a shard, what it was given. */
  readonly preamble: string
  /** The line of the plan where it ends, when it is too long to be repeated. */
  readonly longPreamble?: number | undefined
  /** The part of `preamble` that is not in the first unit's text. */
  readonly given: string
  readonly units: readonly Unit[]
  readonly eol: string
  /** What a plan in JSON has beside its stories. */
  readonly members?: Readonly<Record<string, unknown>>
}

export interface Unit {
  readonly text: string
  /** 1-based, in the plan's file. Of a story its number. */
  readonly line: number
  /** Undefined in a document without tasks: its sections are cut then. */
  readonly task: Task | undefined
  /** The outermost heading around it that does not stand around all tasks; empty where there is none. */
  readonly group: string
  /** Lines of headings that it stands below, in another unit's text: `## Phase 2`. */
  readonly continued: readonly string[]
  /** How good it is to stop before this unit, 0 to 9. */
  readonly breakpoint: number
  readonly steps: number
  /** The line by which the plan says that this is a good place to stop. */
  readonly checkpoint: string | undefined
  /** The value that a story is, in a plan in JSON. */
  readonly story?: unknown
}

export interface Task {
  /** `T012`, `1.2`, `US-001`, `Task 3`; undefined where it has none. */
  readonly id: string | undefined
  readonly title: string
  readonly isDone: boolean
  readonly isOptional: boolean
  /** Ids of tasks that come first. */
  readonly after: readonly string[]
}

export function isOpen({ task }: Unit): boolean {
  return task?.isDone !== true
}
