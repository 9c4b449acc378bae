/* oxlint-disable unicorn/no-useless-spread -- the spreads keep lists of words in rows */

import { createHash } from 'node:crypto'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseEvent } from '../../../src/core/event/parse-event.ts'
import { withoutGuard } from '../../../src/core/event/rename-guard.ts'
import type { NewEvent } from '../../../src/core/event/event.ts'
import { eventFileName, renderEvent } from '../../../src/core/event/write-event.ts'
import { anyText, HOSTILE_TEXTS, instant } from '../../support/arbitraries.ts'
import { runs } from '../../support/long.ts'

const TS = '2026-01-10T13:03:52.417Z'
const read = (event: NewEvent) => {
  const parsed = parseEvent({ file: 'e.md', id: 'id', text: renderEvent(event) })
  expect([parsed.problems, parsed.warnings]).toEqual([[], []])
  return parsed.event
}

/** Words and texts that some YAML reader interprets as something else. */
const AMBIGUOUS = [
  ...['yes', 'No', 'on', 'OFF', 'true', 'False', 'null', 'NULL', '~', 'y', 'N', ''],
  ...['1', '1.10', '0x1F', '0o17', '1e3', '.inf', 'NaN', '-1', '+1', '1_000', '12:30:45', '010'],
  ...['2026-01-10', '<<', '=', '- a', '? a', ': a', 'a: b', 'a:', 'a #b', '#a', 'a\tb', '\ta'],
  ...['[a]', '{a: b}', '&a', '*a', '!a', '|', '>', '%a', '@a', '`a`', '"a"', "'a'", '"a" b'],
  ...[
    '---',
    '...',
    '--- a',
    'a\nb',
    'a\n\nb',
    '\na',
    'a\n',
    'a\\nb',
    'C:\\path',
    'é',
    '日本',
    '🎉',
  ],
  ...['\u0000', '\u0007', '\u001b[31m', '\u007f', '\u0085', '\u00a0', '\u2028', '\ufeff', '\uffff'],
  ...['ﬁ', 'e\u0301', '\u200b', 'a'.repeat(3000), '\u{1f600}'.repeat(300), 'A "quoted" word'],
]
const anyValue = fc.oneof(fc.constantFrom(...AMBIGUOUS), anyText)
const anyValues = fc.array(anyValue, { maxLength: 3 })
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })
const written = (text: string | undefined) => text?.toWellFormed().trim() || undefined
const list = (texts: readonly string[] = []) => texts.flatMap((text) => written(text) ?? [])

describe('renderEvent, read back', () => {
  test('returns every text unchanged, except for whitespace at its ends', () => {
    const anyEvent = fc.record({
      agent: anyValue.filter((text) => written(text) !== undefined),
      branch: optional(anyValue),
      type: optional(anyValue),
      reason: optional(anyValue),
      stream: optional(anyValue),
      session: optional(anyValue),
      commit: optional(anyValue),
      title: optional(anyValue),
      goal: optional(anyValue),
      test: optional(anyValue),
      now: optional(anyValue),
      thisSession: anyValues,
      next: optional(anyValues),
      openQuestions: anyValues,
      resolvedQuestions: anyValues,
    })
    fc.assert(
      fc.property(anyEvent, (given) => {
        const event = read({ ts: TS, ...given })
        const { thisSession, next, openQuestions, resolvedQuestions, ...texts } = given
        const expected = Object.entries(texts).map(([key, text]) => [key, written(text)])
        const { type, branch, stream } = Object.fromEntries(expected) as Record<string, string>
        // A stream without a branch is the branch: that is how branches were once written.
        if (branch === undefined && type !== 'handoff')
          expected.push(['branch', stream], ['stream', undefined])
        expect(event).toMatchObject({
          ...Object.fromEntries(expected),
          ts: instant(TS),
          thisSession: list(thisSession),
          next: next && list(next),
          openQuestions: list(openQuestions),
          resolvedQuestions: list(resolvedQuestions),
        })
      }),
      runs(300),
    )
  })

  test('keeps decision values as strings, and null removes a decision', () => {
    const anyKey = anyValue.map((text) => text.slice(0, 300)).filter((text) => !!written(text))
    const anyDecisions = fc.uniqueArray(
      fc.record({ key: anyKey, value: fc.option(anyValue, { nil: null }) }),
      { maxLength: 4, selector: ({ key }) => written(key) },
    )
    fc.assert(
      fc.property(anyDecisions, (decisions) => {
        const expected = decisions.map(({ key, value }) => ({
          key: written(key),
          value: value?.toWellFormed() ?? null,
          text: value?.toWellFormed() ?? '',
        }))
        expect(read({ ts: TS, agent: 'a', decisions })?.decisions).toEqual(expected)
      }),
    )
  })

  test('returns checkpoints unchanged', () => {
    const anyPhase = fc.oneof(fc.constantFrom('5', '1.10', '05', 'a: b'), anyValue)
    const anyCheckpoint = fc
      .record({ phase: optional(anyPhase), status: optional(anyValue) })
      .filter(({ phase, status }) => !!(written(phase) ?? written(status)))
    fc.assert(
      fc.property(fc.array(anyCheckpoint, { maxLength: 3 }), (checkpoints) => {
        const given = checkpoints.map((c) => ({ ...c, updated: '2026-01-10T00:00:00+10:00' }))
        expect(read({ ts: TS, agent: 'a', checkpoints: given })?.checkpoints).toEqual(
          checkpoints.map(({ phase, status }) => ({
            phase: written(phase) ?? '',
            status: written(status) ?? '',
            updated: instant('2026-01-09T14:00:00Z'),
          })),
        )
      }),
    )
  })

  test('stores the time as given, whatever its form', () => {
    for (const ts of ['2026-01-10T13:03:52+10:00', '2026-01-10 13:03:52 Z', '20260110T130352Z']) {
      expect(renderEvent({ ts, agent: 'a' })).toContain(ts)
      expect(read({ ts, agent: 'a' })?.ts).toBe(instant(ts))
    }
  })

  test('keeps the front matter intact if the time contains a line break', () => {
    expect(read({ ts: '2026-01-10T13:03:52\nZ', agent: 'a' })?.agent).toBe('a')
  })

  test('reads a key longer than YAML allows on one line (the command refuses it)', () => {
    const decisions = [{ key: 'k'.repeat(1100), value: 'v' }]
    const text = renderEvent({ ts: TS, agent: 'a', decisions })
    expect(parseEvent({ file: 'e.md', id: 'id', text }).event?.decisions).toHaveLength(1)
  })
})

test('renders the canonical shape', () => {
  expect(
    withoutGuard(
      renderEvent({
        ts: TS,
        agent: 'toast',
        branch: 'feat/x',
        type: 'note',
        reason: 'clear',
        session: '0379d65b-1f0c',
        commit: '1f0c62aa',
        stream: 'hooks-path-spaces',
        now: 'Create PR from a:b to main',
        thisSession: ['Forked parcadei/Continuous-Claude-v3', 'said "x", it\'s \\d', ' a\nb'],
        next: [],
        decisions: [
          { key: 'bash_c', value: "Use bash -c '...'" },
          { key: 'a b', value: null },
          { key: 'v', value: '1.10' },
        ],
        checkpoints: [{ phase: '5', status: 'validated', updated: '2026-01-10T13:00:00Z' }],
        openQuestions: ['Why: this?'],
        retracts: ['2026-01-09T08-00-00Z_crisp_00c0ffee.md'],
      }),
    ),
  ).toBe(`---
ts: 2026-01-10T13:03:52.417Z
agent: toast
branch: feat/x
type: note
session: 0379d65b-1f0c
commit: 1f0c62aa
---

\`\`\`ledger
reason: clear
stream: hooks-path-spaces
now: "Create PR from a:b to main"
this_session:
  - Forked parcadei/Continuous-Claude-v3
  - 'said "x", it''s \\d'
  - " a\\nb"
next: []
decisions:
  bash_c: "Use bash -c '...'"
  a b: null
  v: "1.10"
checkpoints:
  - phase: 5
    status: validated
    updated: 2026-01-10T13:00:00Z
open_questions:
  - "Why: this?"
retracts:
  - 2026-01-09T08-00-00Z_crisp_00c0ffee.md
\`\`\`
`)
  expect(withoutGuard(renderEvent({ ts: TS, agent: 'a' }))).toBe(
    `---\nts: ${TS}\nagent: a\n---\n\n\`\`\`ledger\n\`\`\`\n`,
  )
})

test.each([
  ['no backticks', '```'],
  ['`one` and ``two``', '```'],
  ['``` three', '````'],
  ['a `````` b', '```````'],
])('makes the fence longer than every run of backticks: %s', (now, ticks) => {
  const text = renderEvent({ ts: TS, agent: 'a', now })
  expect(text).toContain(`\n\n${ticks}ledger\n`)
  expect(text.endsWith(`\n${ticks}\n`)).toBe(true)
})

describe('front matter contains only values that formatters leave alone', () => {
  test.each([
    ['agent', '1234'],
    ['agent', 'a: b'],
    ['agent', 'somebody with a very long name of many words'],
    ['branch', 'fix/#12'],
    ['type', 'yes'],
    ['session', ''],
    ['commit', '1234567890'],
    ['commit', '12345e67'],
  ])('moves this field to the body: %s: %s', (key, value) => {
    const [head = '', body = ''] = renderEvent({ ts: TS, agent: 'a', [key]: value }).split(
      '\n---\n',
    )
    expect(head).not.toContain(`\n${key}:`)
    expect(body).toMatch(/^\n```ledger\n[a-z]+: ["a-z]/)
  })

  test.each(['Jane Doe', 'feat/x', '1f0c62aa', 'b'.repeat(100), 'v1.2.3', '1e'])(
    'keeps in the front matter: %s',
    (agent) => {
      expect(renderEvent({ ts: TS, agent })).toContain(`\nagent: ${agent}\n---\n`)
    },
  )
})

describe('eventFileName', () => {
  const hash = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 8)

  test('consists of instant, agent and a hash of the content', () => {
    expect(eventFileName(instant(TS), 'toast', 'text')).toBe(
      `2026-01-10T13-03-52.417Z_toast_${hash('text')}.md`,
    )
    expect(eventFileName(instant('2026-01-10T10:00:00+10:00'), 'a', '')).toBe(
      `2026-01-10T00-00-00Z_a_${hash('')}.md`,
    )
  })

  test.each([
    ['a b/c', 'a-b-c'],
    ['../../etc/passwd', '..-..-etc-passwd'],
    ['é', '--'],
    ['🎉x', '----x'],
    ['\ud800', '---'],
    ['A._-z09', 'A._-z09'],
    ['x'.repeat(65), 'x'.repeat(64)],
    [`${'x'.repeat(63)}é`, `${'x'.repeat(63)}-`],
    ['a\u0000\n', 'a--'],
    ['', ''],
  ])('writes the agent %j as %j', (agent, part) => {
    expect(eventFileName(instant(TS), agent, 't')).toBe(
      `2026-01-10T13-03-52.417Z_${part}_${hash('t')}.md`,
    )
  })

  test('is safe and bounded for any agent, and differs if the content differs', () => {
    fc.assert(
      fc.property(anyText, anyText, anyText, (agent, a, b) => {
        const name = eventFileName(instant(TS), agent, a)
        expect(name).toMatch(/^[A-Za-z0-9._-]{1,110}\.md$/)
        const same = Buffer.from(a).equals(Buffer.from(b))
        expect(eventFileName(instant(TS), agent, b) === name).toBe(same)
      }),
    )
  })
})

test('hostile texts keep one field per line', () => {
  for (const text of HOSTILE_TEXTS) {
    const rendered = renderEvent({ ts: TS, agent: 'a', now: text, thisSession: [text] })
    expect(rendered.split('\n')).toHaveLength(12)
    expect(rendered).toMatch(
      /^---\nts: .*\nagent: a\n---\n\n(```+)ledger\nnow: .*\nthis_session:\n {2}- .*\n# rename-guard: .*\n\1\n$/u,
    )
  }
})
