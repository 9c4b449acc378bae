/**
 * The cost of a merge grows linearly with the size of the handoff: a handoff from a branch must not
 * stall a merge.
 */

import { expect, test } from 'vitest'
import type { Line } from '../../../src/core/document/document.ts'
import { readFront } from '../../../src/core/handoff/merge-entries.ts'
import { mergeHandoffs } from '../../../src/core/handoff/merge-handoffs.ts'
import { longTest, sampleOf } from '../../support/long.ts'

const COUNT = 10_000
const lines = (line: (i: number) => string) =>
  Array.from({ length: COUNT }, (_, i) => line(i)).join('')

/** At quadratic cost these would take minutes. */
const LARGE: Record<string, (word: string) => string> = {
  'items of one list': (word) =>
    `## Ledger\n\n### This Session\n- [x] ${word}\n${lines((i) => `- [x] item ${i}\n`)}`,
  'items that each side has for itself': (word) =>
    `## Ledger\n\n### Next\n${lines((i) => `- [ ] item ${i} of ${word}\n`)}`,
  'nested lines of one item': (word) =>
    `## Ledger\n\n### Next\n- [ ] item\n  - ${word}\n${lines((i) => `  - line ${i}\n`)}`,
  'blank lines': (word) => `## Ledger\n\n### Next\n${'\n'.repeat(100_000)}- [ ] ${word}\n`,
  registers: (word) => `## Ledger\n${lines((i) => `**Key ${i}:** ${word}\n`)}`,
  'sections of prose': (word) => `# Work\n${lines((i) => `## Section ${i}\n${word}\n`)}`,
  'front matter': (word) => `---\n${lines((i) => `key${i}: ${word}\n`)}---\n\n# Work\n`,
}

test.each(sampleOf(Object.entries(LARGE), 4))('%s', (_, make) => {
  const [base, ours, theirs] = ['base', 'ours', 'theirs'].map(make) as [string, string, string]
  const { text } = mergeHandoffs(base, ours, theirs, (_base, a, b) => ({
    text: a + b,
    isConflict: true,
  }))
  for (const word of ['ours', 'theirs']) expect(text).toContain(word)
})

longTest('reads half a million keys of a front matter in one pass', () => {
  const front = Array.from({ length: 500_000 }, (_, at): Line => {
    const place = { at, start: at * 3, end: at * 3 + 3 }
    return { ...place, text: 'k:', kind: 'front', indent: 0 }
  })
  const fields = front.map(({ at, start, end }) => ({ key: `k${at}`, value: '', start, end }))
  expect(readFront(front, fields, ({ text }) => text)).toHaveLength(front.length)
})
