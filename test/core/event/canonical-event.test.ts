import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readCanonicalEvent } from '../../../src/core/event/canonical-event.ts'
import { parseEvent } from '../../../src/core/event/parse-event.ts'
import type { NewEvent } from '../../../src/core/event/event.ts'
import { renderEvent } from '../../../src/core/event/write-event.ts'
import { runs } from '../../support/long.ts'

/** Text as people and hostile programs write it, with everything that has a meaning in YAML. */
const anyText = fc.oneof(
  fc.constantFrom(
    'fix it',
    'a: b',
    'yes',
    'null',
    '1.10',
    '- x',
    '# no',
    'C:\\path',
    'é "x"',
    "it's",
    ' pad ',
  ),
  fc.constantFrom(
    'Ünïcode',
    '日本語',
    '🎉 done',
    'a\nb',
    'tab\there',
    'x #y',
    'end:',
    '---',
    '\u0000',
    '\ud800',
    '\u2028',
  ),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.string({ unit: fc.constantFrom(...'ab:#-"\'\\ \n\t[]{}|>&*!%@`,?=~é'), maxLength: 12 }),
)
const anyTexts = fc.array(anyText, { maxLength: 3 })
const anyInstant = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.constantFrom(
      '2026-01-10T13:03:52Z',
      '2026-01-10T13:03:52.417Z',
      '2026-01-10T23:03:52+10:00',
    ),
  },
  { weight: 1, arbitrary: fc.constantFrom('2026-01-10 13:03:52', '20260110T130352Z') },
)

const anyEvent: fc.Arbitrary<NewEvent> = fc.record(
  {
    ts: anyInstant,
    agent: anyText,
    branch: anyText,
    type: anyText,
    reason: anyText,
    session: anyText,
    commit: anyText,
    stream: anyText,
    title: anyText,
    goal: anyText,
    test: anyText,
    now: anyText,
    thisSession: anyTexts,
    next: anyTexts,
    decisions: fc.array(fc.record({ key: anyText, value: fc.option(anyText) }), { maxLength: 3 }),
    checkpoints: fc.array(
      fc.record({ phase: anyText, status: anyText, updated: anyInstant }, { requiredKeys: [] }),
      { maxLength: 2 },
    ),
    openQuestions: anyTexts,
    resolvedQuestions: anyTexts,
    retracts: anyTexts,
  },
  { requiredKeys: ['ts', 'agent'] },
)

/** As `renderEvent` writes it, but without the guard. */
const canonical = (body: string) =>
  `---\nts: 2026-01-10T13:03:52Z\nagent: a\n---\n\n\`\`\`ledger\n${body}\n\`\`\`\n`

const source = (text: string) => ({ file: 'e.md', id: 'b'.repeat(40), text })

describe('the canonical reader', () => {
  test('reads what the full parser reads, or declines', () => {
    let accepted = 0
    const { numRuns } = runs(1500)
    fc.assert(
      fc.property(anyEvent, (fields) => {
        const written = source(renderEvent(fields))
        const read = readCanonicalEvent(written)
        const parsed = parseEvent(written)
        if (read === undefined) return
        accepted += 1
        expect(parsed).toEqual({ event: read, problems: [], warnings: [] })
      }),
      { numRuns },
    )
    expect(accepted).toBeGreaterThan(numRuns / 5) // a reader that always declines proves nothing
  })

  test('declines, or agrees with the parser, when a canonical file is damaged anywhere', () => {
    const damage = fc.constantFrom(
      '',
      ' ',
      ':',
      '#',
      '-',
      '"',
      '\n',
      '\t',
      '\n---\n',
      '\\',
      'now: ',
      '  ',
      "'",
    )
    fc.assert(
      fc.property(anyEvent, fc.nat(), fc.nat(2), damage, (fields, at, drop, insert) => {
        const text = renderEvent(fields)
        const position = at % (text.length + 1)
        const damaged = source(text.slice(0, position) + insert + text.slice(position + drop))
        const read = readCanonicalEvent(damaged)
        if (read === undefined) return
        expect(parseEvent(damaged)).toEqual({ event: read, problems: [], warnings: [] })
      }),
      runs(3000, 300),
    )
  })

  test('reads events that people write on the command line', () => {
    const text = renderEvent({
      ts: '2026-01-10T13:03:52.417Z',
      agent: 'toast',
      branch: 'feat/fix-hooks-path-spaces',
      type: 'note',
      now: 'Create PR from carmandale:fix to main',
      thisSession: ['Forked it', 'Fixed: the "quotes"'],
      next: ['Ask for review'],
      decisions: [
        { key: 'bash_c_wrapper', value: "Use bash -c '...' for shell quoting" },
        { key: 'version', value: '1.10' },
        { key: 'gone', value: null },
      ],
      checkpoints: [{ phase: '5', status: 'validated', updated: '2026-01-10T13:00:00Z' }],
      openQuestions: ['Does it scale?'],
    })
    const event = readCanonicalEvent(source(text))
    expect(event).toEqual(parseEvent(source(text)).event)
    expect(event?.decisions).toEqual([
      {
        key: 'bash_c_wrapper',
        value: "Use bash -c '...' for shell quoting",
        text: "Use bash -c '...' for shell quoting",
      },
      { key: 'version', value: '1.10', text: '1.10' },
      { key: 'gone', value: null, text: '' },
    ])
    expect(event?.checkpoints).toHaveLength(1)
  })

  test.each([
    ['a comment', canonical('# hello\nnow: x')],
    ['a bare body', '---\nts: 2026-01-10T13:03:52Z\nagent: a\n---\n\nnow: x\n'],
    ['a fence of another kind', canonical('now: x').replace('ledger', 'yaml')],
    ['a longer closing fence', canonical('now: x').replace(/```\n$/, '````\n')],
    ['text after the fence', `${canonical('now: x')}\n`],
    ['no empty line before the fence', canonical('now: x').replace('\n\n', '\n')],
    ['lists at the margin', canonical('next:\n- x')],
    ['a time without offset', canonical('now: x').replace('52Z', '52')],
    ['a folded text', canonical('now: >\n  long')],
  ])('declines %s, which the parser reads', (_, text) => {
    expect(parseEvent(source(text)).event).toBeDefined()
    expect(readCanonicalEvent(source(text))).toBeUndefined()
  })

  test.each([
    ['an unknown key', canonical('mood: good\nnow: x')],
    ['a number', canonical('now: x').replace('agent: a', 'agent: 42')],
    ['a head key that the body repeats', canonical('agent: b')],
    ['a decision without a key', canonical('decisions:\n  - sqlite')],
    ['a decision that is not text', canonical('decisions:\n  port: 80\n  none: null')],
  ])('reads %s as the parser does', (_, text) => {
    const read = readCanonicalEvent(source(text))
    expect(read).toBeDefined()
    expect(parseEvent(source(text))).toEqual({ event: read, problems: [], warnings: [] })
  })

  test('reads the canonical form of the events above', () => {
    expect(readCanonicalEvent(source(canonical('now: x')))?.now).toBe('x')
  })

  test.each([
    ['nothing', ''],
    ['front matter alone', '---\nts: 2026-01-10T13:03:52Z\nagent: a\n---\n'],
  ])('declines %s', (_, text) => {
    expect(readCanonicalEvent(source(text))).toBeUndefined()
  })
})

test.each([
  ['escapes', '"', `é(${String.raw`\n`}`],
  ['quotes', "'", "('' "],
  ['brackets', '"', '('],
])('reads or declines megabytes of %s between quotes without a deep stack', (_, mark, part) => {
  const value = mark + part.repeat(6_000_000 / part.length) + mark
  const event = (line: string) =>
    `---\nts: 2026-01-01T00:00:00Z\nagent: a\nbranch: b\ntype: note\n---\n\n\`\`\`ledger\n${line}\n\`\`\`\n`
  const source = (line: string) => ({ file: 'a.md', id: 'x', text: event(line) })
  expect(readCanonicalEvent(source(`now: ${value}`))?.now?.length).toBeGreaterThan(1_000_000)
  expect(() => readCanonicalEvent(source(`decisions:\n  ${value}: x`))).not.toThrow()
})
