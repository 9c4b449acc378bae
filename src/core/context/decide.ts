/**
 * What to do at a level: a table that implements the first principle of the design (docs/context.md), with the most
 * urgent row first.
 */

import type { Level } from './level.ts'
import { isAtLeast } from './level.ts'
import type { Trend } from './samples.ts'

/**
 * `continue`: do nothing. `finish`: finish the current task and begin no other. `checkpoint`: hand over now.
 * `emergency`: hand over at once, whatever is in progress.
 */
export type Advice = 'continue' | 'finish' | 'checkpoint' | 'emergency'

/** How much of the remaining context the next task will take. */
export type TaskSize = 'small' | 'large' | 'unknown'

/** Whether this is a good or bad moment to hand work over. */
export type Breakpoint = 'good' | 'bad' | 'none'

export interface Situation {
  readonly level: Level
  /** Percent of the effective limit. */
  readonly percent: number
  readonly trend?: Trend | undefined
  readonly task: TaskSize
  readonly breakpoint: Breakpoint
  /** A person or the agent deferred the advice: once, or until L2. */
  readonly deferred?: 'once' | 'until L2' | undefined
  /** Learnt from earlier sessions, in points of percent: this person hands over later (positive) or sooner. */
  readonly shift?: number | undefined
}

/** Percent of the limit from which it is an emergency, although the level is still L2. */
export const EMERGENCY_PERCENT = 90

/** Percent of the limit from which no large task is begun: it would be interrupted at L1. */
const LARGE_TASK_PERCENT = 60

/** Percent of the limit from which, still within L1, a good moment is used although there is no urgency yet. */
const LATE_IN_L1 = 80

interface Row {
  /** `shifted`: the percent adjusted to this person's habit. An emergency ignores it. */
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

/** The advice of the first matching row. A fuller context never gets less urgent advice, all else equal. */
export function decide(situation: Situation): Advice {
  const shifted = situation.percent - (situation.shift ?? 0)
  return TABLE.find(({ when }) => when(situation, shifted))?.advice ?? 'continue'
}

/** Above this percent of the limit, still at L0, Stop prints one quiet line at a good moment. */
const QUIET_STOP_PERCENT = 50

/** True if the end of a turn is worth one quiet line to the person. */
export function isQuietHint({ level, percent, breakpoint }: Situation): boolean {
  return !isAtLeast(level, 'L1') && percent > QUIET_STOP_PERCENT && breakpoint === 'good'
}
