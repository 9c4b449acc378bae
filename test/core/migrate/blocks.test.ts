/** Which lines belong together: a list item keeps what is nested below it. */

import { describe, expect, test } from 'vitest'
import { blocksOf, headOf, labelOf, textOf } from '../../../src/core/migrate/blocks.ts'
import { readDocument } from '../../../src/core/document/document.ts'

/** Each block as its kind and its lines. */
function blocks(text: string): string[] {
  const lines = readDocument(text).sections.flatMap((section) => section.lines)
  return blocksOf(lines).map((block) => {
    return `${block.kind}: ${block.lines.map((line) => line.text.trim()).join(' | ')}`
  })
}

describe('blocksOf', () => {
  test('nested bullets stay with their parent, at any depth and after a blank line', () => {
    expect(blocks('- a\n  - b\n    - c\n  - d\n\n  - e\n- f')).toEqual([
      'item: - a | - b | - c | - d | - e',
      'item: - f',
    ])
    expect(blocks('  - a\n    - b\n  - c')).toEqual(['item: - a | - b', 'item: - c'])
    expect(blocks('1. a\n   1. b\n2. c')).toEqual(['item: 1. a | 1. b', 'item: 2. c'])
  })

  test('a line below an item belongs to it, indented or not, until a blank line', () => {
    expect(blocks('- a\nb\n  c')).toEqual(['item: - a | b | c'])
    expect(blocks('- a\n\nb')).toEqual(['item: - a', 'paragraph: b'])
    expect(blocks('- a\n\n  b')).toEqual(['item: - a | b'])
  })

  test('a label starts a new block, unless it is indented below an item', () => {
    expect(blocks('- a\n**Goal:** b')).toEqual(['item: - a', 'paragraph: **Goal:** b'])
    expect(blocks('- a\n  **Goal:** b')).toEqual(['item: - a | **Goal:** b'])
  })

  test('a paragraph ends at a blank line, an item, a table, a rule and code', () => {
    expect(blocks('a\nb\n\nc')).toEqual(['paragraph: a | b', 'paragraph: c'])
    expect(blocks('a\n- b')).toEqual(['paragraph: a', 'item: - b'])
    expect(blocks('a\n| x | y |\nb')).toEqual(['paragraph: a', 'row: | x | y |', 'paragraph: b'])
    expect(blocks('a\n***\nb')).toEqual(['paragraph: a', 'paragraph: b'])
    expect(blocks('- a\n```\ncode\n```\nb')).toEqual(['item: - a', 'paragraph: b'])
  })

  test('splits a long text, but not the deeper lines of an item', () => {
    const line = (n: number) => Array.from({ length: n }, (_, i) => `line ${i}`)
    expect(blocks(line(41).join('\n'))).toHaveLength(2)
    expect(blocks(line(40).join('\n'))).toHaveLength(1)
    expect(blocks(['- a', ...line(60).map((text) => `  ${text}`)].join('\n'))).toHaveLength(1)
  })
})

test('textOf returns one line without marker and check box, and the state of the box', () => {
  const text = (given: string) => {
    const [block] = blocksOf(readDocument(given).sections.flatMap(({ lines }) => lines))
    return block && textOf(block)
  }
  expect(text('- [x] a\n  b')).toEqual({ text: 'a b', mark: 'checked', lines: [0, 1] })
  expect(text('* [ ] a')).toMatchObject({ text: 'a', mark: 'unchecked' })
  expect(text('[->] a')).toMatchObject({ text: 'a', mark: 'current' })
  expect(text('2) a')).toMatchObject({ text: 'a', mark: undefined })
})

test('labelOf recognizes known words, and any word in bold', () => {
  expect(labelOf('- **Goal:** ship')).toMatchObject({ label: 'goal', rest: 'ship' })
  expect(labelOf('Goal: ship')).toMatchObject({ label: 'goal', rest: 'ship' })
  expect(labelOf('**Whatever**: ship')).toMatchObject({ rest: 'ship' })
  expect(labelOf('Whatever: ship')).toBeUndefined()
  expect(labelOf('no label')).toBeUndefined()
})

test('headOf recognizes a word of the template, but not a word that begins like one', () => {
  expect(headOf('Constraints/assumptions: none')).toMatchObject({ rest: 'none' })
  expect(headOf('Statement: none')).toBeUndefined()
})
