import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { LedgerEvent } from '../../../src/core/event/event.ts'
import { foldLedger } from '../../../src/core/ledger/join.ts'
import { joinEvents } from '../../../src/core/event/event-set.ts'
import { renderLedger } from '../../../src/core/ledger/render.ts'
import { anyReplicas, event, instant } from '../../support/arbitraries.ts'

const TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904'
const render = (events: readonly LedgerEvent[]) => renderLedger(foldLedger(events), TREE)

type Side = LedgerEvent[]
const law = (check: (a: Side, b: Side, c: Side) => void) =>
  fc.assert(
    fc.property(anyReplicas, ({ a, b, c }) => check(a, b, c)),
    { numRuns: 200 },
  )
/** What git does to the folder: the files of all sides, one per name. */
const union = (...sides: Side[]) => [
  ...new Map(sides.flat().map((event) => [event.file, event])).values(),
]

describe('the join: replicas converge', () => {
  test('commutative: the order of the sides does not matter', () => {
    law((a, b) => {
      expect(joinEvents([...a, ...b])).toEqual(joinEvents([...b, ...a]))
      expect(foldLedger([...a, ...b])).toEqual(foldLedger([...b, ...a]))
      expect(render([...a, ...b])).toBe(render([...b, ...a]))
    })
  })

  test('associative: the grouping of merges does not matter', () => {
    law((a, b, c) => {
      const left = union(union(a, b), c)
      const right = union(a, union(b, c))
      expect(foldLedger(left)).toEqual(foldLedger(right))
      expect(render(left)).toBe(render(right))
    })
  })

  test('idempotent: an event that occurs twice counts once', () => {
    law((a, b) => {
      expect(joinEvents([...a, ...b, ...b, ...a])).toEqual(joinEvents([...a, ...b]))
      expect(joinEvents(joinEvents(a))).toEqual(joinEvents(a))
      expect(render([...a, ...a])).toBe(render(a))
      expect(foldLedger([...a, ...b, ...a])).toEqual(foldLedger(union(a, b)))
    })
  })

  test('does not depend on partition, grouping or order of arrival', () => {
    const anyArrival = anyReplicas.chain(({ pool }) =>
      fc.record({
        pool: fc.constant(pool),
        shuffled: fc.shuffledSubarray(pool, { minLength: pool.length }),
        cut: fc.nat({ max: pool.length }),
      }),
    )
    fc.assert(
      fc.property(anyArrival, ({ pool, shuffled, cut }) => {
        const sides = [shuffled.slice(cut), shuffled.slice(0, cut), shuffled.slice(0, 2)]
        expect(joinEvents(sides.flat())).toEqual(joinEvents(pool))
        expect(render(sides.flat())).toBe(render(pool))
      }),
      { numRuns: 200 },
    )
  })

  // Holds for sets of files. Joined lists no longer know what a retracted retraction retracts.

  test('does not change its inputs', () => {
    law((a, b) => {
      const copy = structuredClone([a, b])
      foldLedger([...a, ...b])
      joinEvents([...a, ...b])
      expect([a, b]).toEqual(copy)
    })
  })
})

describe('retraction', () => {
  const [one, two] = [
    event({ file: 'one.md', id: '1', now: 'one', goal: 'g', thisSession: ['did'] }),
    event({ file: 'two.md', id: '2', now: 'two', retracts: ['one.md', 'missing.md'] }),
  ]

  test('a retracted event does not count anywhere', () => {
    const ledger = foldLedger([one, two])
    expect(ledger).toMatchObject({ goal: undefined, thisSession: [], eventCount: 1 })
    expect(ledger.now?.value).toBe('two')
  })

  test('a retraction also applies to later events', () => {
    const late = event({ ...one, ts: instant('2027-01-01T00:00:00Z') })
    const ledger = foldLedger([late, two])
    expect([ledger.now?.value, ledger.latest]).toEqual(['two', two.ts])
  })

  test('two events that retract each other are both gone, and so is one that retracts itself', () => {
    const a = event({ file: 'a.md', id: '1', now: 'a', retracts: ['b.md'] })
    const b = event({ file: 'b.md', id: '2', now: 'b', retracts: ['a.md'] })
    expect(joinEvents([a, b])).toEqual([])
    expect(joinEvents([event({ file: 'a.md', retracts: ['a.md'] })])).toEqual([])
  })

  test('a retraction that is itself retracted still counts', () => {
    const three = event({ file: 'three.md', id: '3', retracts: ['two.md'] })
    expect(joinEvents([one, two, three])).toEqual([three])
  })

  test('a retracted file is not named as skipped', () => {
    const problem = (file: string) =>
      ({ code: 'bad-ts', file, line: 2, section: undefined }) as const
    const problems = [problem('z.md'), problem('one.md'), problem('b.md')]
    expect(foldLedger([two], problems).skipped.map(({ file }) => file)).toEqual(['b.md', 'z.md'])
  })
})

test('lists skipped files in byte order, then by line, section and code', () => {
  const skipped = (file: string, line?: number, section?: string) =>
    ({ code: 'section-unreadable', file, line, section }) as const
  const ordered = [
    skipped('a.md'),
    skipped('a.md', 2, 'next'),
    skipped('a.md', 2, 'now'),
    skipped('a.md', 10),
    skipped('\uffff.md'),
    skipped('😀.md'),
  ]
  expect(foldLedger([], ordered.toReversed()).skipped).toEqual(ordered)
})

test('counts events of unknown types, but not snapshots and retracted events', () => {
  const events = ['snapshot', 'note', undefined, 'odd'].map((type, i) =>
    event({ type, file: `${i}.md`, id: `${i}` }),
  )
  const retraction = event({ type: 'retraction', file: 'r.md', id: 'r', retracts: ['1.md'] })
  expect(foldLedger([...events, retraction]).eventCount).toBe(3)
})
