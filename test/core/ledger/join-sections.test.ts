/** Each section of the ledger, compared with a model that is too simple to be wrong. */

import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { LedgerEvent } from '../../../src/core/event/event.ts'
import { compareEvents } from '../../../src/core/event/event.ts'
import { foldLedger } from '../../../src/core/ledger/join.ts'
import { anyLanePool, anyPool, event, instant } from '../../support/arbitraries.ts'
import { runs } from '../../support/long.ts'

type Events = readonly LedgerEvent[]
const ledgerOf = (...events: Partial<LedgerEvent>[]) =>
  foldLedger(events.map((fields, i) => event({ file: `${i}.md`, id: `${i}`, ...fields })))
const values = (said: readonly { value: string }[]) => said.map(({ value }) => value)

/** Checks a section for every pool; the model gets the events that count, in event order. */
function agrees<T>(
  section: (events: Events) => T,
  model: (events: Events) => T,
  cases = runs(300),
) {
  fc.assert(
    fc.property(fc.oneof(anyPool, anyLanePool), (pool) => {
      const gone = new Set(pool.flatMap(({ retracts }) => retracts))
      const counting = pool.filter(({ file }) => !gone.has(file)).sort(compareEvents)
      expect(section(pool)).toEqual(model(counting))
    }),
    cases,
  )
}
const key = (text: string) =>
  text
    .normalize('NFC')
    .split(/\s+/)
    .filter((word) => word !== '')
    .join(' ')
    .replace(/^(- )?\[[x ]\] /i, '')

describe('registers', () => {
  test('Now comes from the newest event that has the field', () => {
    agrees(
      (events) => foldLedger(events).now?.value,
      (events) => events.findLast((event) => event.now !== undefined)?.now,
    )
  })

  test.each(['title', 'goal', 'test'] as const)(
    '%s: prefers written events to generated ones, then events without a stream, then newer ones',
    (field) => {
      agrees(
        (events) => foldLedger(events)[field]?.value,
        (events) => {
          const said = events.filter((event) => event[field] !== undefined)
          const isOurs = (type = '') => ['session_end', 'checkpoint'].includes(type)
          const classes = [
            said.filter(({ type, stream }) => !isOurs(type) && stream === undefined),
            said.filter(({ type, stream }) => !isOurs(type) && stream !== undefined),
            said.filter(({ type, stream }) => isOurs(type) && stream === undefined),
            said,
          ]
          return classes.find(({ length }) => length > 0)?.at(-1)?.[field]
        },
      )
    },
  )

  test("neither a generated goal nor a stream's goal replaces the goal for all", () => {
    const late = instant('2026-02-01T00:00:00Z')
    const said = (fields: Partial<LedgerEvent>) =>
      ledgerOf({ goal: 'ours', now: 'n1' }, { ...fields, ts: late, goal: 'theirs', now: 'n2' })
    for (const fields of [{ type: 'session_end' }, { type: 'checkpoint' }, { stream: 's' }]) {
      const { goal, now } = said(fields)
      expect([goal?.value, now?.value]).toEqual(['ours', 'n2'])
    }
    expect(said({ type: 'handoff' }).goal?.value).toBe('theirs')
    const inStream = { goal: 'written', stream: 's' }
    expect(ledgerOf(inStream, { goal: 'made', type: 'session_end', ts: late }).goal?.value).toBe(
      'written',
    )
  })

  test('an event without the field never clears it, and ties are decided by agent, then id', () => {
    expect(ledgerOf({ now: 'a' }, { agent: 'zoe' }).now?.value).toBe('a')
    expect(ledgerOf({ now: 'a', agent: 'zoe' }, { now: 'b' }).now?.value).toBe('a')
    expect(ledgerOf({ now: 'a', agent: '😀' }, { now: 'b', agent: '\uffff' }).now?.value).toBe('a')
    expect(ledgerOf({ now: 'a' }, { now: 'b' }).now?.value).toBe('b')
  })

  test('compares times as instants, not as text', () => {
    const sydney = instant('2026-01-11T08:00:00+10:00')
    const utc = instant('2026-01-10T23:00:00Z')
    expect(ledgerOf({ ts: utc, now: 'utc' }, { ts: sydney, now: 'sydney' }).now?.value).toBe('utc')
  })
})

describe('This Session: a grow-only set, first occurrence first', () => {
  test('agrees with the model', () => {
    agrees(
      (events) => values(foldLedger(events).thisSession).map(key),
      (events) => [...new Set(events.flatMap((event) => event.thisSession.map(key)))],
    )
  })

  test('shows the first wording, and ignores empty items', () => {
    const ledger = ledgerOf({ thisSession: ['- [x] a  b', ''] }, { thisSession: ['a b', 'A b'] })
    expect(values(ledger.thisSession)).toEqual(['a  b', 'A b'])
    expect(ledger.thisSession[0]?.by.file).toBe('0.md')
  })
})

const REST = 14 * 24 * 60 * 60 * 1000
const millis = (ts: string) => Date.parse(`${ts.slice(0, 23)}Z`)

/** The newest event of every lane that sets `field`, and whether the lane rests. */
function lanes(events: Events, field: 'next' | 'now') {
  const isLaterInLane = (one: LedgerEvent, other: LedgerEvent) =>
    one[field] !== undefined &&
    one.agent === other.agent &&
    one.branch === other.branch &&
    one.stream === other.stream
  const isOver = (one: LedgerEvent, other: LedgerEvent) =>
    one.branch === other.branch && one.supersedes.includes(other.agent)
  const going = events.filter((one, i) => {
    const later = events.slice(i + 1)
    if (one[field] === undefined) return false
    return !later.some((other) => isLaterInLane(other, one) || isOver(other, one))
  })
  const saying = events.filter(({ now, next }) => now !== undefined || next !== undefined)
  const newest = millis(saying.at(-1)?.ts ?? '')
  return going.map((one, i) => ({
    one,
    isResting: i < going.length - 5 && newest - millis(one.ts) > REST,
  }))
}

describe('Next: the newest list of each lane, without what was done', () => {
  test('agrees with the model', () => {
    let resting = 0
    agrees(
      (events) => foldLedger(events).next.map(({ value, isResting }) => [key(value), isResting]),
      (events) => {
        const open = lanes(events, 'next').flatMap(({ one, isResting }) =>
          (one.next ?? [])
            .map(key)
            .filter(
              (item) =>
                !events
                  .slice(events.indexOf(one))
                  .some((later) => later.thisSession.map(key).includes(item)),
            )
            .map((item) => [item, isResting] as const),
        )
        const awake = new Set(open.flatMap(([item, isResting]) => (isResting ? [] : item)))
        const rest = new Set(open.flatMap(([item, is]) => (is && !awake.has(item) ? item : [])))
        resting += rest.size
        return [
          ...[...rest].map((item) => [item, true]),
          ...[...awake].map((item) => [item, false]),
        ]
      },
      // One case in three has an item that rests; fewer cases would sometimes have too few of them.
      { numRuns: 300 },
    )
    expect(resting).toBeGreaterThan(5)
  })

  test('a list rests if it is not among the five newest and over 14 days older than the newest lane', () => {
    const list = (i: number, ts: string, agent = `agent-${i}`) => ({
      next: [`step ${i}`],
      agent,
      ts: instant(ts),
    })
    const four = [1, 2, 3, 4].map((i) => list(i, '2026-02-15T00:00:00Z'))
    const resting = (...events: Partial<LedgerEvent>[]) =>
      ledgerOf(...events).next.flatMap(({ value, isResting }) => (isResting ? value : []))
    const [fifth, old] = [list(5, '2026-02-02T00:00:00Z'), list(6, '2026-02-01T00:00:00Z')]
    expect(resting(...four, old)).toEqual([])
    expect(resting(...four, fifth, old)).toEqual([])
    const older = list(6, '2026-01-31T23:59:59.999Z')
    expect(resting(...four, older)).toEqual([])
    expect(resting(...four, fifth, older)).toEqual(['step 6'])
    // An event with Now counts as progress like a list does; a note with neither does not.
    const note = { ts: instant('2026-02-20T00:00:00Z'), thisSession: ['did'] }
    expect(resting(...four, fifth, old, note)).toEqual([])
    expect(resting(...four, fifth, old, { ...note, now: 'n' })).toEqual(['step 6'])
    // An item that another list contains as well does not rest.
    const same = { ...list(1, '2026-02-15T00:00:00Z'), next: ['step 6'], agent: 'zoe' }
    expect(resting(...four, fifth, older, same)).toEqual([])
  })

  test('an event ends the earlier lanes of the agents that it supersedes on its branch', () => {
    const lists = [
      { next: ['a'], agent: 'claude', branch: 'main' },
      { next: ['b'], agent: 'claude-3f2a', branch: 'main', stream: 's', now: 'b' },
      { next: ['c'], agent: 'claude-3f2a', branch: 'topic', now: 'c' },
    ]
    const late = instant('2026-02-01T00:00:00Z')
    const over = { agent: 'claude', branch: 'main', supersedes: ['claude-3f2a'], ts: late }
    const ledger = ledgerOf(...lists, over)
    expect(values(ledger.next)).toEqual(['a', 'c'])
    expect(values(ledger.agents)).toEqual(['c'])
    expect(values(ledgerOf(...lists, { ...over, branch: 'topic' }).next)).toEqual(['a', 'b'])
    const back = { ...lists[1], ts: instant('2026-02-02T00:00:00Z') }
    expect(values(ledgerOf(...lists, over, back).next)).toEqual(['a', 'c', 'b'])
    const own = { next: ['d'], agent: 'x', branch: 'main', supersedes: ['x'], ts: late }
    expect(
      values(ledgerOf({ next: ['old'], agent: 'x', branch: 'main', stream: 's' }, own).next),
    ).toEqual(['d'])
  })

  test('drops a step that the same or a later event did, but not one that was done before', () => {
    expect(values(ledgerOf({ next: ['a', 'b'], thisSession: ['[x] a'] }).next)).toEqual(['b'])
    expect(values(ledgerOf({ next: ['a'] }, { thisSession: ['a'] }).next)).toEqual([])
    expect(values(ledgerOf({ thisSession: ['a'] }, { next: ['a'] }).next)).toEqual(['a'])
  })

  test('an empty list clears the lane, and a missing list keeps it', () => {
    expect(values(ledgerOf({ next: ['a'] }, { next: [] }).next)).toEqual([])
    expect(values(ledgerOf({ next: ['a'] }, {}).next)).toEqual(['a'])
  })

  test('another branch, agent or stream has its own list', () => {
    const lanes = [
      { next: ['a'] },
      { next: ['b'], branch: 'x' },
      { next: ['c'], agent: 'zoe' },
      { next: ['d'], agent: 'zoe', stream: 's' },
    ]
    expect(values(ledgerOf(...lanes).next)).toEqual(['a', 'b', 'c', 'd'])
  })
})

describe('Decisions: last writer wins by key', () => {
  test('agrees with the model', () => {
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

  test('null removes a decision, a later value restores it, and its position is that of the winner', () => {
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

describe('Open Questions: open unless resolved after they were last asked', () => {
  test('agrees with the model', () => {
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

  test('a question that is asked and resolved in one event is open', () => {
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

  test('agrees with the model: nothing is lost, and nothing appears twice', () => {
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

  test('sorts phases that are numbers numerically and before words, and words by bytes', () => {
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

  test('sorts by time first, using the time of the event if a checkpoint has none', () => {
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

  test('keeps two statuses of one phase in event order', () => {
    const at = (status: string) => ({ checkpoints: [{ phase: '1', status, updated }] })
    const ledger = ledgerOf(at('validated'), at('failed'), at('validated'))
    expect(ledger.checkpoints.map(({ value }) => value.status)).toEqual(['validated', 'failed'])
  })
})

test('Agents: shows the newest now of each lane, in event order', () => {
  agrees(
    (events) =>
      foldLedger(events).agents.map(({ value, by, isResting }) => [by.file, value, isResting]),
    (events) => lanes(events, 'now').map(({ one, isResting }) => [one.file, one.now, isResting]),
  )
})
