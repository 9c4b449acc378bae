/** The user's own commands that receive a text and answer with one. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { processInfo } from '../../../src/io/process/process-table.ts'
import { runFilter } from '../../../src/io/process/run-filter.ts'
import { Sandbox } from '../../support/git-repo.ts'

function run(command: string, input = 'digest', timeout = 20_000) {
  const { folder, env } = new Sandbox()
  return runFilter(command, input, { folder, env, timeout, maxOutput: 1000 })
}

test('passes the text to the command and returns its answer', async () => {
  expect(await run('tr a-z A-Z')).toEqual({ text: 'DIGEST' })
  expect(await run('wc -c', 'x'.repeat(200_000))).toEqual({ text: expect.stringMatching(/200000/) })
})

test('accepts the answer of a command that reads nothing', async () => {
  expect(await run('echo done', 'x'.repeat(200_000))).toEqual({ text: 'done\n' })
})

test.each([
  ['exit 3', 'ended with status 3'],
  ['kill -9 $$', 'ended with SIGKILL'],
  ['no-such-program-at-all', 'ended with status 127'],
  ['yes', 'said more than 1000 bytes'],
])('reports the failure of: %s', async (command, failed) => {
  expect(await run(command)).toEqual({ failed })
})

/** Waits up to a second until the processes that a command lists in a file are gone. */
async function areGone(file: string): Promise<boolean> {
  const pids = readFileSync(file, 'utf8').trim().split('\n').map(Number)
  expect(pids.every((pid) => pid > 1)).toBe(true)
  const isAlive = (pid: number) => processInfo(pid)?.isZombie === false
  for (let i = 0; i < 50 && pids.some(isAlive); i++) {
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return !pids.some(isAlive)
}

test('ends a command that never ends, with everything it started', async () => {
  const { folder, env } = new Sandbox()
  const file = join(folder, 'pids')
  const command = `sleep 600 & echo $! >'${file}'; echo $$ >>'${file}'; wait`
  expect(await runFilter(command, '', { folder, env, timeout: 1000 })).toEqual({
    failed: 'took longer than 1000 ms',
  })
  expect(await areGone(file)).toBe(true)
})

test('ends what a command leaves behind, without waiting for it', async () => {
  const { folder, env } = new Sandbox()
  const file = join(folder, 'pids')
  const command = `sleep 600 & echo $! >'${file}'; echo done`
  expect(await runFilter(command, '', { folder, env, timeout: 60_000 })).toEqual({ text: 'done\n' })
  expect(await areGone(file)).toBe(true)
})
