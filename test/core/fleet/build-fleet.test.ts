import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { buildFleet } from '../../../src/core/fleet/build-fleet.ts'
import type { Fleet } from '../../../src/core/fleet/fleet.ts'
import { FLEET_LISTS } from '../../../src/core/fleet/fleet.ts'
import type { FleetFacts } from '../../../src/core/fleet/fleet-facts.ts'
import { event, instant } from '../../support/arbitraries.ts'
import { runs } from '../../support/long.ts'
import { anyFacts, branch, facts, held, session, worktree } from './facts.ts'

const EVERY = Object.fromEntries(
  [...FLEET_LISTS, 'agents', 'changes'].map((list) => [list, Infinity]),
)

describe('laws', () => {
  test('the order of the facts does not matter', () => {
    const anyShuffled = anyFacts.chain((known) =>
      fc.record({
        known: fc.constant(known),
        worktrees: fc.shuffledSubarray([...known.worktrees], { minLength: known.worktrees.length }),
        branches: fc.shuffledSubarray([...known.branches], { minLength: known.branches.length }),
        sessions: fc.shuffledSubarray([...known.sessions], { minLength: known.sessions.length }),
        events: fc.shuffledSubarray([...known.events], { minLength: known.events.length }),
        checkpoints: fc.shuffledSubarray([...known.checkpoints], {
          minLength: known.checkpoints.length,
        }),
        errors: fc.shuffledSubarray([...known.errors], { minLength: known.errors.length }),
      }),
    )
    fc.assert(
      fc.property(anyShuffled, ({ known, ...shuffled }) => {
        expect(buildFleet({ ...known, ...shuffled })).toEqual(buildFleet(known))
      }),
      runs(200, 40),
    )
  })

  test('shows the beginning of each list, and counts the rest', () => {
    fc.assert(
      fc.property(anyFacts, fc.nat(3), (known, most) => {
        const all = buildFleet(known, EVERY)
        const limits = Object.fromEntries(FLEET_LISTS.map((list) => [list, most]))
        const cut = buildFleet(known, { ...EVERY, ...limits })
        for (const list of FLEET_LISTS) {
          expect(cut[list]).toEqual(all[list].slice(0, most))
          expect(cut[list].length + cut.more[list]).toBe(all[list].length + all.more[list])
        }
      }),
      runs(200, 50),
    )
  })

  test('limits agents and changes in each place, and counts the rest', () => {
    fc.assert(
      fc.property(anyFacts, fc.nat(2), (known, most) => {
        const all = buildFleet(known, EVERY)
        const cut = buildFleet(known, { ...EVERY, agents: most, changes: most })
        const agents = (fleet: Fleet) => fleet.worktrees.flatMap((one) => one.agents).length
        expect(agents(cut) + cut.more.agents).toBe(agents(all))
        cut.branches.forEach(({ would_change, more }, i) => {
          const whole = all.branches[i]?.would_change ?? null
          expect(would_change).toEqual(whole && whole.slice(0, most))
          expect(more).toBe((whole?.length ?? 0) - (would_change?.length ?? 0))
        })
      }),
      runs(200, 50),
    )
  })

  test('no line made for people contains a control or direction character', () => {
    // oxlint-disable-next-line no-control-regex
    const unsafe = /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/
    fc.assert(
      fc.property(anyFacts, (known) => {
        const { attention, worktrees, branches, timeline, checkpoints, errors } = buildFleet(known)
        const lines = [
          ...attention.flatMap(({ subject, message, command }) => [
            subject,
            message,
            command ?? '',
          ]),
          ...worktrees.map(({ note }) => note ?? ''),
          ...branches.flatMap(({ would_change }) => would_change ?? []),
          ...timeline.map(({ summary }) => summary),
          ...checkpoints.map(({ summary }) => summary),
          ...errors.flatMap(({ subject, message }) => [subject, message]),
        ]
        for (const line of lines) expect(line).not.toMatch(unsafe)
      }),
      runs(200, 50),
    )
  })

  test('survives JSON without loss', () => {
    fc.assert(
      fc.property(anyFacts, (known) => {
        const fleet = buildFleet(known)
        expect(JSON.parse(JSON.stringify(fleet))).toEqual(fleet)
      }),
      runs(100, 20),
    )
  })
})

describe('agents', () => {
  const row = (agent: string, now: string, ts: string, about = {}) =>
    event({ file: `${agent}-${ts}.md`, agent, now, branch: 'topic', ts: instant(ts), ...about })
  const agentsOf = (known: Partial<FleetFacts>) =>
    buildFleet(facts(known)).worktrees.flatMap(({ agents }) => agents)
  const on = (...events: Parameters<typeof held>) =>
    worktree({ path: '/repo', branch: 'topic', ledger: held(...events) })

  test('an agent known only from events has an unknown phase, its last words and their time', () => {
    const worktrees = [
      on(
        row('toast', 'first', '2026-01-10T09:00:00Z'),
        row('toast', 'last', '2026-01-10T10:00:00Z'),
      ),
    ]
    expect(agentsOf({ worktrees })).toEqual([
      {
        agent: 'toast',
        session: null,
        phase: 'unknown',
        now: 'last',
        now_since: '2026-01-10T10:00:00Z',
        last_sign: '2026-01-10T10:00:00Z',
        context: null,
      },
    ])
  })

  test('ignores events of another branch, but not pending ones', () => {
    const elsewhere = row('crisp', 'elsewhere', '2026-01-10T09:00:00Z', { branch: 'main' })
    expect(agentsOf({ worktrees: [on(elsewhere)] })).toEqual([])
    const worktrees = [{ ...on(elsewhere), pending: [elsewhere.file] }]
    expect(agentsOf({ worktrees })).toMatchObject([{ agent: 'crisp', now: 'elsewhere' }])
  })

  test("shows a session's own event, else its to-do in progress, else its old row", () => {
    const todos = [{ text: 'to-do', status: 'in_progress' }] as const
    const one = (about: object) =>
      session({ name: 'toast', startedAt: '2026-01-10T09:30:00Z', ...about })
    const old = on(row('toast', 'old', '2026-01-10T09:00:00Z'))
    const own = on(row('toast', 'own', '2026-01-10T09:40:00Z'))
    const now = (worktrees: FleetFacts['worktrees'], about: object) =>
      agentsOf({ worktrees, sessions: [one(about)] }).map((agent) => [agent.session, agent.now])
    expect(now([own], { todos })).toEqual([['s1', 'own']])
    expect(now([old], { todos })).toEqual([['s1', 'to-do']])
    expect(now([old], {})).toEqual([['s1', 'old']])
    expect(now([on()], {})).toEqual([['s1', null]])
  })

  test('two sessions of one agent each say what their own events say', () => {
    const todos = [{ text: 'to-do', status: 'in_progress' }] as const
    const said = (now: string, minute: number, about = {}) =>
      row('toast', now, `2026-01-10T09:0${minute}:00Z`, about)
    const events = [
      said('older', 1, { session: 's1' }),
      said('taken back', 2, { session: 's1' }),
      said('newer', 3, { session: 's2' }),
    ]
    const retraction = said('', 4, { now: undefined, retracts: [events[1]?.file] })
    const sessions = ['s1', 's2', 's3'].map((id) =>
      session({
        id,
        name: 'toast',
        startedAt: '2026-01-10T09:00:00Z',
        todos: id === 's3' ? todos : [],
      }),
    )
    const nows = (all: typeof sessions) =>
      agentsOf({
        worktrees: [on(...events, retraction)],
        events: events.map((one) => ({ event: one, isPending: false })),
        sessions: all,
      }).map((agent) => [agent.session, agent.now, agent.now_since])
    const older = ['s1', 'older', '2026-01-10T09:01:00Z']
    expect(nows(sessions)).toEqual([
      older,
      ['s2', 'newer', '2026-01-10T09:03:00Z'],
      ['s3', 'to-do', expect.any(String)],
    ])
    const isFinished = true
    expect(
      nows(sessions.map((one) => (one.state.id === 's2' ? { ...one, isFinished } : one)))[0],
    ).toEqual(older)
  })

  test('a session that is finished is an agent that ended, if it said something', () => {
    const worktrees = [on(row('toast', 'done', '2026-01-10T09:00:00Z'))]
    const sessions = [session({ name: 'toast', phase: 'ended' }, { isFinished: true })]
    expect(agentsOf({ worktrees, sessions })).toMatchObject([{ session: null, phase: 'ended' }])
    expect(agentsOf({ worktrees: [on()], sessions })).toEqual([])
  })

  test('ignores sessions of other worktrees', () => {
    const sessions = [session({ worktree: { path: '/other', name: 'other' } })]
    expect(agentsOf({ worktrees: [on()], sessions })).toEqual([])
  })

  test('shows timed out and left behind instead of the phase', () => {
    const phases = (about: object, more: object) =>
      agentsOf({ worktrees: [on()], sessions: [session(about, more)] }).map(({ phase }) => phase)
    expect(phases({ phase: 'active' }, {})).toEqual(['active'])
    expect(phases({ phase: 'active' }, { isTimedOut: true })).toEqual(['timed_out'])
    expect(phases({ phase: 'ended', isLeftBehind: true }, {})).toEqual(['left_behind'])
  })
})

test('worktrees and branches begin with the main one', () => {
  const worktrees = [
    worktree({ path: '/b', branch: 'b' }),
    worktree({ path: '/z', branch: 'main', isMain: true }),
    worktree({ path: '/a', branch: 'a' }),
  ]
  const branches = ['b', 'main', 'a'].map((name) => branch({ name }))
  const fleet = buildFleet(facts({ worktrees, branches }))
  expect(fleet.worktrees.map(({ path }) => path)).toEqual(['/z', '/a', '/b'])
  expect(fleet.branches.map(({ name }) => name)).toEqual(['main', 'a', 'b'])
})

test('unknown values are null', () => {
  const unknown = {
    branch: undefined,
    head: undefined,
    ledger: undefined,
    isFresh: undefined,
    pending: undefined,
    ahead: undefined,
    behind: undefined,
  }
  const fleet = buildFleet(
    facts({
      worktrees: [worktree(unknown)],
      branches: [branch({ ...unknown, name: 'x', head: 'c', changes: undefined })],
    }),
  )
  expect(fleet.worktrees[0]).toMatchObject({
    branch: null,
    head: null,
    fresh: null,
    pending: null,
    ahead: null,
    behind: null,
  })
  expect(fleet.branches[0]).toMatchObject({
    fresh: null,
    ahead: null,
    behind: null,
    would_change: null,
  })
})

test('the timeline shows the first statement of each event, newest first', () => {
  const all = [
    event({ file: 'a', id: 'a', now: 'work' }),
    event({ file: 'b', id: 'b', thisSession: ['did it'] }),
    event({ file: 'c', id: 'c', decisions: [{ key: 'db', value: 'pg', text: 'pg' }] }),
    event({ file: 'd', id: 'd', decisions: [{ key: 'db', value: null, text: '' }] }),
    event({ file: 'e', id: 'e', openQuestions: ['why?'] }),
    event({ file: 'f', id: 'f', resolvedQuestions: ['why?'] }),
    event({ file: 'g', id: 'g', next: ['more'] }),
    event({ file: 'h', id: 'h', retracts: ['a'] }),
    event({ file: 'i', id: 'i' }),
  ]
  const fleet = buildFleet(
    facts({ events: all.map((one) => ({ event: one, isPending: one.id === 'a' })) }),
  )
  expect(fleet.timeline.map(({ summary }) => summary)).toEqual([
    '',
    'takes back a',
    'next: more',
    'answered: why?',
    'why?',
    'db: taken back',
    'db: pg',
    'did it',
    'work',
  ])
  expect(fleet.timeline.map(({ pending }) => pending)).toEqual([...Array(8).fill(false), true])
})
