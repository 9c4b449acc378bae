import { expect, test } from 'vitest'
import { ago } from '../../../src/core/text/ago.ts'

const S = 1000
const CASES: readonly (readonly [millis: number, words: string])[] = [
  [0, '0 s ago'],
  [999, '0 s ago'],
  [59 * S, '59 s ago'],
  [60 * S, '1 min ago'],
  [3 * 60 * S + 59 * S, '3 min ago'],
  [60 * 60 * S, '1 h ago'],
  [23 * 3600 * S + 3599 * S, '23 h ago'],
  [24 * 3600 * S, '1 d ago'],
  [31 * 24 * 3600 * S, '31 d ago'],
  [31 * 24 * 3600 * S + 1, 'DATE'],
  [-90 * S, 'in 1 min'],
  [-400 * 24 * 3600 * S, 'DATE'],
]

test.each(CASES)('%d ms: %s', (millis, words) => {
  const now = 1_800_000_000_000
  expect(ago(now - millis, now, 'DATE')).toBe(words)
})
