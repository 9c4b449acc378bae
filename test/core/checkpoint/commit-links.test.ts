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

/** A commit that changes `a` and `b`, which existed. */
const COMMIT = ['a', 'b'].map((path) => ({ path, before: 'old', after: 'new' }))

function plan(sessions: LinkCandidate[], maker: Maker = ANYBODY): string {
  const { links, unlinked } = planLinks(sessions, COMMIT, maker, FRESH)
  const texts = links.map((link) => `${link.session} ${link.checkpoint[0]}`)
  return unlinked ?? texts.join(', ')
}

describe('planLinks', () => {
  test('the session that made it, not the first active one', () => {
    const sessions = [session('one', { phase: 'active' }), session('two', { phase: 'active' })]
    expect(plan(sessions, { kind: 'session', id: 'two' })).toBe('two f')
  })

  test('the maker first, then everybody with work in it, by one id', () => {
    const sessions = [
      session('one', wrote('a', 'b')),
      session('two', { phase: 'active' }),
      session('three', wrote('c')),
    ]
    expect(plan(sessions, { kind: 'session', id: 'two' })).toBe('two f, one f')
  })

  test('without a known maker the files tell', () => {
    expect(plan([session('one', { phase: 'active' }), session('two', wrote('b'))])).toBe('two f')
    expect(plan([session('one', wrote('c')), session('two')])).toBe('no-common-file')
    expect(plan([])).toBe('no-session')
  })

  test('an ended session with work in it is linked', () => {
    expect(plan([session('one', { phase: 'ended', ...wrote('a') })])).toBe('one f')
  })

  test('an agent that nobody knows is the one that is at work, if there is one only', () => {
    const one = session('one', { phase: 'active' })
    const two = session('two', { phase: 'active_committed' })
    expect(plan([one, session('idle')], AGENT)).toBe('one f')
    expect(plan([one, two], AGENT)).toBe('several-agents')
    expect(plan([one, { ...two, isTimedOut: true }], AGENT)).toBe('one f')
    expect(plan([one, { ...two, ...wrote('a') }], AGENT)).toBe('two f')
    expect(plan([session('idle')], AGENT)).toBe('no-common-file')
    expect(plan([one])).toBe('no-common-file')
  })

  test('a promised id is kept, and shared by those that promised none', () => {
    const one = session('one', { phase: 'active', pendingCheckpoint: id('1'), ...wrote('a', 'b') })
    const two = session('two', { phase: 'active', ...wrote('a') })
    expect(plan([two, one])).toBe('one 1, two 1')
    expect(plan([{ ...two, pendingCheckpoint: id('2') }, one])).toBe('one 1, two 2')
  })

  test('who comes first: at work, more files, later sign of life, id', () => {
    const one = session('one', wrote('a', 'b'))
    const two = session('two', { phase: 'active', ...wrote('a') })
    expect(plan([one, two])).toBe('two f, one f')
    expect(plan([one, { ...two, isTimedOut: true }])).toBe('one f, two f')
    expect(plan([{ ...one, ...wrote('a') }, session('two', wrote('a', 'b'))])).toMatch(/^two/)
    const later = { lastSignOfLife: '2026-01-10T12:00:00.5Z' }
    expect(plan([one, session('zoe', { ...wrote('a', 'b'), ...later })])).toMatch(/^zoe/)
    expect(plan([one, session('bob', wrote('a', 'b'))])).toMatch(/^bob/)
  })

  test('no matter in which order the sessions are found; no promise is broken', () => {
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

  test('by the pending id only', () => {
    expect(linked(['1'], one, two)).toBe('one')
    expect(linked(['1', '2'], one, two)).toBe('one, two')
    expect(linked([], one)).toBe('')
  })

  test('not an amended commit, which carries the id of a checkpoint that exists', () => {
    expect(linked(['1'], { ...session('one'), hasPart: true })).toBe('')
    expect(linked(['1'], { ...one, pendingCheckpoint: id('2') })).toBe('')
  })

  test('of sessions that share an id only those with a part', () => {
    const guest = { ...session('guest', { pendingCheckpoint: id('1') }), hasPart: false }
    expect(linked(['1'], guest, one)).toBe('one')
    // The message carries its id though nothing of it is in there: then it promised.
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
    ['no process known', [fresh({ owner: undefined })], undefined],
    ['the nearest', [named('a', 3, { phase: 'active' }), named('b', 2, {})], 'b'],
    [
      'at work',
      [named('a', 2, { lastSignOfLife: at(2) }), named('b', 2, { phase: 'active' })],
      'b',
    ],
    [
      'at work elsewhere',
      [named('a', 2, {}), named('b', 2, { ...elsewhere, phase: 'active_committed' })],
      'b',
    ],
    ['here', [named('a', 2, { ...elsewhere, lastSignOfLife: at(2) }), named('b', 2, {})], 'b'],
    ['the later sign of life', [named('a', 2, {}), named('b', 2, { lastSignOfLife: at(2) })], 'b'],
  ])('%s', (_, sessions, expected) => {
    expect(sessionAbove(sessions, [1, 2, 3], 'here')?.id).toBe(expected)
    expect(sessionAbove(sessions.toReversed(), [1, 2, 3], 'here')?.id).toBe(expected)
  })
})
