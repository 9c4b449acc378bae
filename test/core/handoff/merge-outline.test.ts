/** The merge reads any handoff into segments and entries, and writes it back unchanged. */

import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { readOutline, renderOutline } from '../../../src/core/handoff/merge-outline.ts'
import { BEFORE, HANDOFF, LOOSE, anyHandoffText } from '../../support/handoffs.ts'
import { runs } from '../../support/long.ts'

test.each([
  ['by the book', HANDOFF],
  ['checkpoints before the Ledger', BEFORE],
  ['loose', LOOSE],
  ['empty', ''],
  ['blank', '\n\n'],
])('writes back what it read: %s', (_, text) => {
  expect(renderOutline(readOutline(text))).toBe(text)
})

test('writes back what it read, whatever the text', () => {
  fc.assert(
    fc.property(anyHandoffText, (text) => {
      expect(renderOutline(readOutline(text))).toBe(text)
    }),
    runs(3000),
  )
})
