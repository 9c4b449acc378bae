/** A merge of handoffs loses nothing that one side added, and nothing that both sides kept. */

import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { mergeHandoffs } from '../../../src/core/handoff/merge-handoffs.ts'
import { anyDamagedTrio, wordsIn } from '../../support/damaged-handoffs.ts'
import { diff3 } from '../../support/diff3.ts'
import { HANDOFF } from '../../support/handoffs.ts'
import { runs } from '../../support/long.ts'

test('no word that a side added, or both kept, is lost, whatever is damaged', () => {
  fc.assert(
    fc.property(anyDamagedTrio, ({ base, ours, theirs }) => {
      const is = wordsIn(mergeHandoffs(base, ours, theirs, diff3).text)
      const [was, mine, other] = [wordsIn(base), wordsIn(ours), wordsIn(theirs)]
      const added = [...mine.keys(), ...other.keys()].filter((word) => !was.has(word))
      // Of a word that stands twice, each side may take out another one.
      const kept = [...was].filter(([word, n]) => n === 1 && mine.has(word) && other.has(word))
      const owed = [...added, ...kept.map(([word]) => word)]
      expect(owed.filter((word) => !is.has(word))).toEqual([])
    }),
    runs(4000, 60),
  )
})

test('a section that one side took out stays where the other changed its title alone', () => {
  const base = HANDOFF.replace('# Work Stream: auth-refactor\n\n', '# Work Stream: old\n\n')
  const ours = base.replace('# Work Stream: old\n\n', '')
  const theirs = base.replace('Stream: old', 'Stream: new')
  for (const text of [
    mergeHandoffs(base, ours, theirs, diff3).text,
    mergeHandoffs(base, theirs, ours, diff3).text,
  ])
    expect(text).toBe(theirs)
})

test('text in the front matter that is no field stays on both sides, and is no question', () => {
  const edit = (line: string) => HANDOFF.replace('---\n', `---\n${line}\n`)
  const { text, isConflict } = mergeHandoffs(HANDOFF, edit('one'), edit('two'), diff3)
  expect(isConflict).toBe(false)
  for (const line of ['one', 'two']) expect(text).toContain(`\n${line}\n`)
  expect(text).not.toContain('UNCONFIRMED: :')
})

test.each([
  ['that a rule further down closes', HANDOFF],
  ['that nothing closes', HANDOFF.slice(0, HANDOFF.lastIndexOf('---\n'))],
])('front matter without its fence is text, with all below it: %s', (_, base) => {
  const ours = base.replace('\n---\n\n#', '\n\n#')
  const theirs = base
    .replace('[->] Logout', '[->] Login')
    .replace('status: active', 'status: paused')
  const both = theirs.replace('\n---\n\n#', '\n\n#')
  expect(mergeHandoffs(base, ours, theirs, diff3)).toEqual({ text: both, isConflict: false })
  expect(mergeHandoffs(base, theirs, ours, diff3)).toEqual({ text: both, isConflict: false })
})
