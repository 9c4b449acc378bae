/**
 * An active ledger is changed in place: a change keeps the bytes that it does not concern, and
 * repeated saving adds nothing.
 */

import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { readActiveLedger } from '../../../src/core/active-ledger/active-ledger.ts'
import type { LedgerChange } from '../../../src/core/active-ledger/change-ledger.ts'
import { changeLedger, withoutTrackWork } from '../../../src/core/active-ledger/change-ledger.ts'
import { newLedger } from '../../../src/core/active-ledger/template.ts'
import { IS_LONG, runs } from '../../support/long.ts'
import { anyLedger, FULL, plausibleLedger } from './ledgers.ts'

const NOW = { time: '10:45' }
const change = (text: string, about: Omit<LedgerChange, 'time'>) =>
  changeLedger(text, { ...about, ...NOW })

/** Lines that were removed, and lines that were added. */
function difference(before: string, after: string): { gone: string[]; added: string[] } {
  const [was, is] = [before.split('\n'), after.split('\n')]
  const added = [...is]
  const gone = was.filter((line) => {
    const at = added.indexOf(line)
    if (at !== -1) added.splice(at, 1)
    return at === -1
  })
  return { gone, added: added.filter((line) => line.trim() !== '') }
}

const word = fc.constantFrom(
  'one',
  'two',
  'three',
  'a new item',
  '# not a heading',
  '```',
  '| bar',
  '- dash',
  '---',
  '',
  'None',
  'é 日 🎯',
  'a\nb',
  '1. x',
  '<!-- c',
  '[x] two',
)
const words = fc.array(word, { maxLength: 3 })
const anyChange: fc.Arbitrary<LedgerChange> = fc
  .record(
    {
      fields: fc.constantFrom(
        { updated: '2026-01-01T00:00:00Z' },
        { bound_track: 'auth_20251227', bound_bead: null },
        { bound_bead: 'my-workflow:3-xyz', heartbeat: '2026-01-01T00:00:00Z' },
        { mode: 'MA', tdd_phase: 'off' },
      ),
      validation: fc.constantFrom(
        { gates_passed: ['design'], retries: 2 },
        { gates_passed: ['design', 'spec', 'completion'], current_gate: null },
        { last_failure: 'Coverage: 60%, "required" 80%' },
      ),
      goal: word,
      done: words,
      now: word,
      isNowDone: fc.boolean(),
      next: words,
      decisions: fc.array(fc.record({ key: word, value: fc.option(word) }), { maxLength: 2 }),
      questions: words,
      resolved: words,
      modified: words,
      read: words,
      branch: fc.constantFrom('main', 'topic'),
      test: word,
      title: word,
      checkpoints: words,
    },
    { requiredKeys: [] },
  )
  .map((some) => ({ ...some, ...NOW }))

describe('laws', () => {
  test('unknown sections, comments and keys survive any change', () => {
    fc.assert(
      fc.property(fc.oneof(anyLedger, plausibleLedger), anyChange, (text, some) => {
        const after = changeLedger(text, some)
        for (const kept of [
          'keep me',
          '## My notes',
          '<!-- keep',
          '# a comment',
          'mine: ',
          '# Session',
        ]) {
          if (kept === '# Session' && some.title !== undefined) continue
          const count = (of: string) => of.split(kept).length
          expect(count(after)).toBeGreaterThanOrEqual(count(text))
        }
      }),
      runs(800, 25),
    )
  })

  test('applying the same fields and words again changes nothing', () => {
    fc.assert(
      fc.property(fc.oneof(anyLedger, plausibleLedger), anyChange, (text, change) => {
        const some = { ...change, isNowDone: false }
        const once = changeLedger(text, some)
        const twice = changeLedger(once, some)
        expect(changeLedger(twice, some)).toBe(twice)
      }),
      runs(800, 25),
    )
  })

  test('a decision and a gate leave a table of other columns alone and get a table of their own', () => {
    const theirs = '| Choice | Why |\n| --- | --- |\n| redis | fast |'
    const change = {
      decisions: [{ key: 'db', value: 'one file' }],
      gate: { name: 'tests', status: 'passed', notes: undefined },
      time: '10:45',
    } as const
    const before = `## Key Decisions\n${theirs}\n\n## Validation History\n${theirs}\n`
    const once = changeLedger(before, change)
    expect(once.split(theirs)).toHaveLength(3)
    expect(once).toContain('| db | one file | 10:45 |')
    expect(once).toContain('| tests | passed | 10:45 |')
    const { decisions } = change
    expect(changeLedger(once, { decisions, time: '10:45' })).toBe(once)
  })

  test('does not look for a task in code', () => {
    const once = change('## Active Task\n~~~\nbead: a-1', { fields: { bound_bead: 'b-2' } })
    expect(once).toContain('## Active Task\n\nbead: b-2\n\n~~~\nbead: a-1')
    expect(change(once, { fields: { bound_bead: 'b-2' } })).toBe(once)
  })

  test('a hundred saves keep the size bounded, whatever the file was', () => {
    fc.assert(
      fc.property(
        anyLedger,
        fc.array(anyChange, { minLength: 1, maxLength: 3 }),
        (text, changes) => {
          let saved = text
          for (let i = 0; i < 10; i++) for (const one of changes) saved = changeLedger(saved, one)
          const { length } = saved
          for (let i = 0; i < 90; i++) {
            saved = changeLedger(saved, {
              ...NOW,
              ...changes[i % changes.length],
              fields: { updated: `2026-01-01T00:00:${String(i % 60).padStart(2, '0')}Z` },
            })
          }
          expect(saved.length).toBeLessThan(length + 400)
        },
      ),
      runs(16, 1),
    )
  })

  test('keeps the line endings of the file, and a BOM', () => {
    fc.assert(
      fc.property(plausibleLedger, anyChange, (text, some) => {
        const after = changeLedger(`\ufeff${text.replaceAll(/\r?\n/g, '\r\n')}`, some)
        expect(after.startsWith('\ufeff')).toBe(true)
        expect(after.replaceAll('\r\n', '')).not.toMatch(/\n/)
      }),
      runs(400, 20),
    )
  })

  test('what is changed is read back', () => {
    fc.assert(
      fc.property(plausibleLedger, word, word, (text, now, done) => {
        fc.pre(now.trim() !== '' && done.trim() !== '' && now !== 'None' && done !== 'None')
        const after = readActiveLedger(change(text, { done: [done], now, fields: { mode: 'MA' } }))
        expect(after.mode).toBe('MA')
        expect(after.now).toHaveLength(1)
        expect(after.done.length).toBeGreaterThan(0)
      }),
      runs(400, 20),
    )
  })
})

test('the range that formatters ignore covers a whole new ledger, including sections added later', () => {
  const empty = newLedger({ session: 's', platform: 'p', updated: 'x', branch: 'main' })
  const gate = { name: 'tests', status: 'passed', notes: undefined }
  const saved = change(empty, { gate, checkpoints: ['phase 5'], next: ['x'] })
  expect(saved).toMatch(
    /\| passed \|.*\|\n\n## Checkpoints\n- phase 5\n\n<!-- prettier-ignore-end -->\n$/,
  )
  expect(change(saved, { checkpoints: ['phase 6'] })).toContain('- phase 5\n- phase 6\n\n<!--')
})

describe('texts are read back unchanged', () => {
  const ODD = [
    '# big',
    '- run it',
    '1. first',
    '<div> tag',
    'a | b',
    'ends in \\',
    '\\# escaped',
    '> said',
  ]

  test.each(ODD)('%s', (text) => {
    const saved = change(newLedger({ session: 's', platform: 'p', updated: 'x', branch: 'main' }), {
      goal: text,
      done: [`${text} done`],
      now: text,
      next: [`${text} next`],
      decisions: [{ key: text, value: text }],
      questions: [text],
    })
    expect(readActiveLedger(saved)).toMatchObject({
      goal: text,
      done: [`${text} done`],
      now: [text],
      next: [`${text} next`],
      decisions: [{ decision: text, reasoning: text }],
      open_questions: [text],
    })
    const settled = readActiveLedger(
      change(saved, {
        done: [text, `${text} next`],
        resolved: [text],
        decisions: [{ key: text, value: null }],
      }),
    )
    expect(settled).toMatchObject({ now: [], next: [], open_questions: [], decisions: [] })
  })
})

describe('front matter', () => {
  test.each([
    [
      'a text',
      { fields: { bound_track: 'auth_20251227' } },
      ['bound_track: feature-name_20251227'],
      ['bound_track: auth_20251227', 'track: auth_20251227'],
    ],
    [
      'an instant without quotes',
      { fields: { updated: '2026-01-31T09:00:00Z' } },
      ['updated: 2025-12-27T10:30:00Z'],
      ['updated: 2026-01-31T09:00:00Z'],
    ],
    ['null', { fields: { mode: null } }, ['mode: SA'], ['mode: null']],
    [
      'a value that YAML reads as something else',
      { fields: { tdd_phase: 'off' } },
      ['tdd_phase: null'],
      ['tdd_phase: "off"'],
    ],
    ['a key of a nested map', { validation: { retries: 2 } }, ['  retries: 0'], ['  retries: 2']],
    [
      'a list',
      { validation: { gates_passed: ['design', 'spec'] } },
      ['  gates_passed: []'],
      ['  gates_passed: [design, spec]'],
    ],
    [
      'a sentence',
      { validation: { last_failure: 'Coverage: 60%' } },
      ['  last_failure: null'],
      ['  last_failure: "Coverage: 60%"'],
    ],
    ['a new key', { fields: { mode: 'SA' }, validation: { mine: 1 } as object }, [], ['  mine: 1']],
  ])('changes only the line of %s', (_, some, gone, added) => {
    const after = change(FULL, some)
    const lines = difference(FULL, after)
    expect(lines.gone.filter((line) => !line.startsWith('track:'))).toEqual(gone)
    expect(lines.added).toEqual(added)
    const front = after.split('---\n')[1] ?? ''
    expect(() => parse(front)).not.toThrow()
  })

  const HAND = `---
# mine
updated: 2025-12-27T10:30:00Z # by hand
mode:   "SA"   # single
validation: # gates
  # passed so far
  gates_passed:
    - design # fine
    # next: spec
  retries: 1 # once
  mine: {a: 1}
  last_failure: |
    two
    lines
other: [a, # x
  b]
---
`

  test('keeps comments, unknown keys and forms', () => {
    const after = change(HAND, {
      fields: { updated: '2026-01-31T09:00:00Z', mode: 'MA' },
      validation: { gates_passed: ['design', 'spec'], retries: 2, last_failure: null },
    })
    expect(
      after.startsWith(`---
# mine
updated: 2026-01-31T09:00:00Z # by hand
mode: MA   # single
validation: # gates
  # passed so far
  gates_passed:
    - design # fine
    - spec
    # next: spec
  retries: 2 # once
  mine: {a: 1}
  last_failure: null
other: [a, # x
  b]
---
`),
    ).toBe(true)
    expect(readActiveLedger(HAND)).toMatchObject({
      mode: 'SA',
      validation: { gates_passed: ['design'], retries: 1, last_failure: 'two lines' },
    })
  })

  test.each([
    [
      'validation: {gates_passed: [design], retries: 1, mine: "a, b"} # flow',
      'validation: # flow\n  gates_passed: [design]\n  retries: 2\n  mine: "a, b"',
    ],
    ['validation: soon', 'validation:\n  retries: 2\n# validation: soon'],
    ['validation:', 'validation:\n  retries: 2'],
    ['validation: {}', 'validation:\n  retries: 2'],
    ['validation: [a,\n  b]', 'validation:\n  retries: 2\n# validation: [a,\n#   b]'],
    ['broken: [a: b', 'broken: [a: b\nvalidation:\n  retries: 2'],
  ])('sets a nested value in: %s', (was, is) => {
    const after = change(`---\n${was}\n---\n\n# S\n`, { validation: { retries: 2 } })
    expect(after).toBe(`---\n${is}\n---\n\n# S\n`)
    expect(readActiveLedger(after).validation.retries).toBe(2)
  })

  test.each(['"2025" # by hand', "'x'", '[a]', 'x'])(
    '%s: keeps lines that are below it by mistake',
    (value) => {
      const text = `---\nupdated: ${value}\n  mine: kept\n---\n`
      expect(change(text, { fields: { updated: '2026-01-01T00:00:00Z' } })).toContain(
        '#   mine: kept\n',
      )
    },
  )

  test('an item with an open fence does not swallow the next one', () => {
    const after = change('## State\n\n### Done\n- a\n  ```\n  open', { done: ['b'] })
    expect(readActiveLedger(after).done).toEqual(['a', 'b'])
  })

  test('three saves do not quote a value again and again', () => {
    let text = FULL
    for (let i = 0; i < 3; i++) {
      text = change(text, {
        fields: { bound_track: null, heartbeat: '2026-01-31T09:00:00Z', session_id: 'a: b' },
      })
    }
    expect(text).toContain('bound_track: null\n')
    expect(text).toContain('heartbeat: 2026-01-31T09:00:00Z\n')
    expect(text).toContain('session_id: "a: b"\n')
    expect(text).toContain('validation:\n  gates_passed: []\n')
  })
})

describe('state', () => {
  const read = (some: Omit<LedgerChange, 'time'>, text = FULL) => {
    const { done, now, next } = readActiveLedger(change(text, some))
    return { done, now, next }
  }
  const DONE = ['Completed item 1', 'Completed item 2']
  const NEXT = ['Upcoming item 1', 'Upcoming item 2']

  test.each([
    [
      'a new Now moves the old one to the top of Next',
      { now: 'New' },
      DONE,
      ['New'],
      ['Current work item', ...NEXT],
    ],
    [
      'a new Now moves the old one to Done',
      { now: 'New', isNowDone: true },
      [...DONE, 'Current work item'],
      ['New'],
      NEXT,
    ],
    [
      'a new Now moves the old one nowhere if it is done already',
      { now: 'New', done: ['Current  work item'] },
      [...DONE, 'Current  work item'],
      ['New'],
      NEXT,
    ],
    [
      'the same Now changes nothing',
      { now: 'Current work item' },
      DONE,
      ['Current work item'],
      NEXT,
    ],
    [
      'a step of Next becomes Now',
      { now: 'Upcoming item 2' },
      DONE,
      ['Upcoming item 2'],
      ['Current work item', 'Upcoming item 1'],
    ],
    [
      'a done step leaves Next',
      { done: ['Upcoming item 1'] },
      [...DONE, 'Upcoming item 1'],
      ['Current work item'],
      ['Upcoming item 2'],
    ],
    [
      'a new list replaces Next',
      { next: ['B', 'Upcoming item 2'] },
      DONE,
      ['Current work item'],
      ['Upcoming item 2', 'B'],
    ],
    ['an empty list clears Next', { next: [] }, DONE, ['Current work item'], []],
    ['Now is done', { isNowDone: true }, [...DONE, 'Current work item'], [], NEXT],
  ] as const)('%s', (_, some, done, now, next) => {
    expect(read(some)).toEqual({ done, now, next })
  })

  test('moves nested lines along with their item', () => {
    const text =
      '## State\n\n### Now\n- big\n  - part one\n\n    more\n- [ ] small\n\n### Next\n- later\n'
    expect(change(text, { now: 'New' })).toBe(
      '## State\n\n### Now\n- New\n\n### Next\n- big\n  - part one\n\n    more\n- [ ] small\n- later\n',
    )
  })

  test('adds missing sections in their places', () => {
    const after = change('# Session Ledger\n\n## Goal\n\nx\n\n## Mine\n', {
      now: 'N',
      questions: ['Q?'],
      done: ['D'],
    })
    expect(after).toBe(
      '# Session Ledger\n\n## Goal\n\nx\n\n## Mine\n\n## State\n\n### Done\n- D\n\n### Now\n- N\n\n## Open Questions\n- Q?\n',
    )
  })

  test('leaves a comment open that another section opened', () => {
    const after = '\n## Notes\n\n<!-- half\n'
    expect(change(`## Open Questions\n\n- a\n${after}`, { questions: ['b'] })).toBe(
      `## Open Questions\n\n- a\n- b\n${after}`,
    )
  })

  test('an open fence does not swallow what is saved', () => {
    const after = change('## State\n\n### Now\n\n```\nopen', { now: 'N', questions: ['Q?'] })
    expect(readActiveLedger(after)).toMatchObject({ now: ['N'], open_questions: ['Q?'] })
    expect(after).toContain('```\nopen\n```\n')
  })
})

describe('other sections', () => {
  test.each([
    [
      'a decision',
      { decisions: [{ key: 'A | B', value: 'c\nd' }] },
      [],
      ['| A \\| B | c d | 10:45 |'],
    ],
    [
      'the same reasoning again',
      { decisions: [{ key: 'Chose X over Y', value: 'Because Z' }] },
      [],
      [],
    ],
    [
      'another reasoning',
      { decisions: [{ key: 'Chose X over Y', value: 'Cheaper' }] },
      ['| Chose X over Y | Because Z | 10:15 |'],
      ['| Chose X over Y | Cheaper | 10:45 |'],
    ],
    [
      'a decision taken back',
      { decisions: [{ key: 'Chose X over Y', value: null }] },
      ['| Chose X over Y | Because Z | 10:15 |'],
      [],
    ],
    [
      'a gate',
      { gate: { name: 'spec', status: '⚠️ WARN', notes: undefined } },
      [],
      ['| spec | ⚠️ WARN | 10:45 | - |'],
    ],
    [
      'files',
      { modified: ['path/to/file1.ts', 'c d.ts'], read: ['path/to/reference.md', 'x`y'] },
      [],
      ['- `c d.ts`', '- `` x`y ``'],
    ],
    ['branch', { branch: 'main' }, ['**Branch:** feature/my-feature'], ['**Branch:** main']],
    ['test', { test: 'npm test' }, [], ['**Test:** npm test']],
    [
      'questions',
      { questions: ['Q?'], resolved: ['Unresolved question 1?'] },
      ['- Unresolved question 1?'],
      ['- Q?'],
    ],
    [
      'goal',
      { goal: 'Another\none' },
      ["What we're trying to accomplish in this session."],
      ['Another one'],
    ],
    ['title', { title: 'Auth' }, ['# Session Ledger'], ['# Auth']],
    [
      'bead',
      { fields: { bound_bead: null } },
      ['bound_bead: my-workflow:3-xyz', 'bead: my-workflow:3-xyz'],
      ['bound_bead: null', 'bead: none'],
    ],
  ] as const)('%s', (_, some, gone, added) => {
    expect(difference(FULL, change(FULL, some))).toEqual({ gone, added })
  })

  test('adds a row to a table with other columns in another order', () => {
    const text =
      '## Key Decisions\n\n| When | Who | Decision |\n|:--|--|--:|\n| 9 | me | A |\n\nmore\n'
    expect(change(text, { decisions: [{ key: 'B', value: 'why' }] })).toBe(
      '## Key Decisions\n\n| When | Who | Decision |\n|:--|--|--:|\n| 9 | me | A |\n| 10:45 | - | B |\n\nmore\n',
    )
  })

  test('a question replaces a placeholder', () => {
    expect(change('## Open Questions\n\n- None currently\n', { questions: ['Q?'] })).toBe(
      '## Open Questions\n\n- Q?\n',
    )
  })

  test('limits the working set to 100 files, and keeps what somebody wrote about a file', () => {
    const COUNT = IS_LONG ? 250 : 105
    const files = Array.from({ length: COUNT }, (_, i) => `src/${i}.ts`)
    let text = change(FULL, { read: [] })
    for (const file of files) text = change(text, { read: [file] })
    const { read } = readActiveLedger(text)
    expect(read).toHaveLength(100)
    expect(read[0]).toBe('path/to/reference.md')
    expect(read.at(-1)).toBe(`src/${COUNT - 1}.ts`)
  })
})

test('reads the template back, and saving the full ledger again changes nothing', () => {
  const empty = newLedger({
    updated: '2026-01-31T09:00:00Z',
    session: 'manual',
    platform: 'manual',
    branch: 'main',
  })
  expect(readActiveLedger(empty)).toEqual({
    updated: '2026-01-31T09:00:00Z',
    session_id: 'manual',
    platform: 'manual',
    bound_track: null,
    bound_bead: null,
    mode: null,
    tdd_phase: null,
    heartbeat: '2026-01-31T09:00:00Z',
    validation: { gates_passed: [], current_gate: null, retries: 0, last_failure: null },
    goal: null,
    done: [],
    now: [],
    next: [],
    decisions: [],
    branch: 'main',
    test: null,
    modified: [],
    read: [],
    open_questions: [],
    validation_history: [],
  })
  expect(readActiveLedger(FULL)).toMatchObject({
    goal: "What we're trying to accomplish in this session.",
    decisions: [{ decision: 'Chose X over Y', reasoning: 'Because Z', when: '10:15' }],
    read: ['path/to/reference.md'],
    validation_history: [
      { gate: 'design', status: '✅ PASS', time: '10:15', notes: 'All checks passed' },
    ],
  })
  const same = {
    fields: { updated: '2025-12-27T10:30:00Z' },
    now: 'Current work item',
    branch: 'feature/my-feature',
    modified: ['path/to/file1.ts'],
  }
  let text = FULL
  for (let i = 0; i < 100; i++) text = change(text, same)
  expect(text).toBe(FULL)
})

test('another track starts without the work of the previous one, and keeps what belongs to no track', () => {
  const after = withoutTrackWork(`${FULL}\n## My notes\n\nkeep me\n`)
  expect(readActiveLedger(after)).toMatchObject({
    session_id: 'T-abc123',
    mode: 'SA',
    goal: null,
    done: [],
    now: [],
    next: [],
    decisions: [],
    branch: 'feature/my-feature',
    modified: [],
    read: [],
    open_questions: [],
    validation_history: [],
  })
  expect(after).toContain('## My notes\n\nkeep me\n')
})

test('adding and removing texts leaves no blank lines', () => {
  const ledger = '## Goal\n\ng\n\n## State\n\n### Now\n\n- n\n\n### Next\n'
  expect(change(withoutTrackWork(ledger), { goal: 'g', now: 'n' })).toBe(ledger)
})
