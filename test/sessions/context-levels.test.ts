/** A session that fills its context step by step, with the hooks and the status line as installed. */

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { builtFrom } from '../support/built-from.ts'
import type { Repo } from '../support/git-repo.ts'
import { IS_LONG, longTest } from '../support/long.ts'
import { json } from '../cli/words.ts'
import { ClaudeProgram } from './claude-program.ts'
import { scene } from './commit-scene.ts'
import { countStarts } from './count-starts.ts'

builtFrom(() => import('../../src/entry/agent-hook.ts'))

/** Where the program compacts a window of 200,000 tokens. */
const LIMIT = 167_000
const at = (percent: number, limit = LIMIT) => Math.ceil((limit * percent) / 100)

function installed(settings = ''): Repo {
  const { repo } = scene()
  if (settings !== '') repo.write('.ledger-git.yaml', settings)
  repo.ledger('install', '--agent', 'claude', '--context')
  return repo
}

const documents = (repo: Repo) => {
  const folder = join(repo.folder, '.claude/handoffs')
  return existsSync(folder) ? readdirSync(folder).length : 0
}

test('reports each level from an empty context to a full one, and again after a compaction', async () => {
  const repo = installed()
  const claude = new ClaudeProgram(repo, 'session-a')
  const starts = countStarts(repo)
  await claude.begin()
  await claude.prompt('Read everything, then write the docs')
  starts()

  // Tools that only read are followed, but below the next level they start no Node.
  expect((await claude.use(at(60))).context).toBe('')
  expect(starts()).toBe(1)
  expect((await claude.use(at(60) + 50)).context).toBe('')
  expect(starts()).toBe(0)
  expect((await claude.use(at(70) - 1)).context).toBe('')
  starts()
  expect((await claude.use(at(70))).context).toContain('Context at 58% · L1, 70% of the limit')
  expect(starts()).toBe(1)
  // However short a response is in bytes, the token count it reports is what counts.
  expect((await claude.use(at(84), 'Grep', true)).context).toBe('')
  expect(starts()).toBe(0)
  const told = (await claude.use(at(85), 'mcp__files__read', true)).context
  expect(told).toContain('L2, 85% of the limit - Initiating checkpoint sequence')
  expect(documents(repo)).toBe(0)

  // The stop is blocked once; the second stop writes the checkpoint.
  expect((await claude.stop()).block).toContain('L2')
  expect(documents(repo)).toBe(0)
  expect((await claude.stop(true)).block).toBe('')
  expect(documents(repo)).toBe(1)
  const [last] = readdirSync(join(repo.folder, '.claude/handoffs'))
  expect(repo.read(`.claude/handoffs/${last}`)).toContain('checkpoint_trigger: L2')

  expect((await claude.use(at(95) - 1)).context).toBe('')
  expect((await claude.use(at(95))).context).toContain('Emergency checkpoint!')
  expect(documents(repo)).toBe(2)
  const resumed = await claude.compact(8000)
  expect(documents(repo)).toBe(2)
  expect(resumed.context).toContain('Context Checkpoint')

  // The levels start again.
  expect((await claude.use(at(20))).context).toBe('')
  expect((await claude.use(at(71))).context).toContain('L1')
  const state = json<Record<string, unknown>>(repo, 'context', 'status', '--session', 'session-a')
  expect(state).toMatchObject({ currentLevel: 'L1', limitPercent: 71, contextWindow: 200_000 })
  expect(JSON.parse(repo.read('.claude/checkpoint-state.json'))).toMatchObject({
    sessionId: 'session-a',
    currentLevel: 'L1',
  })
})

longTest('the status line is stored first and printed below the user’s own line', () => {
  const repo = installed()
  const claude = new ClaudeProgram(repo, 'session-a')
  const about = { context_window_size: 200_000, used_percentage: 72 }
  const usage = { current_usage: { input_tokens: at(86) } }
  const store = join(repo.folder, '.git/ledger-git/context/session-a.status')
  expect(claude.statusLine({ ...about, ...usage }).stdout).toBe(
    '[CTX: ███████░░░ 72% ⚠️ L2] [CKPT: Ready]\n',
  )
  expect(readFileSync(store, 'utf8')).toContain('"used_percentage":72')

  const user = (command: string) =>
    repo.write(
      '../home/.claude/settings.json',
      JSON.stringify({ statusLine: { type: 'command', command } }),
    )
  const lines = () => claude.statusLine({ ...about, used_percentage: null }).stdout.split('\n')
  user('cat | grep -o session-a')
  expect(lines()).toEqual(['session-a', '[CTX: ░░░░░░░░░░ ?]', ''])
  // A command that hangs is ended; its last output stays.
  user('sleep 60')
  expect(lines()[0]).toBe('session-a')

  // Even without Node the input is stored.
  const launch = join(repo.folder, '.git/ledger-git/launch')
  writeFileSync(launch, `/nowhere/node\n/nowhere/main.js\n`)
  claude.env = { PATH: '/usr/bin:/bin', HOME: '/nowhere' }
  const ran = claude.statusLine({ ...about, used_percentage: 73 })
  expect(ran.status).toBe(0)
  expect(readFileSync(store, 'utf8')).toContain('"used_percentage":73')
})

/** Where the program compacts, depending on what a person set (docs/context.md). */
const LIMITS: readonly [string, { env?: object; model?: string; settings?: string }, number][] = [
  [
    'CLAUDE_CODE_AUTO_COMPACT_WINDOW',
    { env: { CLAUDE_CODE_AUTO_COMPACT_WINDOW: '150000' } },
    117_000,
  ],
  ['CLAUDE_AUTOCOMPACT_PCT_OVERRIDE', { env: { CLAUDE_AUTOCOMPACT_PCT_OVERRIDE: '60' } }, 108_000],
  ['DISABLE_AUTO_COMPACT', { env: { DISABLE_AUTO_COMPACT: '1' } }, 177_000],
  ['a window of 1M', { model: 'claude-sonnet-5' }, 967_000],
  ['a window of 1M in the model’s name', { model: 'claude-opus-4-6[1m]' }, 967_000],
  [
    'a window of 1M and a percentage',
    { model: 'claude-sonnet-5', env: { CLAUDE_AUTOCOMPACT_PCT_OVERRIDE: '40' } },
    392_000,
  ],
  ['context.limit', { settings: 'context.limit: 50000\n' }, 50_000],
]

describe.runIf(IS_LONG)('context levels', () => {
  test.each(LIMITS)('follow %s', async (_, { env = {}, model, settings }, limit) => {
    const repo = installed(settings)
    const claude = new ClaudeProgram(repo, 'session-a', model)
    claude.env = { ...env }
    await claude.prompt('Read it')
    const texts = [69, 70, 84, 85, 94, 95].map((percent) => at(percent, limit))
    const heard: string[] = []
    for (const tokens of texts) {
      heard.push(/L\d, \d+%/.exec((await claude.use(tokens)).context)?.[0] ?? '')
    }
    expect(heard).toEqual(['', 'L1, 70%', '', 'L2, 85%', '', 'L3, 95%'])
  })

  test('can be configured, and are unknown for a model whose window is unknown', async () => {
    const repo = installed('context.levels: [20, 30, 40]\n')
    const claude = new ClaudeProgram(repo, 'session-a')
    await claude.prompt('Read it')
    expect((await claude.use(at(19))).context).toBe('')
    expect((await claude.use(at(30))).context).toContain('L2, 30%')
    const other = new ClaudeProgram(repo, 'session-b', 'some-model')
    await other.prompt('Read it')
    expect((await other.use(190_000)).context).toBe('')
    expect(json(repo, 'context', 'status', '--session', 'session-b')).toMatchObject({
      currentLevel: 'unknown',
      contextPercent: null,
    })
  })
})
