/**
 * When this person hands over: learnt from the checkpoints that were typed and from the times that the advice was put
 * off, in this session and in earlier ones. It shifts the advice within a level; an emergency is nobody's taste. Pure.
 */

import type { Boundaries } from './level.ts'
import { DEFAULT_BOUNDARIES } from './level.ts'
import type { ContextRecord } from './record.ts'

/** Fewer say nothing. */
const ENOUGH = 3
const NEWEST = 20
/** Points of percent: further from the usual is another habit than ours to follow. */
const MOST = 10

/**
 * Points of percent of the limit: later than L2 begins is positive, sooner negative. The median of what was typed
 * says where; each time that the advice was put off moves it a point further back.
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
    .slice(0, NEWEST)
    .toSorted((a, b) => a - b)
  const putOff = records.flatMap(({ deferrals }) => deferrals).length
  if (typed.length + putOff < ENOUGH) return 0
  const median = typed[Math.floor(typed.length / 2)] ?? usual
  return Math.max(-MOST, Math.min(MOST, median - usual + putOff))
}
