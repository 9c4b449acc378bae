/** The process of an iteration: its input, how it ends, and what it leaves running. */

import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { AgentCommand } from '../../../src/io/process/run-agent.ts'
import { runAgent } from '../../../src/io/process/run-agent.ts'

/** Everything that it prints is shown there. */
beforeAll(() => void vi.spyOn(process.stderr, 'write').mockReturnValue(true))
afterAll(() => vi.restoreAllMocks())

const folder = mkdtempSync(join(tmpdir(), 'run-agent-'))
const file = (name: string) => join(folder, name)
const isAlive = (name: string) => {
  try {
    return process.kill(Number(readFileSync(file(name), 'utf8')), 0)
  } catch {
    return false
  }
}

const run = (script: string, more: Partial<AgentCommand> = {}) =>
  runAgent({
    words: ['sh', '-c', script],
    folder,
    env: process.env,
    input: 'the task\n',
    timeLimit: undefined,
    ...more,
  })

test('gives the prompt to the command and returns its status and output, shortened in the middle', async () => {
  expect(await run('cat; exit 3')).toEqual({
    status: 3,
    output: 'the task\n',
    isInterrupted: false,
    isLate: false,
  })
  const long = await run('yes a line of words | head -c 1300000; echo; echo last')
  expect(long.output.length).toBeLessThan(1_200_000)
  expect(long.output).toMatch(/^a line of words\n/)
  expect(long.output).toMatch(/\nlast\n$/)
})

test('returns no status for a missing command', async () => {
  expect(await run('', { words: ['no-such-program'] })).toMatchObject({ status: undefined })
})

test('does not wait for what the command leaves running with its output open', async () => {
  expect(await run('sleep 20 & echo $! >server; echo done')).toMatchObject({
    status: 0,
    output: 'done\n',
  })
  expect(isAlive('server')).toBe(true)
  process.kill(Number(readFileSync(file('server'), 'utf8')))
})

test('ends a command that takes too long, with everything it started', async () => {
  const script = 'trap "" TERM; sleep 20 & echo $! >late; wait'
  const answer = await run(`(${script}) & wait`, { timeLimit: 300 })
  expect(answer).toMatchObject({ isLate: true, isInterrupted: false })
  await vi.waitFor(() => expect(isAlive('late')).toBe(false), 5000)
})

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('passes %s on', async (signal) => {
  const before = process.listenerCount(signal)
  const script = `trap "echo cleaned; exit 7" ${signal.slice(3)}; : >${signal}; while :; do sleep 0.05; done`
  const running = run(script)
  await vi.waitFor(() => expect(existsSync(file(signal))).toBe(true), 5000)
  process.emit(signal, signal)
  expect(await running).toMatchObject({ status: 7, output: 'cleaned\n', isInterrupted: true })
  expect(process.listenerCount(signal)).toBe(before)
})

test('kills a command that ignores a signal when the signal comes twice', async () => {
  const running = run('trap "" INT; : >deaf; while :; do sleep 0.05; done')
  await vi.waitFor(() => expect(existsSync(file('deaf'))).toBe(true), 5000)
  process.emit('SIGINT', 'SIGINT')
  process.emit('SIGINT', 'SIGINT')
  expect(await running).toMatchObject({ status: 137, isInterrupted: true })
})
