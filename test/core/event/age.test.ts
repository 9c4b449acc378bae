import { expect, test } from 'vitest'
import { ageOf, agoOf } from '../../../src/core/event/age.ts'
import { instantFromMillis } from '../../../src/core/event/instant.ts'

const NOW = Date.parse('2026-03-02T10:00:00Z')
const S = 1000
const DAY = 24 * 3600 * S

const CASES: readonly (readonly [millis: number, age: string, ago: string])[] = [
  [0, '0 s', '0 s ago'],
  [999, '0 s', '0 s ago'],
  [59 * S, '59 s', '59 s ago'],
  [60 * S, '1 min', '1 min ago'],
  [3 * 60 * S + 59 * S, '3 min', '3 min ago'],
  [60 * 60 * S, '1 h', '1 h ago'],
  [23 * 3600 * S + 3599 * S, '23 h', '23 h ago'],
  [DAY, '1 d', '1 d ago'],
  [31 * DAY, '31 d', '31 d ago'],
  [31 * DAY + 1, '31 d', '2026-01-30'],
  [-90 * S, 'in 1 min', 'in 1 min'],
  [-400 * DAY, 'in 400 d', '2027-04-06'],
]

test.each(CASES)('%d ms: %s, %s', (millis, age, ago) => {
  const then = instantFromMillis(NOW - millis)
  expect(ageOf(then, NOW)).toBe(age)
  expect(agoOf(then, NOW)).toBe(ago)
})

test('gives no age for an unknown or unreadable time', () => {
  expect(ageOf(null, NOW)).toBe('')
  expect(ageOf('yesterday', NOW)).toBe('')
})

test('returns a text that is not a time unchanged', () => {
  expect(agoOf('yesterday', NOW)).toBe('yesterday')
})
