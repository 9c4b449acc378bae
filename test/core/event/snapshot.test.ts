import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readCanonicalEvent } from '../../../src/core/event/canonical-event.ts'
import type { LedgerEvent } from '../../../src/core/event/event.ts'
import { itemKey } from '../../../src/core/event/item-text.ts'
import type { Ledger } from '../../../src/core/ledger/join.ts'
import type { Attributed } from '../../../src/core/ledger/join-state.ts'
import { foldLedger } from '../../../src/core/ledger/join.ts'
import { retractedFiles } from '../../../src/core/event/event-set.ts'
import { parseEvent } from '../../../src/core/event/parse-event.ts'
import { newSnapshot } from '../../../src/core/event/snapshot.ts'
import { renderEvent } from '../../../src/core/event/write-event.ts'
import { anyLanePool, anyPool, event, instant } from '../../support/arbitraries.ts'
import { runs } from '../../support/long.ts'

/** What a clone reads after archiving `events`: the snapshot, read from its own text. */
function snapshotOf(events: readonly LedgerEvent[]): LedgerEvent[] {
  const text = textOf(events)
  if (text === undefined) return []
  const snapshot = readCanonicalEvent({ file: `s-${text.slice(-65, -57)}.md`, id: text, text })
  if (snapshot === undefined) throw new Error(`not canonical: ${text}`)
  return [snapshot]
}

function textOf(events: readonly LedgerEvent[]): string | undefined {
  const snapshot = newSnapshot(events)
  return snapshot && renderEvent(snapshot)
}

/** One clone: its events by file name, and the names that are archived in it. */
interface Replica {
  readonly live: ReadonlyMap<string, LedgerEvent>
  readonly gone: ReadonlySet<string>
}

/** Archives what is older than `cut`, as the command does, using the text of the snapshot. */
function archive({ live, gone }: Replica, cut: string): Replica {
  const isCovered = (one: LedgerEvent) => one.covers.length > 0 || one.ts < cut
  const covered = [...live.values()].filter(isCovered)
  if (!covered.some((one) => one.covers.length === 0)) return { live, gone }
  const rest = [...live.values()].filter((one) => !isCovered(one))
  const snapshot = snapshotOf(covered)
  const kept = new Set(snapshot.map((one) => one.file)) // including nothing new gives the same file
  return {
    live: new Map([...rest, ...snapshot].map((one) => [one.file, one])),
    gone: new Set([...gone, ...covered.map((one) => one.file)].filter((file) => !kept.has(file))),
  }
}

/** The result of merging two clones: what one side deleted is deleted. */
function merge(a: Replica, b: Replica): Replica {
  const gone = new Set([...a.gone, ...b.gone])
  const live = [...a.live, ...b.live].filter(([file]) => !gone.has(file))
  return { live: new Map(live), gone }
}

function add({ live, gone }: Replica, one: LedgerEvent): Replica {
  return gone.has(one.file) ? { live, gone } : { live: new Map([...live, [one.file, one]]), gone }
}

/** A revert of an archiving commit: some of its events return, and the snapshot may remain. */
function restore(replica: Replica, one: LedgerEvent): Replica {
  const live = new Map([...replica.live, [one.file, one]])
  return { live, gone: new Set([...replica.gone].filter((file) => file !== one.file)) }
}

type Step =
  | { readonly kind: 'add' | 'restore'; readonly at: number; readonly event: number }
  | { readonly kind: 'archive'; readonly at: number; readonly cut: string }
  | { readonly kind: 'merge'; readonly at: number; readonly from: number }

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('add' as const),
      at: fc.nat(2),
      event: fc.nat(9),
    }),
  },
  fc.record({ kind: fc.constant('restore' as const), at: fc.nat(2), event: fc.nat(9) }),
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('archive' as const),
      at: fc.nat(2),
      cut: fc.constantFrom(
        instant('2026-01-10T00:00:00Z'),
        instant('2026-01-10T00:00:00.001Z'),
        instant('2026-01-11T00:00:00Z'),
        instant('2026-12-17T00:00:00Z'),
      ),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('merge' as const), at: fc.nat(2), from: fc.nat(2) }),
  },
)

const anySteps = fc.array(anyStep, { minLength: 8, maxLength: 30, size: 'max' })
const anyTeam = fc.oneof(anyPool, anyLanePool).filter((pool) => pool.length > 1)

function play(pool: readonly LedgerEvent[], steps: readonly Step[]) {
  const replicas: Replica[] = Array.from({ length: 3 }, () => ({
    live: new Map(),
    gone: new Set(),
  }))
  const written = new Map<string, LedgerEvent>()
  let lastCut = ''
  for (const step of steps) {
    const replica = replicas[step.at] as Replica
    const one = step.kind === 'add' || step.kind === 'restore' ? pool[step.event] : undefined
    if (one !== undefined) written.set(one.file, one)
    if (step.kind === 'add' && one) replicas[step.at] = add(replica, one)
    if (step.kind === 'restore' && one) replicas[step.at] = restore(replica, one)
    if (step.kind === 'merge') replicas[step.at] = merge(replica, replicas[step.from] as Replica)
    if (step.kind === 'archive') {
      replicas[step.at] = archive(replica, step.cut)
      if (step.cut > lastCut) lastCut = step.cut
    }
  }
  return { replicas, written: [...written.values()], lastCut }
}

const bySaid = ({ value, by, ...rest }: Attributed<unknown>) => ({
  value,
  by: [by.ts, by.agent, by.id, by.file, by.branch, by.stream],
  rest: { ...rest, last: undefined },
})

/** The sections that archiving must not change, with their authors. */
function lastingSections(ledger: Ledger) {
  const register = (said: Attributed<string> | undefined) => said && bySaid(said)
  return {
    title: register(ledger.title),
    goal: register(ledger.goal),
    test: register(ledger.test),
    now: register(ledger.now),
    next: ledger.next.map(bySaid),
    decisions: ledger.decisions.map(bySaid),
    checkpoints: ledger.checkpoints.map(bySaid),
    openQuestions: ledger.openQuestions.map(bySaid),
  }
}

describe('archiving on three clones, merged in any order', () => {
  test('changes no section but This Session and Agents', () => {
    let archived = 0
    const { numRuns } = runs(600, 200) // enough to rule out chance
    fc.assert(
      fc.property(anyTeam, anySteps, (pool, steps) => {
        const { replicas, written, lastCut } = play(pool, steps)
        const all = replicas.reduce(merge)
        const events = [...all.live.values()]
        if (events.some((one) => one.covers.length > 0)) archived += 1
        const [kept, never] = [foldLedger(events), foldLedger(written)]
        expect(lastingSections(kept)).toEqual(lastingSections(never))

        const retracted = retractedFiles(written)
        const own = events.filter((one) => !retracted.has(one.file))
        const items = new Set(own.flatMap((one) => one.thisSession.map(itemKey)))
        items.delete('')
        expect(new Set(kept.thisSession.map(({ value }) => itemKey(value)))).toEqual(items)

        const rows = kept.agents.map((row) => JSON.stringify(bySaid(row)))
        for (const row of never.agents) {
          const isKept = rows.includes(JSON.stringify(bySaid(row)))
          expect(isKept || row.by.ts < lastCut).toBe(true)
        }
        const known = new Set(never.agents.map((row) => JSON.stringify(bySaid(row))))
        expect(rows.filter((row) => !known.has(row))).toEqual([])
        expect(kept.eventCount).toBe(
          own.filter((one) => one.type !== 'snapshot' && one.covers.length === 0).length,
        )
      }),
      { numRuns },
    )
    expect(archived).toBeGreaterThan(numRuns / 3)
  })

  test('a snapshot of events that still exist changes no section', () => {
    fc.assert(
      fc.property(anyTeam, (pool) => {
        const { latest: _, ...sections } = foldLedger([...pool, ...snapshotOf(pool)])
        const { latest: __, ...expected } = foldLedger(pool)
        expect(sections).toEqual(expected)
      }),
    )
  })
})

describe('the text of a snapshot', () => {
  test('depends only on the events, not on their order or grouping', () => {
    fc.assert(
      fc.property(anyTeam, fc.nat(8), (pool, cut) => {
        const whole = textOf(pool)
        expect(textOf(pool.toReversed())).toBe(whole)
        const lasting = pool.filter((one) => textOf([one]) !== undefined)
        const parts = [...snapshotOf(lasting.slice(0, cut)), ...lasting.slice(cut)]
        expect(textOf(parts)).toBe(textOf(lasting))
      }),
    )
  })

  test('is read the same by both readers', () => {
    fc.assert(
      fc.property(anyTeam, (pool) => {
        const text = textOf(pool)
        if (text === undefined) return
        const source = { file: 's.md', id: 's', text }
        const full = parseEvent(source)
        expect([full.problems, full.warnings]).toEqual([[], []])
        expect(readCanonicalEvent(source)).toEqual(full.event)
      }),
    )
  })

  test('has the agent ledger-git, the newest covered time and one line per event', () => {
    const old = event({ file: 'a.md', goal: 'g', thisSession: ['did it'], branch: 'main' })
    const late = event({ file: 'b.md', id: 'bb', ts: instant('2026-01-12T00:00:00Z'), now: 'n' })
    expect(textOf([late, old])?.split('\n').slice(0, -3)).toEqual([
      '---',
      'ts: 2026-01-12T00:00:00Z',
      'agent: ledger-git',
      'type: snapshot',
      '---',
      '',
      '```ledger',
      'covers:',
      '  - {"file":"a.md","id":"aa","ts":"2026-01-10T00:00:00Z","agent":"toast","branch":"main","goal":"g","done":["40c9c2ab67a4a3e8"]}',
      '  - {"file":"b.md","id":"bb","ts":"2026-01-12T00:00:00Z","agent":"toast","now":"n"}',
    ])
  })

  test.each([
    '"goal":["kept"]',
    '"retracts":5',
    '"done":[1]',
    '"next":"a"',
    '"decisions":{}',
    '"checkpoints":[["1"]]',
  ])('reports an unreadable line and keeps the others: %s', (said) => {
    const whole = textOf([event({ goal: 'kept' }), event({ file: 'b.md', now: 'n' })]) ?? ''
    const damaged = whole.replace('"goal":"kept"', said)
    const parsed = parseEvent({ file: 's.md', id: 's', text: damaged })
    expect(parsed.problems).toEqual([
      { code: 'section-unreadable', file: 's.md', line: 10, section: 'covers' },
    ])
    expect(parsed.event?.covers.map(({ file }) => file)).toEqual(['b.md'])
  })

  test('only a snapshot covers other events: covers in a note is an unknown key', () => {
    const text = (textOf([event({ goal: 'forged' })]) ?? '').replace('type: snapshot', 'type: note')
    expect(readCanonicalEvent({ file: 'n.md', id: 'n', text })).toBeUndefined()
    expect(parseEvent({ file: 'n.md', id: 'n', text }).event?.covers).toEqual([])
  })
})

test('a late retraction restores what the retracted event had replaced', () => {
  const first = event({ file: 'a.md', goal: 'first' })
  const wrong = event({
    file: 'b.md',
    id: 'bb',
    goal: 'wrong',
    ts: instant('2026-01-10T00:00:01Z'),
  })
  const snapshot = snapshotOf([first, wrong])
  const retraction = event({ file: 'r.md', id: 'rr', retracts: ['b.md'] })
  expect(foldLedger(snapshot).goal?.value).toBe('wrong')
  expect(foldLedger([...snapshot, retraction]).goal?.value).toBe('first')
})

test('two snapshots that disagree about an event give the same ledger in either order', () => {
  const [honest, forged] = ['said', 'forged'].flatMap((goal) => snapshotOf([event({ goal })]))
  const all = [honest, forged] as LedgerEvent[]
  expect(foldLedger(all)).toEqual(foldLedger(all.toReversed()))
})

test('items done in archived events do not reappear in Next', () => {
  const done = event({ file: 'a.md', thisSession: ['[x] Ship  it'] })
  const late = event({ file: 'b.md', id: '00', next: ['Ship it', 'Rest'] })
  expect(foldLedger([...snapshotOf([done]), late]).next.map(({ value }) => value)).toEqual(['Rest'])
})

test('nothing of a retracted event is kept, not even if its retraction is archived too', () => {
  const wrong = event({ file: 'a.md', goal: 'not to be read again' })
  const retraction = event({ file: 'b.md', id: 'bb', retracts: ['a.md'] })
  const text = textOf([wrong, retraction])
  expect(text).not.toContain('not to be read again')
  expect(text).toContain('"retracts":["a.md"]')
})

test('an event that only supersedes an agent still applies after archiving', () => {
  const lane = event({ file: 'a.md', agent: 'old', now: 'left for good' })
  const over = event({
    file: 'b.md',
    id: 'bb',
    ts: instant('2026-01-10T00:00:01Z'),
    supersedes: ['old'],
  })
  expect(foldLedger([lane, ...snapshotOf([over])]).agents).toEqual([])
})
