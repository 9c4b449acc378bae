/** A message of any length is read once: at quadratic cost these would take minutes. */

import { expect, test } from 'vitest'
import { statedSteps } from '../../../src/core/message/left.ts'
import { quoteOf } from '../../../src/core/message/quote.ts'
import { sampleOf } from '../../support/long.ts'

const COUNT = 40_000
const items = (indent: string, word: string) =>
  Array.from({ length: COUNT }, (_, i) => `${indent}- ${word} ${i}\n`).join('')

const LISTS: Readonly<Record<string, (word: string) => string>> = {
  'items without a text above them': (word) => items('', word),
  'nested items below one lead': (word) => `- These:\n${items('  ', word)}`,
}

test.each(sampleOf(Object.entries(LISTS), 2))('%s', (_name, list) => {
  expect(statedSteps(`## Next steps\n\n${list('Fix bug')}`)).toHaveLength(COUNT)
  expect(quoteOf(`## Done\n\n${list('Fixed bug')}`, 500)).toContain('Fixed bug 0')
})

test('one item of very many lines', () => {
  const item = `- Fix bug 0\n${'  and the next\n'.repeat(COUNT)}`
  expect(statedSteps(`## Next steps\n\n${item}`)).toHaveLength(1)
})
