import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { LedgerEvent } from '../../../src/core/event/event.ts'
import { foldLedger } from '../../../src/core/ledger/join.ts'
import { renderLedger } from '../../../src/core/ledger/render.ts'
import { event, HOSTILE_TEXTS, instant } from '../../support/arbitraries.ts'

const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904'
const TREE = '3c461e2d1c2640489933907a30f8be7b29cfba4b'
const golden = (name: string) => readFileSync(new URL(`golden/${name}`, import.meta.url), 'utf8')
const render = (...events: Partial<LedgerEvent>[]) =>
  renderLedger(
    foldLedger(events.map((fields, i) => event({ id: `${i}`, file: `${i}.md`, ...fields }))),
    TREE,
  )

const items = (count: number, word = 'item') =>
  Array.from({ length: count }, (_, i) => `${word} ${i}`)

const typical: Partial<LedgerEvent>[] = [
  {
    ts: instant('2026-01-10T13:03:52.417Z'),
    branch: 'feat/fix-hooks-path-spaces',
    goal: 'Hooks that work everywhere',
    test: 'npm test',
    now: 'Create PR from carmandale:fix/hooks-path-spaces to parcadei:main',
    thisSession: ['Forked parcadei/Continuous-Claude-v3', '[x] Fixed the quoting'],
    next: ['Ask for review', 'Forked parcadei/Continuous-Claude-v3'],
    decisions: [
      { key: 'bash_c_wrapper', value: 'x', text: "Use bash -c '...' for shell quoting" },
      { key: 'node', value: 20.1, text: '20.10' },
      { key: 'no value', value: '', text: '' },
      { key: 'dropped', value: 'x', text: 'x' },
    ],
    checkpoints: [
      { phase: '5', status: 'validated', updated: instant('2026-01-10T13:00:00Z') },
      { phase: '10', status: 'in_progress', updated: undefined },
      { phase: '9', status: 'Pending', updated: undefined },
    ],
    openQuestions: [
      'Does the rate limiter need session awareness?',
      'Which shell do hooks run in?',
    ],
  },
  {
    ts: instant('2026-01-11T18:00:00+10:00'),
    agent: 'crisp',
    branch: 'fix/bug-b',
    now: 'Fixing bug B',
    thisSession: ['Reproduced bug B', 'Fixed  the quoting'],
    decisions: [{ key: 'dropped', value: null, text: '' }],
    checkpoints: [
      { phase: '', status: 'failed', updated: undefined },
      { phase: '11', status: 'COMPLETE', updated: undefined },
      { phase: '12', status: '', updated: undefined },
    ],
    resolvedQuestions: ['Which shell do hooks run in?'],
  },
  { ts: instant('2026-01-11T07:00:00Z'), agent: 'zoe', now: 'Nothing | special' },
]

describe('format 1, byte for byte', () => {
  test('renders an empty ledger', () => {
    expect(renderLedger(foldLedger([]), EMPTY_TREE)).toBe(golden('format-1-empty.md'))
  })

  test('renders a typical ledger', () => {
    expect(render(...typical)).toBe(golden('format-1-typical.md'))
  })

  test('counts the items of a long ledger that it does not show', () => {
    const old = ['x', 'y'].map((agent, i) => ({
      agent,
      branch: 'old',
      stream: 'parser',
      ts: instant(`2026-01-0${i + 1}T00:00:00Z`),
      now: `now of ${agent}`,
      next: [`${agent} 1`, `${agent} 2`],
      thisSession: items(60, `${agent} did`),
    }))
    const newer = ['a', 'b', 'c', 'd', 'e'].map((agent) => ({
      agent,
      ts: instant('2026-03-01T00:00:00Z'),
      now: `now of ${agent}`,
      next: items(15, `${agent} step`),
    }))
    expect(render(...old, ...newer)).toBe(golden('format-1-long.md'))
  })

  test('counts decisions and questions of resting streams, and keeps all others', () => {
    const said = (stream: string | undefined, agent: string, ts: string) => ({
      agent,
      stream,
      ts: instant(ts),
      now: `now of ${agent}`,
      decisions: [{ key: `by ${agent}`, value: 'x', text: 'x' }],
      openQuestions: [`asks ${agent}?`],
    })
    const old = [
      said('parser', 'p', '2026-01-01T00:00:00Z'),
      said('lexer', 'l', '2026-01-02T00:00:00Z'),
      said(undefined, 'all', '2026-01-03T00:00:00Z'),
      said('printer', 'was here', '2026-01-04T00:00:00Z'),
    ]
    const newer = ['a', 'b', 'c', 'd', 'e'].map((agent) =>
      said('new', agent, '2026-03-01T00:00:00Z'),
    )
    const events = [...old, ...newer, { ...said('printer', 'is here', '2026-03-02T00:00:00Z') }]
    const text = render(...events)
    expect(text).not.toMatch(/by (?:p|l):|asks (?:p|l)\?/)
    for (const agent of ['all', 'was here', 'a', 'is here']) {
      expect(text).toContain(`- **by ${agent}:** x\n`)
      expect(text).toContain(`- asks ${agent}?\n`)
    }
    expect(
      text.match(/^- … and 2 more from 2 earlier streams: ledger-git show --all$/gm),
    ).toHaveLength(2)
    expect(render(...events.slice(0, 4))).not.toContain('…')
    const ledger = foldLedger(
      events.map((fields, i) => event({ id: `${i}`, file: `${i}.md`, ...fields })),
    )
    const whole = renderLedger(ledger, EMPTY_TREE, { isWhole: true })
    expect(whole).toContain('asks p?')
  })

  test('renders a hostile ledger', () => {
    const events = HOSTILE_TEXTS.filter((text) => text.trim() !== '').map((text, i) => {
      const value = text.trim()
      return event({
        id: String(i).padStart(3, '0'),
        file: `${i}.md`,
        agent: value,
        branch: `${value} branch`,
        title: value,
        goal: value,
        test: value,
        now: value,
        thisSession: [value],
        next: [`next ${value}`],
        decisions: [{ key: value, value, text: value }],
        checkpoints: [{ phase: value, status: value, updated: undefined }],
        openQuestions: [value],
      })
    })
    const problems = HOSTILE_TEXTS.map((file) => ({
      code: 'section-unreadable' as const,
      file,
      line: 7,
      section: 'next',
    }))
    expect(renderLedger(foldLedger(events, problems), TREE)).toBe(golden('format-1-hostile.md'))
  })
})

describe('the hooks of Continuous-Claude find what they look for', () => {
  const LEDGER = /(?:^|\n)## Ledger\n([\s\S]*?)(?=\n---\n|\n## [^#]|$)/
  const GOAL = /\*\*Goal:\*\*\s*([^\n]+)/
  const NOW = /### Now\n\[?-?>?\]?\s*([^\n]+)/

  test('find it in a typical ledger', () => {
    const section = LEDGER.exec(render(...typical))?.[1] ?? ''
    expect(section).toContain('### Agents')
    expect(section).not.toContain('_synthesized')
    expect(GOAL.exec(section)?.[1]).toBe('Hooks that work everywhere')
    expect(NOW.exec(section)?.[1]).toBe('Fixing bug B')
  })

  test('find it whatever the texts are', () => {
    for (const text of HOSTILE_TEXTS.filter((t) => t.trim() !== '' && t !== '### Now')) {
      const all = { title: text, test: text, thisSession: [text], openQuestions: [text] }
      const section = LEDGER.exec(render({ ...all, goal: 'the goal', now: 'the work' }))?.[1] ?? ''
      expect(GOAL.exec(section)?.[1]).toBe('the goal')
      expect(NOW.exec(section)?.[1]).toBe('the work')
      expect(section.trimEnd().endsWith('| 2026-01-10T00:00:00Z |')).toBe(true)
    }
  })
})

// To the hook's pattern, a head line that ends with these words looks like the heading.
test('a field that ends with "### Now" does not hide Now from the hooks', () => {
  const markdown = render({ test: '### Now', now: 'the work' })
  expect(/### Now\n\[?-?>?\]?\s*([^\n]+)/.exec(markdown)?.[1]).toBe('the work')
})

const entries = (markdown: string) => markdown.split('\n').filter((line) => line.startsWith('- '))

describe('This Session shows the newest 100', () => {
  const shown = (count: number) => entries(render({ thisSession: items(count) }))

  test.each([1, 99, 100])('shows all of %i', (count) => {
    expect(shown(count)).toEqual(items(count).map((item) => `- [x] ${item}`))
  })
  test('counts the oldest of 101 and of 1000', () => {
    const lines = items(1000).map((item) => `- [x] ${item}`)
    expect(shown(101)[0]).toBe('- … 1 earlier item: ledger-git show --all')
    expect(shown(101).slice(1)).toEqual(lines.slice(1, 101))
    expect(shown(1000)[0]).toBe('- … 900 earlier items: ledger-git show --all')
    expect(shown(1000).slice(1)).toEqual(lines.slice(900))
  })
})

describe('Next shows 60 steps, and counts the rest', () => {
  const list = (agent: string, next: string[], month = '06') => ({
    agent,
    next,
    now: `now of ${agent}`,
    ts: instant(`2026-${month}-01T00:00:00Z`),
  })
  const steps = (...texts: string[]) => texts.map((text) => `- [ ] ${text}`)

  test('shows the first steps of one list', () => {
    const lines = entries(render(list('a', items(62))))
    expect(lines).toEqual([...steps(...items(60)), '- … and 2 more: ledger-git show --all'])
  })

  test('puts the newest lists first, and keeps each in its order', () => {
    const lists = [list('a', items(40, 'a'), '04'), list('b', items(40, 'b'), '05')]
    const lines = entries(render(...lists))
    expect(lines).toEqual([
      ...steps(...items(20, 'a'), ...items(40, 'b')),
      '- … and 20 more: ledger-git show --all',
    ])
  })

  const old = [list('x', ['x 1', 'x 2'], '01'), list('y', ['y 1'], '02')]
  const newer = ['a', 'b', 'c', 'd', 'e'].map((agent) => list(agent, [`${agent} 1`]))
  const awake = steps('a 1', 'b 1', 'c 1', 'd 1', 'e 1')

  test('counts resting lists and rows', () => {
    const markdown = render(...old, ...newer)
    const more = '- … and 3 more from 2 earlier streams: ledger-git show --all'
    expect(entries(markdown)).toEqual([...awake, more])
    expect(markdown).toContain(
      '| now of e | 2026-06-01T00:00:00Z |\n\n… and 2 more, at rest: ledger',
    )
    expect(markdown).not.toContain('now of x')
    const one = render(...old.slice(1), ...newer)
    expect(entries(one).at(-1)).toBe('- … and 1 more from 1 earlier stream: ledger-git show --all')
  })

  test('shows everything if asked for the whole ledger', () => {
    const events = [...old, ...newer, list('f', items(62), '07')].map((fields, i) =>
      event({ id: `${i}`, file: `${i}.md`, ...fields, thisSession: items(101, `did ${i}`) }),
    )
    const markdown = renderLedger(foldLedger(events), TREE, { isWhole: true })
    expect(markdown).not.toContain('…')
    expect(entries(markdown)).toEqual(
      [
        ...events.flatMap((_, i) => items(101, `did ${i}`).map((item) => `- [x] ${item}`)),
        ...steps('x 1 (resting)', 'x 2 (resting)', 'y 1 (resting)'),
        ...awake,
        ...steps(...items(62)),
      ].map((line) => line.replace('a 1', 'a 1 (resting)')),
    )
    expect(markdown).toContain('| now of x |')
  })

  test('renders no table if all rows rest', () => {
    const archived = newer.map((one, i) =>
      event({ ...one, id: `a${i}`, file: `a${i}.md`, done: [] }),
    )
    const ledger = foldLedger([event({ ...old[0], file: 'o.md' }), ...archived])
    expect(renderLedger(ledger, TREE)).toContain('### Agents\n\n… and 1 more, at rest: ledger-git')
  })
})

describe('what the head lines say', () => {
  test('Branch is the branch of the event that Now came from', () => {
    const other = { ts: instant('2026-01-11T00:00:00Z'), branch: 'other' }
    expect(render({ now: 'n', branch: 'mine' }, other)).toContain('**Branch:** mine\n')
    expect(render({ goal: 'g', branch: 'mine' })).not.toContain('**Branch:**')
    expect(render({ now: 'n' }, other)).not.toContain('**Branch:**')
  })

  test('Updated is the newest instant in UTC, with milliseconds', () => {
    expect(render({ ts: instant('2026-01-10T10:00:00.5+10:00') })).toContain(
      '**Updated:** 2026-01-10T00:00:00.500Z\n',
    )
  })
})

test('no byte depends on time zone or locale', () => {
  const before = render(...typical)
  const zone = process.env['TZ']
  process.env['TZ'] = 'Pacific/Kiritimati'
  process.env['LC_ALL'] = 'tr_TR.UTF-8'
  try {
    expect(render(...typical)).toBe(before)
  } finally {
    if (zone === undefined) delete process.env['TZ']
    else process.env['TZ'] = zone
    delete process.env['LC_ALL']
  }
})
