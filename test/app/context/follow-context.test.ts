/** Hooks follow how full a session's context is: on real git, in this process, with a clock that the test sets. */

import {
  existsSync,
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { deferLevels, lookAtContext } from '../../../src/app/context/look-at-context.ts'
import { noteTyped } from '../../../src/app/context/note-checkpoint.ts'
import { measureSessions } from '../../../src/app/estimate/measure-sessions.ts'
import { readSettings } from '../../../src/app/ledger/read-settings.ts'
import { longTest, sampleOf } from '../../support/long.ts'
import { Actor, MINUTE, Stage } from '../session/actors.ts'

let stage: Stage
let actor: Actor
let log: string

const home = () => join(stage.repo.folder, '.git', 'ledger-git', 'context')
const documents = () => {
  try {
    return readdirSync(join(stage.repo.folder, '.claude', 'handoffs'))
  } catch {
    return []
  }
}

/** Logs a response with this many tokens in the agent's context. The limit is 100,000. */
function respond(tokens: number, about: object = {}): void {
  const usage = { input_tokens: 10, cache_read_input_tokens: tokens - 10, output_tokens: 50 }
  const message = { id: `m${tokens}`, model: 'claude-sonnet-4-5', usage, content: [] }
  appendFileSync(log, `${JSON.stringify({ type: 'assistant', message, ...about })}\n`)
  stage.now += MINUTE
}

const tool = (about: object = {}) => actor.signal('tool_used', { transcript: log, ...about })
const stop = (mayAsk?: true) =>
  actor.signal('turn_end', { transcript: log, ...(mayAsk && { mayAsk }) })
const compact = () => actor.signal('before_compaction', { transcript: log })
const trackIssues = () => {
  stage.repo.git('switch', '-qc', 'jo/anv-7-login')
  stage.repo.git('config', 'ledger.tracker', 'linear')
  stage.repo.git('config', 'ledger.trackerTeams', 'ANV')
}
const state = () =>
  JSON.parse(
    readFileSync(join(stage.repo.folder, '.claude/checkpoint-state.json'), 'utf8'),
  ) as object

beforeEach(async () => {
  stage = new Stage({ '.ledger-git.yaml': 'context.limit: 100000\n', 'old.txt': 'old\n' })
  actor = new Actor(stage, 'one')
  log = join(stage.repo.sandbox.folder, 'log.jsonl')
  writeFileSync(log, '')
  await actor.prompt('Write it')
  mkdirSync(home(), { recursive: true })
  writeFileSync(join(home(), 'followed'), '')
})

test('reports each level once, reports a rise again, and saves a checkpoint in an emergency', async () => {
  respond(69_999)
  expect(await tool()).toEqual({})
  respond(70_000)
  expect((await tool()).context).toContain('L1, 70% of the limit')
  respond(80_000)
  expect(await tool()).toEqual({})
  respond(85_000)
  expect((await tool()).context).toContain('42% · L2, 85% of the limit')
  expect(documents()).toEqual([])
  respond(95_000)
  expect((await tool()).context).toContain('Emergency checkpoint!')
  expect(documents()).toHaveLength(1)
  expect(await tool()).toEqual({})
  expect(documents()).toHaveLength(1)
  // Compaction is never blocked. If nothing happened since the last checkpoint, that one is enough.
  const [emergency] = documents()
  await compact()
  expect(documents()).toEqual([emergency])
  respond(96_000)
  await compact()
  await compact()
  expect(documents()).toHaveLength(1)
  expect(documents()).not.toEqual([emergency])
  expect(state()).toMatchObject({
    sessionId: 'one',
    currentLevel: 'L3',
    contextPercent: 48,
    limitPercent: 96,
    contextTrend: 'increasing',
    lastCheckpoint: { reason: 'before compaction' },
    lastSample: { source: 'transcript' },
  })
})

test.each([
  ...sampleOf(['edited', 'staged', 'told to the tracker'], 3),
  'shown to another session',
])('a document that was %s is kept beside the one written before a compaction', async (what) => {
  if (what === 'told to the tracker') trackIssues()
  respond(95_000)
  await tool()
  const [name = ''] = documents()
  const path = join('.claude/handoffs', name)
  if (what === 'edited') stage.repo.write(path, `${stage.repo.read(path)}mine\n`)
  if (what === 'staged') stage.repo.git('add', '-f', path)
  if (what === 'shown to another session') {
    await new Actor(stage, 'two').prompt(`Go on from ${path}`)
  }
  await tool({ tool: { name: 'Bash', files: [], mayWrite: true, todos: undefined } })
  await compact()
  expect(documents()).toHaveLength(2)
  expect(documents()).toContain(name)
})

test('asks once at a stop at L2, then writes the checkpoint itself', async () => {
  respond(86_000)
  expect((await stop(true)).ask).toContain('Initiating checkpoint sequence')
  expect(documents()).toEqual([])
  expect((await stop()).ask).toBeUndefined()
  expect(documents()).toHaveLength(1)
  await actor.prompt('Go on')
  expect((await stop(true)).ask).toBeUndefined()
  expect(documents()).toHaveLength(1)
})

test('at a stop, uses a status line sample that the log does not have yet', async () => {
  respond(60_000)
  await tool()
  const about = { context_window_size: 1_000_000, current_usage: { input_tokens: 88_000 } }
  const input = { session_id: 'one', context_window: about }
  writeFileSync(join(home(), 'one.status'), JSON.stringify(input))
  expect((await stop(true)).ask).toContain('8% · L2, 88% of the limit')
})

test('ignores subagents and what preceded a compaction', async () => {
  respond(96_000, { isSidechain: true })
  expect(await tool({ subagent: { id: 'a1', transcript: undefined } })).toEqual({})
  respond(96_000)
  const compactMetadata = { trigger: 'auto', preTokens: 96_000, postTokens: 9_000 }
  const boundary = { type: 'system', subtype: 'compact_boundary', compactMetadata }
  appendFileSync(log, `${JSON.stringify(boundary)}\n`)
  expect(await tool()).toEqual({})
  expect(documents()).toEqual([])
})

const look = () =>
  stage.within(stage.repo, undefined, async (context) => {
    const state = context.sessions.read('one')
    if (state === undefined) throw new Error('no session')
    return lookAtContext(context, state, await readSettings(context.repository))
  })
const defer = (what: 'once' | 'until L2') =>
  stage.within(stage.repo, undefined, async (context) => {
    const state = context.sessions.read('one')
    if (state !== undefined) await deferLevels(context, state, what)
  })

test('a command measures again, writes nothing, and names the source of the last sample', async () => {
  respond(60_000)
  await tool()
  const at = stage.now
  respond(75_000)
  const before = readFileSync(join(home(), 'one.json'), 'utf8')
  const { state: seen, selfTest } = await look()
  expect(seen).toMatchObject({ currentLevel: 'L1', limitPercent: 75, recommendation: 'finish' })
  expect(selfTest).toEqual({
    isFollowed: true,
    kept: { at, tokens: 60_000, source: 'transcript' },
    statusLineAt: undefined,
    log: 'read',
    stateFile: 'ours',
  })
  expect(readFileSync(join(home(), 'one.json'), 'utf8')).toBe(before)
  rmSync(log)
  stage.repo.write('.claude/checkpoint-state.json', '[]')
  expect((await look()).selfTest).toMatchObject({ log: 'unreadable', stateFile: 'foreign' })
})

test('deferring silences one message, or all of L1', async () => {
  await defer('once')
  respond(71_000)
  expect(await tool()).toEqual({})
  respond(86_000)
  expect((await tool()).context).toContain('L2')
  // The context was compacted.
  respond(20_000)
  await tool()
  await defer('until L2')
  respond(71_000)
  expect(await tool()).toEqual({})
  respond(86_000)
  expect((await tool()).context).toContain('L2')
})

test('a checkpoint typed at L2 satisfies the next stop', async () => {
  respond(86_000)
  await tool()
  await stage.within(stage.repo, undefined, async (context) => {
    const state = context.sessions.read('one')
    const settings = await readSettings(context.repository)
    const checkpoint = { path: '.claude/handoffs/2026-01-10-1200-0a1b.md', reason: 'manual' }
    if (state !== undefined) await noteTyped(context, state, settings, checkpoint)
  })
  expect((await stop(true)).ask).toBeUndefined()
  expect(documents()).toEqual([])
  expect(state()).toMatchObject({ currentLevel: 'L2', lastCheckpoint: { reason: 'manual' } })
})

test('tells the launcher how far the log may grow, until a compaction', async () => {
  const quiet = join(home(), 'one.quiet')
  expect(existsSync(quiet)).toBe(false)
  respond(60_000)
  await tool()
  const size = statSync(log).size
  expect(readFileSync(quiet, 'utf8')).toBe(`${size + 20_000}\n70000\n${log}\n`)
  await actor.signal('before_compaction', { transcript: log })
  expect(existsSync(quiet)).toBe(false)
})

test('does nothing if following the context is not installed', async () => {
  rmSync(join(home(), 'followed'))
  respond(96_000)
  expect(await tool()).toEqual({})
  expect(readdirSync(home())).toEqual([])
})

test("leaves another program's state file unchanged byte for byte", async () => {
  stage.repo.write('.claude/checkpoint-state.json', '{"level": 3}')
  respond(96_000)
  await tool()
  expect(stage.repo.read('.claude/checkpoint-state.json')).toBe('{"level": 3}')
})

test('replaces a damaged record, and unreadable settings do not stop the agent', async () => {
  respond(71_000)
  await tool()
  writeFileSync(join(home(), 'one.json'), '{"version": 1')
  expect((await tool()).context).toContain('L1')
  stage.repo.write('.ledger-git.yaml', 'context.levels: nothing\n')
  respond(96_000)
  expect(await tool()).toEqual({})
})

test('tells the tracker what a hook writes, and tells the agent the issue', async () => {
  trackIssues()
  respond(86_000)
  expect((await stop(true)).ask).toContain('\nIssue ANV-7 will be updated with progress.')
  await stop()
  const outbox = join(stage.repo.folder, '.git/ledger-git/outbox')
  const items = readdirSync(outbox)
    .filter((name) => /^\d{16}-/.test(name))
    .map((name) => JSON.parse(readFileSync(join(outbox, name), 'utf8')) as object)
  expect(items).toMatchObject([
    { issue: 'ANV-7', content: { kind: 'checkpoint', level: 'L2', percent: 43 } },
    { issue: 'ANV-7', content: { kind: 'link' } },
  ])
  expect(state()).toMatchObject({ linearIssue: 'ANV-7' })
  const [document = ''] = documents()
  expect(readFileSync(join(stage.repo.folder, '.claude/handoffs', document), 'utf8')).toContain(
    'linear_issues: ANV-7\n',
  )
})

test('estimates a plan named in a prompt and warns once if it does not fit', async () => {
  const steps = (count: number) =>
    Array.from({ length: count }, (_, i) => `- [ ] T${i + 1} write src/part-${i}.ts\n`).join('')
  stage.repo.write('specs/1/tasks.md', `# Tasks\n\n${steps(60)}`)
  stage.repo.write('specs/2/tasks.md', `# Tasks\n\n${steps(2)}`)
  expect(await actor.prompt('Implement specs/2/tasks.md')).toEqual({})
  const told = await actor.prompt('Implement specs/1/tasks.md')
  expect(told.context).toMatch(/"specs\/1\/tasks\.md" takes about \d+k tokens/)
  expect(told.message).toBe(told.context)
  expect(await actor.prompt('Implement specs/1/tasks.md, please')).toEqual({})
  // The remaining room counts if it is known.
  respond(65_000)
  await tool()
  stage.repo.write('specs/3/tasks.md', `# Tasks\n\n${steps(9)}`)
  expect((await actor.prompt('Now specs/3/tasks.md')).context).toContain('more than remains')
  // Also for the first prompt of a session.
  const other = new Actor(stage, 'two')
  expect((await other.prompt('Implement specs/1/tasks.md')).context).toContain('specs/1/tasks.md')
})

test('recommends less if the to-do in progress is large, until the turn ends', async () => {
  const files = Array.from({ length: 4 }, (_, i) => `src/part-${i}.ts`)
  for (const file of files) stage.repo.write(file, 'x\n'.repeat(8000))
  const begin = (text: string) =>
    tool({
      tool: {
        name: 'TodoWrite',
        files: [],
        mayWrite: false,
        todos: { kind: 'list', todos: [{ text, status: 'in_progress' }] },
      },
    })
  const recommended = async () => (await look()).state.recommendation
  respond(62_000)
  await begin('Fix a word')
  expect(await recommended()).toBe('continue')
  expect((await begin(`Split ${files.join(' and ')}`)).context).toContain('more than remains')
  expect(await recommended()).toBe('finish')
  await stop()
  expect(await recommended()).toBe('continue')
  // Begun again, it is still too large, although nobody is told a second time.
  await actor.prompt('Go on')
  await begin('Fix a word')
  expect(await begin(`Split ${files.join(' and ')}`)).toEqual({})
  expect(await recommended()).toBe('finish')
})

test('drops records of abandoned sessions', async () => {
  const old = new Date(stage.now - 400 * 24 * 60 * MINUTE)
  for (const name of ['old.json', 'old.status', 'new.json', 'followed']) {
    writeFileSync(join(home(), name), '{}')
    if (name !== 'new.json') utimesSync(join(home(), name), old, old)
  }
  respond(10_000)
  await tool()
  expect(readdirSync(home())).toEqual(['followed', 'new.json', 'one.json', 'one.quiet'])
})

longTest('measures how many documents were shown to a later session', async () => {
  const resumed = () =>
    stage.within(stage.repo, undefined, async (session) => {
      const { metrics } = await measureSessions(session)
      return metrics.find(({ name }) => name === 'resumed')?.value
    })
  respond(96_000)
  await tool()
  // The running agent continues without it.
  expect(await resumed()).toBeUndefined()
  await actor.signal('session_end', { reason: 'clear' })
  expect(await resumed()).toBe(0)
  await new Actor(stage, 'two').prompt(`Go on with .claude/handoffs/${documents()[0]}`)
  expect(await resumed()).toBe(100)
  // After /clear, a session gets the document of the session before it.
  await new Actor(stage, 'two').end()
  const three = new Actor(stage, 'three')
  await three.prompt('Another thing')
  stage.now += MINUTE
  await three.signal('before_compaction')
  await three.signal('session_end', { reason: 'clear' })
  expect(await resumed()).toBe(50)
  await new Actor(stage, 'four').start(stage.repo, 'clear')
  expect(await resumed()).toBe(100)
})
