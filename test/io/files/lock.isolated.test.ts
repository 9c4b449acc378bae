/** The writer's lock, with other processes that intervene between any two steps of a slow one. */

import type { ChildProcess } from 'node:child_process'
import { spawn, spawnSync } from 'node:child_process'
import type * as Fs from 'node:fs'
import { chmodSync, mkdirSync, readdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { heirOf, lockState, removeDeadLock, tryLock, withLock } from '../../../src/io/files/lock.ts'
import { Sandbox } from '../../support/git-repo.ts'
import { makeLock } from '../../support/locks.ts'
import { bundled } from '../../support/workers.ts'

/** What happens before each step on the file system. */
const file = vi.hoisted(() => ({ beforeStep: () => {} }))

vi.mock('node:fs', async (original) => {
  const real = await original<typeof Fs>()
  const seen = <T extends (...args: never[]) => unknown>(action: T) =>
    ((...args: Parameters<T>) => {
      file.beforeStep()
      return action(...args)
    }) as T
  const { linkSync, openSync, readdirSync, renameSync, rmdirSync, rmSync, unlinkSync } = real
  return {
    ...real,
    linkSync: seen(linkSync),
    openSync: seen(openSync),
    readdirSync: seen(readdirSync as never),
    renameSync: seen(renameSync),
    rmdirSync: seen(rmdirSync),
    rmSync: seen(rmSync),
    unlinkSync: seen(unlinkSync),
  }
})

beforeEach(() => void (file.beforeStep = () => {}))

function ledgerFolder() {
  const folder = join(new Sandbox().folder, 'ledger')
  mkdirSync(folder)
  return { folder, path: join(folder, '.synth.lock') }
}

/** All who get in stay until everybody has tried; returns how many were in at most at once. */
async function crowd(path: string, moments: readonly number[]): Promise<number> {
  let [step, inside, most] = [0, 0, 0]
  let leave = () => {}
  const isOver = new Promise<void>((resolve) => (leave = resolve))
  const enter = () =>
    withLock(path, async () => {
      most = Math.max(most, ++inside)
      await isOver
      inside -= 1
    })
  const others: Promise<void>[] = []
  file.beforeStep = () => {
    const { beforeStep } = file
    file.beforeStep = () => {} // nobody disturbs those who come in between
    if (moments.includes(step++)) others.push(enter())
    file.beforeStep = beforeStep
  }
  const late = enter() // runs until it has the lock or has to wait
  file.beforeStep = () => {}
  for (let i = 0; i < 10; i++) await new Promise((resolve) => setImmediate(resolve))
  leave()
  await Promise.all([late, ...others])
  expect(others.length).toBeGreaterThan(0)
  return most
}

test('the lock of a dead process lets in one process, whenever others come', async () => {
  const STEPS = 3 // it takes at least this many
  for (let first = 0; first < STEPS; first++) {
    for (let second = first + 1; second < STEPS + 2; second++) {
      const { folder, path } = ledgerFolder()
      makeLock(path)
      const told = `others come before steps ${first} and ${second}`
      expect(await crowd(path, [first, second]), told).toBe(1)
      expect(readdirSync(folder), told).toEqual([])
    }
  }
})

test('the next lock removes what a process left that died while taking it', async () => {
  const { folder, path } = ledgerFolder()
  renameSync(path, join(folder, `.synth.lock.${makeLock(path)}`))
  mkdirSync(join(folder, '.synth.lock-of-mine'))
  expect(lockState(path)).toBe('stale')
  await withLock(path, async () => expect(lockState(path)).toBe('held'))
  expect(readdirSync(folder)).toEqual(['.synth.lock-of-mine'])
})

test('removeDeadLock removes the lock of a dead process but not one of a living process', async () => {
  {
    const { folder, path } = ledgerFolder()
    makeLock(path)
    expect(lockState(path)).toBe('stale')
    removeDeadLock(path)
    expect(readdirSync(folder)).toEqual([])
  }
  const { path } = ledgerFolder()
  await withLock(path, async () => {
    removeDeadLock(path)
    expect(lockState(path)).toBe('held')
  })
  expect(lockState(path)).toBe('absent')
})

describe('an heir', () => {
  const child = () => spawn('sleep', ['60'], { stdio: 'ignore' })
  const ended = async (process: ChildProcess) => {
    const exit = new Promise((end) => process.on('exit', end))
    process.kill('SIGKILL')
    await exit
  }

  test('holds the lock of its dead starter as long as it lives', async () => {
    const { path } = ledgerFolder()
    const lock = tryLock(path)
    const heir = child()
    lock?.setHeir(heir.pid ?? 0)
    expect(heirOf(path)).toBeUndefined()
    const own = readdirSync(path).find((name) => name.startsWith(`${process.pid}-`)) ?? ''
    // Its starter dies: the number is larger than any system assigns.
    renameSync(join(path, own), join(path, own.replace(/^\d+/, '4194305')))
    expect(tryLock(path)).toBeUndefined()
    expect(heirOf(path)).toBe(heir.pid)
    await ended(heir)
    expect(heirOf(path)).toBeUndefined()
    expect(tryLock(path)?.isHeld()).toBe(true)
  })

  test('inherits nothing once the lock is released', async () => {
    const { folder, path } = ledgerFolder()
    const lock = tryLock(path)
    const heirs = [child(), child()]
    for (const { pid } of heirs) lock?.setHeir(pid ?? 0)
    lock?.release()
    expect(readdirSync(folder)).toEqual([])
    await Promise.all(heirs.map(ended))
  })
})

describe('of another user', () => {
  /** Permissions mean nothing to root: then the program runs as nobody. */
  const uid = process.getuid?.() === 0 ? 65534 : undefined

  test('is named in the error if it may not be read', async () => {
    const { folder, path } = ledgerFolder()
    makeLock(path)
    chmodSync(path, 0o000)
    const bundle = join(folder, 'bundle')
    const program = await bundled(bundle, 'io/files/lock.ts', { name: 'lock', program: TAKER })
    for (const name of [folder, join(folder, '..')]) chmodSync(name, 0o555)
    const ran = spawnSync(process.execPath, [program, path], { uid, encoding: 'utf8' })
    // Otherwise only root could remove it.
    for (const name of [folder, join(folder, '..'), path]) chmodSync(name, 0o755)
    expect(ran.stderr).toBe('')
    expect(ran.stdout).toMatch(/^LOCKED \S+\.synth\.lock was left by another user, .*\(EACCES\)$/)
  })
})

const TAKER = `import { withLock } from './lock.mjs'
  const say = ({ code, message }) => process.stdout.write(code + ' ' + message)
  withLock(process.argv[2], async () => {}, 0).catch(say)`
