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
  learntShift(percents.map((percent) => ({ checkpoints: [noteAt(percent)] })))

test.each([
  ['too few say nothing', [60, 60], 0],
  ['the median of what was typed', [70, 78, 80], -7],
  ['later', [88, 89, 90, 91], 5],
  ['never by more than ten', [10, 10, 10], -10],
])('%s', (_, percents, expected) => {
  expect(shiftOf(...percents)).toBe(expected)
})

test('what hooks wrote, and what nobody measured, does not count', () => {
  const notes = [noteAt(10, false), noteAt(10, false), noteAt(10, false), noteAt(undefined)]
  expect(learntShift([{ checkpoints: notes }])).toBe(0)
})

test('it moves the advice of L1, and no emergency', () => {
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
