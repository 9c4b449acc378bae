/**
 * A plan as tasks in units: the form used for sharding, ordering, and estimating, regardless of the plan's file format.
 *
 * A unit is one task with everything that belongs to it. The texts of all units add up to the plan's text, so counting
 * units is enough to check that cutting loses nothing.
 */

export type PlanForm = 'tasks' | 'sections' | 'stories'

export interface Plan {
  readonly form: PlanForm
  readonly title: string
  /** For a shard: the text that we wrote before its tasks. Files named there do not count as the tasks' files. */
  readonly head: string
  /** What each shard must know: the text before the first task. For a shard, the text it was given. */
  readonly preamble: string
  /** The line where the preamble ends, if it is too long to be repeated. */
  readonly longPreamble?: number | undefined
  /** The part of `preamble` that is not in the first unit's text. */
  readonly given: string
  readonly units: readonly Unit[]
  readonly eol: string
  /** The other members of a JSON plan, next to its stories. */
  readonly members?: Readonly<Record<string, unknown>>
}

export interface Unit {
  readonly text: string
  /** 1-based line in the plan's file; the number of a story. */
  readonly line: number
  /** Undefined in a document without tasks, whose units are its sections. */
  readonly task: Task | undefined
  /** The outermost heading around the unit that is not around all tasks; empty if there is none. */
  readonly group: string
  /** Heading lines above the unit that are in another unit's text: `## Phase 2`. */
  readonly continued: readonly string[]
  /** How good it is to stop before this unit, from 0 to 9. */
  readonly breakpoint: number
  readonly steps: number
  /** The line in which the plan says that this is a good place to stop. */
  readonly checkpoint: string | undefined
  /** The JSON value of a story. */
  readonly story?: unknown
}

export interface Task {
  /** `T012`, `1.2`, `US-001`, `Task 3`; undefined if the task has none. */
  readonly id: string | undefined
  readonly title: string
  readonly isDone: boolean
  readonly isOptional: boolean
  /** Ids of tasks that this one depends on. */
  readonly after: readonly string[]
}

export function isOpen({ task }: Unit): boolean {
  return task?.isDone !== true
}
