import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { decide } from '../../../src/core/context/decide.ts'
import { learntShift } from '../../../src/core/context/learnt-shift.ts'

const noteAt = (percent: number | undefined, isTyped = true) => ({
  timestamp: '2026-01-10T12:00:00Z',
  handoffFile: 'x.md',
  reason: 'manual',
  level: 'L1' as const,
  percent,
  isTyped,
})
const shiftOf = (...percents: number[]) =>
  learntShift(percents.map((percent) => ({ checkpoints: [noteAt(percent)], deferrals: [] })))
const deferrals = (count: number) =>
  Array.from({ length: count }, (_, i) => `2026-01-11T12:00:${String(i).padStart(2, '0')}Z`)

test.each([
  ['too few checkpoints shift nothing', [60, 60], 0],
  ['takes the median of typed checkpoints', [70, 78, 80], -7],
  ['shifts to later', [88, 89, 90, 91], 5],
  ['never shifts by more than ten', [10, 10, 10], -10],
])('%s', (_, percents, expected) => {
  expect(shiftOf(...percents)).toBe(expected)
})

test('ignores checkpoints by hooks and checkpoints without a measured percentage', () => {
  const notes = [noteAt(10, false), noteAt(10, false), noteAt(10, false), noteAt(undefined)]
  expect(learntShift([{ checkpoints: notes, deferrals: [] }])).toBe(0)
})

test.each([
  ['too few deferrals shift nothing', [], 2, 0],
  ['each deferral shifts one point later', [], 3, 3],
  ['never shifts by more than ten', [], 40, 10],
  ['adds to the shift of typed checkpoints', [78, 78, 80], 4, -3],
  ['counts together with a typed checkpoint', [85], 2, 2],
])('deferrals: %s', (_, percents, count, expected) => {
  const typed = percents.map((percent) => noteAt(percent))
  const shift = learntShift([{ checkpoints: typed, deferrals: deferrals(count) }])
  expect(shift).toBe(expected)
})

test('a deferral never makes the advice come sooner', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 110 }), { maxLength: 9 }),
      fc.nat(12),
      (all, n) => {
        const checkpoints = all.map((percent) => noteAt(percent))
        const [less, more] = [n, n + 1].map((count) =>
          learntShift([{ checkpoints, deferrals: deferrals(count) }]),
        )
        if (all.length + n >= 3) expect(more).toBeGreaterThanOrEqual(less ?? 0)
      },
    ),
  )
})

test('shifts the advice of L1, and never an emergency', () => {
  const late = { level: 'L1', percent: 78, task: 'unknown', breakpoint: 'good' } as const
  expect(decide(late)).toBe('finish')
  expect(decide({ ...late, shift: shiftOf(72, 72, 72) })).toBe('checkpoint')
  fc.assert(
    fc.property(
      fc.integer({ min: -10, max: 10 }),
      fc.integer({ min: 90, max: 99 }),
      (shift, percent) => {
        const full = { level: 'L2', percent, task: 'small', breakpoint: 'bad' } as const
        expect(decide({ ...full, shift })).toBe('emergency')
      },
    ),
  )
})
