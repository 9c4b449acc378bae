/**
 * What to do at a level: a table from the first principle of the design (docs/context.md), from the most
 * urgent row to the least.
 */

import type { Level } from './level.ts'
import { isAtLeast } from './level.ts'
import type { Trend } from './samples.ts'

/**
 * `continue`: nothing. `finish`: end the current task, begin no other. `checkpoint`: hand over now.
 * `emergency`: hand over at once, whatever is under way.
 */
export type Advice = 'continue' | 'finish' | 'checkpoint' | 'emergency'

/** What the task ahead takes of what remains. */
export type TaskSize = 'small' | 'large' | 'unknown'

/** Whether this is a moment at which work can be handed over. */
export type Breakpoint = 'good' | 'bad' | 'none'

export interface Situation {
  readonly level: Level
  /** Percent of the effective limit. */
  readonly percent: number
  readonly trend?: Trend | undefined
  readonly task: TaskSize
  readonly breakpoint: Breakpoint
  /** A person or the agent put the advice off: once, or until L2. */
  readonly deferred?: 'once' | 'until L2' | undefined
  /** From earlier sessions, in points of percent: this person hands over later (positive) or sooner. */
  readonly shift?: number | undefined
}

/** From here on it is an emergency, in percent of the limit; the level is L2 still. */
export const EMERGENCY_PERCENT = 90

/** From here on a large task is not begun, in percent of the limit: it would be cut off at L1. */
const LARGE_TASK_PERCENT = 60

/** In the last part of L1 a good moment is taken although nothing presses yet. */
const LATE_IN_L1 = 80

interface Row {
  /** `shifted`: the percent as this person counts it; an emergency is nobody's taste. */
  readonly when: (situation: Situation, shifted: number) => boolean
  readonly advice: Advice
}

const TABLE: readonly Row[] = [
  {
    when: ({ level, percent }) => level === 'L3' || percent >= EMERGENCY_PERCENT,
    advice: 'emergency',
  },
  { when: ({ level, deferred }) => level === 'L2' && deferred === 'once', advice: 'finish' },
  {
    when: ({ level, task, breakpoint }) =>
      level === 'L2' && task === 'small' && breakpoint === 'bad',
    advice: 'finish',
  },
  { when: ({ level }) => level === 'L2', advice: 'checkpoint' },
  { when: ({ deferred }) => deferred !== undefined, advice: 'continue' },
  { when: ({ level, task }) => level === 'L1' && task === 'large', advice: 'checkpoint' },
  {
    when: ({ level, breakpoint, trend }, shifted) =>
      level === 'L1' &&
      breakpoint === 'good' &&
      shifted >= LATE_IN_L1 &&
      trend?.direction !== 'decreasing',
    advice: 'checkpoint',
  },
  { when: ({ level }) => level === 'L1', advice: 'finish' },
  {
    when: ({ task }, shifted) => shifted >= LARGE_TASK_PERCENT && task === 'large',
    advice: 'finish',
  },
  { when: () => true, advice: 'continue' },
]

/** The advice of the first row that holds. Never less for a fuller context, all else equal. */
export function decide(situation: Situation): Advice {
  const shifted = situation.percent - (situation.shift ?? 0)
  return TABLE.find(({ when }) => when(situation, shifted))?.advice ?? 'continue'
}

/** Stop says one quiet line above this percent of the limit, at a good moment, at L0. */
const QUIET_STOP_PERCENT = 50

export function isQuietHint({ level, percent, breakpoint }: Situation): boolean {
  return !isAtLeast(level, 'L1') && percent > QUIET_STOP_PERCENT && breakpoint === 'good'
}
