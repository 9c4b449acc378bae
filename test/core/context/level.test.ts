import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  DEFAULT_BOUNDARIES,
  isAtLeast,
  levelOf,
  LEVELS,
  percentOf,
} from '../../../src/core/context/level.ts'

test.each([
  [0, 'L0'],
  [69, 'L0'],
  [70, 'L1'],
  [84, 'L1'],
  [85, 'L2'],
  [94, 'L2'],
  [95, 'L3'],
  [100, 'L3'],
  [140, 'L3'],
])('%i %% of the limit is %s', (percent, level) => {
  expect(levelOf(percent * 1670, 167_000)).toBe(level)
})

test('a level begins at its first token', () => {
  expect(levelOf(116_899, 167_000)).toBe('L0')
  expect(levelOf(116_900, 167_000)).toBe('L1')
})

test('accepts custom boundaries', () => {
  expect(levelOf(50, 100, [50, 60, 80])).toBe('L1')
  expect(levelOf(79, 100, [50, 60, 80])).toBe('L2')
})

test('a level begins exactly at its boundary', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1_000_000 }), fc.nat(2), (limit, i) => {
      const begin = Math.ceil((limit * (DEFAULT_BOUNDARIES[i] ?? 0)) / 100)
      expect(isAtLeast(levelOf(begin, limit), LEVELS[i + 1] ?? 'L3')).toBe(true)
      expect(isAtLeast(levelOf(begin - 1, limit), LEVELS[i + 1] ?? 'L3')).toBe(false)
    }),
  )
})

test('levels have an order', () => {
  for (const [i, level] of LEVELS.entries())
    for (const [j, other] of LEVELS.entries()) expect(isAtLeast(level, other)).toBe(i >= j)
})

test('never rounds a percentage up', () => {
  expect(percentOf(849, 1000)).toBe(84)
  expect(percentOf(5, 0)).toBe(0)
})
