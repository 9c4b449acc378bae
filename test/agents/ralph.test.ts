/**
 * A loop around Claude Code itself, offline: its context fills up, its hooks report it, it hands over with the command,
 * and the next process continues from there with an empty context.
 */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { CLI } from '../support/git-repo.ts'
import { startModel } from './model.ts'
import { connected } from './play.ts'
import { isNotHere, PROGRAMS } from './programs.ts'

const { file, configure, words, write, shell } = PROGRAMS.claude
const TASK = '# Task: Sign in\n\nBuild it in parts.\n'
const NODE = `"${process.execPath}" "${CLI}"`

test.skipIf(isNotHere('claude'))('each iteration continues where the last one ended', async () => {
  const repo = connected('claude')
  repo.ledger('install', '--agent', 'claude', '--context')
  repo.commit('chore: follow the context', { 'PROMPT.md': TASK })
  const part = (n: number) => write(join(repo.folder, `part${n}.txt`), `${n}\n`)
  const full = { usage: { input: 143_000 } }
  const model = await startModel([
    { text: 'I write part 1.', tools: [part(1)], usage: { input: 40_000 } },
    { text: 'Part 1 is there.', usage: { input: 41_000 } },
    { text: 'I write part 2.', tools: [part(2)], ...full },
    {
      tools: [shell(`${NODE} context checkpoint --now "wire part 2" --next "test part 2"`)],
      ...full,
    },
    { text: 'Handed over.', ...full },
    { text: 'Part 2 is tested.', tools: [part(3)], usage: { input: 20_000 } },
    { text: 'All is done.\n<promise>DONE</promise>', usage: { input: 21_000 } },
  ])
  const { folder, sandbox } = repo
  const place = {
    home: join(sandbox.folder, 'home'),
    folder,
    port: model.port,
    record: 'cat >/dev/null',
  }
  const child = spawn(
    process.execPath,
    [CLI, 'ralph', 'run', '--json', '--max', '5', '--', file, ...words(place), '-p'],
    { cwd: folder, env: { ...sandbox.env, ...configure(place) }, timeout: 150_000 },
  )
  onTestFinished(() => void child.kill('SIGTERM'))
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
  const [status] = (await once(child, 'close')) as [number | null]
  expect(status, stderr).toBe(0)
  expect(JSON.parse(stdout)).toEqual({
    ending: 'promise',
    promise: 'DONE',
    iterations: [
      { iteration: 1, peak_percent: 20, checkpoint: false },
      { iteration: 2, peak_percent: 71, checkpoint: true },
      { iteration: 3, peak_percent: 10, checkpoint: false },
    ],
  })

  // What the model was given: the message of its hook, then an empty context that says where to continue.
  const asked = model.requests.filter((body) => body.includes('Build it in parts.'))
  const told = asked.findIndex((body) => body.includes('71% · L2'))
  expect(told).toBeGreaterThan(0)
  const next = asked.findIndex((body) => body.includes('DO NOT restart the task from scratch'))
  expect(next).toBeGreaterThan(told)
  expect(asked[next]).toContain('wire part 2')
  expect(asked[next]).not.toContain('I write part 2.')
  const handoff = /\.claude\/handoffs\/[\w.-]+\.md/.exec(asked[next] ?? '')?.[0] ?? ''
  expect(repo.read(handoff)).toContain('test part 2')

  expect(repo.read('PROMPT.md')).toBe(TASK)
  expect(repo.git('log', '--format=%s')).toContain('ralph: checkpoint iter 2 (L2 at 71%)')
})
