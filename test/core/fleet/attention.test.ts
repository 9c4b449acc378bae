import { describe, expect, test } from 'vitest'
import { buildFleet } from '../../../src/core/fleet/build-fleet.ts'
import type { FleetFacts } from '../../../src/core/fleet/fleet-facts.ts'
import { event, instant } from '../../support/arbitraries.ts'
import { branch, facts, held, session, worktree } from './facts.ts'

const HERE = worktree({ path: "/it's", branch: 'topic' })
const here = { worktree: { path: "/it's", name: '' }, branch: 'topic', name: 'toast' }
const seen = (known: Partial<FleetFacts>) =>
  buildFleet(facts({ worktrees: [HERE], ...known })).attention
const of = (state: object, about: object = {}) =>
  seen({ sessions: [session({ ...here, ...state }, about)] })

describe('sessions', () => {
  test('an open turn is stalled after fifteen minutes without a hook, to the millisecond', () => {
    const at = (sign: string) => of({ phase: 'active', lastSignOfLife: sign })
    expect(at('2026-01-10T11:45:00.001Z')).toEqual([])
    expect(at('2026-01-10T11:45:00Z')).toEqual([
      {
        kind: 'stalled',
        subject: 'toast on topic',
        message: 'its turn is open, and no hook has run since',
        since: '2026-01-10T11:45:00Z',
        command: 'git ledger session show s1',
      },
    ])
  })

  test('an open turn is stalled at once if its process is gone, with the command that ends it', () => {
    expect(
      of(
        { phase: 'active_committed', lastSignOfLife: '2026-01-10T11:59:59Z' },
        { isOwnerAlive: false },
      ),
    ).toMatchObject([
      {
        kind: 'stalled',
        message: 'its process is gone in the middle of a turn',
        command: String.raw`git -C '/it'\''s' ledger doctor --fix`,
      },
    ])
  })

  test('an idle session waits for a person, with its question', () => {
    expect(of({ phase: 'idle' })).toMatchObject([
      { kind: 'waiting', message: 'its turn is over: it waits for a person' },
    ])
    expect(of({ phase: 'idle', questions: ['A or\nB?'] })).toMatchObject([
      { kind: 'waiting', message: 'asks: A or B?' },
    ])
  })

  test('an idle session whose process is gone waits for nobody', () => {
    expect(of({ phase: 'idle' }, { isTimedOut: true })).toEqual([])
  })

  test('reports contexts from L1 on', () => {
    const active = { phase: 'active', lastSignOfLife: '2026-01-10T11:59:59Z' }
    expect(of(active, { context: { percent: 69, level: 'L0' } })).toEqual([])
    expect(of(active, { context: { percent: 72, level: 'L1' } })).toMatchObject([
      {
        kind: 'context',
        message: 'its context is 72 % full (L1)',
        command: String.raw`git -C '/it'\''s' ledger context checkpoint`,
      },
    ])
    expect(of({ phase: 'ended' }, { context: { percent: 72, level: 'L1' } })).toEqual([])
  })

  test('reports uncommitted work of a session that ended, timed out or was left', () => {
    const work = { filesTouched: ['a', 'b'] }
    const left = [
      {
        kind: 'left_behind',
        message: 'it left changes in 2 files that no commit holds',
        command: 'git ledger session show s1',
      },
    ]
    expect(of({ phase: 'ended', endedAt: '2026-01-10T11:00:00Z', ...work })).toMatchObject([
      { ...left[0], since: '2026-01-10T11:00:00Z' },
    ])
    expect(of({ phase: 'idle', ...work }, { isTimedOut: true })).toMatchObject(left)
    expect(of({ phase: 'ended' })).toEqual([])
    expect(of({ phase: 'ended', isLeftBehind: true })).toMatchObject([
      { message: 'it left work that no commit holds' },
    ])
    const gone = { worktree: { path: '/gone', name: 'gone' }, phase: 'ended', filesTouched: ['a'] }
    expect(of(gone)).toMatchObject([
      {
        message: 'it left changes in 1 file that no commit holds; its worktree is gone',
        command: 'git ledger session recover s1',
      },
    ])
  })
})

describe('worktrees, branches and ledgers', () => {
  test('reports a stale worktree, and a stale branch without a worktree', () => {
    const worktrees = [{ ...HERE, isFresh: false }]
    const branches = [
      branch({ name: 'topic', isFresh: false }),
      branch({ name: 'x', isFresh: false }),
    ]
    expect(seen({ worktrees, branches })).toMatchObject([
      {
        kind: 'stale',
        subject: 'topic',
        command: String.raw`git -C '/it'\''s' ledger resolve`,
      },
      { kind: 'stale', subject: 'x', command: 'git switch x && git ledger resolve --commit' },
    ])
  })

  test('ignores a worktree if its freshness is unknown', () => {
    expect(seen({ worktrees: [{ ...HERE, isFresh: undefined }] })).toEqual([])
  })

  test('reports a worktree whose folder is gone, unless it is locked', () => {
    const worktrees = [{ ...HERE, isGone: true, isFresh: undefined, note: 'its folder is gone' }]
    expect(seen({ worktrees })).toMatchObject([
      { kind: 'left_behind', subject: 'topic', command: 'git worktree repair FOLDER' },
    ])
    const [gone] = worktrees
    expect(seen({ worktrees: gone ? [{ ...gone, isLocked: true }] : [] })).toEqual([])
  })

  test('reports unreadable events once, where they come first', () => {
    const problem = (file: string) =>
      ({ code: 'bad-ts', file, line: undefined, section: undefined }) as const
    const ledger = (...files: string[]) => {
      const { state, files: names } = held()
      return { state: { ...state, problems: files.map(problem) }, files: names }
    }
    const worktrees = [
      { ...HERE, ledger: ledger('a.md', 'b.md') },
      worktree({ path: '/repo', branch: 'main', ledger: ledger('b.md') }),
    ]
    expect(seen({ worktrees })).toMatchObject([
      { kind: 'broken', subject: 'main', message: 'cannot be read in full: b.md' },
      { kind: 'broken', subject: 'topic', message: 'cannot be read in full: a.md' },
    ])
  })

  test('reports an error once, with the command that fixes it', () => {
    const errors = [
      {
        part: 'branches',
        subject: 'x',
        message: 'object 1 is missing',
        command: 'git fetch',
      } as const,
    ]
    const again = errors.map((one) => ({ ...one, part: 'worktrees', subject: 'y' }) as const)
    expect(seen({ errors: [...again, ...errors] })).toEqual([
      {
        kind: 'broken',
        subject: 'x',
        message: 'object 1 is missing',
        since: null,
        command: 'git fetch',
      },
    ])
  })
})

describe('questions', () => {
  const asked = (text: string, ts: string) =>
    seen({
      worktrees: [
        {
          ...HERE,
          ledger: held(event({ branch: 'topic', ts: instant(ts), openQuestions: [text] })),
        },
      ],
    })

  test('are old after a day, to the millisecond', () => {
    expect(asked("what's up?", '2026-01-09T12:00:00.001Z')).toEqual([])
    expect(asked("what's up?", '2026-01-09T12:00:00Z')).toEqual([
      {
        kind: 'question',
        subject: 'toast on topic',
        message: "what's up?",
        since: '2026-01-09T12:00:00Z',
        command: String.raw`git ledger event add --resolve 'what'\''s up?'`,
      },
    ])
  })

  test('have no command to copy if they cannot be shown unchanged', () => {
    expect(asked('a\u001b[2Jb', '2026-01-09T12:00:00Z')).toMatchObject([{ command: null }])
    expect(asked('x'.repeat(300), '2026-01-09T12:00:00Z')).toMatchObject([{ command: null }])
  })
})

test('sorts by kind, then longest first', () => {
  const sessions = [
    session({ ...here, id: 'c', phase: 'ended', filesTouched: ['a'] }),
    session({ ...here, id: 'b', phase: 'idle', lastSignOfLife: '2026-01-10T11:10:00Z' }),
    session({ ...here, id: 'a', phase: 'idle', lastSignOfLife: '2026-01-10T11:00:00Z' }),
    session({ ...here, id: 'd', phase: 'active', lastSignOfLife: '2026-01-10T11:30:00Z' }),
  ]
  expect(seen({ sessions }).map(({ kind, command }) => [kind, command?.at(-1)])).toEqual([
    ['stalled', 'd'],
    ['waiting', 'a'],
    ['waiting', 'b'],
    ['left_behind', 'c'],
  ])
})
