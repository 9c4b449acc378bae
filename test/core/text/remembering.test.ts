/** A memoized function returns what the function returns. */

import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { memoize } from '../../../src/core/text/remembering.ts'

test('answers as the function does, whatever it was asked before', () => {
  const ask = (text: string, max: number) => `${text.slice(0, max)}|${max}`
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.constantFrom('', '1', 'a', 'ab', '1\0a', 'abc'), fc.nat(12))),
      (calls) => {
        const known = memoize(ask, 3)
        for (const [text, max] of calls) expect(known(text, max)).toBe(ask(text, max))
      },
    ),
  )
})

test('calls the function once, and keeps no more than `most` answers', () => {
  const asked: string[] = []
  const known = memoize((text) => asked.push(text), 2)
  for (const text of ['a', 'a', 'b', 'a', 'c', 'a']) known(text)
  expect(asked).toEqual(['a', 'b', 'c', 'a'])
})
