/**
 * Two sides changed one handoff: each rule of docs/decisions/0035 as a case, in both directions.
 */

import { describe, expect, test } from 'vitest'
import { readHandoff } from '../../../src/core/handoff/handoff.ts'
import { mergeHandoffs } from '../../../src/core/handoff/merge-handoffs.ts'
import { diff3 } from '../../support/diff3.ts'
import { BEFORE, HANDOFF, LOOSE } from '../../support/handoffs.ts'

interface Parts {
  readonly updated?: string
  readonly goal?: string
  readonly now?: readonly string[]
  readonly done?: readonly string[]
  readonly next?: readonly string[]
  readonly rest?: readonly string[]
}

/** A handoff with these parts; a missing part has no heading. */
function handoff({ updated, goal, now, done, next, rest = [] }: Parts): string {
  const section = (heading: string, mark: string, items: readonly string[] | undefined) =>
    items === undefined ? [] : ['', heading, ...items.map((item) => `${mark} ${item}`)]
  return [
    '# Work Stream: a\n\n## Ledger',
    ...(updated === undefined ? [] : [`**Updated:** ${updated}`]),
    ...(goal === undefined ? [] : [`**Goal:** ${goal}`]),
    ...section('### Now', '[->]', now),
    ...section('### This Session', '- [x]', done),
    ...section('### Next', '- [ ]', next),
    ...(rest.length === 0 ? [] : ['', ...rest]),
    '',
  ].join('\n')
}

/** Merges in both directions; no text conflicts. */
function merged(...sides: readonly [Parts | string, Parts | string, Parts | string]): string {
  const [base = '', ours = '', theirs = ''] = sides.map((one) =>
    typeof one === 'string' ? one : handoff(one),
  )
  const result = mergeHandoffs(base, ours, theirs, diff3)
  expect(mergeHandoffs(base, theirs, ours, diff3)).toEqual(result)
  expect(result.isConflict).toBe(false)
  return result.text
}

describe('items', () => {
  const LISTS = ['now', 'thisSession', 'next'] as const
  const placesOf = (text: string, item: string) => {
    const { byName } = readHandoff(text)
    return LISTS.filter((name) => byName[name]?.blocks.some(({ words }) => words.text === item))
  }
  const STATES = {
    done: { now: ['n'], done: ['d', 'x'], next: ['e'] },
    now: { now: ['x'], done: ['d'], next: ['e'] },
    next: { now: ['n'], done: ['d'], next: ['e', 'x'] },
    absent: { now: ['n'], done: ['d'], next: ['e'] },
  } as const
  const PLACES = { done: ['thisSession'], now: ['now'], next: ['next'], absent: [] }
  // The order of the states: the first one wins if both sides changed the item.
  const ALL = ['done', 'now', 'next', 'absent'] as const

  test.each(
    ALL.flatMap((was) => ALL.flatMap((here) => ALL.map((there) => ({ was, here, there })))),
  )('was $was, is $here here and $there there', ({ was, here, there }) => {
    const [base, ours, theirs] = [was, here, there].map((state, i) => ({
      ...STATES[state],
      goal: `goal ${i}`,
    }))
    const both = ALL.find((state) => state === here || state === there) ?? 'absent'
    const is = here === was ? there : there === was ? here : both
    expect(placesOf(merged(base ?? '', ours ?? '', theirs ?? ''), 'x')).toEqual(PLACES[is])
  })

  test('of two new Nows, keeps the later one and puts the other first in Next with its arrow', () => {
    const text = merged(
      { updated: '2026-01-01', now: ['a'], next: ['z'] },
      { updated: '2026-01-03', now: ['b'], next: ['z'] },
      { updated: '2026-01-02', now: ['c'], next: ['y', 'z'] },
    )
    expect(text).toContain('**Updated:** 2026-01-03\n')
    expect(text).toContain('### Now\n[->] b\n\n### Next\n- [->] c\n- [ ] y\n- [ ] z\n')
  })

  test.each([
    ['without dates', undefined],
    ['with the same date', '2026-01-02'],
  ])('of two new Nows %s, keeps the greater one', (_, updated) => {
    const date = updated === undefined ? {} : { updated }
    const text = merged({ now: ['a'] }, { ...date, now: ['c'] }, { ...date, now: ['b'] })
    expect(text).toContain('### Now\n[->] c\n\n### Next\n- [->] b\n')
  })

  test('compares dates in different time zones as instants', () => {
    const text = merged(
      { now: ['a'] },
      { updated: '2026-01-02T09:00:00+10:00', now: ['b'] },
      { updated: '2026-01-02T00:00:00Z (late)', now: ['c'] },
    )
    expect(text).toContain('**Updated:** 2026-01-02T00:00:00Z (late)')
    expect(text).toContain('### Now\n[->] c\n')
  })

  test('keeps several Nows that one side has', () => {
    const text = merged(
      { now: ['a', 'b'], next: [] },
      { now: ['a', 'b', 'c'], next: [] },
      { now: ['a', 'b'], next: ['d'] },
    )
    expect(text).toContain('### Now\n[->] a\n[->] b\n[->] c\n\n### Next\n- [ ] d\n')
  })

  test('treats an item that a merge moved to Next as untouched, but not one that a person moved', () => {
    const base = { updated: '2026-01-01', now: ['c'] }
    const theirs = { updated: '2026-01-09', now: ['c'], next: ['z'] }
    const ours = (box: string) =>
      handoff({ updated: '2026-01-02', now: ['b'], next: ['c'] }).replace('[ ] c', `${box} c`)
    expect(merged(base, ours('[->]'), theirs)).toContain(
      '### Now\n[->] c\n\n### Next\n- [->] b\n- [ ] z\n',
    )
    expect(merged(base, ours('[ ]'), theirs)).toMatch(
      /### Now\n\[->\] b\n\n### Next\n(?:- \[ \] c\n- \[ \] z|- \[ \] z\n- \[ \] c)\n/,
    )
  })

  test('without dates, lets an item that a merge set aside compete with a later Now', () => {
    const aside = (item: string) => `- [->] ${item}`
    const ours = handoff({ now: ['c'], next: [] }).replace('### Next', `### Next\n${aside('m')}`)
    const text = merged({ now: ['c'], next: [] }, ours, { now: ['d'], next: [] })
    expect(text).toContain(`### Now\n[->] m\n\n### Next\n${aside('d')}\n`)
  })

  test('leaves an item in Next that was set aside before both sides began', () => {
    const waiting = (parts: Parts) => handoff(parts).replace('### Next', '### Next\n- [->] z')
    const text = merged(
      waiting({ now: ['a'], done: [], next: [] }),
      waiting({ now: ['b'], done: ['a'], next: [] }),
      waiting({ now: ['a'], done: [], next: ['y'] }),
    )
    expect(text).toContain('### Now\n[->] b\n')
    expect(text).toContain('### Next\n- [->] z\n- [ ] y\n')
  })

  test('keeps an order that one side changed', () => {
    const text = merged(
      { next: ['a', 'b', 'c'] },
      { next: ['b', 'a', 'c'] },
      { next: ['a', 'b', 'c', 'd'] },
    )
    expect(text).toContain('### Next\n- [ ] b\n- [ ] a\n- [ ] c\n- [ ] d\n')
  })

  test('keeps the nested lines of both sides with their item, wherever it goes', () => {
    const text = merged(
      { next: ['x\n  - one', 'y'] },
      { done: ['x\n  - one\n  - mine'], next: ['y'] },
      { next: ['x\n  - one\n  ```\n  ## code\n  ```', 'y'] },
    )
    expect(text).toMatch(/### This Session\n- \[x\] x\n {2}- one\n/)
    expect(text).toContain('\n  - mine\n')
    expect(text).toContain('\n  ```\n  ## code\n  ```\n')
    expect(text).toContain('### Next\n- [ ] y\n')
  })

  test('keeps what both sides add in the order of each side', () => {
    const text = merged(
      { next: ['a', 'b'] },
      { next: ['a', 'b', 'x', 'm'] },
      { next: ['o', 'a', 'b', 'y'] },
    )
    expect(text).toContain('- [ ] o\n- [ ] a\n- [ ] b\n- [ ] x\n- [ ] m\n- [ ] y\n')
  })
})

describe('registers', () => {
  const base = { updated: '2026-01-01', goal: 'g0', now: ['a'] }
  const ours = { updated: '2026-01-03', goal: 'g1', now: ['a'] }
  const theirs = { updated: '2026-01-02', goal: 'g2', now: ['a'] }
  const once = merged(base, ours, theirs)

  test('keeps the value of the later side and asks about the other', () => {
    expect(once).toContain('**Goal:** g1\n')
    expect(once).toContain('### Open Questions\n- UNCONFIRMED: Goal: g2\n')
  })

  test('replaces “(none)” with the question', () => {
    const none = (parts: Parts) => ({ ...parts, rest: ['### Open Questions', '- (none)'] })
    const text = merged(none(base), none(ours), none(theirs))
    expect(text).toMatch(/### Open Questions\n- UNCONFIRMED: Goal: g2\n$/)
    expect(merged(none(base), text, none(base))).toBe(text)
  })

  test('keeps one question per key, which the next merge replaces', () => {
    const third = { updated: '2026-01-02', goal: 'g3', now: ['a'] }
    const twice = merged(base, once, third)
    expect(twice.match(/UNCONFIRMED.*/g)).toEqual(['UNCONFIRMED: Goal: g3'])
  })

  test('keeps a question that was asked before both sides began', () => {
    const asked = (parts: Parts) =>
      handoff({ ...parts, rest: ['### Open Questions', '- UNCONFIRMED: Goal: z'] })
    const text = merged(
      asked({ goal: 'a', next: [] }),
      asked({ goal: 'b', next: [] }),
      asked({ goal: 'a', next: ['x'] }),
    )
    expect(text).toBe(asked({ goal: 'b', next: ['x'] }))
  })

  test('shows a waiting value on a line of the same form, whichever side is ours', () => {
    const side = (line: string, waiting: readonly string[] = []) =>
      handoff({ rest: ['### Decisions', line, '', '### Open Questions', ...waiting] })
    const waiting = ['- UNCONFIRMED: storage: z']
    const text = merged(side('- storage: a'), side('- storage: b', waiting), side('* storage:  c'))
    expect(text).toContain('- storage: z\n')
  })

  test('does not ask a question again that somebody answered', () => {
    const answered = once.replace('- UNCONFIRMED: Goal: g2\n', '')
    const text = merged(once, answered, once.replace('[->] a', '[->] b'))
    expect(text).not.toContain('UNCONFIRMED')
  })

  test('asks two questions about a key that occurs in two places', () => {
    const [base, ours, theirs] = ['a', 'b', 'c'].map((value) =>
      handoff({
        rest: [
          `### Decisions\n- goal: ${value}\n`,
          `### Workflow State\n\n#### Resolved\n- goal: ${value}`,
        ],
      }),
    )
    const text = merged(base ?? '', ours ?? '', theirs ?? '')
    expect(text).toContain('- UNCONFIRMED: goal: b\n- UNCONFIRMED: resolved goal: b\n')
  })

  test('prefers a changed value to an emptied one', () => {
    const text = merged(base, { ...ours, goal: '' }, theirs)
    expect(text).toContain('**Goal:** g2\n')
    expect(text).not.toContain('UNCONFIRMED')
  })

  test.each([
    ['front matter', 'status: active', 'status: paused', 'status: complete', 'status: paused'],
    ['a decision', '- Storage: Redis', '- Storage: files', '- Storage: SQL', 'Storage: files'],
    ['the workflow', 'phase: 3', 'phase: 5', 'phase: 4', 'phase: 5'],
    ['a resolved value', '- goal: "Replace JWT auth"', '- goal: x', '- goal: y', 'goal: x'],
    ['a failure', '(none)', 'npm ERR!\nsecond', 'timeout', 'Last Failure: npm ERR! second'],
    ['a resume entry', '- Blockers: (none)', '- Blockers: a', '- Blockers: b', 'Blockers: a'],
    ['the agent', '**Agent:** implementer', '**Agent:** a', '**Agent:** b', 'Agent: a'],
  ])('keeps the later value and asks about the other: %s', (_, was, here, there, asked) => {
    const text = HANDOFF.replace('**Storage:**', 'Storage:').replace('Redis with 24h TTL', 'Redis')
    const edit = (value: string, day: string) =>
      text.replace(`\n${was}\n`, `\n${value}\n`).replace('2026-01-15T14:30:00Z (a', `${day} (a`)
    const [first, second] = [edit(here, '2026-02-01'), edit(there, '2026-02-02')]
    expect([first, second]).not.toContain(text)
    const result = merged(text, first, second)
    expect(result).toContain(`\n${there}\n`)
    expect(result).toContain(`\n- UNCONFIRMED: ${asked}\n`)
  })

  test('neither moves the date back nor removes it', () => {
    const base = { updated: '2026-01-02', now: ['a'] }
    const theirs = { updated: '2026-01-02', now: ['b'] }
    for (const date of [{}, { updated: '2026-01-01' }]) {
      const text = merged(base, { ...date, now: ['a'], next: ['x'] }, theirs)
      expect(text).toContain('## Ledger\n**Updated:** 2026-01-02\n')
    }
  })

  test('does not ask about dates', () => {
    const edit = (day: string) =>
      HANDOFF.replaceAll(/^(date:|\*\*.*?:\*\*) 2026-01-1\dT[\d:]*Z( .*)?$/gm, `$1 ${day}`)
    const text = merged(HANDOFF, edit('2026-02-01'), edit('2026-02-02').replace('Logout', 'Login'))
    expect(text).not.toContain('2026-02-01')
    expect(text.match(/UNCONFIRMED/g)).toHaveLength(1) // its own
  })

  test('adds a Ledger for the question to a handoff without one', () => {
    const text = '# T\n\n## Checkpoints\n**Task:** a\n'
    expect(merged(text, text.replace('a\n', 'b\n'), text.replace('a\n', 'c\n'))).toBe(
      '# T\n\n## Checkpoints\n**Task:** c\n\n## Ledger\n\n### Open Questions\n- UNCONFIRMED: Task: b\n',
    )
  })
})

describe('phases', () => {
  const withPhase = (line: string, validation = '{}') =>
    handoff({
      rest: [
        '### Checkpoints\n\n#### Phase Status',
        `- Phase 1: ${line}\n- Phase 2: ○ PENDING`,
        `\n#### Validation State\n\`\`\`json\n${validation}\n\`\`\``,
      ],
    })

  test.each([
    ['✓ VALIDATED', '→ IN_PROGRESS'],
    ['✗ FAILED', '✓ VALIDATED'],
    ['→ IN_PROGRESS', '○ PENDING (later)'],
    ['→ IN_PROGRESS (2026-01-03)', '✗ FAILED (2026-01-02)'],
    ['✗ FAILED', '✓ VALIDATED (2026-01-02)'],
  ])('keeps %s and moves %s to Merged', (stays, goes) => {
    const text = merged(withPhase('○ PENDING'), withPhase(stays), withPhase(goes))
    expect(text).toContain(`#### Phase Status\n- Phase 1: ${stays}\n- Phase 2: ○ PENDING\n`)
    expect(text).toContain(`#### Merged\n- Phase 1: ${goes}\n`)
  })

  test('sorts what goes to Merged, even if the sides have their phases in another order', () => {
    const was = withPhase('○ PENDING')
    const withMore = (...more: string[]) =>
      was.replace('- Phase 2: ○ PENDING\n', (line) => `${line}${more.join('\n')}\n`)
    const text = merged(
      was,
      withMore('- Phase 3: ○ PENDING', '- Polish: ○ PENDING'),
      withMore('- Polish: ✓ VALIDATED', '- Phase 3: → IN_PROGRESS'),
    )
    expect(text).toContain('#### Merged\n- Phase 3: ○ PENDING\n- Polish: ○ PENDING\n')
  })

  test('prefers a phase with a name to a bare number, whichever side has it', () => {
    const was = withPhase('○ PENDING')
    const [named, bare] = [was.replace('Phase 1:', 'Phase 1 (Tests):'), withPhase('○ PENDING (x)')]
    const text = merged(was, named, bare)
    expect(text).toContain('#### Phase Status\n- Phase 1 (Tests): ○ PENDING\n')
    expect(text).toContain('#### Merged\n- Phase 1: ○ PENDING (x)\n')
  })

  test.each(['2026-01-01', '2026-01-03'])(
    'keeps the phase name of the later side: %s',
    (updated) => {
      const dated = (date: string, name: string) =>
        withPhase('○ PENDING')
          .replace('## Ledger\n', `## Ledger\n**Updated:** ${date}\n`)
          .replace('Phase 1:', `Phase 1 (${name}):`)
      const text = merged(
        dated('2026-01-01', 'X'),
        dated('2026-01-02', 'A'),
        dated(updated, updated < '2026-01-02' ? 'Z' : 'B'),
      )
      const stays = updated < '2026-01-02' ? 'A' : 'B'
      expect(text).toContain(`#### Phase Status\n- Phase 1 (${stays}): ○ PENDING\n`)
    },
  )

  test('keeps a phase that one side removed and the other changed', () => {
    const was = withPhase('○ PENDING')
    const text = merged(was, was.replace('- Phase 1: ○ PENDING\n', ''), withPhase('✓ VALIDATED'))
    expect(text).toBe(withPhase('✓ VALIDATED'))
  })

  test('combines changes that only one side made', () => {
    const text = merged(
      withPhase('○ PENDING'),
      withPhase('→ IN_PROGRESS'),
      withPhase('○ PENDING', '{"a": 1}'),
    )
    expect(text).toBe(withPhase('→ IN_PROGRESS', '{"a": 1}'))
  })

  test('keeps a replaced Validation State as one line of Merged', () => {
    const was = withPhase('○ PENDING')
    const text = merged(
      was,
      withPhase('○ PENDING', '{"b": 1}'),
      withPhase('○ PENDING', '{\n  "a": 2\n}'),
    )
    expect(text).toContain('```json\n{"b": 1}\n```\n')
    expect(text).toContain('#### Merged\n- Validation State: { "a": 2 }\n')
  })

  test('stays bounded in size, however often the sides merge', () => {
    const start = HANDOFF
    let text = start
    const goal = /\*\*Goal:\*\*.*/
    for (let i = 0; i < 40; i++) {
      const edit = (side: string) =>
        text
          .replace(goal, `**Goal:** ${side} ${i}`)
          .replace(/- Phase 3.*/, `- Phase 3 (Redis): → IN_PROGRESS (${side} ${i})`)
          .replace(/"test_count": .*/, `"test_count": "${side} ${i}",`)
      text = merged(text, edit('a'), edit('b'))
    }
    expect(text.match(/UNCONFIRMED: Goal:/g)).toHaveLength(1)
    const { byName } = readHandoff(text)
    expect(byName.merged?.blocks.filter(({ kind }) => kind === 'item')).toHaveLength(5)
    expect(byName.merged?.blocks[0]?.words.text).toContain('39')
    expect(text.length).toBeLessThan(start.length + 1500)
  })
})

describe('everything else is merged as text', () => {
  test('limits a conflict to its section', () => {
    const edit = (line: string, goal: string) =>
      HANDOFF.replace('Not this one.', line).replace('Replace JWT auth. Done', goal)
    const { text, isConflict } = mergeHandoffs(HANDOFF, edit('x', 'g1'), edit('y', 'g2'), diff3)
    expect(isConflict).toBe(true)
    expect(text).toContain('## Context\n\n### Now\n<<<<<<<\nx\n=======\ny\n>>>>>>>\n')
    expect(text.match(/<<<<<<</g)).toHaveLength(1)
    expect(text).toContain('UNCONFIRMED: Goal: g1')
  })

  test('reports two new titles as a text conflict', () => {
    const [base, ours, theirs] = ['a', 'b', 'c'].map((title, i) =>
      handoff({ goal: `goal ${i}`, now: ['x'] }).replace('Stream: a', `Stream: ${title}`),
    )
    const { text, isConflict } = mergeHandoffs(base ?? '', ours ?? '', theirs ?? '', diff3)
    expect(isConflict).toBe(true)
    expect(text).toMatch(
      /^<<<<<<<\n# Work Stream: b\n=======\n# Work Stream: c\n>>>>>>>\n\n## Ledger\n/,
    )
  })

  test('keeps a section that one side removed and the other changed', () => {
    const own = '### Own\ntext\n'
    const base = handoff({ goal: 'g', rest: [own] })
    expect(merged(base, handoff({ goal: 'h', rest: [] }), base.replace('text', 'more'))).toContain(
      '### Own\nmore\n',
    )
    expect(
      merged(base, handoff({ goal: 'h', rest: [] }), base.replace('# Work', '# A Work')),
    ).not.toContain('Own')
  })

  test('merges everything as text if an open fence would swallow what the merge adds', () => {
    const base = handoff({ goal: 'g', now: ['a'] })
    const [ours, theirs] = [`${base}\n\`\`\`\n`, base.replace('[->] a', '[->] b')]
    expect(mergeHandoffs(base, ours, theirs, diff3)).toEqual(diff3(base, ours, theirs))
  })

  test('keeps two paragraphs separate', () => {
    const base = handoff({ now: ['a'], next: [] })
    const [ours, theirs] = ['one', 'two'].map((line) =>
      base.replace('### Next', `### Next\n${line}`),
    )
    expect(merged(base, ours ?? '', theirs ?? '')).toContain('### Next\none\n\ntwo\n')
  })

  test('keeps the prose between items of both sides', () => {
    const base = handoff({ now: ['a'], next: [] })
    const [ours, theirs] = ['one', 'two'].map((line) =>
      base.replace('[->] a', `[->] a\n\n**${line}** 🎯`),
    )
    const text = merged(base, ours ?? '', theirs ?? '')
    expect(text).toContain('**one** 🎯')
    expect(text).toContain('**two** 🎯')
  })
})

describe('whole documents', () => {
  test.each([
    ['by the book', HANDOFF],
    ['checkpoints before the Ledger', BEFORE],
    ['loose, with Windows line endings', LOOSE],
  ])('combines edits in different places byte for byte: %s', (_, text) => {
    const eol = text.includes('\r') ? '\r\n' : '\n'
    const first = text.replace(/(Shorter|all loops built|Done when all tests pass)/, '$1 (mine)')
    const second = text.replace(
      /(- \[x\] (?:Read the file|Loop D|Redis integration complete))/,
      `$1${eol}- [x] theirs`,
    )
    expect([first, second]).not.toContain(text)
    expect(merged(text, first, second)).toBe(
      second.replace(/(Shorter|all loops built|Done when all tests pass)/, '$1 (mine)'),
    )
  })

  test('merges with an empty base if both sides added the file', () => {
    const text = merged(
      '',
      { updated: '2026-01-02', goal: 'g', now: ['a'], done: ['x'], next: ['y'] },
      { updated: '2026-01-01', goal: 'g', now: ['b'], next: ['x'] },
    )
    expect(text).toBe(
      handoff({
        updated: '2026-01-02',
        goal: 'g',
        now: ['a'],
        done: ['x'],
        next: ['b', 'y'],
      }).replace('[ ] b', '[->] b'),
    )
  })

  test('does not treat changed line endings as a conflict', () => {
    const text = merged(
      HANDOFF,
      HANDOFF.replaceAll('\n', '\r\n'),
      HANDOFF.replace('Logout', 'Login'),
    )
    expect(text).toBe(HANDOFF.replace('Logout', 'Login').replaceAll('\n', '\r\n'))
  })
})

test('keeps an item that one side made from a line of text, whichever side is ours', () => {
  const base = '## Ledger\n\n### Now\nwrite the tests\n\n### Decisions\n'
  const ours = `${base}- storage: v1\n`
  const theirs = base.replace('write the tests', '[->] read\n[->] write the tests')
  const both = `${theirs}- storage: v1\n`
  expect(mergeHandoffs(base, ours, theirs, diff3)).toEqual({ text: both, isConflict: false })
  expect(mergeHandoffs(base, theirs, ours, diff3)).toEqual({ text: both, isConflict: false })
})

const ledger = (now: string, next = '') =>
  `## Ledger\n\n### Now\n${now}\n\n### Next\n${next}\n## Own\n`

test('keeps a step that one side removed and the other gave a nested line', () => {
  const [base, theirs] = ['- [ ] ask\n', '- [ ] ask\n  - see #1\n'].map((next) =>
    ledger('[->] a', next),
  ) as [string, string]
  expect(merged(base, ledger('[->] a'), theirs)).toBe(theirs)
})

test('adds an arrow to a Now that is a line of text next to another Now', () => {
  const base = ledger('first')
  const ours = ledger('write', '- [ ] first\n')
  const theirs = ledger('[->] first\n[->] read\n[->] write')
  const text = merged(base, ours, theirs)
  expect(text).toBe(ledger('[->] read\n[->] write', '- [ ] first\n'))
  expect(merged(base, text, theirs)).toBe(text)
  expect(merged(base, ours, text)).toBe(text)
})

test('moves the nested lines of a Now that is a line of text along with it', () => {
  const ours = ledger('ask\n  - see #1')
  const text = merged(ledger('ask'), ours, ledger('other', '- [ ] ask\n'))
  expect(text).toBe(ledger('other', '- [ ] ask\n  - see #1\n'))
  expect(merged(ledger('ask'), ours, text)).toBe(text)
})

test('distinguishes unknown sections by their titles, even at the end', () => {
  const base = '# A\n\n## Ledger\n\n### Now\n[->] a\n\n### Risks\none\n'
  const [costs, links] = ['\n### Costs\ntwo\n', '\n### Links\nthree\n']
  const text = merged(base, base + costs, base + links)
  expect([base, costs, links].filter((part) => !text.includes(part))).toEqual([])
  expect(Object.keys(readHandoff(base).byName)).toEqual(['now'])
})

test('keeps a section that one side removed and the other gave a heading', () => {
  const base = '### Validation State\ntext\n'
  const ours = '### Validation State\n### Phase Status\ntext\n'
  expect(merged(base, ours, '- [ ] c\n')).toContain('### Phase Status\ntext\n')
})
