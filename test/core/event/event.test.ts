import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  compareBytes,
  compareEvents,
  compareStamps,
  isEventFileName,
} from '../../../src/core/event/event.ts'
import { event, instant } from '../../support/arbitraries.ts'
import { runs } from '../../support/long.ts'

const anyName = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', 'b', '\ue000', '\uffff', '\u{10000}', '😀', 'é') }),
  fc.string({ unit: 'binary' }),
)

describe('compareBytes', () => {
  test('follows the order of the UTF-8 bytes', () => {
    fc.assert(
      fc.property(anyName, anyName, (a, b) => {
        expect(compareBytes(a, b)).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)))
      }),
      runs(500),
    )
  })

  test('does so where the order of UTF-16 units differs', () => {
    expect(compareBytes('\uffff', '😀')).toBe(-1)
    expect(compareBytes('😀', '\ue000')).toBe(1)
    expect(compareBytes('😀', '😁')).toBe(-1)
    expect(compareBytes('a', 'ab')).toBe(-1)
  })
})

describe('the order of events', () => {
  const at = (ts: string, agent: string, id: string, file = 'e.md') =>
    event({ ts: instant(ts), agent, id, file })
  const ordered = [
    at('2026-01-09T23:00:00Z', 'z', '9'),
    at('2026-01-10T10:00:00+10:00', 'a', '1'),
    at('2026-01-10T00:00:00Z', 'a', '2'),
    at('2026-01-10T00:00:00.000Z', 'a', '2', 'f.md'),
    at('2026-01-10T00:00:00Z', '\uffff', '0'),
    at('2026-01-10T00:00:00Z', '😀', '0'),
    at('2026-01-10T00:00:00.001Z', 'A', '0'),
  ]

  test('sorts by instant, agent, blob id and file name', () => {
    for (const [i, a] of ordered.entries()) {
      for (const [j, b] of ordered.entries()) {
        expect(compareEvents(a, b)).toBe(Math.sign(i - j))
      }
    }
  })

  test('two names with the same bytes have equal stamps', () => {
    const [, , a, b] = ordered
    expect(a && b && compareStamps(a, b)).toBe(0)
  })
})

test('isEventFileName accepts only visible *.md files', () => {
  const names = ['a.md', 'ä b.md', '.a.md', 'a.MD', 'a.txt', 'a.md.tmp', '.md', 'md', 'a.md/']
  expect(names.filter(isEventFileName)).toEqual(['a.md', 'ä b.md'])
})
