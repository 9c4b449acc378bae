import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { LedgerEvent } from '../../../src/core/event/event.ts'
import { differingDecisions, openQuestionsOf } from '../../../src/core/fleet/differing.ts'
import { holdersOf } from '../../../src/core/fleet/holders.ts'
import { foldLedger } from '../../../src/core/ledger/join.ts'
import { anyReplicas, event, instant } from '../../support/arbitraries.ts'
import { runs } from '../../support/long.ts'
import { branch, facts, held, worktree } from './facts.ts'

/** Each branch with its events. */
const holders = (ledgers: Record<string, LedgerEvent[]>) =>
  holdersOf(
    facts({
      branches: Object.entries(ledgers).map(([name, events]) =>
        branch({ name, ledger: held(...events) }),
      ),
    }),
  )

const decided = (id: string, value: string | number | null, ts: string, about = {}) =>
  event({
    id,
    file: `${id}.md`,
    agent: `agent-${id}`,
    branch: `branch-${id}`,
    ts: instant(ts),
    decisions: [{ key: 'db', value, text: String(value ?? '') }],
    ...about,
  })

const OLD = decided('a', 'sqlite', '2026-01-10T08:00:00Z')
const MINE = decided('b', 'postgres', '2026-01-10T09:00:00Z')
const YOURS = decided('c', 'mysql', '2026-01-10T10:00:00Z')

describe('decisions', () => {
  test('set on both sides, lists each value with author, time, branch and holders', () => {
    const ledgers = { main: [OLD], one: [OLD, MINE], two: [OLD, YOURS] }
    expect(differingDecisions(holders(ledgers))).toEqual([
      {
        key: 'db',
        both_sides: true,
        values: [
          {
            value: 'mysql',
            agent: 'agent-c',
            branch: 'branch-c',
            ts: '2026-01-10T10:00:00Z',
            held_on: ['two'],
          },
          {
            value: 'postgres',
            agent: 'agent-b',
            branch: 'branch-b',
            ts: '2026-01-10T09:00:00Z',
            held_on: ['one'],
          },
          {
            value: 'sqlite',
            agent: 'agent-a',
            branch: 'branch-a',
            ts: '2026-01-10T08:00:00Z',
            held_on: ['main'],
          },
        ],
      },
    ])
  })

  test('reports a side that only lacks the newer event, as no conflict for a merge', () => {
    expect(differingDecisions(holders({ main: [OLD], one: [OLD, MINE] }))).toMatchObject([
      { key: 'db', both_sides: false, values: [{ held_on: ['one'] }, { held_on: ['main'] }] },
    ])
  })

  test('treats a decision taken back as a value', () => {
    const gone = decided('d', null, '2026-01-10T11:00:00Z')
    expect(differingDecisions(holders({ main: [OLD], one: [OLD, gone] }))).toMatchObject([
      { values: [{ value: null }, { value: 'sqlite' }] },
    ])
  })

  test('ignores equal values of two agents, and branches that never heard of the decision', () => {
    const same = decided('d', 'sqlite', '2026-01-10T11:00:00Z')
    expect(differingDecisions(holders({ main: [OLD], one: [same], two: [] }))).toEqual([])
    const port = (value: string | number) => [decided('p', value, '2026-01-10T11:00:00Z')]
    expect(differingDecisions(holders({ main: port('8080'), one: port(8080) }))).toEqual([])
  })

  test('counts a branch once, as its worktree sees it', () => {
    const known = facts({
      worktrees: [worktree({ branch: 'one', ledger: held(OLD, MINE), pending: ['b.md'] })],
      branches: [
        branch({ name: 'one', ledger: held(OLD) }),
        branch({ name: 'main', ledger: held(OLD) }),
      ],
    })
    expect(differingDecisions(holdersOf(known))).toMatchObject([
      {
        values: [
          { value: 'postgres', held_on: ['one'] },
          { value: 'sqlite', held_on: ['main'] },
        ],
      },
    ])
  })

  test('knows archived events', () => {
    const covered = { ...OLD, done: [] }
    const snapshot = event({ file: 's.md', id: 's', type: 'snapshot', covers: [covered] })
    const ledgers = { one: [snapshot, MINE], two: [OLD] }
    expect(differingDecisions(holders(ledgers))).toMatchObject([{ both_sides: false }])
  })

  test('puts the value first that holds when everything is merged', () => {
    fc.assert(
      fc.property(anyReplicas, ({ a, b, c }) => {
        const sides = [a, b, c].map((side) => side.map((one) => ({ ...one, retracts: [] })))
        const [one = [], two = [], three = []] = sides
        const merged = foldLedger([...one, ...two, ...three]).decisions
        for (const { key, values } of differingDecisions(holders({ one, two, three }))) {
          const kept = merged.find(({ value }) => value.key === key)?.value.value ?? null
          expect(values[0]?.value).toEqual(kept)
          const all = values.flatMap(({ held_on }) => held_on)
          expect(new Set(all).size).toBe(all.length)
        }
      }),
      runs(400, 60),
    )
  })

  test("sets both_sides exactly if each of two branches lacks the event that set the other's value", () => {
    fc.assert(
      fc.property(anyReplicas, ({ a, b }) => {
        const [one, two] = [a, b].map((side) => side.map((event) => ({ ...event, retracts: [] })))
        if (one === undefined || two === undefined) return
        for (const { key, both_sides } of differingDecisions(holders({ one, two }))) {
          const setBy = (events: LedgerEvent[]) =>
            held(...events).state.sections.decisions.get(key)?.by.file
          const isIn = (events: LedgerEvent[], file: string | undefined) =>
            events.some((event) => event.file === file)
          expect(both_sides).toBe(!isIn(one, setBy(two)) && !isIn(two, setBy(one)))
        }
      }),
      runs(400, 60),
    )
  })
})

describe('open questions', () => {
  test('are those of all events together', () => {
    fc.assert(
      fc.property(anyReplicas, ({ a, b, c }) => {
        const [one = [], two = [], three = []] = [a, b, c].map((side) =>
          side.map((event) => ({ ...event, retracts: [] })),
        )
        const texts = (all: readonly { value: string }[]) => all.map(({ value }) => value).sort()
        const merged = foldLedger([...one, ...two, ...three]).openQuestions
        expect(texts(openQuestionsOf(holders({ one, two, three })))).toEqual(texts(merged))
      }),
      runs(400, 60),
    )
  })

  test('exclude a question that any branch knows to be retracted', () => {
    const asked = event({ file: 'q.md', id: 'q', openQuestions: ['why?'] })
    const back = event({ file: 'r.md', id: 'r', type: 'retraction', retracts: ['q.md'] })
    expect(openQuestionsOf(holders({ one: [asked] }))).toHaveLength(1)
    expect(openQuestionsOf(holders({ one: [asked], two: [asked, back] }))).toEqual([])
  })
})
