import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { LedgerEvent } from '../../../src/core/event/event.ts'
import { parseEvent } from '../../../src/core/event/parse-event.ts'
import type { Problem } from '../../../src/core/event/problem.ts'
import { newSnapshot } from '../../../src/core/event/snapshot.ts'
import { renderEvent } from '../../../src/core/event/write-event.ts'
import { foldLedger, foldState } from '../../../src/core/ledger/join.ts'
import type { JoinState } from '../../../src/core/ledger/join-state.ts'
import { extendState, stateOf } from '../../../src/core/ledger/join-state.ts'
import { ledgerToJson } from '../../../src/core/ledger/ledger-json.ts'
import { renderLedger, SHOWN_ITEMS } from '../../../src/core/ledger/render.ts'
import { StateInParts } from '../../../src/core/ledger/state-in-parts.ts'
import { readState, writeState } from '../../../src/core/ledger/state-text.ts'
import { anyLanePool, anyPool, event, instant } from '../../support/arbitraries.ts'
import { runs } from '../../support/long.ts'

const TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904'

/** Everything that people see: the file, and every text that it does not show. */
function seen(ledger: ReturnType<typeof foldLedger>): string[] {
  const whole = renderLedger(ledger, TREE, { isWhole: true })
  return [renderLedger(ledger, TREE), whole, JSON.stringify(ledgerToJson(ledger, TREE))]
}

const SPOKEN = [
  { title: undefined },
  { goal: undefined },
  { test: undefined },
  { now: undefined },
  { thisSession: [] },
  { next: undefined },
  { supersedes: [] },
  { decisions: [] },
  { checkpoints: [] },
  { openQuestions: [] },
  { resolvedQuestions: [] },
] satisfies Partial<LedgerEvent>[]

/** A pool whose events say little each, so that many are superseded completely. */
const anyThinPool: fc.Arbitrary<LedgerEvent[]> = fc
  .tuple(anyPool, fc.array(fc.subarray(SPOKEN, { minLength: 8 }), { minLength: 6, maxLength: 6 }))
  .map(([pool, silent]) =>
    pool.map((one, i): LedgerEvent => Object.assign({}, one, ...(silent[i] ?? []))),
  )

/**
 * Some events archived into a snapshot, next to the others and to archived events that came back.
 */
const anyTeam: fc.Arbitrary<LedgerEvent[]> = fc
  .record({
    pool: fc.oneof(anyPool, anyThinPool, anyLanePool),
    covered: fc.nat(6),
    back: fc.nat(6),
  })
  .map(({ pool, covered, back }) => {
    const snapshot = newSnapshot(pool.slice(0, covered))
    const text = snapshot && renderEvent(snapshot)
    if (text === undefined) return pool
    const { event: read } = parseEvent({ file: 's.md', id: 'ss', text })
    return [...pool.slice(Math.min(covered, back)), ...(read === undefined ? [] : [read])]
  })

/** The events of two teams in any order, distributed over any number of parts. */
const anyParts: fc.Arbitrary<LedgerEvent[][]> = fc
  .tuple(anyTeam, fc.oneof(anyPool, anyThinPool, anyLanePool))
  .map(([team, late]) => [...team, ...late.map((one) => ({ ...one, file: `late-${one.file}` }))])
  .chain((all) =>
    fc.record({
      all: fc.shuffledSubarray(all, { minLength: all.length }),
      parts: fc.array(fc.nat(3), { minLength: all.length, maxLength: all.length }),
    }),
  )
  .map(({ all, parts }) =>
    [0, 1, 2, 3].map((part) => all.filter((_, i) => (parts[i] ?? 0) === part)),
  )

const textOf = (state: JoinState): string => [...writeState(state)].join('')

const problem = (file: string): Problem => ({
  code: 'bad-ts',
  file,
  line: undefined,
  section: undefined,
})
const PROBLEMS = [problem('f1.md'), problem('late-f0.md'), problem('broken.md')]

describe('extending the state of some events with others', () => {
  test('gives the ledger of all events, or declines', () => {
    // Enough runs that even the rarest case occurs often enough.
    const { numRuns } = runs(1000, 250)
    const count = { extended: 0, declined: 0, skipped: 0 }
    fc.assert(
      fc.property(anyParts, fc.boolean(), (parts, isKept) => {
        const [first = [], ...others] = parts
        let known: LedgerEvent[] = first
        let state: JoinState = stateOf(first, PROBLEMS.slice(0, 1))
        for (const [i, part] of others.entries()) {
          known = [...known, ...part]
          const problems = PROBLEMS.slice(i + 1, i + 2)
          const before = structuredClone(state)
          const extended = extendState(state, part, problems)
          expect(state).toEqual(before)
          const all = PROBLEMS.slice(0, i + 2)
          if (extended !== undefined && part.length > 0) count.extended += 1
          if (extended === undefined) count.declined += 1
          if (part.some(({ file }) => state.retracted.has(file))) count.skipped += 1
          state = extended ?? stateOf(known, all)
          if (isKept) state = readState(textOf(state))
          expect(seen(foldState(state))).toEqual(seen(foldLedger(known, all)))
        }
      }),
      { numRuns },
    )
    expect(Math.min(...Object.values(count))).toBeGreaterThan(numRuns / 40)
  })

  test('accepts all events that retract nothing and were never archived', () => {
    const { numRuns } = runs(300)
    let count = 0
    fc.assert(
      fc.property(anyParts, (parts) => {
        const [first = [], ...others] = parts
        const isPlain = ({ retracts, covers }: LedgerEvent) =>
          retracts.length === 0 && covers.length === 0
        const state = stateOf(first)
        const plain = others.flat().filter((one) => isPlain(one) && !state.archived.has(one.file))
        expect(extendState(state, plain)).toBeDefined()
        count += plain.length
      }),
      { numRuns },
    )
    expect(count).toBeGreaterThan(numRuns)
  })

  test('gives the bytes of current.md when it cannot show all items, whatever the times of late events', () => {
    const many = Array.from({ length: 3 * SHOWN_ITEMS }, (_, i) =>
      event({
        file: `e${i}.md`,
        id: `${i}`.padStart(4, '0'),
        ts: instant(new Date(Date.UTC(2026, 0, 1) + i * 1000).toISOString()),
        agent: `agent-${i % 7}`,
        thisSession: [`item ${i}`, `item ${i % 50}`],
        next: [`item ${i + 1}`, `item ${i + 900}`],
      }),
    )
    const isLate = (_: unknown, i: number) => i % 37 === 5
    const state = stateOf(many.filter((one, i) => !isLate(one, i)))
    const all = extendState(readState(textOf(state)), many.filter(isLate))
    expect(all && seen(foldState(all))).toEqual(seen(foldLedger(many)))
  })
})

describe('events that arrive in parts and are not kept', () => {
  test('give the ledger of all events, or are declined', () => {
    const { numRuns } = runs(1000)
    const count = { whole: 0, declined: 0, skipped: 0, archived: 0 }
    fc.assert(
      fc.property(anyParts, fc.nat(3), (dealt, order) => {
        // The newest come first, and with them most retractions.
        const taken = (part: LedgerEvent[]) => part.flatMap(({ retracts }) => retracts).length
        const parts = order > 0 ? dealt.toSorted((a, b) => taken(b) - taken(a)) : dealt
        const joined = new StateInParts()
        let known: LedgerEvent[] = []
        for (const [i, part] of parts.entries()) {
          const before = joined.state
          if (part.some(({ file }) => before.retracted.has(file))) count.skipped += 1
          if (!joined.add(part, PROBLEMS.slice(i, i + 1))) {
            count.declined += 1
            expect(joined.state).toBe(before)
            return
          }
          known = [...known, ...part]
          const all = PROBLEMS.slice(0, i + 1)
          expect(seen(foldState(joined.state))).toEqual(seen(foldLedger(known, all)))
          expect(joined.state).toMatchObject({ retracted: stateOf(known).retracted })
          if (joined.state.archived.size > 0) count.archived += 1
        }
        count.whole += 1
      }),
      { numRuns },
    )
    expect(Math.min(...Object.values(count))).toBeGreaterThan(0)
  })

  test('accepts an event that is already retracted, and declines a retraction after its event', () => {
    const [old, retraction] = [
      event({ file: 'a.md', goal: 'old' }),
      event({ file: 'r.md', id: 'rr', retracts: ['a.md'] }),
    ]
    const newestFirst = new StateInParts()
    expect([[retraction], [old]].map((part) => newestFirst.add(part, []))).toEqual([true, true])
    expect(seen(foldState(newestFirst.state))).toEqual(seen(foldLedger([old, retraction])))
    const oldestFirst = new StateInParts()
    expect([[old], [retraction]].map((part) => oldestFirst.add(part, []))).toEqual([true, false])
  })
})

describe('cases in which a state needs the events themselves', () => {
  const first = event({ file: 'a.md', goal: 'first' })
  const second = event({
    file: 'b.md',
    id: 'bb',
    goal: 'second',
    ts: instant('2026-01-11T00:00:00Z'),
  })

  test('declines a retraction of a joined event, and a new snapshot', () => {
    const state = stateOf([first, second])
    expect(
      extendState(state, [event({ file: 'r.md', id: 'rr', retracts: ['b.md'] })]),
    ).toBeUndefined()
    expect(extendState(state, [event({ file: 's.md', id: 'ss', covers: [first] })])).toBeUndefined()
  })

  test('declines an archived event that comes back, because its snapshot may be forged', () => {
    const text = renderEvent(newSnapshot([first]) ?? { ts: '', agent: '' })
    const { event: snapshot } = parseEvent({ file: 's.md', id: 'ss', text })
    const state = stateOf([snapshot as LedgerEvent])
    expect(extendState(state, [second])).toBeDefined()
    expect(extendState(state, [second, first])).toBeUndefined()
  })

  test('accepts an event that is already retracted', () => {
    const retraction = event({ file: 'r.md', id: 'rr', retracts: ['b.md'] })
    const state = extendState(stateOf([first, retraction]), [second])
    expect(state && seen(foldState(state))).toEqual(seen(foldLedger([first, retraction, second])))
  })
})

test.each([5000, 10_001])('writes a state of %d items in pieces', (length) => {
  const state = stateOf([event({ thisSession: Array.from({ length }, (_, i) => `item ${i}`) })])
  expect(Math.max(...[...writeState(state)].map((piece) => piece.length))).toBeLessThan(100_000)
  expect(readState(textOf(state))).toEqual(state)
})

test('rejects a text that is not a written state', () => {
  const text = textOf(stateOf([event({ thisSession: ['did'], now: 'n' })]))
  expect(readState(text)).toEqual(stateOf([event({ thisSession: ['did'], now: 'n' })]))
  for (const other of [
    '',
    'nope',
    'null',
    '5',
    '{}',
    '[]',
    text.slice(0, -1),
    text.replace('"items"', '"item"'),
  ])
    expect(() => readState(other), other).toThrow()
  for (const column of ['by', 'last']) {
    const other = text.replaceAll(`"${column}":[0`, `"${column}":[7`)
    expect(() => readState(other), column).toThrow('no such event')
  }
})
