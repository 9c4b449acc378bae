/**
 * The measures, for all sessions and for the older and the newer half; an unknown value is not 0.
 */

import { expect, test } from 'vitest'
import { metricsOf } from '../../../src/core/estimate/metrics.ts'

const session = (tokensLost: number, tasksDone: number) => ({
  autoCompactions: tokensLost === 0 ? 0 : 2,
  tokensLost,
  tasksDone,
})
const NONE = { all: 0, typed: 0, left: 0, wentOn: 0 }
const shown = (...found: Parameters<typeof metricsOf>) =>
  Object.fromEntries(
    metricsOf(...found).map(({ name, value, older, newer }) => [name, [value, older, newer]]),
  )

test('compares the older half with the newer one', () => {
  const sessions = [session(100_000, 1), session(50_000, 2), session(0, 3), session(0, 5)]
  expect(shown(sessions, { all: 3, typed: 2, left: 3, wentOn: 2 })).toEqual({
    'context-lost': [37_500, 75_000, 0],
    'mid-task-compaction': [50, 100, 0],
    'tasks-per-session': [2.8, 1.5, 4],
    'typed-checkpoints': [66.7, undefined, undefined],
    resumed: [66.7, undefined, undefined],
  })
})

test('are unknown without data', () => {
  for (const [value, older, newer] of Object.values(shown([], NONE))) {
    expect([value, older, newer]).toEqual([undefined, undefined, undefined])
  }
  expect(shown([session(0, 2)], NONE)['tasks-per-session']).toEqual([2, undefined, undefined])
})
