import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Digest } from '../../../src/core/ledger/digest.ts'
import {
  canExtendDigest,
  condenseDigest,
  digestEvents,
  extendDigest,
  foldDigest,
} from '../../../src/core/ledger/digest.ts'
import type { LedgerEvent } from '../../../src/core/event/event.ts'
import type { Ledger } from '../../../src/core/ledger/join.ts'
import { foldLedger } from '../../../src/core/ledger/join.ts'
import type { Problem } from '../../../src/core/event/problem.ts'
import { parseEvent } from '../../../src/core/event/parse-event.ts'
import { renderLedger } from '../../../src/core/ledger/render.ts'
import { newSnapshot } from '../../../src/core/event/snapshot.ts'
import { renderEvent } from '../../../src/core/event/write-event.ts'
import { anyPool, event, instant } from '../../support/arbitraries.ts'
import { runs } from '../../support/long.ts'

const TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904'

/** The bytes that people see: the footer's count and times included. */
const bytesOf = (ledger: ReturnType<typeof foldLedger>) => renderLedger(ledger, TREE)

const SPOKEN = [
  { title: undefined },
  { goal: undefined },
  { test: undefined },
  { now: undefined },
  { thisSession: [] },
  { next: undefined },
  { decisions: [] },
  { checkpoints: [] },
  { openQuestions: [] },
  { resolvedQuestions: [] },
] satisfies Partial<LedgerEvent>[]

/** A pool whose events say little each, so that many are overtaken as a whole. */
const anyThinPool: fc.Arbitrary<LedgerEvent[]> = fc
  .tuple(anyPool, fc.array(fc.subarray(SPOKEN, { minLength: 7 }), { minLength: 6, maxLength: 6 }))
  .map(([pool, silent]) =>
    pool.map((one, i): LedgerEvent => Object.assign({}, one, ...(silent[i] ?? []))),
  )

/** Some events archived into a snapshot, beside the others and beside events that came back. */
const anyTeam: fc.Arbitrary<LedgerEvent[]> = fc
  .record({ pool: fc.oneof(anyPool, anyThinPool), covered: fc.nat(6), back: fc.nat(6) })
  .map(({ pool, covered, back }) => {
    const snapshot = newSnapshot(pool.slice(0, covered))
    const text = snapshot && renderEvent(snapshot)
    if (text === undefined) return pool
    const { event: read } = parseEvent({ file: 's.md', id: 'ss', text })
    return [...pool.slice(Math.min(covered, back)), ...(read === undefined ? [] : [read])]
  })

const problem = (file: string): Problem => ({
  code: 'bad-ts',
  file,
  line: undefined,
  section: undefined,
})

/** A team's events, dealt out: what a digest is made of, and what may come after it. */
const anyDeal = fc
  .record({
    team: anyTeam,
    cut: fc.nat(7),
    again: fc.nat(7),
    late: fc.oneof(anyPool, anyThinPool),
    window: fc.record({ events: fc.nat(3), items: fc.nat(3) }),
  })
  .map(({ team, cut, again, late, window }) => {
    const after = [...team.slice(cut), ...late.map((one) => ({ ...one, file: `late-${one.file}` }))]
    const [some, more] = [after.slice(0, again), after.slice(again)]
    return { before: team.slice(0, cut), some, more, window }
  })

/** Everything but the items that are only counted; what shows them shows fewer. */
function sections(ledger: Ledger, items: number) {
  const { thisSession, earlierItems, ...rest } = ledger
  const said = (value: unknown): unknown =>
    value !== null && typeof value === 'object' && 'by' in value
      ? { ...value, by: stampsOf(value.by as LedgerEvent) }
      : value
  const shown = thisSession.slice(thisSession.length - items).map(said)
  const other = Object.entries(rest).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.map(said) : said(value),
  ])
  return { ...Object.fromEntries(other), items: earlierItems + thisSession.length, shown }
}

const stampsOf = ({ ts, agent, id, file, branch }: LedgerEvent) => [ts, agent, id, file, branch]

function expectSame(digest: Digest, whole: Ledger, items: number): void {
  const ledger = foldDigest(digest)
  const shown = Math.min(items, whole.thisSession.length)
  expect(ledger.thisSession.length).toBeGreaterThanOrEqual(shown)
  expect(sections(ledger, shown)).toEqual(sections(whole, shown))
}

describe('a digest and what extends it', () => {
  test('give the ledger that all events give', () => {
    const { numRuns } = runs(1000)
    const seen = { dropped: 0, extended: 0, windows: 0 }
    fc.assert(
      fc.property(anyDeal, ({ before, some, more, window }) => {
        const problems = [problem('f7.md'), problem('broken.md')]
        const late = [problem('late.md')]
        const digest = digestEvents({ events: before, problems }, window)
        expectSame(digest, foldLedger(before, problems), window.items)
        const first = some.filter((one) => canExtendDigest(digest, [one]))
        const once = extendDigest(digest, { events: first, problems: late })
        for (const one of [once, condenseDigest(once, window)]) {
          const then = more.filter((event) => canExtendDigest(one, [event]))
          const whole = foldLedger([...before, ...first, ...then], [...problems, ...late])
          expectSame(extendDigest(one, { events: then, problems: [] }), whole, window.items)
          seen.extended += then.length
        }
        seen.dropped += digest.dropped
        seen.windows += digest.since === undefined ? 0 : 1
      }),
      { numRuns },
    )
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(numRuns / 100)
  })

  test('give the bytes of current.md, also where old items are only counted', () => {
    const many = Array.from({ length: 700 }, (_, i) =>
      event({
        file: `e${i}.md`,
        id: `${i}`.padStart(4, '0'),
        ts: instant(new Date(Date.UTC(2026, 0, 1) + i * 1000).toISOString()),
        agent: `agent-${i % 7}`,
        thisSession: [`item ${i}`, `item ${i % 50}`],
        next: [`item ${i + 1}`, `item ${i + 900}`],
      }),
    )
    const digest = digestEvents({ events: many.slice(0, 600), problems: [] })
    const all = extendDigest(digest, { events: many.slice(600), problems: [] })
    expect(digest.events.length).toBeLessThan(450)
    expect(canExtendDigest(digest, many.slice(600))).toBe(true)
    expect(bytesOf(foldDigest(all))).toBe(bytesOf(foldLedger(many)))
    expect(bytesOf(foldDigest(condenseDigest(all)))).toBe(bytesOf(foldLedger(many)))
  })

  test('an event that was archived and comes back counts as itself', () => {
    const old = event({ file: 'a.md', thisSession: ['did it'], goal: 'g', now: 'n' })
    const newer = event({ file: 'b.md', id: 'bb', goal: 'h', ts: instant('2026-02-01T00:00:00Z') })
    const text = renderEvent(newSnapshot([old]) ?? { ts: '', agent: '' })
    const { event: snapshot } = parseEvent({ file: 's.md', id: 'ss', text })
    const events = [snapshot as LedgerEvent, newer]
    const extended = extendDigest(digestEvents({ events, problems: [] }), {
      events: [old],
      problems: [],
    })
    expect(bytesOf(foldDigest(extended))).toBe(bytesOf(foldLedger([...events, old])))
  })
})

test('a digest leaves out what was overtaken, and counts it', () => {
  const events = Array.from({ length: 50 }, (_, i) =>
    event({
      file: `e${i}.md`,
      id: `${i}`.padStart(2, '0'),
      ts: instant(`2026-01-10T00:00:${`${i}`.padStart(2, '0')}Z`),
      now: `step ${i}`,
      goal: `goal ${i}`,
      openQuestions: ['why?'],
      decisions: [{ key: 'k', value: i, text: `${i}` }],
    }),
  )
  const digest = digestEvents({ events, problems: [] }, { events: 1, items: 1 })
  expect(digest.events.map(({ file }) => file)).toEqual(['e49.md'])
  expect(digest.dropped).toBe(49)
})

test('taking back, standing for others, and events before the window need all events', () => {
  const [old, newer] = [event(), event({ id: 'bb', ts: instant('2026-02-01T00:00:00Z') })]
  const digest = digestEvents({ events: [old, newer], problems: [] }, { events: 1, items: 0 })
  const late = event({ id: 'cc', ts: instant('2026-01-20T00:00:00Z') })
  expect(canExtendDigest(digest, [late, newer])).toBe(true)
  expect(canExtendDigest(digest, [late, { ...late, ts: old.ts, id: 'a' }])).toBe(false)
  expect(canExtendDigest(digest, [late, { ...late, retracts: ['a.md'] }])).toBe(false)
  expect(canExtendDigest(digest, [late, { ...late, covers: [event()] }])).toBe(false)
})
