/** Ranges of a text that are replaced together. */

import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { spliceAll } from '../../../src/core/document/document.ts'
import { runs } from '../../support/long.ts'

describe('ranges', () => {
  test('replaced together give the same as one by one, from the last to the first', () => {
    const anyPiece = fc.record({
      keep: fc.nat(3),
      take: fc.nat(2),
      put: fc.constantFrom('', 'x', 'yz'),
    })
    fc.assert(
      fc.property(
        fc.array(anyPiece, { maxLength: 8 }),
        fc.infiniteStream(fc.nat()),
        (pieces, order) => {
          const text = 'abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrst'
          let at = 0
          const ranges = pieces.map(({ keep, take, put }) => {
            const start = at + keep
            at = start + take
            return { start, end: at, put }
          })
          const shuffled = ranges
            .map((range) => ({ range, by: order.next().value ?? 0 }))
            .toSorted((a, b) => a.by - b.by)
            .map(({ range }) => range)
          const oneByOne = shuffled
            .toSorted((a, b) => b.start - a.start || b.end - a.end)
            .reduce((now, { start, end, put }) => now.slice(0, start) + put + now.slice(end), text)
          expect(spliceAll(text, shuffled)).toBe(oneByOne)
        },
      ),
      runs(300),
    )
  })

  /** At quadratic cost this would take minutes. */
  test('are replaced in linear time', () => {
    const line = '- an item of the list\n'
    const everySecond = Array.from({ length: 200_000 }, (_, i) => ({
      start: 2 * i * line.length,
      end: (2 * i + 1) * line.length,
    }))
    const text = line.repeat(2 * everySecond.length)
    expect(spliceAll(text, everySecond)).toBe(line.repeat(everySecond.length))
  })
})
