/** A merge of handoffs loses nothing that one side added, and nothing that both sides kept. */

import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { mergeHandoffs } from '../../../src/core/handoff/merge-handoffs.ts'
import { anyDamagedTrio, wordsIn } from '../../support/damaged-handoffs.ts'
import { diff3 } from '../../support/diff3.ts'
import { HANDOFF } from '../../support/handoffs.ts'
import { runs } from '../../support/long.ts'

test('loses no word that a side added or both kept, whatever is damaged', () => {
  fc.assert(
    fc.property(anyDamagedTrio, ({ base, ours, theirs }) => {
      const is = wordsIn(mergeHandoffs(base, ours, theirs, diff3).text)
      const [was, mine, other] = [wordsIn(base), wordsIn(ours), wordsIn(theirs)]
      const added = [...mine.keys(), ...other.keys()].filter((word) => !was.has(word))
      // If a word occurs twice, each side may remove a different one.
      const kept = [...was].filter(([word, n]) => n === 1 && mine.has(word) && other.has(word))
      const owed = [...added, ...kept.map(([word]) => word)]
      expect(owed.filter((word) => !is.has(word))).toEqual([])
    }),
    runs(4000, 60),
  )
})

test('keeps a section that one side removed and the other only retitled', () => {
  const base = HANDOFF.replace('# Work Stream: auth-refactor\n\n', '# Work Stream: old\n\n')
  const ours = base.replace('# Work Stream: old\n\n', '')
  const theirs = base.replace('Stream: old', 'Stream: new')
  for (const text of [
    mergeHandoffs(base, ours, theirs, diff3).text,
    mergeHandoffs(base, theirs, ours, diff3).text,
  ])
    expect(text).toBe(theirs)
})

test('keeps front matter text that is no field from both sides, without asking about it', () => {
  const edit = (line: string) => HANDOFF.replace('---\n', `---\n${line}\n`)
  const { text, isConflict } = mergeHandoffs(HANDOFF, edit('one'), edit('two'), diff3)
  expect(isConflict).toBe(false)
  for (const line of ['one', 'two']) expect(text).toContain(`\n${line}\n`)
  expect(text).not.toContain('UNCONFIRMED: :')
})

test.each([
  ['closed by a rule further down', HANDOFF],
  ['never closed', HANDOFF.slice(0, HANDOFF.lastIndexOf('---\n'))],
])('reads front matter without its fence, and everything below it, as text: %s', (_, base) => {
  const ours = base.replace('\n---\n\n#', '\n\n#')
  const theirs = base
    .replace('[->] Logout', '[->] Login')
    .replace('status: active', 'status: paused')
  const both = theirs.replace('\n---\n\n#', '\n\n#')
  expect(mergeHandoffs(base, ours, theirs, diff3)).toEqual({ text: both, isConflict: false })
  expect(mergeHandoffs(base, theirs, ours, diff3)).toEqual({ text: both, isConflict: false })
})
