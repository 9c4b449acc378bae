import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { itemKey, itemText } from '../../../src/core/event/item-text.ts'

describe('equal keys mean the same item', () => {
  test.each([
    [' a  b ', 'a b'],
    ['a\n\tb', 'a b'],
    ['a\u00a0b', 'a b'],
    ['- [x] a', 'a'],
    ['[ ] a', 'a'],
    ['* [X]  a', 'a'],
    ['  -   [x] a', 'a'],
    ['e\u0301', '\u00e9'],
    ['\u1e9b\u0323', '\u1e9b\u0323'],
  ])('%j is the same as %j', (a, b) => expect(itemKey(a)).toBe(itemKey(b)))

  test.each([
    ['a', 'A'],
    ['a', 'b'],
    ['- a', 'a'],
    ['[y] a', 'a'],
    ['a [x] b', 'a b'],
    ['ab', 'a b'],
    ['ﬁ', 'fi'], // NFC, not NFKC
    ['x] a', 'a'],
  ])('%j is not the same as %j', (a, b) => expect(itemKey(a)).not.toBe(itemKey(b)))
})

test('shows the text as written, without check box and surrounding whitespace', () => {
  expect(itemText('- [x]  e\u0301  two  spaces \n')).toBe('e\u0301  two  spaces')
  expect(itemText('[x]')).toBe('[x]')
  expect(itemText('  ')).toBe('')
})

test('the key depends only on the words, not on whitespace, check box or normalization form', () => {
  const anyWord = fc.stringMatching(/^[a-zé]{1,5}$/)
  const anySpace = fc.constantFrom(' ', '  ', '\n', '\t', '\u00a0')
  const anyBox = fc.constantFrom('', '[x] ', '- [ ] ', '* [X]\t')
  fc.assert(
    fc.property(fc.array(anyWord, { minLength: 1 }), anySpace, anyBox, (words, space, box) => {
      const written = `${space}${box}${words.join(space).normalize('NFD')}${space}`
      expect(itemKey(written)).toBe(words.join(' '))
    }),
  )
})
