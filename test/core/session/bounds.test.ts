import { describe, expect, test } from 'vitest'
import { cutMiddle, cutText, newest } from '../../../src/core/session/bounds.ts'

describe('cutText', () => {
  test('leaves a text alone that fits exactly', () => {
    expect(cutText('abcd', 4)).toBe('abcd')
    expect(cutText('', 4)).toBe('')
  })

  test('ends a cut text with an ellipsis, within the limit', () => {
    expect(cutText('abcde', 4)).toBe('abc…')
  })

  test('halves no character, and replaces a character that is already halved', () => {
    expect(cutText('ab😀de', 4)).toBe('ab…')
    expect(cutText('a\ud83d', 4)).toBe('a\ufffd')
  })
})

test('newest returns the last elements, or all of them', () => {
  expect(newest([1, 2, 3], 2)).toEqual([2, 3])
  expect(newest([1, 2], 2)).toEqual([1, 2])
})

describe('cutMiddle', () => {
  test('keeps both ends, within the limit and well formed', () => {
    expect(cutMiddle('abcd', 4)).toBe('abcd')
    const text = `first${'x'.repeat(100)}last`
    const cut = cutMiddle(text, 40)
    expect(cut.length).toBeLessThanOrEqual(40)
    expect(cut).toMatch(/^first[^]*…[^]*last$/)
    for (const shift of ['', 'a', 'ab']) {
      const smileys = cutMiddle(`${shift}${'😀'.repeat(100)}`, 41)
      expect(smileys.length).toBeLessThanOrEqual(41)
      expect(smileys).not.toContain('\ufffd')
    }
  })
})
