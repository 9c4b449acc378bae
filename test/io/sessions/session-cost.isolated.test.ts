/** The cost that finished sessions add to a commit: none. */

import type * as Fs from 'node:fs'
import { readFileSync } from 'node:fs'
import { beforeEach, expect, test, vi } from 'vitest'
import { FileSessionStore } from '../../../src/io/sessions/session-store.ts'
import { fresh } from '../../core/session/sessions.ts'
import { Sandbox } from '../../support/git-repo.ts'

const read = vi.hoisted(() => ({ paths: [] as string[] }))

vi.mock('node:fs', async (original) => {
  const real = await original<typeof Fs>()
  const seen = <T extends (...args: never[]) => unknown>(action: T) =>
    ((...args: Parameters<T>) => {
      read.paths.push(String(args[0]))
      return action(...args)
    }) as T
  const { readFileSync, lstatSync, statSync, openSync } = real
  return {
    ...real,
    readFileSync: seen(readFileSync),
    lstatSync: seen(lstatSync as never),
    statSync: seen(statSync as never),
    openSync: seen(openSync),
  }
})

beforeEach(() => void (read.paths = []))

test('listOpen reads no states of 200 finished sessions', async () => {
  const store = new FileSessionStore(new Sandbox().folder)
  const save = (id: string, phase: 'active' | 'ended') => {
    const state = fresh({ id, phase, isCondensed: phase === 'ended' })
    return store.change(id, async () => ({ state, result: undefined }))
  }
  for (let i = 0; i < 200; i++) await save(`over-${i}`, 'ended')
  await save('open-1', 'active')
  read.paths = []
  expect(store.listOpen().map(({ id }) => id)).toEqual(['open-1'])
  const files = read.paths.filter((path) => path.endsWith('.json'))
  expect(files.filter((path) => path.includes('over-'))).toEqual([])
  expect(files.length).toBeGreaterThan(0)
  // The counter itself works.
  read.paths = []
  store.list()
  expect(read.paths.filter((path) => path.includes('over-')).length).toBeGreaterThanOrEqual(200)
  expect(() => readFileSync('/nowhere')).toThrow('ENOENT')
})
