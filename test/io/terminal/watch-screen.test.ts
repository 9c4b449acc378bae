import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { changedRows, fitRows } from '../../../src/io/terminal/watch-screen.ts'
import { runs } from '../../support/long.ts'

/** A terminal that understands the few sequences that are sent. */
function send(screen: readonly string[], sent: string): string[] {
  const rows = [...screen]
  // oxlint-disable-next-line no-control-regex
  for (const [, row, text = ''] of sent.matchAll(/\u001b\[(\d+);1H\u001b\[2K([^\u001b]*)/g)) {
    while (rows.length < Number(row)) rows.push('')
    rows[Number(row) - 1] = text
  }
  while (rows.at(-1) === '') rows.pop()
  return rows
}

const anyLines = fc.array(fc.constantFrom('a', 'b', 'a b'), { maxLength: 6 })

test('changedRows turns any screen into the wanted one', () => {
  fc.assert(
    fc.property(anyLines, anyLines, (before, after) => {
      expect(send(before, changedRows(before, after))).toEqual(after)
    }),
    runs(200),
  )
})

test('changedRows sends only rows that changed', () => {
  expect(changedRows(['a', 'b', 'c'], ['a', 'x', 'c'])).toBe('\u001b[2;1H\u001b[2Kx')
  expect(changedRows(['a'], ['a'])).toBe('')
})

test('fitRows counts in the last row what does not fit', () => {
  expect(fitRows(['a', 'b', 'c'], 3)).toEqual(['a', 'b', 'c'])
  expect(fitRows(['a', 'b', 'c'], 2)).toEqual(['a', '… 2 more lines'])
})
