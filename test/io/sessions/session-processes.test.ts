/** One session and many processes: no change is lost, dead processes block nobody, and a full disk is reported. */

import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseSessionState, renderSessionState } from '../../../src/core/session/session-file.ts'
import { judge, processInfo, startIn } from '../../../src/io/process/process-table.ts'
import { sweepLocks, takeLock, tryLock } from '../../../src/io/files/lock.ts'
import { FileSessionStore } from '../../../src/io/sessions/session-store.ts'
import { fresh, FULL } from '../../core/session/sessions.ts'
import { Sandbox } from '../../support/git-repo.ts'
import { IS_LONG } from '../../support/long.ts'
import { bundled, start } from '../../support/workers.ts'

/** Adds one, this many times; records each in a file. If told to hold, stays inside until it is killed. */
const WORKER = `import { appendFileSync } from 'node:fs'
  import { FileSessionStore } from './session-store.mjs'
  const [home, id, rounds, hold] = process.argv.slice(2)
  const store = new FileSessionStore(home)
  try {
    for (let i = 0; i < Number(rounds); i++) {
      await store.change(id, async (state) => {
        if (hold) {
          console.log('held')
          if (hold === 'for ever') for (;;) await new Promise((resolve) => setTimeout(resolve, 1000))
        }
        const files = ['a'.repeat(i % 7 * 3000)]
        return { state: { ...state, steps: state.steps + 1, filesTouched: files }, result: 0 }
      }, 60_000)
      appendFileSync(home + '/done', '.')
    }
  } catch (error) {
    console.log(error.code, error.message)
  }`

async function open() {
  const home = new Sandbox().folder
  const program = await bundled(join(home, 'bundle'), 'io/sessions/session-store.ts', {
    name: 'session-store',
    program: WORKER,
  })
  const store = new FileSessionStore(home)
  await store.change('s1', async () => ({ state: fresh(), result: 0 }))
  const locks = join(home, 'ledger-git', 'session-locks')
  const work = (rounds: number, hold = '') => start(program, [home, 's1', String(rounds), hold])
  return { home, program, store, locks, lock: join(locks, 's1.lock'), work }
}

/** Tries for the lock only once. */
const NO_WAIT = 0

const later = (millis: number) => new Promise((resolve) => setTimeout(resolve, millis))

describe('many processes', () => {
  test.each([
    [2, 60],
    [8, 20],
  ])('%i of them lose no change', async (workers, rounds) => {
    const { home, store, locks, work } = await open()
    const said = await Promise.all(Array.from({ length: workers }, () => work(rounds).said))
    expect(said.join('')).toBe('')
    expect(store.read('s1')?.steps).toBe(workers * rounds)
    expect(readdirSync(locks)).toEqual([])
    expect(readdirSync(join(home, 'ledger-git', 'sessions'))).toEqual(['s1.json'])
  })

  test('killed at any moment block nobody, tear no state and lose no reported change', async () => {
    const { home, store, work } = await open()
    const other = work(IS_LONG ? 2000 : 200)
    const file = join(home, 'ledger-git', 'sessions', 's1.json')
    let kills = 0
    const state = { isDone: false }
    void other.said.then(() => (state.isDone = true))
    while (!state.isDone || kills <= 3) {
      const { child, said } = work(100_000)
      await later(100 + Math.random() * 120)
      child.kill('SIGKILL')
      kills += 1
      expect(parseSessionState(readFileSync(file, 'utf8')).problem).toBeUndefined()
      expect(await said).toBe('status SIGKILL')
    }
    expect(await other.said).toBe('')
    await store.change('s1', async (old) => ({ state: old, result: 0 }), NO_WAIT)
    // A change may have been saved before its process could report it: one for each kill.
    const done = readFileSync(join(home, 'done'), 'utf8').length
    const steps = store.read('s1')?.steps ?? 0
    expect(steps).toBeGreaterThanOrEqual(done)
    expect(steps).toBeLessThanOrEqual(done + kills)
    expect(store.list().damaged).toEqual([])
  })
})

describe('a lock’s holder', () => {
  test('is waited for while it lives, however old its lock is, and gone once killed', async () => {
    const { lock, store, work } = await open()
    const { child } = work(1, 'for ever')
    await once(child.stdout as NodeJS.ReadableStream, 'data')
    const [name = ''] = readdirSync(lock)
    const then = Date.now() / 1000 - 3600
    utimesSync(join(lock, name), then, then)
    expect(tryLock(lock)).toBeUndefined()
    const closed = once(child, 'close')
    child.kill('SIGKILL')
    await closed
    await store.change('s1', async (old) => ({ state: old, result: 0 }), NO_WAIT)
  })

  test('is gone when it was killed, even if its parent has not waited for it', async () => {
    const { home, program, lock } = await open()
    // The shell becomes a program that never waits for its child.
    const script = `"$0" "$@" & echo $!; exec sleep 60`
    const words = [process.execPath, program, home, 's1', '1', 'for ever']
    const shell = spawn('sh', ['-c', script, ...words], { stdio: ['ignore', 'pipe', 'ignore'] })
    try {
      let said = ''
      for await (const chunk of shell.stdout) if ((said += String(chunk)).includes('held')) break
      const pid = Number.parseInt(said, 10)
      expect(tryLock(lock)).toBeUndefined()
      process.kill(pid, 'SIGKILL')
      for (let i = 0; i < 100 && processInfo(pid)?.isZombie !== true; i++) await later(10)
      expect(processInfo(pid)?.isZombie).toBe(true)
      expect(tryLock(lock)).toBeDefined()
    } finally {
      shell.kill('SIGKILL')
    }
  })

  test('is gone if another process now has its number', async () => {
    const { lock } = await open()
    const info = processInfo(process.pid)
    if (info === undefined) throw new Error('this process is not in the table')
    const name = (start: string) => `${process.pid}-${start}-0123456789ab`
    mkdirSync(lock)
    writeFileSync(join(lock, name(startIn(info))), '')
    expect(tryLock(lock)).toBeUndefined()
    const before = startIn({ ...info, startTime: `${info.startTime}1` })
    renameSync(join(lock, name(startIn(info))), join(lock, name(before)))
    expect(tryLock(lock)).toBeDefined()
  })

  test('in another container, which cannot be judged, loses its lock after a minute', async () => {
    const { lock } = await open()
    for (const name of ['1-5_0badcafe-0123456789ab', 'who knows']) {
      mkdirSync(lock)
      writeFileSync(join(lock, name), '')
      expect(tryLock(lock)).toBeUndefined()
      for (const seconds of [-61, 61]) {
        const at = Date.now() / 1000 + seconds
        if (!existsSync(join(lock, name))) writeFileSync(join(lock, name), '')
        utimesSync(join(lock, name), at, at)
        const taken = tryLock(lock)
        expect(taken?.isHeld()).toBe(true)
        expect(existsSync(join(lock, name))).toBe(false)
        taken?.release()
        mkdirSync(lock)
      }
      execFileSync('rmdir', [lock])
    }
  })

  test('cannot release the lock of a later holder', async () => {
    const { locks, lock } = await open()
    const first = await takeLock(lock, 1000)
    expect(tryLock(lock)).toBeUndefined()
    first.release()
    const second = await takeLock(lock, 1000)
    expect([first.isHeld(), second.isHeld()]).toEqual([false, true])
    first.release()
    expect(second.isHeld()).toBe(true)
    expect(tryLock(lock)).toBeUndefined()
    second.release()
    expect(readdirSync(locks)).toEqual([])
  })

  test('that died while taking the lock leaves nothing behind after a sweep', async () => {
    const { locks } = await open()
    const dead = spawnSync('true').pid
    const mine = processInfo(process.pid)
    const place = mine === undefined ? '' : startIn(mine)
    const left = `s1.lock.${dead}-${place}-0123456789ab`
    const trying = `s1.lock.${process.pid}-${place}-0123456789ab`
    for (const name of [left, trying]) {
      mkdirSync(join(locks, name))
      writeFileSync(join(locks, name, name.slice('s1.lock.'.length)), '')
    }
    expect(judge(dead, place)).toBe('gone')
    sweepLocks(locks)
    expect(readdirSync(locks)).toEqual([trying])
  })
})

describe('a full disk', () => {
  test.each([0, 1])(
    'with files of at most %i blocks, the failure is reported and the old state stays',
    async (blocks) => {
      const { home, program, store, locks } = await open()
      const text = 'x'.repeat(4000)
      await store.change('s1', async () => ({ state: { ...FULL, lastMessage: text }, result: 0 }))
      const script = `trap '' XFSZ; ulimit -f ${blocks}; exec "$@"`
      const words = ['-c', script, 'sh', process.execPath, program, home, 's1', '1']
      const { stdout } = spawnSync('sh', words, { encoding: 'utf8', stdio: 'pipe' })
      expect(stdout).toMatch(/^FILE_UNWRITABLE .*s1\.json could not be written \(EFBIG\)/)
      expect(store.read('s1')).toEqual({ ...FULL, lastMessage: text })
      expect(readdirSync(join(home, 'ledger-git', 'sessions'))).toEqual(['s1.json'])
      expect(readdirSync(locks)).toEqual([])
    },
  )
})

describe('a read-only repository', () => {
  /** Permissions mean nothing to root: then the program runs as nobody. */
  const uid = process.getuid?.() === 0 ? 65534 : undefined

  async function readOnly(program: string) {
    const { home, store, ...rest } = await open()
    const folder = join(home, 'ledger-git')
    writeFileSync(join(folder, 'sessions', 's2.json'), 'half')
    writeFileSync(join(folder, 'sessions', 's3.json'), renderSessionState(fresh({ id: 's3' })))
    writeFileSync(join(home, 'bundle', 'read.mjs'), program)
    const readable = [
      'ledger-git',
      'ledger-git/sessions',
      'ledger-git/open-sessions',
      '.',
      'bundle',
    ]
    for (const name of readable) chmodSync(join(home, name), 0o755)
    for (const name of ['s1', 's2', 's3'])
      chmodSync(join(folder, 'sessions', `${name}.json`), 0o444)
    for (const name of ['sessions', 'session-locks', 'open-sessions', '.']) {
      chmodSync(join(folder, name), 0o555)
    }
    const words = [join(home, 'bundle', 'read.mjs'), home]
    const ran = spawnSync(process.execPath, words, { encoding: 'utf8', uid })
    for (const name of ['.', 'sessions', 'session-locks', 'open-sessions']) {
      chmodSync(join(folder, name), 0o755)
    }
    return { ran, home, store, ...rest }
  }

  test('can be read, and a change fails with the reason', async () => {
    const { ran, store } = await readOnly(`import { FileSessionStore } from './session-store.mjs'
      const store = new FileSessionStore(process.argv[2])
      const { sessions, damaged } = store.list()
      const open = store.listOpen()
      console.log(JSON.stringify([sessions, damaged, open].map((all) => all.map((one) => one.id))))
      console.log(JSON.stringify([damaged[0].reason, damaged[0].keptAs ?? null]))
      try {
        await store.change('s1', async (state) => ({ state: { ...state, turn: 9 }, result: 0 }))
      } catch (error) {
        console.log(error.code, /\\(EACCES\\)/.test(error.message))
      }`)
    expect(ran.stderr).toBe('')
    expect(ran.stdout.split('\n')).toEqual([
      '[["s1","s3"],[null],["s1"]]',
      '["is not JSON",null]',
      'FILE_UNWRITABLE true',
      '',
    ])
    expect(store.read('s1')).toEqual(fresh())
  })

  test('reports states that may not be read, and they stay', async () => {
    const { home, store } = await open()
    const program = `import { chmodSync } from 'node:fs'
      import { FileSessionStore } from './session-store.mjs'
      const store = new FileSessionStore(process.argv[2])
      console.log(store.list().damaged.map(({ reason }) => reason).join())
      await store.change('s1', async () => ({ state: undefined })).catch((e) => console.log(e.code))`
    writeFileSync(join(home, 'bundle', 'read.mjs'), program)
    const file = join(home, 'ledger-git', 'sessions', 's1.json')
    for (const name of ['.', 'bundle']) chmodSync(join(home, name), 0o755)
    for (const name of ['.', 'sessions', 'session-locks', 'open-sessions']) {
      chmodSync(join(home, 'ledger-git', name), 0o777)
    }
    chmodSync(file, 0o000)
    const ran = spawnSync(process.execPath, [join(home, 'bundle', 'read.mjs'), home], {
      encoding: 'utf8',
      uid,
    })
    chmodSync(file, 0o600)
    expect(ran.stdout).toBe('cannot be read (EACCES)\nFILE_UNWRITABLE\n')
    expect(store.read('s1')).toEqual(fresh())
  })
})
