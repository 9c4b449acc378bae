/**
 * Words of documents that are read back: no text starts a construct of the format, and each reads
 * back unchanged.
 */

import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readDocument } from '../../../src/core/document/document.ts'
import { escapeWords, readWords } from '../../../src/core/text/document-words.ts'
import { runs } from '../../support/long.ts'

describe('are escaped as in Markdown', () => {
  test.each([
    ['# big', '\\# big'],
    ['- run it', '\\- run it'],
    ['1. first', '1\\. first'],
    ['<div> tag', '\\<div> tag'],
    ['`<div>` in code', '`<div>` in code'],
    ['| bar', '\\| bar'],
    ['\\# one slash', '\\\\\\# one slash'],
    ['C:\\temp, a\\.b and 2 < 3', 'C:\\temp, a\\.b and 2 < 3'],
  ])('%s', (text, words) => {
    expect(escapeWords(text)).toBe(words)
    expect(readWords(words)).toBe(text)
  })
})

const PIECES = [
  '\\',
  '#',
  '-',
  '+',
  '*',
  '_',
  '1',
  '.',
  ')',
  '<',
  '<div',
  '<!--',
  '-->',
  '>',
  '`',
  '```',
  '~~~',
]
const text = fc
  .array(fc.constantFrom(...PIECES, '|', '[', ']:', ' ', 'a', '猫'), { maxLength: 12 })
  .map((pieces) => pieces.join('').trim())

test('read back what was written', () => {
  fc.assert(
    fc.property(text, (one) => {
      expect(readWords(escapeWords(one))).toBe(one)
    }),
    runs(20_000, 4000),
  )
})

test('form one paragraph, which hides nothing below it', () => {
  fc.assert(
    fc.property(text, (one) => {
      const { sections, closer } = readDocument(`## A\n\n${escapeWords(one)}\n\n## B\n`)
      expect(sections.map(({ title }) => title)).toEqual(['', 'A', 'B'])
      expect(closer).toBeUndefined()
    }),
    runs(20_000, 4000),
  )
})
