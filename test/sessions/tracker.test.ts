/**
 * The built tool and a tracker on the loopback address: who sends to it, when, and what is left when the tracker
 * misbehaves.
 */

import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { runCommand as Run } from '../../src/entry/command-line.ts'
import { builtFrom } from '../support/built-from.ts'
import type { Ran, Repo } from '../support/git-repo.ts'
import { CLI } from '../support/git-repo.ts'
import type { LinearServer } from '../support/linear-server.ts'
import { linearServer } from '../support/linear-server.ts'
import { longTest } from '../support/long.ts'
import { json } from '../cli/words.ts'
import type { Agent } from './agent.ts'
import { scene } from './commit-scene.ts'

builtFrom(
  () => import('../../src/cli/context/tracker.ts'),
  () => import('../../src/io/tracker/tracker-context.ts'),
)

const KEY = 'lin_api_0123456789abcdefghijABCDEFGHIJ0123456789'

interface Setting {
  readonly repo: Repo
  readonly agent: Agent
  readonly linear: LinearServer
}

async function setUp(): Promise<Setting> {
  const { repo, agent } = scene()
  const linear = await linearServer()
  repo.git('switch', '-qc', 'jo/anv-1-login')
  repo.git('config', 'ledger.tracker', 'linear')
  repo.git('config', 'ledger.trackerTeams', 'ANV')
  repo.git('config', 'ledger.trackerState', 'Paused')
  repo.sandbox.env['LEDGER_LINEAR_ENDPOINT'] = linear.endpoint
  return { repo, agent, linear }
}

const { runCommand } = createRequire(import.meta.url)('../../dist/command-line.js') as {
  runCommand: typeof Run
}

/** Runs in this process, which also answers as the server, so nothing may block it. */
async function run(
  { repo }: Setting,
  words: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<Ran> {
  let [stdout, stderr] = ['', '']
  const status = await runCommand(words, {
    cwd: repo.folder,
    env: { ...repo.sandbox.env, ...env },
    isStdoutTty: false,
    canAsk: false,
    stdin: async () => '',
    stdout: (text) => void (stdout += text),
    stderr: (text) => void (stderr += text),
  })
  return { status, stdout, stderr }
}

/** Written by somebody without a key: nothing is sent. */
function putIn({ repo }: Setting, ...words: string[]): void {
  for (const now of words) repo.ledger('context', 'checkpoint', '--now', now)
}

interface Flush {
  readonly status: number
  readonly sent: { readonly kind: string }[]
  readonly failed: { readonly why: string }[]
  readonly stopped: { readonly kind: string } | null
  readonly stderr: string
}

async function flush(
  setting: Setting,
  env: NodeJS.ProcessEnv = { LINEAR_API_KEY: KEY },
): Promise<Flush> {
  const { status, stdout, stderr } = await run(setting, ['tracker', 'flush', '--json'], env)
  return { ...(JSON.parse(stdout) as Omit<Flush, 'status' | 'stderr'>), status, stderr }
}

const bodies = ({ linear }: Setting) => linear.comments.map(({ body }) => String(body))

async function until(isSo: () => boolean): Promise<void> {
  for (let i = 0; i < 1000; i++) {
    if (isSo()) return
    await setTimeout(20)
  }
  throw new Error('it never came')
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile())
}

/** The command lines of all processes, as everybody on this machine can read them. */
function commandLines(): string {
  if (!existsSync('/proc/self/cmdline')) return ''
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
      } catch {
        return ''
      }
    })
    .join('\n')
}

test('a separate process reports a session’s checkpoint, and the key appears nowhere', async () => {
  const setting = await setUp()
  const { repo, agent, linear } = setting
  repo.sandbox.env['LINEAR_API_KEY'] = KEY
  const seen: string[] = []
  linear.onAsked = () => void seen.push(commandLines())
  await agent.start()
  await agent.prompt('Add a login form')
  const command = `"${process.execPath}" "${CLI}" context checkpoint --now "wire the form"`
  const { stdout, stderr } = await agent.bash(command)
  expect(stdout).toContain('\nthe tracker is told: ANV-1\n')
  await until(() => linear.comments.length === 1)
  const [body] = bodies(setting)
  expect(body).toContain('- wire the form')
  expect(body).toMatch(/Handoff: `\.claude\/handoffs\/.+\.md`/)
  expect(linear.invalid).toEqual([])
  expect([...linear.keys]).toEqual([KEY])

  // The remaining item waits for a push of the handoff; the issue's state is known from now on.
  const outbox = join(repo.folder, '.git/ledger-git/outbox')
  await until(() => existsSync(join(outbox, 'issues.json')))
  expect(json(repo, 'tracker', 'status')).toMatchObject({
    items: [{ kind: 'link' }],
    issues: [{ issue: 'ANV-1', state: 'Paused' }],
  })
  const orient = repo.ledger('context', 'orient')
  expect(orient).toMatch(/\nIssue ANV-1: Paused \(in the tracker, 20.*Z\)\n/)
  await agent.compact('manual')
  const { hookSpecificOutput } = (await agent.start('compact')) as {
    hookSpecificOutput?: { additionalContext?: string }
  }
  expect(hookSpecificOutput?.additionalContext).toContain('Issue ANV-1: Paused')

  // The key is in no file, on no command line and in no message.
  const holding = filesBelow(repo.sandbox.folder).filter((path) => readFileSync(path).includes(KEY))
  expect(holding).toEqual([])
  expect(seen.length).toBeGreaterThan(3)
  expect(seen.join('\n')).not.toContain(KEY)
  expect(stdout + stderr + orient).not.toContain(KEY)
  expect(readFileSync(join(repo.folder, '.git/ledger-git/log/sessions.log'), 'utf8')).toMatch(
    /tracker: ANV-1 checkpoint [0-9a-f-]{36}: told\n/,
  )
})

longTest('flush reports each checkpoint once and in order, whatever the tracker does', async () => {
  const setting = await setUp()
  const { linear } = setting
  putIn(setting, 'first', 'second')

  expect(await flush(setting, {})).toMatchObject({ status: 1, stopped: { kind: 'no-key' } })
  // Nobody listens there.
  const nowhere = (await linearServer({ isClosed: true })).endpoint
  expect(
    await flush(setting, { LINEAR_API_KEY: KEY, LEDGER_LINEAR_ENDPOINT: nowhere }),
  ).toMatchObject({
    status: 1,
    sent: [],
    failed: [{ why: 'no connection (ECONNREFUSED)' }],
  })
  expect(linear.asked).toEqual([])

  const refusal = '{"errors":[{"message":"no","extensions":{"type":"authentication error"}}]}'
  linear.moods = [{ status: 401, body: refusal }]
  expect(await flush(setting)).toMatchObject({ status: 1, stopped: { kind: 'refused' } })
  linear.moods = [{ status: 502, body: '<html>Bad Gateway</html>' }]
  expect(await flush(setting)).toMatchObject({ status: 1, sent: [] })
  // The comment exists, but the answer was lost.
  linear.moods = ['well', 'well', 'well', 'well', 'lost']
  expect(await flush(setting)).toMatchObject({ status: 1, sent: [] })
  expect(linear.comments).toHaveLength(1)

  linear.moods = [{ status: 429, headers: { 'retry-after': '3600' } }]
  expect(await flush(setting)).toMatchObject({ status: 1, stopped: { kind: 'paused' } })
  const asked = linear.asked.length
  expect(await flush(setting)).toMatchObject({ status: 1, stopped: { kind: 'paused' } })
  expect(linear.asked).toHaveLength(asked)
  rmSync(join(setting.repo.folder, '.git/ledger-git/outbox/state.json'))

  const both = await Promise.all([flush(setting), flush(setting)])
  expect(both.flatMap(({ sent }) => sent.map(({ kind }) => kind))).toEqual([
    'checkpoint',
    'checkpoint',
  ])
  expect(bodies(setting).map((body) => /first|second/.exec(body)?.[0])).toEqual(['first', 'second'])
})

longTest('the next session sends what is still waiting', async () => {
  const setting = await setUp()
  const { repo, agent, linear } = setting
  putIn(setting, 'later')
  repo.sandbox.env['LINEAR_API_KEY'] = KEY
  await agent.start()
  await until(() => linear.comments.length === 1)
  expect(bodies(setting)[0]).toContain('later')
})

longTest(
  'parts of a plan become sub-issues once, and a comment on their parent counts those done',
  async () => {
    const setting = await setUp()
    const { repo, linear } = setting
    const plan = (box: string) =>
      `# Plan\n\n## Phase 1: Model\n\n- [${box}] T001 the model\n\n## Phase 2: Page\n\n- [ ] T002 the page\n`
    const told = async (box: string) => {
      repo.write('tasks.md', plan(box))
      repo.ledger('context', 'shard', 'tasks.md', '--into', '2', '--issues')
      expect(await flush(setting)).toMatchObject({ status: 0, failed: [], stopped: null })
      return linear.children.map(({ title }) => title)
    }
    const titles = await told(' ')
    expect(titles).toHaveLength(2)
    expect(bodies(setting)).toEqual([expect.stringContaining('`tasks.md`: 0 of 2 parts done')])
    expect(await told('x')).toEqual(titles)
    expect(bodies(setting)).toEqual([expect.stringContaining('`tasks.md`: 1 of 2 parts done')])
  },
)

test('a file that a commit can change sets no tracker and no address', async () => {
  const setting = await setUp()
  const { repo, linear } = setting
  putIn(setting, 'ours')
  delete repo.sandbox.env['LEDGER_LINEAR_ENDPOINT']
  repo.write('tools.inc', `[ledger]\n\tlinearEndpoint = ${linear.endpoint}\n`)
  repo.git('config', 'include.path', '../tools.inc')
  const { status, stdout, stderr } = await run(setting, ['tracker', 'flush'], {
    LINEAR_API_KEY: KEY,
  })
  expect({ status, stdout, asked: linear.asked }).toEqual({ status: 1, stdout: '', asked: [] })
  expect(stderr).toMatch(
    /^ledger-git: ledger\.linearEndpoint is not used: it is set in .*tools\.inc, which a commit can change\n {2}next: /,
  )
  expect(json(repo, 'tracker', 'status')).toMatchObject({ tracker: null, endpoint: null })
})
