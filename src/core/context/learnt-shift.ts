/**
 * When this person hands over, learnt from typed checkpoints and from deferrals of the advice, in this session and
 * in earlier ones. The result shifts the advice within a level, but never an emergency. Pure.
 */

import type { Boundaries } from './level.ts'
import { DEFAULT_BOUNDARIES } from './level.ts'
import type { ContextRecord } from './record.ts'

/** Fewer checkpoints and deferrals than this are ignored. */
const MIN_DECISIONS = 3
/** Typed checkpoints that count, the newest. */
const MAX_TYPED = 20
/** Points of percent: the largest shift in either direction. */
const MAX_SHIFT = 10

/**
 * The shift in points of percent of the limit: positive if later than the start of L2, negative if sooner. It is the
 * median of the typed checkpoints, plus one point for each deferral.
 */
export function learntShift(
  records: readonly Pick<ContextRecord, 'checkpoints' | 'deferrals'>[],
  [, usual]: Boundaries = DEFAULT_BOUNDARIES,
): number {
  const typed = records
    .flatMap(({ checkpoints }) => checkpoints)
    .filter(({ isTyped }) => isTyped === true)
    .toSorted((a, b) => (a.timestamp < b.timestamp ? 1 : -1))
    .flatMap(({ percent }) => percent ?? [])
    .slice(0, MAX_TYPED)
    .toSorted((a, b) => a - b)
  const deferred = records.flatMap(({ deferrals }) => deferrals).length
  if (typed.length + deferred < MIN_DECISIONS) return 0
  const median = typed[Math.floor(typed.length / 2)] ?? usual
  return Math.max(-MAX_SHIFT, Math.min(MAX_SHIFT, median - usual + deferred))
}
