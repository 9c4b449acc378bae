import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { handoffChange } from '../../../src/core/handoff/change.ts'
import { anyHandoffText, HANDOFF } from '../../support/handoffs.ts'
import { runs } from '../../support/long.ts'

const after = (...changes: [from: string, to: string][]) =>
  changes.reduce((text, [from, to]) => {
    expect(text).toContain(from)
    return text.replace(from, to)
  }, HANDOFF)

describe('what changed between two readings of a handoff', () => {
  test.each([
    [
      'a step done',
      ['- [ ] Middleware swap\n', '- [x] Middleware swap\n'],
      { thisSession: ['Middleware swap'], next: ['Remove JWT imports'] },
    ],
    [
      'a new completed item',
      ['### Next', '- [x] Logged out\n\n### Next'],
      { thisSession: ['Logged out'] },
    ],
    [
      'the step in hand',
      ['[->] Logout endpoint and session invalidation', '[->] Rate limiter'],
      { now: 'Rate limiter' },
    ],
    [
      'a decision',
      ['Redis with 24h TTL', 'Redis with 1h TTL'],
      { decisions: [{ key: 'Storage', value: 'Redis with 1h TTL' }] },
    ],
    [
      'a question',
      ['### Workflow', '- Who rotates keys?\n\n### Workflow'],
      { openQuestions: ['Who rotates keys?'] },
    ],
    [
      'an answer',
      ['- UNCONFIRMED: Does the rate limiter need sessions?\n', ''],
      { resolvedQuestions: ['Does the rate limiter need sessions?'] },
    ],
    [
      'an answer marked in place',
      ['- UNCONFIRMED: Does', '- [x] Does'],
      { resolvedQuestions: ['Does the rate limiter need sessions?'] },
    ],
    [
      'the goal',
      ['Replace JWT auth. Done', 'Replace all auth. Done'],
      { goal: 'Replace all auth. Done when all tests pass.' },
    ],
    ['the test', ['npm test -- --grep session', '`npm test`'], { test: 'npm test' }],
  ] as [string, [string, string], object][])('%s', (_, change, expected) => {
    expect(handoffChange(HANDOFF, after(change))).toEqual(expected)
  })

  test('ignores times, workflow, phases, moved items and whitespace', () => {
    const moved = after(
      ['2026-01-15T14:30:00Z (after', '2026-01-16T14:30:00Z (after'],
      ['phase: 3', 'phase: 4'],
      ['### Next', '- [ ] planned for this session\n\n### Next'],
      ['→ IN_PROGRESS', '✓ VALIDATED'],
      ['- [x] Session model created', '- [x]   Session  model created'],
    )
    expect(handoffChange(HANDOFF, moved)).toBeUndefined()
    expect(handoffChange(HANDOFF, HANDOFF.replaceAll('\n', '\r\n'))).toBeUndefined()
  })

  test('leaves an empty list when all steps are done, and reports everything in a new handoff', () => {
    const [, steps = ''] = /### Next\n([^]*?)\n### Decisions/.exec(HANDOFF) ?? []
    expect(handoffChange(HANDOFF, after([steps, '(none)\n']))).toEqual({ next: [] })
    expect(handoffChange(undefined, HANDOFF)).toMatchObject({
      now: 'Logout endpoint and session invalidation',
      thisSession: ['Session model created', 'Redis integration complete'],
      next: ['Middleware swap', 'Remove JWT imports'],
    })
  })

  test('for any text, reports no change to itself and bounded lists', () => {
    fc.assert(
      fc.property(anyHandoffText, anyHandoffText, (before, text) => {
        expect(handoffChange(text, text)).toBeUndefined()
        const change = handoffChange(before, text) ?? {}
        for (const list of Object.values(change).filter(Array.isArray))
          expect(list.length).toBeLessThanOrEqual(120)
      }),
      runs(300),
    )
  })
})
