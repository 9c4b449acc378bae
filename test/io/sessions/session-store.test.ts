/** Session states on a real file system that is broken, locked, full, linked or read-only. */

import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { renderSessionState } from '../../../src/core/session/session-file.ts'
import type { SessionState } from '../../../src/core/session/session-state.ts'
import { tryLock } from '../../../src/io/files/lock.ts'
import { FileSessionStore } from '../../../src/io/sessions/session-store.ts'
import { fresh, FULL } from '../../core/session/sessions.ts'
import { Sandbox } from '../../support/git-repo.ts'

const ENDED = { phase: 'ended', isCondensed: true } as const

function open() {
  const home = new Sandbox().folder
  const at = (...names: string[]) => join(home, 'ledger-git', ...names)
  const put = (name: string, text: string | Uint8Array) => {
    mkdirSync(dirname(at('sessions', name)), { recursive: true })
    writeFileSync(at('sessions', name), text)
  }
  const store = new FileSessionStore(home)
  const save = (state: SessionState) =>
    store.change(state.id, async () => ({ state, result: undefined }))
  const names = (folder: string) => (existsSync(at(folder)) ? readdirSync(at(folder)).sort() : [])
  return { home, at, put, store, save, names }
}

const ids = (states: readonly SessionState[]) => states.map(({ id }) => id)

describe('one session', () => {
  test('is created, read, changed and removed, and leaves nothing behind', async () => {
    const { store, save, names } = open()
    expect(store.read('s1')).toBeUndefined()
    expect(store.list()).toEqual({ sessions: [], damaged: [] })
    await save(FULL)
    expect(store.read('s1')).toEqual(FULL)
    const result = await store.change('s1', async (state) => {
      return { state: state && { ...state, turn: 9 }, result: state?.turn }
    })
    expect(result).toBe(FULL.turn)
    expect(store.list()).toEqual({ sessions: [{ ...FULL, turn: 9 }], damaged: [] })
    await store.change('s1', async () => ({ state: undefined, result: undefined }))
    expect(store.read('s1')).toBeUndefined()
    for (const folder of ['sessions', 'session-locks', 'open-sessions']) {
      expect(names(folder)).toEqual([])
    }
  })

  test('is readable for its owner only', async () => {
    const { at, save } = open()
    await save(fresh())
    expect(statSync(at('sessions', 's1.json')).mode & 0o777).toBe(0o600)
    for (const folder of ['sessions', 'session-locks', 'open-sessions']) {
      expect(statSync(at(folder)).mode & 0o777).toBe(0o700)
    }
    chmodSync(at('sessions', 's1.json'), 0o644)
    await save(fresh({ turn: 2 }))
    expect(statSync(at('sessions', 's1.json')).mode & 0o777).toBe(0o600)
  })

  test('keeps its state and frees the lock after a change that fails or is invalid', async () => {
    const { store, save, names } = open()
    await save(fresh())
    const bad = [
      async () => {
        throw new Error('no')
      },
      async () => ({ state: fresh({ id: 's2' }), result: 1 }),
      async () => ({ state: fresh({ base: 'HEAD' }), result: 1 }),
    ]
    for (const change of bad) await expect(store.change('s1', change)).rejects.toThrow()
    expect(store.read('s1')).toEqual(fresh())
    expect(names('session-locks')).toEqual([])
  })

  test('is not written again when it has not changed', async () => {
    const { at, save } = open()
    await save(fresh())
    const before = lstatSync(at('sessions', 's1.json')).ino
    await save(fresh())
    expect(lstatSync(at('sessions', 's1.json')).ino).toBe(before)
    await save(fresh({ turn: 2 }))
    expect(lstatSync(at('sessions', 's1.json')).ino).not.toBe(before)
  })

  test.each(['../s1', 'a/b', '..', '.', '', '.s1', '-s1', 'a\0b', '/etc/passwd', 'a.lock'])(
    'makes no path of the id %j',
    async (id) => {
      const { store, home, names } = open()
      writeFileSync(join(home, 's1.json'), renderSessionState(fresh()))
      mkdirSync(join(home, 'ledger-git', 'sessions'), { recursive: true })
      expect(store.read(id)).toBeUndefined()
      const change = store.change(id, async () => ({ state: fresh(), result: 1 }))
      await expect(change).rejects.toMatchObject({ code: 'USAGE' })
      expect([...names('sessions'), ...names('session-locks')]).toEqual([])
    },
  )
})

describe('the lock', () => {
  test('makes changes of one session wait for each other, but not for other sessions', async () => {
    const { store, save } = open()
    await save(fresh())
    await save(fresh({ id: 's2' }))
    let inside = 0
    const add = () =>
      store.change('s1', async (state) => {
        inside += 1
        expect(inside).toBe(1)
        await new Promise((resolve) => setTimeout(resolve, 2))
        await store.change('s2', async (other) => ({ state: other, result: undefined }))
        inside -= 1
        return { state: state && { ...state, steps: state.steps + 1 }, result: undefined }
      })
    await Promise.all(Array.from({ length: 20 }, add))
    expect(store.read('s1')?.steps).toBe(20)
  })

  test('is waited for as long as requested', async () => {
    const { at, store } = open()
    const lock = tryLock(at('session-locks', 's1.lock'))
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const said: unknown[] = []
    const change = () =>
      store
        .change('s1', async () => ({ state: fresh(), result: 'saved' }), 200)
        .then((result) => said.push(result))
        .catch(({ code }) => said.push(code))
    void change()
    await vi.advanceTimersByTimeAsync(199)
    expect(said).toEqual([])
    await vi.advanceTimersByTimeAsync(50)
    expect(said).toEqual(['LOCKED'])
    void change()
    await vi.advanceTimersByTimeAsync(100)
    lock?.release()
    await vi.advanceTimersByTimeAsync(50)
    expect(said).toEqual(['LOCKED', 'saved'])
    expect(store.read('s1')).toEqual(fresh())
  })

  test('saves nothing for a holder that was taken for dead', async () => {
    const { at, store, save } = open()
    await save(fresh())
    const change = store.change('s1', async (state) => {
      rmSync(at('session-locks', 's1.lock'), { recursive: true })
      return { state: state && { ...state, turn: 7 }, result: 1 }
    })
    await expect(change).rejects.toMatchObject({ code: 'LOCKED' })
    expect(store.read('s1')?.turn).toBe(1)
  })
})

describe('a file that is not a valid state', () => {
  const GOOD = renderSessionState(fresh())
  test.each<[string, string | Uint8Array, string]>([
    ['nothing', '', 'is not JSON'],
    ['half of it', GOOD.slice(0, 60), 'is not JSON'],
    ['zeros', new Uint8Array(512), 'is not JSON'],
    [
      'other bytes',
      Buffer.from(GOOD.replace('/repo/tree', '/repo/\xe4'), 'latin1'),
      'is not UTF-8',
    ],
    ['a list', '[]', 'is not a JSON object'],
    ['another program', '{"a":1}', 'has no version'],
    ['a bad field', GOOD.replace('"active"', '"asleep"'), 'has an invalid field (phase)'],
    ['another session', renderSessionState(fresh({ id: 's9' })), 'belongs to another session'],
  ])('%s: is set aside, reported, and the session continues', async (_, text, reason) => {
    const { at, put, store, save, names } = open()
    put('s1.json', text)
    await save(fresh({ id: 's0' }))
    expect(store.read('s1')).toBeUndefined()
    const file = at('sessions', 's1.json')
    const expected = { file, reason, keptAs: `${file}.damaged-1` }
    // Reported again for as long as it is there.
    for (const _ of [1, 2]) {
      expect(store.list()).toEqual({ sessions: [fresh({ id: 's0' })], damaged: [expected] })
    }
    expect(readFileSync(expected.keptAs)).toEqual(Buffer.from(text as string))
    await save(fresh())
    put('s1.json', 'more')
    const state = await store.change('s1', async (old) => ({ state: fresh(), result: old }))
    expect(state).toBeUndefined()
    expect(readFileSync(`${file}.damaged-2`, 'utf8')).toBe('more')
    expect(names('sessions')).toEqual([
      's0.json',
      's1.json',
      's1.json.damaged-1',
      's1.json.damaged-2',
    ])
  })

  test('is reported and never written through if it is a folder, a link or a pipe', async () => {
    const { at, home, store, save, put } = open()
    put('s0.json', GOOD)
    const target = join(home, 'target.json')
    writeFileSync(target, GOOD)
    mkdirSync(at('sessions', 'folder.json'))
    writeFileSync(at('sessions', 'folder.json', 'x'), 'x')
    symlinkSync(target, at('sessions', 's1.json'))
    symlinkSync(join(home, 'nowhere'), at('sessions', 's2.json'))
    new Sandbox().at(at('sessions')).run('mkfifo', ['s3.json'])
    const { sessions, damaged } = store.list()
    expect(sessions).toEqual([])
    expect(damaged.map(({ reason }) => reason)).toEqual([
      'is not a file',
      'belongs to another session',
      'is not a file',
      'is not a file',
      'is not a file',
    ])
    expect(damaged.map(({ keptAs }) => existsSync(`${keptAs}`))).toEqual([
      true,
      true,
      true,
      false,
      true,
    ])
    await save(fresh())
    expect(readFileSync(target, 'utf8')).toBe(GOOD)
    expect(store.list().sessions).toEqual([fresh()])
  })

  test('is reported and left in place if a newer release wrote it', async () => {
    const { at, put, store, names } = open()
    const text = GOOD.replace('"version": 1', '"version": 2')
    put('s1.json', text)
    mkdirSync(at('open-sessions'), { recursive: true })
    writeFileSync(at('open-sessions', 's1'), '')
    const file = at('sessions', 's1.json')
    const reason = 'was written by a newer release: update ledger-git'
    expect(store.list()).toEqual({
      sessions: [],
      damaged: [{ file, reason, keptAs: undefined }],
    })
    expect(store.listOpen()).toEqual([])
    const change = store.change('s1', async () => ({ state: undefined, result: 1 }))
    await expect(change).rejects.toThrow('newer release')
    expect(readFileSync(file, 'utf8')).toBe(text)
    expect([...names('sessions'), ...names('open-sessions')]).toEqual(['s1.json', 's1'])
  })

  test('is reported by look, which sees the same sessions but changes nothing', () => {
    const { at, put, store, names } = open()
    put('s1.json', GOOD)
    put('s2.json', 'half')
    put('.ledger-git-4194305-bb.tmp', 'of one that was killed')
    const then = Date.now() / 1000 - 7200
    utimesSync(at('sessions', '.ledger-git-4194305-bb.tmp'), then, then)
    mkdirSync(at('open-sessions'), { recursive: true })
    writeFileSync(at('open-sessions', 'gone'), '')
    const before = [names('sessions'), names('open-sessions')]
    const file = at('sessions', 's2.json')
    const looked = store.look()
    expect(looked.damaged).toEqual([{ file, reason: 'is not JSON', keptAs: undefined }])
    expect([names('sessions'), names('open-sessions')]).toEqual(before)
    expect(store.list().sessions).toEqual(looked.sessions)
    expect([names('sessions'), names('open-sessions')]).not.toEqual(before)
  })

  test('is reported but not moved while its session is being changed', async () => {
    const { at, put, store, names } = open()
    put('s1.json', 'half')
    const lock = tryLock(at('session-locks', 's1.lock'))
    expect(store.list().damaged).toMatchObject([{ reason: 'is not JSON', keptAs: undefined }])
    expect(names('sessions')).toEqual(['s1.json'])
    lock?.release()
  })

  test('is reported if no session can have its name; other files stay unmentioned', () => {
    const { at, put, store, names } = open()
    for (const name of ['notes.txt', '.hidden.json', 'a b.json']) put(name, '{}')
    put('.ledger-git-1-aa.tmp', 'of a writer at work')
    put('.ledger-git-4194305-bb.tmp', 'of one that was killed')
    const then = Date.now() / 1000 - 7200
    utimesSync(at('sessions', '.ledger-git-4194305-bb.tmp'), then, then)
    expect(store.list()).toEqual({
      sessions: [],
      damaged: [
        {
          file: at('sessions', 'a b.json'),
          reason: 'has no name of a session',
          keptAs: undefined,
        },
      ],
    })
    expect(names('sessions')).toEqual([
      '.hidden.json',
      '.ledger-git-1-aa.tmp',
      'a b.json',
      'notes.txt',
    ])
  })
})

describe('open sessions', () => {
  test('are those that are not finished', async () => {
    const { store, save, names } = open()
    await save(fresh({ id: 'done', ...ENDED }))
    await save(fresh({ id: 'left', ...ENDED, filesTouched: ['a'] }))
    await save(fresh({ id: 'on' }))
    expect(ids(store.listOpen())).toEqual(['left', 'on'])
    expect(names('open-sessions')).toEqual(['left', 'on'])
    await save(fresh({ id: 'on', ...ENDED }))
    await save(fresh({ id: 'done' }))
    await save(fresh({ id: 'done-2', ...ENDED }))
    expect(ids(store.listOpen())).toEqual(['done', 'left'])
    expect(ids(store.list().sessions)).toEqual(['done', 'done-2', 'left', 'on'])
  })

  test('lose a superfluous marker unless the session is being changed', async () => {
    const { at, store, save, names } = open()
    await save(fresh({ id: 'done', ...ENDED }))
    mkdirSync(at('open-sessions'))
    for (const id of ['done', 'none', 'begun']) writeFileSync(at('open-sessions', id), '')
    const lock = tryLock(at('session-locks', 'begun.lock'))
    expect(store.listOpen()).toEqual([])
    expect(names('open-sessions')).toEqual(['begun'])
    lock?.release()
    store.list()
    expect(names('open-sessions')).toEqual([])
  })

  test('get a missing marker back from list', async () => {
    const { at, store, save } = open()
    await save(fresh())
    rmSync(at('open-sessions'), { recursive: true })
    expect(store.listOpen()).toEqual([])
    store.list()
    expect(ids(store.listOpen())).toEqual(['s1'])
  })

  test('get their marker before the state that needs it', async () => {
    const { at, store, save } = open()
    await save(fresh({ id: 's2' }))
    await save(fresh(ENDED))
    const blocked = store.change('s1', async () => {
      rmSync(at('open-sessions'), { recursive: true })
      writeFileSync(at('open-sessions'), '')
      return { state: fresh(), result: undefined }
    })
    await expect(blocked).rejects.toMatchObject({ code: 'FILE_UNWRITABLE' })
    rmSync(at('open-sessions'))
    expect(store.read('s1')).toEqual(fresh(ENDED))
  })

  test('lose their marker after the state that no longer needs it', async () => {
    const { at, store, save, names } = open()
    await save(fresh())
    const blocked = store.change('s1', async () => {
      renameSync(at('sessions'), at('aside'))
      writeFileSync(at('sessions'), '')
      return { state: fresh(ENDED), result: undefined }
    })
    await expect(blocked).rejects.toMatchObject({ code: 'FILE_UNWRITABLE' })
    rmSync(at('sessions'))
    renameSync(at('aside'), at('sessions'))
    expect(names('open-sessions')).toEqual(['s1'])
    expect(ids(store.listOpen())).toEqual(['s1'])
  })

  test('have a marker that repeats their state and is empty while that changes', async () => {
    const { at, store, save } = open()
    const marker = () => readFileSync(at('open-sessions', 's1'), 'utf8')
    const main = { path: '/main', name: '' }
    const owner = { pid: 12, startTime: '1' }
    const idle = fresh({ phase: 'idle', owner, worktree: main })
    const topic = { path: '/topic', name: 'topic' }
    const cases: [SessionState, string][] = [
      [fresh({ owner: undefined, worktree: main }), 'working 0 \n'],
      [idle, 'resting 12 \n'],
      [{ ...idle, owner: undefined, worktree: topic }, 'resting 0 topic\n'],
      [{ ...idle, filesTouched: ['a', ' b ü'] }, 'resting 12 \na\n b ü\n'],
      // Git prints these in quotes, or they stand for several.
      ...['"', '\\', '\n', '\x7f', '\x85', '\ufffd'].map((odd): [SessionState, string] => [
        { ...idle, filesTouched: ['a', `b${odd}`] },
        'working 12 \n',
      ]),
      [{ ...idle, filesTouched: ['a'], hasMoreFiles: true }, 'working 12 \n'],
      [{ ...idle, awaiting: FULL.awaiting }, 'working 12 \n'],
      [{ ...idle, pendingCheckpoint: FULL.pendingCheckpoint }, 'working 12 \n'],
      [{ ...idle, phase: 'active' }, 'working 12 \n'],
      [{ ...idle, phase: 'active_committed' }, 'working 12 \n'],
      [{ ...idle, phase: 'ended' }, 'working 12 \n'],
      // A shell would read another name than this.
      [{ ...idle, worktree: { ...topic, name: 'to pic' } }, ''],
    ]
    for (const [state, said] of cases) {
      await save(state)
      expect(marker()).toBe(said)
      // The state cannot be written, or the process dies there: the marker is emptied first.
      const next = { ...state, phase: 'active', owner: { pid: 99, startTime: '1' } } as const
      const blocked = store.change('s1', async () => {
        renameSync(at('sessions'), at('aside'))
        writeFileSync(at('sessions'), '')
        return { state: next, result: undefined }
      })
      await expect(blocked).rejects.toMatchObject({ code: 'FILE_UNWRITABLE' })
      expect(marker()).toBe('')
      rmSync(at('sessions'))
      renameSync(at('aside'), at('sessions'))
      // Both listings repair it.
      store.listOpen()
      expect(marker()).toBe(said)
      writeFileSync(at('open-sessions', 's1'), '')
      store.list()
      expect(marker()).toBe(said)
    }
  })

  test('are not created by marker names that no session can have', async () => {
    const { at, home, store, save } = open()
    await save(fresh())
    writeFileSync(join(home, 'out.json'), renderSessionState(fresh({ id: 'out' })))
    for (const name of ['a b', '-x', 'x.lock']) writeFileSync(at('open-sessions', name), '')
    expect(ids(store.listOpen())).toEqual(['s1'])
    expect(ids(store.list().sessions)).toEqual(['s1'])
  })
})

describe('a folder that is a symbolic link is refused', () => {
  test.each(['sessions', 'session-locks', 'open-sessions'])('%s', async (name) => {
    const { at, home, store, save } = open()
    await save(fresh())
    const outside = join(home, 'outside')
    mkdirSync(outside)
    writeFileSync(join(outside, 's1.json'), renderSessionState(fresh({ turn: 5 })))
    rmSync(at(name), { recursive: true })
    symlinkSync(outside, at(name))
    const expected = expect.objectContaining({ code: 'FILE_UNWRITABLE' })
    expect(() => store.read('s1')).toThrow(expected)
    expect(() => store.list()).toThrow(expected)
    expect(() => store.listOpen()).toThrow(expected)
    await expect(save(fresh({ turn: 3 }))).rejects.toThrow('a symbolic link')
    expect(readdirSync(outside)).toEqual(['s1.json'])
  })
})
