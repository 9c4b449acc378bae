import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  applyTransition,
  checkpointOf,
  withCommit,
  withCondensed,
  withDirtyBefore,
  withFilesTouched,
  withLeftBehind,
  withLastMessage,
  withPendingCheckpoint,
  withPrompt,
  withRewritten,
  withTask,
  withTodos,
  withTranscript,
} from '../../../src/core/session/change-session.ts'
import type { SessionEvent } from '../../../src/core/session/phase.ts'
import { parseSessionState, renderSessionState } from '../../../src/core/session/session-file.ts'
import type { SessionState } from '../../../src/core/session/session-state.ts'
import {
  hasWork,
  isFinished,
  isUnsettled,
  needsNoShadow,
} from '../../../src/core/session/session-state.ts'
import type { Todo } from '../../../src/core/session/todos.ts'
import { anyState, checkpoint, fresh, FULL, oid } from './sessions.ts'

const LATER = '2026-01-10T12:05:00Z'
const on = (state: SessionState, type: SessionEvent['type'], more = {}) =>
  applyTransition(state, { type, source: 'resume' } as SessionEvent, { at: LATER, ...more })

describe('applyTransition', () => {
  test('a turn is counted, and is new work', () => {
    const { state } = on(fresh({ phase: 'idle', isCondensed: true }), 'turn_start')
    expect(state).toMatchObject({ phase: 'active', turn: 2, lastSignOfLife: LATER })
    expect(state.isCondensed).toBe(false)
  })

  test('the end sets a time and removes the owner, and a second end changes nothing', () => {
    const { state } = on(fresh(), 'session_end')
    expect(state).toMatchObject({ phase: 'ended', endedAt: LATER, owner: undefined })
    const again = applyTransition(state, { type: 'session_end' }, { at: '2026-01-11T00:00:00Z' })
    expect(again.state.endedAt).toBe(LATER)
  })

  test('a session that continues has not ended, and its next end writes an event only after new work', () => {
    const ended = { ...on(fresh(), 'session_end').state, endEvent: 'event.md' }
    expect(on(ended, 'turn_end').state.endEvent).toBe('event.md')
    for (const type of ['turn_start', 'session_start'] as const) {
      const { state, actions } = on({ ...ended, isCondensed: true }, type)
      expect(actions).toContain('clear-ended')
      expect(state.endedAt).toBeUndefined()
      const isWork = type === 'turn_start'
      expect(state.endEvent).toBe(isWork ? undefined : 'event.md')
      expect(state.isCondensed).toBe(!isWork)
    }
  })

  test('every event except a commit is a sign of life', () => {
    const state = fresh()
    expect(on(state, 'git_commit').state.lastSignOfLife).toBe(state.lastSignOfLife)
    for (const type of ['turn_start', 'turn_end', 'session_start', 'session_end'] as const)
      expect(on(state, type).state.lastSignOfLife).toBe(LATER)
  })

  test('treats a foreign commit and a sequence of commits separately', () => {
    expect(on(fresh(), 'git_commit').state.phase).toBe('active_committed')
    expect(on(fresh(), 'git_commit', { isForeign: true }).state.phase).toBe('active')
    expect(on(fresh(), 'git_commit', { isSequence: true }).actions).toEqual([])
  })

  test('an ended session is discarded only when nothing is left of it', () => {
    const ended = fresh({ phase: 'ended' })
    expect(on(ended, 'git_commit').actions).toEqual(['discard'])
    for (const work of [
      { filesTouched: ['a'] },
      { hasMoreFiles: true },
      { awaiting: FULL.awaiting },
    ])
      expect(on({ ...ended, ...work }, 'git_commit').actions).toEqual(['condense'])
  })

  test('the pending id survives every event', () => {
    const anyType = fc.constantFrom(
      'turn_start',
      'turn_end',
      'git_commit',
      'session_start',
      'session_end',
    )
    fc.assert(
      fc.property(anyState, anyType, (state, type) => {
        const after = on(state, type as SessionEvent['type']).state
        expect(after.pendingCheckpoint).toBe(state.pendingCheckpoint)
        expect(after.awaiting).toEqual(state.awaiting)
      }),
    )
  })
})

describe('a promise is kept until a checkpoint was written', () => {
  const [one, two] = [checkpoint('1'), checkpoint('2')]
  const done = { base: oid('d'), carried: [], offset: 99 }

  test('keeps one id for all commits of the turn, and on a retry', () => {
    const state = withPendingCheckpoint(fresh(), one)
    expect(withPendingCheckpoint(state, two).pendingCheckpoint).toBe(one)
  })

  test('condensing fulfils the promise and leaves only what is carried forward', () => {
    const state = withCondensed(FULL, { ...done, checkpoint: one, carried: ['src/a.ts'] })
    expect(state).toEqual({
      ...FULL,
      base: oid('d'),
      pendingCheckpoint: undefined,
      awaiting: [],
      pushTo: undefined,
      filesTouched: ['src/a.ts'],
      hasMoreFiles: false,
      transcript: { path: '/home/me/t.jsonl', offset: 99 },
      tasks: [],
      prompts: [],
      steps: 0,
      lastCheckpoint: one,
      isCondensed: false,
      isLeftBehind: false,
    })
    expect(withCondensed(FULL, { ...done, checkpoint: one }).isCondensed).toBe(true)
  })

  test('a checkpoint with another id does not fulfil the promise', () => {
    const state = withCondensed(FULL, { ...done, checkpoint: two })
    expect(state.pendingCheckpoint).toBe(one)
    expect(state).toMatchObject({ awaiting: FULL.awaiting, pushTo: FULL.pushTo })
    expect(state.isCondensed).toBe(false)
  })

  test('a session is unsettled when nothing will settle it', () => {
    const waiting = withCommit(fresh({ phase: 'active_committed' }), {
      commit: oid('b'),
      checkpoint: one,
    })
    expect(isUnsettled(waiting)).toBe(false)
    expect(isUnsettled({ ...waiting, phase: 'idle' })).toBe(true)
    expect(isUnsettled(withCondensed(waiting, { ...done, checkpoint: one }))).toBe(false)
    expect(hasWork(waiting)).toBe(true)
  })

  test('a session is finished if it has ended, is condensed, and has nothing left', () => {
    const state = { ...withCondensed(FULL, { ...done, checkpoint: one }), phase: 'ended' as const }
    expect(isFinished(state)).toBe(true)
    expect(isFinished({ ...state, phase: 'idle' })).toBe(false)
    expect(isFinished({ ...state, isCondensed: false })).toBe(false)
    expect(isFinished(withFilesTouched(state, ['a']))).toBe(false)
    expect(isFinished(withPrompt(state, 'go on'))).toBe(false)
    expect(isFinished({ ...state, awaiting: FULL.awaiting })).toBe(false)
  })

  test('a session is left behind if it ended with uncommitted work, until there is new work', () => {
    const ended = { ...withFilesTouched(fresh(), ['a']), phase: 'ended' as const }
    const state = withLeftBehind(ended)
    expect([isFinished(ended), isFinished(state), needsNoShadow(state)]).toEqual([
      false,
      true,
      false,
    ])
    expect(isFinished(withFilesTouched(state, ['a']))).toBe(true)
    expect(isFinished(withFilesTouched(state, ['b']))).toBe(false)
    expect(isFinished(withPrompt(state, 'go on'))).toBe(false)
    expect(isFinished({ ...state, awaiting: FULL.awaiting })).toBe(false)
    expect(on(state, 'turn_start').state.isLeftBehind).toBe(false)
    expect(withLeftBehind(fresh()).isLeftBehind).toBe(false)
  })
})

describe('commits', () => {
  const link = (commit: string, id: string) => ({ commit: oid(commit), checkpoint: checkpoint(id) })

  test('wait once, however often they are reported', () => {
    const state = withCommit(withCommit(fresh(), link('b', '1')), link('b', '1'))
    expect(state.awaiting).toEqual([link('b', '1')])
    expect(state.commits).toEqual([link('b', '1')])
  })

  test('follow a rewrite, including the base, and keep both checkpoints if two commits become one', () => {
    const state = fresh({
      base: oid('b'),
      awaiting: [link('b', '1'), link('c', '1'), link('e', '2')],
      commits: [link('a', '3'), link('b', '1'), link('c', '1'), link('e', '2')],
    })
    const after = withRewritten(
      state,
      new Map([
        [oid('b'), oid('f')],
        [oid('c'), oid('f')],
        [oid('e'), oid('f')],
      ]),
    )
    expect(after.base).toBe(oid('f'))
    expect(after.awaiting).toEqual([link('f', '1'), link('f', '2')])
    expect(after.commits).toEqual([link('a', '3'), link('f', '1'), link('f', '2')])
    expect(withRewritten(fresh({ base: undefined }), new Map()).base).toBeUndefined()
  })
})

describe('bounds', () => {
  const many = (count: number, name = 'x') => Array.from({ length: count }, (_, i) => `${name}${i}`)

  test('keeps each file once, the first 5,000, and records whether there are more', () => {
    const state = withFilesTouched(withFilesTouched(fresh(), ['a', 'b']), ['b', 'c'])
    expect(state.filesTouched).toEqual(['a', 'b', 'c'])
    expect(state.hasMoreFiles).toBe(false)
    expect(withFilesTouched(fresh(), many(5000)).hasMoreFiles).toBe(false)
    const full = withFilesTouched(state, many(5000))
    expect(full.filesTouched).toHaveLength(5000)
    expect(full.hasMoreFiles).toBe(true)
    expect(withFilesTouched(full, []).hasMoreFiles).toBe(true)
    expect(withDirtyBefore(fresh(), many(6000)).dirtyBefore).toHaveLength(5000)
  })

  test('no file means no work', () => {
    const state = fresh({ isCondensed: true })
    expect(withFilesTouched(state, []).isCondensed).toBe(true)
    expect(withFilesTouched(state, ['a']).isCondensed).toBe(false)
  })

  test('keeps the newest commits, prompts and tasks', () => {
    let state = fresh()
    const links = many(600).map((_, i) => i.toString(16).padStart(40, '0'))
    for (const commit of links) state = withCommit(state, { commit, checkpoint: checkpoint('1') })
    expect(state.commits).toHaveLength(500)
    expect(state.awaiting.at(-1)?.commit).toBe(links.at(-1))
    for (const prompt of many(60, 'p')) state = withPrompt(state, prompt)
    expect(state.firstPrompt).toBe('p0')
    expect(state.prompts).toEqual(many(60, 'p').slice(10))
    for (const toolUseId of many(120, 't'))
      state = withTask(state, { toolUseId, transcriptPath: undefined })
    expect(state.tasks.map((task) => task.toolUseId)).toEqual(many(120, 't').slice(20))
    state = withTask(state, { toolUseId: 't50', transcriptPath: '/t50' })
    expect(state.tasks.at(-1)).toEqual({ toolUseId: 't50', transcriptPath: '/t50' })
    expect(state.tasks).toHaveLength(100)
  })

  test('cuts long texts between characters', () => {
    const long = `${'x'.repeat(998)}😀😀`
    const cut = `${'x'.repeat(998)}…`
    expect(withPrompt(fresh(), long).firstPrompt).toBe(cut)
    expect(withLastMessage(fresh(), '', [long]).questions).toEqual([cut])
    expect(withPrompt(fresh(), 'y'.repeat(4001)).prompts[0]).toHaveLength(4000)
    const { lastMessage = '' } = withLastMessage(fresh(), `${'y'.repeat(8001)} end`, [])
    expect(lastMessage.length).toBeGreaterThan(7990)
    expect(lastMessage.length).toBeLessThanOrEqual(8000)
    expect(lastMessage.endsWith(' end')).toBe(true)
    const todos = withTodos(fresh(), [{ text: 'y'.repeat(501), status: 'pending' }]).todos
    expect(todos[0]?.text).toHaveLength(500)
    expect(
      withTodos(
        fresh(),
        many(300).map((text) => ({ text, status: 'pending' })),
      ).todos,
    ).toHaveLength(200)
    expect(withLastMessage(fresh(), '', many(60)).questions).toHaveLength(50)
  })

  test('keeps the id of a to-do, which later hooks refer to, unless the id is very long', () => {
    const [first, second, third] = ['7', '9'.repeat(100), '9'.repeat(101)].map((id) => ({
      id,
      text: 'a',
      status: 'pending' as const,
    })) as [Todo, Todo, Todo]
    const kept = withTodos(fresh(), [first, second, third]).todos
    expect(kept).toEqual([first, second, { text: 'a', status: 'pending' }])
  })
})

test('reads a different transcript from its start, and continues with the same one', () => {
  const state = fresh({ transcript: { path: '/a', offset: 7 } })
  expect(withTranscript(state, '/a')).toEqual(state)
  expect(withTranscript(state, '/b').transcript).toEqual({ path: '/b', offset: 0 })
})

describe('the id of the next checkpoint', () => {
  test('is the promised id, else one that a commit waits for', () => {
    const waiting = fresh({ awaiting: [{ commit: oid('9'), checkpoint: checkpoint('8') }] })
    expect(checkpointOf(withPendingCheckpoint(waiting, checkpoint('9')))).toBe(checkpoint('9'))
    expect(checkpointOf(waiting)).toBe(checkpoint('8'))
  })

  test('stays until the checkpoint is written, whatever happens, and changes then', () => {
    fc.assert(
      fc.property(anyState, (some) => {
        const state = { ...some, pendingCheckpoint: undefined, awaiting: [] }
        const id = checkpointOf(state)
        const later = withTranscript(on(state, 'turn_start').state, '/elsewhere.jsonl')
        expect(checkpointOf(withPrompt(later, 'Go on'))).toBe(id)
        const done = { checkpoint: id, base: undefined, carried: [], offset: 0 }
        expect(checkpointOf(withCondensed(later, done))).not.toBe(id)
        expect(checkpointOf({ ...state, id: `${state.id}x` })).not.toBe(id)
      }),
    )
  })
})

test('every change gives a state that reads back, and keeps unknown fields', () => {
  const anyChange = fc.constantFrom<(state: SessionState) => SessionState>(
    (state) => on(state, 'turn_start').state,
    (state) => on(state, 'git_commit').state,
    (state) => on(state, 'session_end').state,
    (state) => withPrompt(state, '\ud800 lone'),
    (state) => withFilesTouched(state, ['a', 'a']),
    (state) => withTask(state, { toolUseId: '../x', transcriptPath: undefined }),
    (state) => withPendingCheckpoint(state, checkpoint('9')),
    (state) => withCommit(state, { commit: oid('9'), checkpoint: checkpoint('9') }),
    (state) =>
      withCondensed(state, {
        checkpoint: checkpoint('9'),
        base: undefined,
        carried: [],
        offset: 0,
      }),
    (state) => withRewritten(state, new Map([[oid('b'), oid('9')]])),
  )
  fc.assert(
    fc.property(anyState, fc.array(anyChange, { maxLength: 6 }), (first, changes) => {
      const state = changes.reduce((before, change) => change(before), first)
      expect(parseSessionState(renderSessionState(state))).toEqual({ state })
      expect(state.unknown).toEqual(first.unknown)
      expect(state.id).toBe(first.id)
    }),
  )
})
