import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { CheckpointId } from '../../../src/core/session/checkpoint-id.ts'
import type { LinkCandidate, Maker } from '../../../src/core/checkpoint/commit-links.ts'
import type { SessionState } from '../../../src/core/session/session-state.ts'
import { fresh } from '../session/sessions.ts'
import {
  linkedSessions,
  planLinks,
  sessionAbove,
} from '../../../src/core/checkpoint/commit-links.ts'

const id = (digit: string) => digit.repeat(12) as CheckpointId
const FRESH = id('f')
const ANYBODY: Maker = { kind: 'anybody' }
const AGENT: Maker = { kind: 'agent' }

function session(name: string, about: Partial<LinkCandidate> = {}): LinkCandidate {
  return {
    id: name,
    phase: 'idle',
    isTimedOut: false,
    pendingCheckpoint: undefined,
    lastSignOfLife: '2026-01-10T12:00:00Z',
    touched: [],
    ...about,
  }
}
const wrote = (...paths: string[]) => ({ touched: paths.map((path) => ({ path, blob: 'new' })) })

/** A commit that changes the existing files `a` and `b`. */
const COMMIT = ['a', 'b'].map((path) => ({ path, before: 'old', after: 'new' }))

function plan(sessions: LinkCandidate[], maker: Maker = ANYBODY): string {
  const { links, unlinked } = planLinks(sessions, COMMIT, maker, FRESH)
  const texts = links.map((link) => `${link.session} ${link.checkpoint[0]}`)
  return unlinked ?? texts.join(', ')
}

describe('planLinks', () => {
  test('links the session that made the commit, not the first active one', () => {
    const sessions = [session('one', { phase: 'active' }), session('two', { phase: 'active' })]
    expect(plan(sessions, { kind: 'session', id: 'two' })).toBe('two f')
  })

  test('links the maker first, then every session with work in the commit, all with one id', () => {
    const sessions = [
      session('one', wrote('a', 'b')),
      session('two', { phase: 'active' }),
      session('three', wrote('c')),
    ]
    expect(plan(sessions, { kind: 'session', id: 'two' })).toBe('two f, one f')
  })

  test('without a known maker, decides by the files', () => {
    expect(plan([session('one', { phase: 'active' }), session('two', wrote('b'))])).toBe('two f')
    expect(plan([session('one', wrote('c')), session('two')])).toBe('no-common-file')
    expect(plan([])).toBe('no-session')
  })

  test('links an ended session with work in the commit', () => {
    expect(plan([session('one', { phase: 'ended', ...wrote('a') })])).toBe('one f')
  })

  test('links an unknown agent to the active session, if there is only one', () => {
    const one = session('one', { phase: 'active' })
    const two = session('two', { phase: 'active_committed' })
    expect(plan([one, session('idle')], AGENT)).toBe('one f')
    expect(plan([one, two], AGENT)).toBe('several-agents')
    expect(plan([one, { ...two, isTimedOut: true }], AGENT)).toBe('one f')
    expect(plan([one, { ...two, ...wrote('a') }], AGENT)).toBe('two f')
    expect(plan([session('idle')], AGENT)).toBe('no-common-file')
    expect(plan([one])).toBe('no-common-file')
  })

  test('keeps a promised id, and shares it with sessions that promised none', () => {
    const one = session('one', { phase: 'active', pendingCheckpoint: id('1'), ...wrote('a', 'b') })
    const two = session('two', { phase: 'active', ...wrote('a') })
    expect(plan([two, one])).toBe('one 1, two 1')
    expect(plan([{ ...two, pendingCheckpoint: id('2') }, one])).toBe('one 1, two 2')
  })

  test('sorts by activity, number of files, last sign of life and id', () => {
    const one = session('one', wrote('a', 'b'))
    const two = session('two', { phase: 'active', ...wrote('a') })
    expect(plan([one, two])).toBe('two f, one f')
    expect(plan([one, { ...two, isTimedOut: true }])).toBe('one f, two f')
    expect(plan([{ ...one, ...wrote('a') }, session('two', wrote('a', 'b'))])).toMatch(/^two/)
    const later = { lastSignOfLife: '2026-01-10T12:00:00.5Z' }
    expect(plan([one, session('zoe', { ...wrote('a', 'b'), ...later })])).toMatch(/^zoe/)
    expect(plan([one, session('bob', wrote('a', 'b'))])).toMatch(/^bob/)
  })

  test('does not depend on the order of sessions, and breaks no promise', () => {
    const anySession = fc.record({
      phase: fc.constantFrom('idle', 'active', 'active_committed', 'ended'),
      isTimedOut: fc.boolean(),
      pendingCheckpoint: fc.constantFrom(undefined, id('1'), id('2')),
      touched: fc.constantFrom(wrote('a').touched, wrote('a', 'b').touched, wrote('c').touched, []),
    })
    const anySessions = fc
      .array(anySession, { maxLength: 4 })
      .map((all) => all.map((about, i) => session(`s${i}`, about)))
    const anyMaker = fc.constantFrom<Maker>(ANYBODY, AGENT, { kind: 'session', id: 's1' })
    fc.assert(
      fc.property(anySessions, anyMaker, (sessions, maker) => {
        const planned = planLinks(sessions, COMMIT, maker, FRESH)
        expect(planLinks(sessions.toReversed(), COMMIT, maker, FRESH)).toEqual(planned)
        expect(planned.links.length === 0).toBe(planned.unlinked !== undefined)
        for (const link of planned.links) {
          const promised = sessions.find((one) => one.id === link.session)?.pendingCheckpoint
          if (promised !== undefined) expect(link.checkpoint).toBe(promised)
        }
      }),
    )
  })
})

describe('linkedSessions', () => {
  const linked = (ids: string[], ...sessions: (LinkCandidate & { hasPart: boolean })[]) =>
    [...linkedSessions(ids.map(id), sessions)].join(', ')
  const one = { ...session('one', { pendingCheckpoint: id('1') }), hasPart: true }
  const two = { ...session('two', { pendingCheckpoint: id('2') }), hasPart: true }

  test('links by the pending id only', () => {
    expect(linked(['1'], one, two)).toBe('one')
    expect(linked(['1', '2'], one, two)).toBe('one, two')
    expect(linked([], one)).toBe('')
  })

  test('does not link an amended commit, which carries the id of an existing checkpoint', () => {
    expect(linked(['1'], { ...session('one'), hasPart: true })).toBe('')
    expect(linked(['1'], { ...one, pendingCheckpoint: id('2') })).toBe('')
  })

  test('of sessions that share an id, links only those with a part in the commit', () => {
    const guest = { ...session('guest', { pendingCheckpoint: id('1') }), hasPart: false }
    expect(linked(['1'], guest, one)).toBe('one')
    // The message carries the id although the session has no part in the commit: it made the
    // promise.
    expect(linked(['1'], guest)).toBe('guest')
    expect(linked(['1'], guest, two)).toBe('guest')
  })
})

describe('sessionAbove', () => {
  const at = (second: number) => `2026-01-10T12:00:0${second}Z`
  const named = (name: string, pid: number, about: Partial<SessionState>) =>
    fresh({
      id: name,
      owner: { pid, startTime: '1' },
      worktree: { path: '/x', name: 'here' },
      phase: 'idle',
      lastSignOfLife: at(1),
      ...about,
    })
  const elsewhere = { worktree: { path: '/y', name: 'elsewhere' } }

  test.each<[string, SessionState[], string | undefined]>([
    ['nobody above', [named('a', 9, {})], undefined],
    ['no known process', [fresh({ owner: undefined })], undefined],
    ['the nearest session', [named('a', 3, { phase: 'active' }), named('b', 2, {})], 'b'],
    [
      'the active session',
      [named('a', 2, { lastSignOfLife: at(2) }), named('b', 2, { phase: 'active' })],
      'b',
    ],
    [
      'the active session, even in another worktree',
      [named('a', 2, {}), named('b', 2, { ...elsewhere, phase: 'active_committed' })],
      'b',
    ],
    [
      'the session in this worktree',
      [named('a', 2, { ...elsewhere, lastSignOfLife: at(2) }), named('b', 2, {})],
      'b',
    ],
    [
      'the session with the later sign of life',
      [named('a', 2, {}), named('b', 2, { lastSignOfLife: at(2) })],
      'b',
    ],
  ])('%s', (_, sessions, expected) => {
    expect(sessionAbove(sessions, [1, 2, 3], 'here')?.id).toBe(expected)
    expect(sessionAbove(sessions.toReversed(), [1, 2, 3], 'here')?.id).toBe(expected)
  })
})
