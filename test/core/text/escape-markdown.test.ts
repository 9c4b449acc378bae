import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  escapeCell,
  escapeInline,
  escapeItemStart,
  escapeKey,
  escapeSharedLine,
  escapeTitle,
  MAX_ITEM_LENGTH,
  oneLine,
} from '../../../src/core/text/escape-markdown.ts'
import { anyText } from '../../support/arbitraries.ts'

describe('oneLine', () => {
  test('replaces line breaks with a space and control characters with U+FFFD', () => {
    expect(oneLine('a\n\n  b\r\nc\u2028d\u2029e\u0085f\u000bg', 'f')).toBe('a b c d e f g')
    expect(oneLine('a\tb', 'f')).toBe('a b')
    expect(oneLine('\u001b[31m\u0000\u009b\u007f', 'f')).toBe('\ufffd[31m\ufffd\ufffd\ufffd')
    expect(oneLine('a\u202eb\u2066c', 'f')).toBe('a\ufffdb\ufffdc')
    expect(oneLine('a\ud800b', 'f')).toBe('a\ufffdb')
  })

  test('keeps ordinary characters, including joined emoji and direction marks', () => {
    for (const text of ['👩‍👩‍👧', 'a\u00a0b', 'مرحبا\u200f', 'e\u0301', 'a  b']) {
      expect(oneLine(text, 'f')).toBe(text)
    }
  })

  test('keeps 2,000 characters, and cuts a longer text with the name of the file', () => {
    expect(MAX_ITEM_LENGTH).toBe(2000)
    for (const unit of ['x', '😀', 'é']) {
      const full = unit.repeat(2000)
      expect(oneLine(full, 'f.md')).toBe(full)
      expect(oneLine(`${full}y`, 'f.md')).toBe(`${full}… (f.md)`)
      expect(oneLine(unit.repeat(1_000_000), 'f.md')).toBe(`${full}… (f.md)`)
    }
    expect(oneLine(`${'x'.repeat(1999)}😀y`, 'f.md')).toBe(`${'x'.repeat(1999)}😀… (f.md)`)
    expect(oneLine(`${'x'.repeat(1999)}\nyz`, 'f\n.md')).toBe(`${'x'.repeat(1999)} … (f .md)`)
  })

  test('cuts a longer text of no file with an ellipsis alone', () => {
    expect(oneLine('x'.repeat(2001), '')).toBe(`${'x'.repeat(2000)}…`)
  })

  test('cuts a long file name as well', () => {
    expect(oneLine('x'.repeat(3000), 'n'.repeat(100_000)).length).toBeLessThan(4100)
  })

  test('gives one bounded line, and is idempotent', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const once = oneLine(text, 'f.md')
        expect(once).not.toMatch(/[\n\r\u2028\u2029]|\p{Cc}/u)
        expect(oneLine(once, 'f.md')).toBe(once)
      }),
    )
  })
})

describe('escapes', () => {
  test('escape HTML that would open a block or a comment, and never twice', () => {
    expect(escapeInline('<div> </DIV> <!-- <? <h1 <pre>')).toBe(
      '\\<div> \\</DIV> \\<!-- \\<? \\<h1 \\<pre>',
    )
    expect(escapeInline('\\<!-- \\\\<!--')).toBe('\\<!-- \\\\\\<!--')
    expect(escapeInline('<T> <divine> <h7> <x-y>')).toBe('<T> <divine> <h7> <x-y>')
    expect(escapeInline('`<div>` <div> `<!-- `')).toBe('`<div>` \\<div> `\\<!-- `')
  })

  test('keep a lone backtick from swallowing the next line', () => {
    expect(escapeSharedLine('a `b` `c ``d')).toBe('a `b` \\`c \\`\\`d')
    expect(escapeSharedLine('``a`b``')).toBe('``a`b``')
    expect(escapeSharedLine('\\`a`')).toBe('\\`a\\`')
  })

  test('cover cells, titles and keys', () => {
    expect(escapeCell('a|b `c|d` \\|')).toBe('a\\|b `c\\|d` \\\\\\|')
    expect(escapeTitle('a #')).toBe('a \\#')
    expect(escapeTitle('a ## ')).toBe('a ## ')
    expect(escapeTitle('c#')).toBe('c#')
    expect(escapeTitle('#')).toBe('\\#')
    expect(escapeKey('a** b')).toBe('a\\*\\* b')
  })

  test('cover an item that would start a block of its own', () => {
    expect(escapeItemStart('1. a')).toBe('1\\. a')
    expect(escapeItemStart('1.5 a')).toBe('1.5 a')
    expect(escapeItemStart('#123')).toBe('#123')
    expect(escapeItemStart('-1')).toBe('-1')
    expect(escapeItemStart('**bold**')).toBe('**bold**')
    expect(escapeItemStart('_ _ _')).toBe('\\_ _ _')
    expect(escapeItemStart('1234567890. a')).toBe('1234567890. a')
  })

  test('add only backslashes', () => {
    const escapes = [escapeInline, escapeItemStart, escapeSharedLine, escapeCell, escapeTitle]
    fc.assert(
      fc.property(anyText, fc.constantFrom(...escapes, escapeKey), (text, escape) => {
        const plain = oneLine(text, 'f')
        expect(escape(plain).replaceAll('\\', '')).toBe(plain.replaceAll('\\', ''))
      }),
    )
  })
})
