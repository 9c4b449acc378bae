/**
 * Event text is data: whatever it says, the ledger alone determines the structure of the document.
 */

import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { LedgerEvent } from '../../../src/core/event/event.ts'
import type { Ledger } from '../../../src/core/ledger/join.ts'
import { foldLedger } from '../../../src/core/ledger/join.ts'
import type { Problem } from '../../../src/core/event/problem.ts'
import { renderLedger } from '../../../src/core/ledger/render.ts'
import { anyHostileEvent, event, HOSTILE_TEXTS } from '../../support/arbitraries.ts'
import { runs } from '../../support/long.ts'

const TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904'

// oxlint-disable-next-line no-control-regex
const CONTROLS = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/

/** The kind of every line, in order, as the ledger requires it. */
function demanded(ledger: Ledger): string[] {
  const section = (title: string, kind: string, count: number) =>
    count === 0 ? [] : ['', `### ${title}`, ...Array.from({ length: count }, () => kind)]
  const { agents } = ledger
  return [
    '<!-- markdownlint-disable-file -->',
    '',
    '<!-- prettier-ignore-start -->',
    '',
    '# Work Stream: ',
    '',
    '## Ledger',
    '<!-- note',
    ...(ledger.latest === undefined ? [] : ['**Updated:** ']),
    ...(ledger.goal === undefined ? [] : ['**Goal:** ']),
    ...(ledger.now?.by.branch === undefined ? [] : ['**Branch:** ']),
    ...(ledger.test === undefined ? [] : ['**Test:** ']),
    ...section('Now', '[->] ', ledger.now === undefined ? 0 : 1),
    ...section('This Session', '- [x] ', ledger.thisSession.length),
    ...section('Next', '- [ ] ', ledger.next.length),
    ...section('Decisions', '- **', ledger.decisions.length),
    ...section('Open Questions', '- ', ledger.openQuestions.length),
    ...section('Checkpoints', '- ', ledger.checkpoints.length),
    ...(agents.length === 0 ? [] : ['', '### Agents', '|4', '| --- | --- | --- | --- |']),
    ...agents.map(() => '|4'),
    '',
    '---',
    '_synthesized:',
    '  format',
    '  event_count',
    '  latest_ts',
    '  generated_at',
    '  events_tree',
    ledger.skipped.length === 0 ? '  skipped' : '  skipped:',
    ...ledger.skipped.flatMap(() => ['  - file', '    problem']),
    '---',
    '',
    '<!-- prettier-ignore-end -->',
  ]
}

/** What keeps formatters away: a first line, and a range around the rest. */
const COMMENTS = [
  '<!-- markdownlint-disable-file -->',
  '<!-- prettier-ignore-start -->',
  '<!-- prettier-ignore-end -->',
]

/** The kind of every line as a reader sees it who knows only Markdown. */
function seen(markdown: string): string[] {
  expect(markdown.endsWith('\n')).toBe(true)
  let section = ''
  let isFooter = false
  return markdown
    .slice(0, -1)
    .split('\n')
    .map((line) => {
      if (line === '---') isFooter = true
      if (COMMENTS.includes(line)) return line
      if (isFooter) return /^ *(?:- )?[a-z_]+(?=: )/.exec(line)?.[0] ?? line
      if (line.startsWith('### ')) section = line
      if (/^(?:##|### )/.test(line) || line === '') return line
      if (line.startsWith('<!-- ')) return '<!-- note'
      if (/^\|(?: -+ \|)+$/.test(line)) return line
      // A bar after a backslash never starts a cell (escapes are always of odd length).
      if (line.startsWith('| ')) return `|${(line.match(/(?<!\\)\|/g) ?? []).length - 1}`
      const start = /^(?:- \[[ x]\] |- \*\*|- |\[->\] |# Work Stream: |\*\*[A-Z][a-z]+:\*\* )/.exec(
        line,
      )
      if (section !== '### Decisions' && start?.[0] === '- **') return '- '
      return start?.[0] ?? line
    })
}

function holds(ledger: Ledger): void {
  const markdown = renderLedger(ledger, TREE)
  expect(seen(markdown)).toEqual(demanded(ledger))
  expect(markdown).not.toMatch(CONTROLS)
  expect(markdown.isWellFormed()).toBe(true)
  const body = markdown.slice(0, markdown.indexOf('\n---\n'))
  const comments = [...body.matchAll(/(\\*)<!--/g)].filter(([, s]) => (s?.length ?? 0) % 2 === 0)
  expect(comments).toHaveLength(3)
  for (const comment of COMMENTS) expect(markdown.split(comment)).toHaveLength(2)
  for (const line of markdown.split('\n')) {
    expect(line).not.toMatch(/^(?:<{7}|={7}|>{7}|\|{7})/)
    expect(line).not.toMatch(/^(?:`{3}|~{3}|={3,}\s*$| {4}\S.*\bLedger)/)
    expect(line.length).toBeLessThan(30_000)
  }
}

describe('no text changes the structure', () => {
  test('any hostile events and any hostile file names keep the structure', () => {
    const anyProblem = fc.record<Problem>({
      code: fc.constantFrom<Problem['code'][]>('bad-ts', 'section-unreadable'),
      file: fc.constantFrom(...HOSTILE_TEXTS),
      line: fc.constantFrom(undefined, 7),
      section: fc.constantFrom(undefined, 'next'),
    })
    fc.assert(
      fc.property(
        fc.array(anyHostileEvent, { maxLength: 4 }),
        fc.array(anyProblem, { maxLength: 2 }),
        (events, problems) => {
          const named = events.map((event, i) => ({ ...event, id: `${i}` }))
          holds(foldLedger(named, problems))
        },
      ),
      runs(300),
    )
  })

  test.each(HOSTILE_TEXTS.filter((text) => text.trim() !== ''))(
    '%j in every field keeps the structure',
    (hostile) => {
      const text = hostile.trim()
      const fields: Partial<LedgerEvent> = {
        agent: text,
        branch: text,
        title: text,
        goal: text,
        test: text,
        now: text,
        thisSession: [text, 'b'],
        next: [`${text}.`, 'c'],
        openQuestions: [text, 'd'],
        decisions: [{ key: text, value: text, text }],
        checkpoints: [{ phase: text, status: text, updated: undefined }],
      }
      holds(foldLedger([event(fields), event({ ...fields, agent: `${text}2`, id: 'bb' })]))
    },
  )
})

test('an open question never becomes a task, a heading or a separate block', () => {
  const opens = ['# a', '- a', '+ a', '* a', '1. a', '2) a', '> a', '```', '~~~', '---', '* * *']
  for (const text of [...opens, '[a]: /url', '<div>', '</div>', '<!-- a', '<script>', '<?a']) {
    const markdown = renderLedger(foldLedger([event({ openQuestions: [text] })]), TREE)
    const line = markdown.split('\n')[11]
    expect(line).toMatch(/^- \d?\\/)
    expect(line?.replaceAll('\\', '')).toBe(`- ${text}`)
  }
})

test('an open question with an escaped bracket is not a link definition', () => {
  const markdown = renderLedger(foldLedger([event({ openQuestions: ['[a\\]b]: /url'] })]), TREE)
  expect(markdown).toContain('- \\[a')
})

test('a file name in the footer does not open an HTML comment', () => {
  const problem: Problem = { code: 'bad-ts', file: '<!-- x.md', line: 2, section: undefined }
  expect(renderLedger(foldLedger([], [problem]), TREE).match(/<!--/g)).toHaveLength(4)
})

// The head lines are one paragraph: a tag or link that one line opens could be closed by another.
test.each([
  ['tag', '<a title="', '">'],
  ['link', '[x', '](/u "t")'],
])('a %s cannot span two fields', (_name, goal, text) => {
  const markdown = renderLedger(foldLedger([event({ goal, test: text })]), TREE)
  expect(markdown).not.toContain(`**Goal:** ${goal}\n**Test:** ${text}\n`)
})

test('an open question with two check boxes is not a task', () => {
  const markdown = renderLedger(foldLedger([event({ openQuestions: ['[ ] [ ] a'] })]), TREE)
  expect(markdown).not.toMatch(/^- \[[ x]\] /m)
})

describe('ordinary text appears verbatim', () => {
  const texts = [
    'Use bash -c \'...\' for "shell" quoting',
    'run `npm test -- --run` and ``a`b``',
    'a | b || c',
    'snake_case __init__ *args **kwargs',
    'Map<String> and <T> and <Foo /> and a < b > c',
    'https://example.invalid/a?b=c&d=%20#frag',
    'émoji 🎉 日本語 مرحبا',
    '#123 fixes #45',
    'C:\\path\\to\\file',
    '100% done; cost: $5 & up',
    'a -- b --- c === d',
    'see [docs](./a.md) and [x]',
    'x <= y, y => z, a <- b',
    '~/.config ~tilde~ ^caret^',
    'key: value: more',
    '`<div>` in code',
  ]
  test.each(texts)('%s', (text) => {
    const fields = { goal: text, test: text, now: text, thisSession: [text], next: [`${text}!`] }
    const decisions = [{ key: 'k', value: text, text }]
    const ledger = foldLedger([event({ ...fields, decisions, openQuestions: [text] })])
    const lines = renderLedger(ledger, TREE).split('\n')
    for (const start of ['**Goal:** ', '**Test:** ', '[->] ', '- [x] ', '- **k:** ', '- ']) {
      expect(lines).toContain(start + text)
    }
    expect(lines).toContain(`- [ ] ${text}!`)
    expect(lines).toContain(`| toast |  | ${text.replaceAll('|', '\\|')} | 2026-01-10T00:00:00Z |`)
  })
})
