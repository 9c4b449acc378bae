/** `dashboard`, as people start it: the link, the data behind it, how it ends, and the export to one file. */

import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { existsSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Fleet } from '../../src/core/fleet/fleet.ts'
import { builtFrom } from '../support/built-from.ts'
import type { Repo } from '../support/git-repo.ts'
import { CLI, Sandbox } from '../support/git-repo.ts'
import { longTest } from '../support/long.ts'

builtFrom(
  () => import('../../src/cli/fleet/dashboard.ts'),
  () => import('../../src/entry/gather-fleet.ts'),
)

/** A repository with an event, and a worktree with another agent's pending event. */
function fleet(): { repo: Repo; side: Repo } {
  const repo = new Sandbox().init('shop').install()
  repo.event('--agent', 'claude', '--now', 'moves totals to cents', '--decision', 'money=cents')
  repo.commit('feat: cents')
  repo.git('worktree', 'add', '-q', '-b', 'feat/search', '../shop-search')
  const side = repo.sandbox.at(join(repo.sandbox.folder, 'shop-search'))
  side.event(
    '--agent',
    'codex',
    '--now',
    `indexes ${repo.folder}/src`,
    '--decision',
    'money=floats',
  )
  return { repo, side }
}

interface Running {
  readonly child: ChildProcess
  readonly url: URL
  readonly said: { stdout: string; stderr: string }
  readonly ended: Promise<number | string | null>
  json<T = Fleet>(path: string): Promise<T>
}

function start(repo: Repo, ...words: string[]): Promise<Running> {
  return startWith(repo.sandbox.env, repo, ...words)
}

async function startWith(
  env: NodeJS.ProcessEnv,
  { folder }: Repo,
  ...words: string[]
): Promise<Running> {
  const child = spawn(process.execPath, [CLI, 'dashboard', ...words], { cwd: folder, env })
  onTestFinished(() => void child.kill('SIGKILL'))
  const said = { stdout: '', stderr: '' }
  child.stdout.on('data', (part) => (said.stdout += String(part)))
  child.stderr.on('data', (part) => (said.stderr += String(part)))
  const ended = new Promise<number | string | null>((resolve) =>
    child.on('exit', (status, signal) => resolve(status ?? signal)),
  )
  await expect.poll(() => said.stderr + said.stdout).toContain('until Ctrl-C')
  const url = new URL(said.stdout.trim())
  const token = url.hash.replace('#t=', '')
  return {
    child,
    url,
    said,
    ended,
    json: async <T>(path: string) => {
      const headers = { authorization: `Bearer ${token}` }
      return (await (await fetch(new URL(path, url), { headers })).json()) as T
    },
  }
}

test('prints only its link, serves what fleet --json says, and ends at once', async () => {
  const { repo } = fleet()
  const { child, url, said, ended, json } = await start(repo)
  expect(said.stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#t=[0-9a-f]{32}\n$/)
  expect(said.stderr).toContain('Open the link yourself')
  expect((await fetch(new URL('/api/fleet', url))).status).toBe(401)
  expect(await (await fetch(url)).text()).not.toContain('cents')
  const served = await json('/api/fleet')
  const printed = JSON.parse(repo.ledger('fleet', '--json')) as Fleet
  const known = ({ worktrees, branches, decisions_differ, timeline, open_questions }: Fleet) => ({
    paths: worktrees.map(({ path, agents }) => [
      path,
      agents.map(({ agent, now }) => [agent, now]),
    ]),
    branches,
    decisions_differ,
    timeline,
    open_questions,
  })
  expect(known(served)).toEqual(known(printed))
  expect(served.decisions_differ.map(({ key }) => key)).toEqual(['money'])
  const then = await json('/api/fleet?at=2000-01-01T00:00Z')
  expect([then.at, then.timeline]).toEqual(['2000-01-01T00:00:00Z', []])
  expect((await json('/api/fleet?at=HEAD')).timeline).toHaveLength(1)
  // The connection is still open: a server that waited for its end would wait forever.
  child.kill('SIGINT')
  expect(await ended).toBe(130)
})

longTest('answers page, pulse and Ctrl-C while it waits for git', async () => {
  const { repo } = fleet()
  const { sandbox } = repo
  const path = String(sandbox.env['PATH'])
  const slow = sandbox.at(join(sandbox.folder, 'slow'))
  const gate = 'while [ -e "$0.hold" ]; do : >"$0.waits"; sleep 0.02; done'
  slow.write('git', `#!/bin/sh\n${gate}\nPATH='${path}' exec git "$@"\n`)
  slow.run('chmod', ['+x', 'git'])
  const { child, url, ended, json } = await startWith(
    { ...sandbox.env, PATH: `${slow.folder}:${path}` },
    repo,
  )
  const holdGit = async (question: string) => {
    slow.write('git.hold', '')
    const answer = json(question)
    answer.catch(() => {})
    await expect.poll(() => existsSync(join(slow.folder, 'git.waits'))).toBe(true)
    return { promise: answer }
  }
  const order: string[] = []
  const { promise } = await holdGit('/api/fleet')
  const asked = promise.then(({ worktrees }) => order.push(`${worktrees.length} worktrees`))
  expect((await fetch(url)).status).toBe(200)
  expect(await json('/api/pulse')).toMatchObject({ version: expect.stringMatching(/-0$/) })
  order.push('the others')
  rmSync(join(slow.folder, 'git.hold'))
  await asked
  expect(order).toEqual(['the others', '2 worktrees'])
  rmSync(join(slow.folder, 'git.waits'))
  await holdGit('/api/fleet?at=2h')
  child.kill('SIGINT')
  expect(await ended).toBe(130)
  rmSync(join(slow.folder, 'git.hold'))
})

describe('refuses', () => {
  test.each([
    [['--port', 'http'], 2, '--port http: expected a number from 0 to 65535'],
    [['--port', '65536'], 2, 'expected a number'],
    [['--export', ''], 2, '--export needs a file'],
    [['--export', 'x.html', '--port', '1'], 2, 'mutually exclusive'],
    [['--force'], 2, '--force only applies to --export'],
    [['--export', 'a/b/x.html'], 3, 'there is no folder a/b\n  next: mkdir -p a/b'],
    [['--export', 'home'], 3, 'home already exists and is not a file'],
  ])('%j with %d', (words, status, message) => {
    const repo = new Sandbox().init()
    repo.write('home/x', '')
    const ran = repo.tryLedger('dashboard', ...words)
    expect([ran.status, ran.stdout]).toEqual([status, ''])
    expect(ran.stderr).toContain(message)
    expect(repo.exists('a')).toBe(false)
  })

  test('to run outside a repository', () => {
    const sandbox = new Sandbox()
    const ran = sandbox.at(sandbox.folder).tryLedger('dashboard', '--export', 'x.html')
    expect([ran.status, ran.stdout]).toEqual([3, ''])
  })
})

test('exports the fleet to one file without paths, people and sessions', () => {
  const { repo } = fleet()
  repo.event('--now', 'asked ada@example.com')
  const ran = repo.tryLedger('dashboard', '--export', 'out/fleet.html')
  expect([ran.status, ran.stdout]).toEqual([0, 'out/fleet.html\n'])
  const html = repo.read('out/fleet.html')
  expect(html).not.toContain(repo.sandbox.folder)
  expect(html).not.toMatch(/"Ada"|ada@example/)
  expect(html).toContain('"somebody"')
  expect(html).toContain('indexes shop/src')
  expect(statSync(join(repo.folder, 'out/fleet.html')).size).toBeLessThan(120_000)
  const json = JSON.parse(
    repo.ledger('dashboard', '--export', 'out/fleet.html', '--json'),
  ) as unknown
  expect(json).toEqual({ file: join(repo.folder, 'out/fleet.html'), bytes: expect.any(Number) })
  repo.write('notes.html', '<!doctype html>\n<p>my own notes')
  expect(repo.tryLedger('dashboard', '--export', 'notes.html').status).toBe(3)
  expect(repo.read('notes.html')).toContain('my own notes')
  repo.ledger('dashboard', '--export', 'notes.html', '--force')
  expect(repo.read('notes.html').includes('my own notes')).toBe(false)
})

longTest("a second server does not get the first one's port", async () => {
  const { repo } = fleet()
  const { url } = await start(repo, '--no-open')
  const ran = repo.runLedger('dashboard', '--port', url.port)
  expect(ran.status).toBe(3)
  expect(ran.stderr).toContain(`port ${url.port} of 127.0.0.1 is taken`)
})

longTest(
  'reports a removed worktree and repository, and reads them again when they are back',
  async () => {
    const { repo, side } = fleet()
    // Started in the worktree that is about to disappear.
    const { json } = await start(side)
    await json('/api/fleet')
    const failure = async () =>
      (await json<{ failure: { message: string } | null }>('/api/pulse')).failure?.message ?? ''
    const paths = async () => {
      await json('/api/pulse') // as a page does
      return (await json('/api/fleet')).worktrees.map(({ note }) => note)
    }
    renameSync(side.folder, `${side.folder}-away`)
    await expect.poll(paths).toEqual([null, expect.stringContaining('gone')])
    renameSync(repo.folder, `${repo.folder}-away`)
    await expect.poll(failure).not.toBe('')
    expect((await json('/api/fleet')).timeline).toHaveLength(1)
    renameSync(`${repo.folder}-away`, repo.folder)
    renameSync(`${side.folder}-away`, side.folder)
    await expect.poll(failure).toBe('')
    await expect.poll(async () => (await json('/api/fleet')).timeline.length).toBe(2)
  },
)

longTest(
  'shows a new event soon, does nothing without changes, and keeps its memory flat',
  async () => {
    const { repo } = fleet()
    const { json, child } = await start(repo)
    /** Megabytes used by the server and by the process that gathers for it. */
    const resident = () => {
      const lines = repo.run('ps', ['-axo', 'pid=,ppid=,rss=']).stdout.trim().split('\n')
      const processes = lines.map((line) => line.trim().split(/\s+/).map(Number))
      const ours = processes.filter(([pid, parent]) => [pid, parent].includes(child.pid))
      return ours.reduce((sum, [, , size = 0]) => sum + size, 0) / 1024
    }
    const sizes: number[] = []
    for (let i = 0; i < 24; i++) {
      repo.event('--agent', 'claude', '--now', `step ${i}`)
      const newest = async () => {
        await json('/api/pulse') // as a visible page does
        return (await json('/api/fleet')).timeline[0]?.summary ?? ''
      }
      await expect.poll(newest).toContain(`step ${i}`)
      if (i % 4 === 3) sizes.push(resident())
    }
    const version = async () => (await json<{ version: string }>('/api/pulse')).version
    const before = await version()
    await new Promise((resolve) => setTimeout(resolve, 3000))
    expect(await version()).toBe(before)
    expect(Math.max(...sizes.slice(-2))).toBeLessThan((sizes[1] ?? 0) + 40)
  },
)
