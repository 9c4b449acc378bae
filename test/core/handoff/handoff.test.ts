/**
 * The content of a handoff is found in whatever form people keep it, and each part knows its
 * position.
 */

import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readDocument } from '../../../src/core/document/document.ts'
import type { Block } from '../../../src/core/document/blocks.ts'
import { readBlocks, readKeyed } from '../../../src/core/document/blocks.ts'
import type { Handoff, PartName } from '../../../src/core/handoff/handoff.ts'
import {
  entriesOf,
  fieldOf,
  focusesOf,
  isEmpty,
  itemsOf,
  leadingDate,
  readHandoff,
  registerOf,
  registersOf,
  updatedOf,
} from '../../../src/core/handoff/handoff.ts'
import { anyHandoffText, BEFORE, HANDOFF, LOOSE } from '../../support/handoffs.ts'
import { runs } from '../../support/long.ts'
import { orGivenUp } from '../../support/or-given-up.ts'

const slice = ({ text }: Handoff, range: { start: number; end: number } | undefined) =>
  range && text.slice(range.start, range.end)

const said = (blocks: readonly Block[]) => blocks.map(({ box, words }) => [box, words.text])

describe('ranges, on any text', () => {
  test('the parts make up the Ledger, and the blocks make up the parts', () => {
    fc.assert(
      fc.property(anyHandoffText, (text) => {
        const handoff = readHandoff(text)
        const { parts, ledger, byName } = handoff
        expect(parts.map((part) => slice(handoff, part)).join('')).toBe(
          slice(handoff, ledger) ?? '',
        )
        for (const part of [...parts, ...Object.values(byName)]) {
          expect(part.blocks.map((block) => slice(handoff, block)).join('')).toBe(
            slice(handoff, { start: part.heading.end, end: part.end }),
          )
          expect(part.lines).toEqual(part.blocks.flatMap(({ lines }) => lines))
          for (const { words } of part.blocks) expect(slice(handoff, words)).toBe(words.text)
          for (const { key, value, ...range } of [...registersOf(part), ...entriesOf(part)]) {
            expect(slice(handoff, value)).toBe(value.text)
            expect(slice(handoff, range)).toContain(key)
          }
        }
      }),
      runs(3000),
    )
  })

  test('each name belongs to one part', () => {
    fc.assert(
      fc.property(anyHandoffText, (text) => {
        const { parts, byName } = readHandoff(text)
        const names = parts.flatMap(({ name }) => name ?? [])
        expect(new Set(names).size).toBe(names.length)
        for (const name of names) expect(parts).toContain(byName[name])
      }),
      runs(1000),
    )
  })

  test.each([
    ['ends at a rule', '## Ledger\na\n---\nb\n', '## Ledger\na\n'],
    ['ends at a rule with trailing blanks', '## Ledger\na\n--- \nb\n', '## Ledger\na\n'],
    ['ends at the next heading', '# T\n## Ledger\na\n## B\n', '## Ledger\na\n'],
    ['ends at the end of the file', '## Ledger\na', '## Ledger\na'],
    [
      'does not end at an indented rule or at asterisks',
      '## Ledger\na\n ---\n***\nb',
      '## Ledger\na\n ---\n***\nb',
    ],
    [
      'does not end inside a fence',
      '## Ledger\n```\n---\n## B\n```\n',
      '## Ledger\n```\n---\n## B\n```\n',
    ],
    [
      'does not begin inside a fence of tildes',
      '~~~\n## Ledger\n~~~\n## Ledger\nx\n',
      '## Ledger\nx\n',
    ],
    [
      'does not end inside an open fence',
      '## Ledger\n````\n```\n---\n',
      '## Ledger\n````\n```\n---\n',
    ],
    [
      'does not end inside a comment',
      '## Ledger\n<!--\n---\n-->\nx\n',
      '## Ledger\n<!--\n---\n-->\nx\n',
    ],
    ['may have a suffix in its heading', '## Ledger (2026)\na\n', '## Ledger (2026)\na\n'],
    ['needs the exact word', '## Ledgers\na\n', undefined],
    ['needs the exact level', '### Ledger\n# Ledger\n', undefined],
    ['does not begin in the front matter', '---\n## Ledger\n---\n', undefined],
    ['does not end at a title', '## Ledger\n# T\nb\n---\n', '## Ledger\n# T\nb\n'],
  ])('the Ledger %s', (_, text, expected) => {
    const handoff = readHandoff(text)
    expect(slice(handoff, handoff.ledger)).toBe(expected)
  })
})

describe('a standard handoff', () => {
  const handoff = readHandoff(HANDOFF)
  const part = (name: PartName) => handoff.byName[name]

  test('has front matter and registers', () => {
    expect(handoff.fields.map(({ key, value }) => [key, value])).toEqual([
      ['date', '2026-01-10T13:03:52Z'],
      ['session_name', 'auth-refactor'],
      ['branch', 'feature/session-auth'],
      ['status', 'active'],
      ['owner', 'Ann "A"'],
    ])
    expect(fieldOf(handoff, 'status')).toBe('active')
    expect(handoff.registers.map(({ key, value }) => [key, value.text])).toEqual([
      ['Updated', '2026-01-15T14:30:00Z (after lunch)'],
      ['Goal', 'Replace JWT auth. Done when all tests pass.'],
      ['Branch', 'feature/session-auth'],
      ['Test', 'npm test -- --grep session'],
      ['Reviewer', 'nobody yet'],
    ])
    expect(registerOf(handoff, 'goal')?.value.text).toBe(
      'Replace JWT auth. Done when all tests pass.',
    )
    expect(updatedOf(handoff)).toMatchObject({
      text: '2026-01-15T14:30:00Z',
      instant: '2026-01-15T14:30:00.000000000Z',
    })
    expect(slice(handoff, updatedOf(handoff))).toBe('2026-01-15T14:30:00Z')
  })

  test('has lists', () => {
    expect(said(focusesOf(handoff))).toEqual([['now', 'Logout endpoint and session invalidation']])
    expect(said(itemsOf(part('thisSession')))).toEqual([
      ['done', 'Session model created'],
      ['done', 'Redis integration complete'],
    ])
    expect(itemsOf(part('next')).map((item) => slice(handoff, item))).toEqual([
      '- [ ] Middleware swap\n',
      '- [ ] Remove JWT imports\n\n  a paragraph that belongs to it\n',
    ])
    expect(entriesOf(part('decisions')).map(({ key, value }) => [key, value.text])).toEqual([
      ['Session tokens', 'UUID v4 (simpler)'],
      ['Storage', 'Redis with 24h TTL'],
    ])
    expect(itemsOf(part('openQuestions'))).toHaveLength(1)
    expect(entriesOf(part('workflow')).map(({ key }) => key)).toEqual(
      'pattern phase total_phases retries max_retries'.split(' '),
    )
    expect(entriesOf(part('resolved')).map(({ key, value }) => [key, value.text])).toEqual([
      ['goal', '"Replace JWT auth"'],
      ['resource_allocation', 'balanced'],
    ])
    expect(registersOf(part('checkpoints')).map(({ key, value }) => [key, value.text])).toEqual([
      ['Agent', 'implementer'],
      ['Task', 'Replace JWT auth with session-based auth'],
      ['Started', '2026-01-15T10:00:00Z'],
      ['Last Updated', '2026-01-15T14:30:00Z'],
    ])
    expect(itemsOf(part('phases'))).toHaveLength(3)
    expect(entriesOf(part('resume')).map(({ key }) => key)).toEqual([
      'Current focus',
      'Next action',
      'Blockers',
    ])
  })

  test('has no part after the rule', () => {
    expect(handoff.ledger?.end).toBe(HANDOFF.indexOf('\n---\n\n## Context') + 1)
    expect(handoff.parts.map(({ name }) => name)).toEqual([
      undefined,
      ...'now thisSession next decisions openQuestions workflow resolved unknowns'.split(' '),
      ...'lastFailure checkpoints phases validation resume'.split(' '),
    ])
  })
})

describe('handoffs as others write them', () => {
  test('reads checkpoints before the Ledger, and a Now that is done', () => {
    const handoff = readHandoff(BEFORE)
    expect(handoff.parts.map(({ title }) => title)).toEqual(['Ledger', 'Now', 'This Session'])
    expect(said(focusesOf(handoff))).toEqual([['done', 'Refactoring complete']])
    expect(registersOf(handoff.byName.checkpoints).map(({ key }) => key)).toEqual([
      'Task',
      'Started',
    ])
    expect(itemsOf(handoff.byName.phases)).toHaveLength(2)
    expect(handoff.byName.validation?.blocks[0]?.lines).toHaveLength(3)
    expect(handoff.byName.next).toBeUndefined()
  })

  test('reads suffixes, signs, several arrows, lazy lines, tables and Windows line endings', () => {
    const handoff = readHandoff(LOOSE)
    expect(handoff.byName.now?.title).toBe('Now')
    const first = handoff.parts.find(({ title }) => title.startsWith('🎯 Now'))
    expect(said((first?.blocks ?? []).filter(({ kind }) => kind === 'item'))).toEqual([
      ['now', 'First thing'],
      [undefined, '→ not an arrow in a box'],
      ['now', 'Second thing'],
    ])
    expect(said(itemsOf(handoff.byName.thisSession))).toEqual([
      ['done', 'Loop E'],
      [undefined, 'done without a box'],
    ])
    expect(said(itemsOf(handoff.byName.next))).toEqual([['open', 'ship it']])
    expect(handoff.registers.map(({ key }) => key)).toEqual(['Updated', 'Primary test'])
    expect(updatedOf(handoff)?.text).toBe('2026-06-08')
    expect(handoff.parts.at(-1)?.title).toBe('Now')
  })

  test('uses a heading with a suffix if none has the exact name', () => {
    const handoff = readHandoff(LOOSE.replace('### Now\r\n', '### Nowhere\r\n'))
    expect(handoff.byName.now?.title).toBe('🎯 Now — SAVE-TO-CLEAR (2026-06-08)')
    expect(said(focusesOf(handoff))).toEqual([
      ['now', 'First thing'],
      ['now', 'Second thing'],
    ])
  })

  test('does not treat prose in Now as an item', () => {
    const now = (text: string) => said(focusesOf(readHandoff(`## Ledger\n### Now\n${text}`)))
    expect(now('one sentence\n')).toEqual([[undefined, 'one sentence']])
    expect(now('**Done:**\n\n1. one\n')).toEqual([])
    expect(now('(none)\n')).toEqual([])
    expect(now('<!-- one thing -->\n- fix it\n')).toEqual([[undefined, 'fix it']])
  })
})

test.each([
  ['2026-06-08 (all loops)', '2026-06-08'],
  ['**2026-06-08**', '2026-06-08'],
  ['2026-06-08 14:30 after', '2026-06-08 14:30'],
  ['2026-06-08T11:30:00+10:00, late', '2026-06-08T11:30:00+10:00'],
  ['2026-06-08T11:30:00 Z', '2026-06-08T11:30:00 Z'],
  ['on 2026-06-08', undefined],
  ['2026-02-30', undefined],
  ['2026-06-081', undefined],
])('finds the date at the start of %j', (text, expected) => {
  expect(leadingDate({ text, start: 3, end: 3 + text.length })?.text).toBe(expected)
})

test.each([
  ['a: b', 'a', 'b'],
  ['**a b:** c: d', 'a b', 'c: d'],
  ['**a** : c', 'a', 'c'],
  ['`a:b`: c', 'a:b', 'c'],
  ['https://x.y: z', 'https://x.y', 'z'],
  ['key:', 'key', ''],
  ['a \t : b: c', 'a', 'b: c'],
  ['no key', undefined, undefined],
  [': v', undefined, undefined],
])('reads the key of %j', (text, key, value) => {
  const keyed = readKeyed({ text, start: 0, end: text.length })
  expect([keyed?.key, keyed?.value.text]).toEqual([key, value])
})

test('reads a long line of blanks quickly', () => {
  for (const head of ['a', '**a']) {
    const text = `${head}${'\t '.repeat(2_000_000)}b`
    const read = () => readKeyed({ text, start: 0, end: text.length })
    expect(orGivenUp(read)).toBeUndefined()
  }
})

test.each([
  ['takes deeper lines', '- a\n  b\n\n  c\n\nd', ['- a\n  b\n\n  c\n', '\n', 'd']],
  ['takes nested items', '- a\n  - b\n- c\n', ['- a\n  - b\n', '- c\n', '']],
  ['takes a lazy continuation line', '[->] a\nb\nc\n\nd\n', ['[->] a\nb\nc\n', '\n', 'd\n', '']],
  ['takes a fence inside it', '- a\n  ```\n- b\n  ```\n- c', ['- a\n  ```\n- b\n  ```\n', '- c']],
  ['does not take a fence next to it', '- a\n```\nx\n```\n', ['- a\n', '```\nx\n```\n', '']],
  ['does not take a comment next to it', '- a\n<!-- b -->\n', ['- a\n', '<!-- b -->\n', '']],
  ['does not take a table', '- a\n| b |\n', ['- a\n', '| b |\n', '']],
])('an item %s', (_, text, expected) => {
  const blocks = readBlocks(readDocument(text).lines)
  expect(blocks.map(({ start, end }) => text.slice(start, end))).toEqual(expected)
})

test('recognizes what people write for “nothing”', () => {
  const nothing = [
    '',
    '(none)',
    '(None yet)',
    'none.',
    '—',
    '-',
    ' (not started) ',
    'N/A'.replace('N/A', '(n/a)'),
  ]
  expect(nothing.filter((text) => !isEmpty(text))).toEqual([])
  expect(['none of it', 'x', '(none) but'].filter(isEmpty)).toEqual([])
})
