/** Each section of the ledger against a model that is too simple to be wrong. */

import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { LedgerEvent } from '../../../src/core/event/event.ts'
import { compareEvents } from '../../../src/core/event/event.ts'
import { foldLedger } from '../../../src/core/ledger/join.ts'
import { anyPool, event, instant } from '../../support/arbitraries.ts'
import { runs } from '../../support/long.ts'

type Events = readonly LedgerEvent[]
const ledgerOf = (...events: Partial<LedgerEvent>[]) =>
  foldLedger(events.map((fields, i) => event({ file: `${i}.md`, id: `${i}`, ...fields })))
const values = (said: readonly { value: string }[]) => said.map(({ value }) => value)

/** Checks a section of every pool; the model gets the events that count, in event order. */
function agrees<T>(section: (events: Events) => T, model: (events: Events) => T) {
  fc.assert(
    fc.property(anyPool, (pool) => {
      const gone = new Set(pool.flatMap(({ retracts }) => retracts))
      const counting = pool.filter(({ file }) => !gone.has(file)).sort(compareEvents)
      expect(section(pool)).toEqual(model(counting))
    }),
    runs(300),
  )
}
const key = (text: string) =>
  text
    .normalize('NFC')
    .split(/\s+/)
    .filter((word) => word !== '')
    .join(' ')
    .replace(/^(- )?\[[x ]\] /i, '')

describe('registers: the newest event that has the field', () => {
  test.each(['title', 'goal', 'test', 'now'] as const)('%s', (field) => {
    agrees(
      (events) => foldLedger(events)[field]?.value,
      (events) => events.findLast((event) => event[field] !== undefined)?.[field],
    )
  })

  test('an event without the field never blanks it; ties go to the agent, then the id', () => {
    expect(ledgerOf({ now: 'a' }, { agent: 'zoe' }).now?.value).toBe('a')
    expect(ledgerOf({ now: 'a', agent: 'zoe' }, { now: 'b' }).now?.value).toBe('a')
    expect(ledgerOf({ now: 'a', agent: '😀' }, { now: 'b', agent: '\uffff' }).now?.value).toBe('a')
    expect(ledgerOf({ now: 'a' }, { now: 'b' }).now?.value).toBe('b')
  })

  test('compared as instants, not as text', () => {
    const sydney = instant('2026-01-11T08:00:00+10:00')
    const utc = instant('2026-01-10T23:00:00Z')
    expect(ledgerOf({ ts: utc, now: 'utc' }, { ts: sydney, now: 'sydney' }).now?.value).toBe('utc')
  })
})

describe('This Session: a grow-only set, first occurrence first', () => {
  test('model', () => {
    agrees(
      (events) => values(foldLedger(events).thisSession).map(key),
      (events) => [...new Set(events.flatMap((event) => event.thisSession.map(key)))],
    )
  })

  test('the first wording is shown; empty items are none', () => {
    const ledger = ledgerOf({ thisSession: ['- [x] a  b', ''] }, { thisSession: ['a b', 'A b'] })
    expect(values(ledger.thisSession)).toEqual(['a  b', 'A b'])
    expect(ledger.thisSession[0]?.by.file).toBe('0.md')
  })
})

describe('Next: the newest list of each agent and branch, less what was done', () => {
  test('model', () => {
    agrees(
      (events) => values(foldLedger(events).next).map(key),
      (events) => {
        const newest = events.filter(
          (event, i) =>
            event.next !== undefined &&
            !events
              .slice(i + 1)
              .some(
                (later) =>
                  later.next && later.agent === event.agent && later.branch === event.branch,
              ),
        )
        const open = newest.flatMap((event) =>
          (event.next ?? [])
            .map(key)
            .filter(
              (item) =>
                !events
                  .slice(events.indexOf(event))
                  .some((later) => later.thisSession.map(key).includes(item)),
            ),
        )
        return [...new Set(open)]
      },
    )
  })

  test('done by its own or a later event; done before, it is next again', () => {
    expect(values(ledgerOf({ next: ['a', 'b'], thisSession: ['[x] a'] }).next)).toEqual(['b'])
    expect(values(ledgerOf({ next: ['a'] }, { thisSession: ['a'] }).next)).toEqual([])
    expect(values(ledgerOf({ thisSession: ['a'] }, { next: ['a'] }).next)).toEqual(['a'])
  })

  test('an empty list clears, no list keeps', () => {
    expect(values(ledgerOf({ next: ['a'] }, { next: [] }).next)).toEqual([])
    expect(values(ledgerOf({ next: ['a'] }, {}).next)).toEqual(['a'])
  })

  test('another branch or agent has a list of its own', () => {
    const lanes = [{ next: ['a'] }, { next: ['b'], branch: 'x' }, { next: ['c'], agent: 'zoe' }]
    expect(values(ledgerOf(...lanes).next)).toEqual(['a', 'b', 'c'])
  })
})

describe('Decisions: LWW by key', () => {
  test('model', () => {
    agrees(
      (events) =>
        new Map(foldLedger(events).decisions.map(({ value }) => [value.key, value.value] as const)),
      (events) => {
        const all = events.flatMap((event) => event.decisions)
        const last = new Map(all.map(({ key, value }) => [key, value] as const))
        return new Map([...last].filter(([, value]) => value !== null))
      },
    )
  })

  test('null removes, a later value restores, the winner’s place counts', () => {
    const said = (key: string, value: string | null) => ({
      decisions: [{ key, value, text: value ?? '' }],
    })
    const keys = (...events: Partial<LedgerEvent>[]) =>
      ledgerOf(...events).decisions.map(({ value }) => `${value.key}=${value.text}`)
    expect(keys(said('a', '1'), said('a', null))).toEqual([])
    expect(keys(said('a', '1'), said('a', null), said('a', '2'))).toEqual(['a=2'])
    expect(keys(said('a', '1'), said('b', '1'), said('a', '2'))).toEqual(['b=1', 'a=2'])
  })
})

describe('Open Questions: open unless resolved after it was last asked', () => {
  test('model', () => {
    agrees(
      (events) => new Set(values(foldLedger(events).openQuestions).map(key)),
      (events) => {
        const last = (text: string, field: 'openQuestions' | 'resolvedQuestions') =>
          events.findLastIndex((event) => event[field].map(key).includes(text))
        const asked = new Set(events.flatMap((event) => event.openQuestions.map(key)))
        const open = [...asked].filter(
          (text) => last(text, 'openQuestions') >= last(text, 'resolvedQuestions'),
        )
        return new Set(open)
      },
    )
  })

  test('asked and resolved in one event: open', () => {
    const both = { openQuestions: ['a?'], resolvedQuestions: ['a?'] }
    expect(values(ledgerOf(both).openQuestions)).toEqual(['a?'])
    expect(values(ledgerOf(both, { resolvedQuestions: ['  a? '] }).openQuestions)).toEqual([])
    expect(values(ledgerOf({ resolvedQuestions: ['a?'] }, both).openQuestions)).toEqual(['a?'])
  })
})

describe('Checkpoints: all, by time, then phase, exact duplicates once', () => {
  const updated = instant('2026-01-10T13:00:00Z')
  const phases = (...all: string[]) =>
    ledgerOf({
      checkpoints: all.map((phase) => ({ phase, status: 'validated', updated })),
    }).checkpoints.map(({ value }) => value.phase)

  test('model: nothing is lost, nothing stands twice', () => {
    agrees(
      (events) => new Set(foldLedger(events).checkpoints.map(({ value }) => JSON.stringify(value))),
      (events) =>
        new Set(
          events.flatMap(({ checkpoints, ts }) =>
            checkpoints.map((c) => JSON.stringify({ ...c, updated: c.updated ?? ts })),
          ),
        ),
    )
    agrees(
      (events) => foldLedger(events).checkpoints.length,
      (events) =>
        new Set(
          events.flatMap(({ checkpoints, ts }) =>
            checkpoints.map((c) => [c.phase, c.status, c.updated ?? ts].join()),
          ),
        ).size,
    )
  })

  test('numbers as numbers, before words; words by bytes', () => {
    expect(phases('10', '9', 'b', 'B', '2.5', '-1', '2', '😀', '\uffff', '')).toEqual([
      '-1',
      '2',
      '2.5',
      '9',
      '10',
      '',
      'B',
      'b',
      '\uffff',
      '😀',
    ])
    expect(phases('1', '1', '1.0', '01')).toEqual(['01', '1', '1.0'])
  })

  test('by time first; the event’s own time where none is given', () => {
    const early = instant('2026-01-09T00:00:00Z')
    const ledger = ledgerOf({
      checkpoints: [
        { phase: '1', status: 'x', updated },
        { phase: '2', status: 'x', updated: undefined },
        { phase: '3', status: 'x', updated: early },
      ],
    })
    expect(ledger.checkpoints.map(({ value }) => value.phase)).toEqual(['3', '2', '1'])
  })

  test('one phase, two statuses: event order decides', () => {
    const at = (status: string) => ({ checkpoints: [{ phase: '1', status, updated }] })
    const ledger = ledgerOf(at('validated'), at('failed'), at('validated'))
    expect(ledger.checkpoints.map(({ value }) => value.status)).toEqual(['validated', 'failed'])
  })
})

test('Agents: the newest now of each agent and branch, in event order', () => {
  agrees(
    (events) => foldLedger(events).agents.map(({ value, by }) => [by.agent, by.branch, value]),
    (events) =>
      events
        .filter(
          (event, i) =>
            event.now !== undefined &&
            !events
              .slice(i + 1)
              .some((e) => e.now && e.agent === event.agent && e.branch === event.branch),
        )
        .map((event) => [event.agent, event.branch, event.now]),
  )
})
