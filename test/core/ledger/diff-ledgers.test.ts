import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { diffLedgers } from '../../../src/core/ledger/diff-ledgers.ts'
import type { LedgerEvent } from '../../../src/core/event/event.ts'
import { foldLedger } from '../../../src/core/ledger/join.ts'
import { anyPool, event, instant } from '../../support/arbitraries.ts'

const attributed = (before: Partial<LedgerEvent>, after: Partial<LedgerEvent>) =>
  diffLedgers(foldLedger([event(before)]), foldLedger([event(after)]))
const diff = (before: Partial<LedgerEvent>, after: Partial<LedgerEvent>) =>
  attributed(before, after).map(({ section, change, key, from, to }) => ({
    section,
    change,
    key,
    from,
    to,
  }))
const none = { now: undefined }

describe('diffLedgers', () => {
  test('reports nothing for the same events in another order', () => {
    fc.assert(
      fc.property(anyPool, (pool) => {
        expect(diffLedgers(foldLedger(pool), foldLedger(pool.toReversed()))).toEqual([])
      }),
    )
  })

  test('swapping the sides swaps added and removed', () => {
    const turn = { added: 'removed', removed: 'added', changed: 'changed' } as const
    fc.assert(
      fc.property(anyPool, anyPool, (a, b) => {
        const forth = diffLedgers(foldLedger(a), foldLedger(b))
        const back = diffLedgers(foldLedger(b), foldLedger(a)).map((c) => ({
          ...c,
          change: turn[c.change],
          from: c.to,
          to: c.from,
        }))
        const order = (x: unknown, y: unknown) => (JSON.stringify(x) < JSON.stringify(y) ? -1 : 1)
        const texts = forth.map(({ section, change, key }) => ({ section, change, key }))
        const others = back.map(({ section, change, key }) => ({ section, change, key }))
        expect(texts.sort(order)).toEqual(others.sort(order))
      }),
    )
  })

  test('names the author of what holds now, and no author for what is gone', () => {
    const before = { agent: 'toast', openQuestions: ['a?'], now: 'x' }
    const changes = attributed(before, { agent: 'waffle', branch: 'fix', now: 'y' })
    const who = changes.map(({ section, change, by }) => [section, change, by?.agent, by?.branch])
    expect(who).toContainEqual(['now', 'changed', 'waffle', 'fix'])
    expect(who).toContainEqual(['open_questions', 'removed', undefined, undefined])
  })

  test('reports registers and decisions as changed, items as added or removed', () => {
    expect(diff({ goal: 'a' }, { goal: 'b' })).toEqual([
      { section: 'goal', change: 'changed', key: null, from: 'a', to: 'b' },
    ])
    expect(diff(none, { thisSession: ['a', 'b'] }).map(({ change, to }) => [change, to])).toEqual([
      ['added', 'a'],
      ['added', 'b'],
    ])
    expect(diff({ next: ['a'] }, { next: ['[ ]  a'] })).toEqual([])
    expect(diff({ next: ['a b'] }, { next: ['a  b'] }).map(({ change }) => change)).not.toContain(
      'removed',
    )
    expect(diff({ openQuestions: ['a?'] }, none)).toEqual([
      { section: 'open_questions', change: 'removed', key: null, from: 'a?', to: null },
    ])
    const decision = (text: string) => ({ decisions: [{ key: 'k', value: text, text }] })
    expect(diff(decision('1'), decision('2'))).toEqual([
      { section: 'decisions', change: 'changed', key: 'k', from: '1', to: '2' },
    ])
  })

  test('identifies agents by name and branch, checkpoints by phase and time', () => {
    const onMain = { now: 'x', branch: 'main' }
    expect(diff(onMain, { ...onMain, now: 'y' }).map(({ section, key }) => [section, key])).toEqual(
      [
        ['now', null],
        ['agents', 'toast on main'],
      ],
    )
    const updated = instant('2026-01-10T13:00:00Z')
    expect(diff(none, { checkpoints: [{ phase: '5', status: 'failed', updated }] })).toEqual([
      {
        section: 'checkpoints',
        change: 'added',
        key: '5 2026-01-10T13:00:00Z',
        from: null,
        to: 'phase 5 failed',
      },
    ])
  })

  test('lists changes in the order of the rendered sections', () => {
    const all = {
      title: 't',
      goal: 'g',
      test: 'x',
      now: 'n',
      thisSession: ['a'],
      next: ['b'],
      decisions: [{ key: 'k', value: 'v', text: 'v' }],
      openQuestions: ['q'],
      checkpoints: [{ phase: '1', status: 'failed', updated: undefined }],
    }
    expect(diff(none, all).map(({ section }) => section)).toEqual([
      'title',
      'goal',
      'test',
      'now',
      'this_session',
      'next',
      'decisions',
      'open_questions',
      'checkpoints',
      'agents',
    ])
  })

  // Of two checkpoints with the same phase and time, the second would hide the first.
  test('reports a checkpoint next to another with the same phase and time', () => {
    const at = (...statuses: string[]) => ({
      checkpoints: statuses.map((status) => ({ phase: '1', status, updated: undefined })),
    })
    expect(diff(at('pending', 'validated'), at('failed', 'validated'))).not.toEqual([])
  })
})
