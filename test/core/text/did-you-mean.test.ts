import { expect, test } from 'vitest'
import { didYouMean, nearest } from '../../../src/core/text/did-you-mean.ts'

const KEYS = ['ledger.root', 'ledger.mode', 'clock.max_drift', 'context.wip']
const COMMANDS = ['add', 'list', 'show', 'log', 'now', 'reset']

test.each([
  ['lst', COMMANDS, 'list'],
  ['nwo', COMMANDS, 'now'], // two swapped letters count as one mistake
  ['rest', COMMANDS, 'reset'],
  ['ledger.rot', KEYS, 'ledger.root'],
  ['clock.drift', KEYS, 'clock.max_drift'],
  ['roott', KEYS, 'ledger.root'], // a key without its section
])('suggests the nearest word for %s', (word, known, meant) => {
  expect(nearest(word, known)).toBe(meant)
})

test.each([
  ['roott', ['mode']],
  ['abc', COMMANDS],
  ['sow', ['add', 'log']],
  ['', COMMANDS],
  ['x', COMMANDS],
  ['colour', KEYS],
  ['a'.repeat(100_000), KEYS],
])('suggests nothing for %.9s…', (word, known) => {
  expect(didYouMean(nearest(word, known))).toBe('')
})
