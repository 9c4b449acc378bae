/** What a fleet is made of, for tests: plain facts, and any facts that collide. */

import * as fc from 'fast-check'
import type { LedgerEvent } from '../../../src/core/event/event.ts'
import type {
  BranchFacts,
  FleetFacts,
  HeldLedger,
  SessionFacts,
  WorktreeFacts,
} from '../../../src/core/fleet/fleet-facts.ts'
import { stateOf } from '../../../src/core/ledger/join-state.ts'
import type { SessionState } from '../../../src/core/session/session-state.ts'
import { anyPool, HOSTILE_TEXTS, instant } from '../../support/arbitraries.ts'
import { anyState, fresh } from '../session/sessions.ts'

export const NOW = instant('2026-01-10T12:00:00Z')

export function held(...events: LedgerEvent[]): HeldLedger {
  return { state: stateOf(events), files: new Set(events.map(({ file }) => file)) }
}

export function worktree(about: Partial<WorktreeFacts> = {}): WorktreeFacts {
  return {
    path: '/repo',
    branch: 'main',
    head: 'a'.repeat(40),
    isMain: false,
    isGone: false,
    isLocked: false,
    note: undefined,
    ledger: held(),
    isFresh: true,
    pending: [],
    ahead: 0,
    behind: 0,
    ...about,
  }
}

export function branch(about: Partial<BranchFacts> = {}): BranchFacts {
  return {
    name: 'topic',
    head: 'b'.repeat(40),
    ledger: held(),
    isFresh: true,
    ahead: 0,
    behind: 0,
    changes: [],
    ...about,
  }
}

export function session(
  state: Partial<SessionState> = {},
  about: Partial<SessionFacts> = {},
): SessionFacts {
  return {
    state: fresh({ worktree: { path: '/repo', name: '' }, ...state }),
    isTimedOut: false,
    isFinished: false,
    isOwnerAlive: true,
    context: undefined,
    ...about,
  }
}

export function facts(about: Partial<FleetFacts> = {}): FleetFacts {
  return {
    now: NOW,
    at: undefined,
    mainBranch: 'main',
    worktrees: [],
    branches: [],
    sessions: [],
    events: [],
    checkpoints: [],
    errors: [],
    leftOut: {},
    ...about,
  }
}

const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })
const anyName = fc.constantFrom(
  'main',
  'topic',
  'feat/ü',
  ...HOSTILE_TEXTS.slice(0, 6),
  '\u001b]0;x\u0007',
)
const anyCount = maybe(fc.nat(3))
const anyWorktree = (pool: fc.Arbitrary<LedgerEvent[]>): fc.Arbitrary<WorktreeFacts> =>
  fc
    .record({
      path: fc.constantFrom('/repo', '/repo/tree', '/w/\u001b[2J', "/it's"),
      branch: maybe(anyName),
      head: maybe(fc.constantFrom('a'.repeat(40))),
      isMain: fc.boolean(),
      isGone: fc.boolean(),
      isLocked: fc.boolean(),
      note: maybe(anyName),
      events: maybe(pool),
      isFresh: maybe(fc.boolean()),
      pending: maybe(fc.subarray(['f0.md', 'f1.md', 'x.md'])),
      ahead: anyCount,
      behind: anyCount,
    })
    .map(({ events, ...rest }) => ({ ...rest, ledger: events && held(...events) }))

/** Branches have unique names: git ensures that. */
const anyBranches = (pool: fc.Arbitrary<LedgerEvent[]>): fc.Arbitrary<BranchFacts[]> =>
  fc.uniqueArray(
    fc
      .record({
        name: anyName,
        head: fc.constantFrom('a'.repeat(40), 'b'.repeat(40)),
        events: maybe(pool),
        isFresh: maybe(fc.boolean()),
        ahead: anyCount,
        behind: anyCount,
        changes: fc.constantFrom(undefined, [], [
          { section: 'decisions', change: 'changed', key: '\u001b[2J', from: 'a\nb', to: '\u202e' },
          { section: 'next', change: 'added', key: null, from: null, to: 'x' },
        ] as const),
      })
      .map(({ events, ...rest }): BranchFacts => ({ ...rest, ledger: events && held(...events) })),
    { maxLength: 4, selector: ({ name }) => name },
  )

const anySession: fc.Arbitrary<SessionFacts> = fc
  .record({
    state: anyState,
    path: fc.constantFrom('/repo', '/repo/tree', '/elsewhere'),
    sign: fc.constantFrom('2026-01-10T11:59:00Z', '2026-01-10T11:00:00Z', 'never'),
    isTimedOut: fc.boolean(),
    isFinished: fc.boolean(),
    isOwnerAlive: maybe(fc.boolean()),
    context: maybe(
      fc.constantFrom({ percent: 10, level: 'L0' } as const, { percent: 90, level: 'L2' } as const),
    ),
  })
  .map(({ state, path, sign, ...rest }) => ({
    ...rest,
    state: { ...state, worktree: { path, name: '' }, lastSignOfLife: sign },
  }))

/** Some events of one pool in each place. */
export const anyFacts: fc.Arbitrary<FleetFacts> = anyPool.chain((pool) => {
  const some = fc.subarray(pool)
  return fc.record({
    now: fc.constantFrom(NOW, instant('2026-03-01T00:00:00Z')),
    at: fc.constant(undefined),
    mainBranch: maybe(fc.constantFrom('main')),
    worktrees: fc.uniqueArray(anyWorktree(some), { maxLength: 4, selector: ({ path }) => path }),
    branches: anyBranches(some),
    sessions: fc
      .array(anySession, { maxLength: 4 })
      .map((all) => all.map((one, i) => ({ ...one, state: { ...one.state, id: `s${i}` } }))),
    events: some.map((all) => all.map((event) => ({ event, isPending: event.id > '5' }))),
    checkpoints: fc.uniqueArray(
      fc.record({
        id: fc.constantFrom('0', '1', '2'),
        ts: maybe(fc.constantFrom('2026-01-10T00:00:00Z', '2026-01-11T00:00:00Z', 'never')),
        sessions: fc.array(
          fc.record({ agent: fc.constantFrom('a', 'b'), branch: maybe(anyName) }),
          { maxLength: 2 },
        ),
        commits: fc.subarray(['a', 'b']),
        files: fc.nat(2),
      }),
      { maxLength: 3, selector: ({ id }) => id },
    ),
    errors: fc.array(
      fc.record({
        part: fc.constantFrom('worktrees' as const, 'timeline' as const),
        subject: anyName,
        message: anyName,
        command: maybe(fc.constantFrom('git fetch')),
      }),
      { maxLength: 2 },
    ),
    leftOut: fc.constantFrom({}, { timeline: 7, branches: 2 }),
  })
})
