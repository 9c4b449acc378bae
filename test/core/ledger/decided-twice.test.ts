import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { foldLedger } from '../../../src/core/ledger/join.ts'
import { decidedTwice } from '../../../src/core/ledger/decided-twice.ts'
import { anyPool, event, instant } from '../../support/arbitraries.ts'

const decides = (file: string, minute: number, value: string | number | null) =>
  event({
    file,
    id: file,
    ts: instant(`2026-01-01T00:0${minute}:00Z`),
    agent: file,
    decisions: [{ key: 'db', value, text: String(value) }],
  })
const base = decides('base', 0, 'none')
const ours = decides('ours', 1, 'sqlite')
const theirs = decides('theirs', 2, 'postgres')
const told = (a: Parameters<typeof decidedTwice>[0], b: typeof a) =>
  decidedTwice(a, b).map((pair) => pair.map(({ by }) => by.file))

describe('decidedTwice', () => {
  test('reports a key that both sides set, with the later decision first, whichever side it is on', () => {
    expect(told([base, ours], [base, theirs])).toEqual([['theirs', 'ours']])
    expect(told([base, theirs], [base, ours])).toEqual([['theirs', 'ours']])
    expect(told([base, ours], [base, decides('gone', 3, null)])).toEqual([['gone', 'ours']])
  })

  test('ignores a value that its own side replaced later', () => {
    const before = decides('before', 1, 'mysql')
    const after = decides('after', 2, 'sqlite')
    const late = decides('late', 3, 'sqlite')
    expect(told([base, before, after], [base, late])).toEqual([])
    expect(told([base, before, after], [base, decides('other', 4, 'x')])).toEqual([
      ['other', 'after'],
    ])
  })

  test("reports nothing if only one side decided, the values agree, or one side knew the other's decision", () => {
    expect(told([base], [base, theirs])).toEqual([])
    expect(told([base, ours], [base, decides('same', 3, 'sqlite')])).toEqual([])
    expect(told([base, ours], [base, ours, theirs])).toEqual([])
    const [typed, written] = [decides('typed', 1, '8080'), decides('yaml', 2, 8080)]
    expect(told([base, typed], [base, written])).toEqual([])
    const both = decides('both', 5, 'mysql')
    expect(told([base, ours, both], [base, theirs, both])).toEqual([])
  })

  test('reports nothing for a decision that its own side has given up', () => {
    const since = decides('since', 2, 'mysql')
    const later = decides('later', 3, 'oracle')
    expect(told([base, ours, since], [base, since, later])).toEqual([])
    expect(told([base, since, later], [base, ours, since])).toEqual([])
  })

  test('ignores retracted decisions', () => {
    const sorry = event({ file: 'sorry', id: 'sorry', agent: 'x', retracts: ['theirs'] })
    expect(told([base, ours], [base, theirs, sorry])).toEqual([])
  })

  test('the reported winner is what the merged ledger contains, in whichever order the sides are given', () => {
    fc.assert(
      fc.property(anyPool, anyPool, (a, b) => {
        const held = new Map(
          foldLedger([...a, ...b]).decisions.map(({ value }) => [value.key, value.value]),
        )
        const twice = decidedTwice(a, b)
        for (const [{ decision }] of twice)
          expect(held.get(decision.key) ?? null).toBe(decision.value)
        expect(decidedTwice(b, a)).toEqual(twice)
      }),
    )
  })
})
