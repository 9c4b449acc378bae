import { expect, test } from 'vitest'
import { isAtLeast } from '../../../src/core/text/version.ts'

test.each([
  ['2.54', '2.54', true],
  ['2.54.0', '2.54', true],
  ['2.55.0.618', '2.54', true],
  ['2.39.5', '2.54', false],
  ['3.0', '2.54', true],
  ['2.9.9', '2.34', false],
  ['20.19.0', '20.19', true],
  ['20.9.0', '20.19', false],
  ['2', '2.0', true],
  ['0', '2.34', false],
])('%s is at least %s: %s', (version, since, answer) => {
  expect(isAtLeast(version, since)).toBe(answer)
})
