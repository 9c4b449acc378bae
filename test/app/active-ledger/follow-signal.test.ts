/** How an agent's hooks update the active ledger: on real git, with a clock that the test sets. */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { AgentSignal, ToolUse } from '../../../src/core/agents/agent-signal.ts'
import type { ActiveLedger } from '../../../src/core/active-ledger/active-ledger.ts'
import { readActiveLedger } from '../../../src/core/active-ledger/active-ledger.ts'
import { EVENTS } from '../../support/git-repo.ts'
import { SECRETS } from '../../support/secrets.ts'
import { Actor, DAY, MINUTE, Stage } from '../session/actors.ts'
import { longTest } from '../../support/long.ts'

const FILE = 'conductor/sessions/active/LEDGER.md'
const ARCHIVE = 'conductor/sessions/archive'

/** A repository with a `conductor/` folder, and an agent in it. */
function scene(session = 'first', pid = 100): { stage: Stage; agent: Actor } {
  const stage = new Stage({ 'old.txt': 'old\n', 'conductor/product.md': '# Product\n' })
  return { stage, agent: new Actor(stage, session, pid) }
}

const ledger = ({ repo }: Stage): ActiveLedger => readActiveLedger(repo.read(FILE))
const archives = ({ repo }: Stage): string[] =>
  repo.exists(ARCHIVE) ? readdirSync(join(repo.folder, ARCHIVE)).sort() : []
const events = ({ repo }: Stage): string[] =>
  repo.exists(EVENTS)
    ? readdirSync(join(repo.folder, EVENTS))
        .filter((name) => name.endsWith('.md'))
        .sort()
        .map((name) => readFileSync(join(repo.folder, EVENTS, name), 'utf8'))
    : []

function use(agent: Actor, about: Partial<ToolUse>, more: Partial<AgentSignal> = {}) {
  const tool = { name: 'Bash', files: [], mayWrite: true, todos: undefined, ...about }
  return agent.signal('tool_used', { tool, ...more })
}

/** Replaces part of the ledger's text, as a user would by hand. */
function write({ repo }: Stage, from: string, to: string): void {
  const text = repo.read(FILE)
  expect(text).toContain(from)
  repo.write(FILE, text.replace(from, to))
}

test('does nothing without conductor/ or when active_ledger is off', async () => {
  const stage = new Stage()
  const agent = new Actor(stage, 'first')
  await agent.start()
  await agent.turn({ 'a.txt': 'a\n' })
  await agent.end()
  expect(stage.repo.exists('conductor')).toBe(false)
  stage.repo.commit('conductor', {
    'conductor/x.md': 'x\n',
    '.ledger-git.yaml': 'active_ledger: off\n',
  })
  await agent.start()
  expect(stage.repo.exists(FILE)).toBe(false)
  stage.repo.write('.ledger-git.yaml', 'active_ledger: on\n')
  stage.repo.run('rm', ['-r', 'conductor'])
  await agent.start()
  expect(stage.repo.exists(FILE)).toBe(true)
})

test('follows a session from start to end: track, bead, files, finish, archive', async () => {
  const { stage, agent } = scene()
  await agent.start()
  expect(ledger(stage)).toMatchObject({
    session_id: 'first',
    platform: 'claude',
    bound_track: null,
    branch: 'main',
  })
  await agent.prompt('/conductor-implement auth_20251227')
  expect(ledger(stage)).toMatchObject({ bound_track: 'auth_20251227', bound_bead: null })
  await use(agent, { command: 'bd update my-workflow:3-xyz --status in_progress' })
  expect(ledger(stage)).toMatchObject({
    bound_track: 'auth_20251227',
    bound_bead: 'my-workflow:3-xyz',
  })
  await use(agent, {
    name: 'Write',
    files: [join(stage.repo.folder, 'src/a.ts'), '/etc/passwd', FILE],
  })
  await use(agent, { name: 'Read', reads: ['docs/b.md'], mayWrite: false })
  expect(ledger(stage)).toMatchObject({ modified: ['src/a.ts'], read: ['docs/b.md'] })
  await use(agent, { command: 'bd close other-1' })
  expect(ledger(stage).bound_bead).toBe('my-workflow:3-xyz')
  await use(agent, { command: 'bd close my-workflow:3-xyz --reason completed' })
  expect(ledger(stage)).toMatchObject({ bound_track: 'auth_20251227', bound_bead: null })
  write(stage, '### Done\n', '### Done\n- Created auth middleware\n')
  await agent.prompt('/conductor-finish')
  // The next track begins without the work of this one.
  const over = { bound_track: null, bound_bead: null, done: [], modified: [], read: [] }
  expect(ledger(stage)).toMatchObject(over)
  const [finished = ''] = archives(stage)
  expect(finished).toMatch(/-track-complete-/)
  expect(stage.repo.read(`${ARCHIVE}/${finished}`)).toContain('- Created auth middleware\n')
  expect(events(stage).filter((text) => text.includes('Created auth middleware'))).toHaveLength(1)
  expect(events(stage)[0]).toMatch(/type: handoff\n[^]*stream: auth_20251227/)
  write(stage, '### Done\n', '### Done\n- Merged the track\n')
  await agent.signal('turn_end', {})
  stage.now += MINUTE
  await agent.end()
  expect(archives(stage).some((name) => name.includes('-session-end-'))).toBe(true)
  expect(ledger(stage)).toMatchObject({ heartbeat: null, done: ['Merged the track'] })
})

test('writes nothing for a tool use without news, except a heartbeat every five minutes', async () => {
  const { stage, agent } = scene()
  await agent.start()
  await agent.prompt('work')
  const before = stage.repo.read(FILE)
  stage.now += 5 * MINUTE - 1000
  await use(agent, { command: 'ls' })
  expect(stage.repo.read(FILE)).toBe(before)
  stage.now += 1000
  await use(agent, { command: 'ls' })
  expect(ledger(stage).heartbeat).toBe('2026-01-10T12:05:00Z')
  expect(ledger(stage).updated).toBe('2026-01-10T12:05:00Z')
})

test('a subagent refreshes the heartbeat and its files are added to the session', async () => {
  const { stage, agent } = scene()
  await agent.start()
  await agent.prompt('work')
  stage.now += 6 * MINUTE
  const subagent = { id: 'a1', transcript: undefined }
  await use(agent, { name: 'Write', files: ['sub.ts'] }, { subagent })
  await agent.signal('turn_end', { subagent })
  expect(ledger(stage)).toMatchObject({ modified: ['sub.ts'], heartbeat: '2026-01-10T12:06:00Z' })
})

test('archives a stale ledger with its text when the next session starts', async () => {
  const { stage, agent } = scene()
  await agent.start()
  write(stage, '## Goal\n', '## Goal\n\nTo be found again.\n')
  stage.now += DAY
  await new Actor(stage, 'second').start()
  expect(archives(stage)).toEqual([])
  expect(ledger(stage).goal).toBe('To be found again.')
  stage.now += DAY + 1000
  const { context } = await new Actor(stage, 'third').start()
  const [name = ''] = archives(stage)
  expect(name).toMatch(/-stale-[0-9a-f]{4}\.md$/)
  expect(context).toContain(`${ARCHIVE}/${name}`)
  const text = stage.repo.read(`${ARCHIVE}/${name}`)
  expect(text).toContain('To be found again.')
  expect(text).toMatch(/session_id: second\n[^]*trigger: stale\nstatus: interrupted\n---/)
  expect(ledger(stage)).toMatchObject({ goal: null, session_id: 'third' })
})

longTest('recreates a deleted ledger at the next track or claim, not before', async () => {
  const { stage, agent } = scene()
  await agent.start()
  await agent.prompt('work')
  const remove = () => stage.repo.run('rm', [FILE])
  remove()
  await use(agent, { command: 'ls', files: ['a.ts'] })
  await agent.signal('turn_end', {})
  expect(stage.repo.exists(FILE)).toBe(false)
  await agent.prompt('/conductor-implement next_track')
  expect(ledger(stage)).toMatchObject({ session_id: 'first', bound_track: 'next_track' })
  remove()
  await use(agent, { command: 'bd close x-1' })
  expect(stage.repo.exists(FILE)).toBe(false)
  await use(agent, { command: 'bd update x-1 --claim' })
  expect(ledger(stage)).toMatchObject({ session_id: 'first', bound_bead: 'x-1' })
})

longTest('a late end of an earlier run clears nothing', async () => {
  const { stage, agent } = scene()
  await agent.start()
  await agent.prompt('/conductor-implement auth')
  const resumed = new Actor(stage, 'first', 200)
  await resumed.start(stage.repo, 'resume')
  await resumed.prompt('go on')
  await agent.end()
  expect(ledger(stage)).toMatchObject({ session_id: 'first', bound_track: 'auth' })
  expect(archives(stage)).toEqual([])
})

test('the start message repeats the ledger, which survives a compaction and /clear', async () => {
  const { stage, agent } = scene()
  await agent.start()
  await agent.prompt('/conductor-implement auth')
  write(stage, '### Now\n', '### Now\n- refresh tokens\n')
  await agent.signal('before_compaction', { reason: 'auto' })
  expect(archives(stage)).toEqual([expect.stringMatching(/-pre-compact-/)])
  // A failed compaction is reported again although nothing changed.
  stage.now += MINUTE
  await agent.signal('before_compaction', { reason: 'auto' })
  expect(archives(stage)).toHaveLength(1)
  write(stage, '- refresh tokens\n', '- refresh tokens\n- and more\n')
  await agent.signal('before_compaction', { reason: 'auto' })
  expect(archives(stage)).toHaveLength(2)
  write(stage, '- and more\n', '')
  await agent.signal('before_compaction', { reason: 'auto' })
  expect(archives(stage)).toHaveLength(3)
  expect(ledger(stage).bound_track).toBe('auth')
  const { context } = await agent.start(stage.repo, 'compact')
  expect(context).toContain('track: auth\nnow: refresh tokens\n')
  await agent.signal('session_end', { reason: 'clear' })
  expect(ledger(stage)).toMatchObject({ bound_track: 'auth', now: ['refresh tokens'] })
  const next = new Actor(stage, 'next')
  expect((await next.start(stage.repo, 'clear')).context).toContain(
    'track: auth\nnow: refresh tokens\n',
  )
  expect(ledger(stage).session_id).toBe('next')
})

test('archives once for a repeated session end, and never archives an empty ledger', async () => {
  const { stage, agent } = scene()
  await agent.start()
  await agent.end()
  expect(archives(stage)).toEqual([])
  await agent.prompt('work')
  await use(agent, { name: 'Write', files: ['a.ts'] })
  await agent.end()
  stage.now += MINUTE
  await agent.end()
  expect(archives(stage)).toHaveLength(1)
})

test("the session's event contains what the ledger says", async () => {
  const { stage, agent } = scene()
  await agent.start()
  await agent.prompt('do the work')
  write(stage, '### Now\n', '### Now\n- refresh tokens\n')
  write(stage, '### Done\n', '### Done\n- JWT validation\n')
  write(
    stage,
    '|----------|-----------|------|\n',
    '|----------|-----------|------|\n| RS256 | key rotation | 10:15 |\n',
  )
  await agent.signal('turn_end', { lastMessage: 'I have done some of it.' })
  await agent.end()
  expect(events(stage)).toHaveLength(1)
  expect(events(stage)[0]).toContain('now: refresh tokens')
  expect(events(stage)[0]).toContain('  - JWT validation')
  expect(events(stage)[0]).toContain('  RS256: key rotation')
})

describe('two sessions in one worktree', () => {
  test('the file belongs to the living owner; the other session reads it and is told so', async () => {
    const { stage, agent } = scene()
    await agent.start()
    await agent.prompt('/conductor-implement auth')
    const before = stage.repo.read(FILE)
    const other = new Actor(stage, 'other', 200)
    const { context } = await other.start()
    expect(context).toContain('belongs to session first')
    expect(context).toContain('track: auth')
    await other.prompt('/conductor-implement billing')
    await use(other, { name: 'Write', files: ['b.ts'], command: 'bd update b-1 --claim' })
    await other.signal('before_compaction', { reason: 'manual' })
    await other.end()
    expect(stage.repo.read(FILE)).toBe(before)
    expect(archives(stage)).toEqual([])
    await agent.end()
    await other.start(stage.repo, 'resume')
    expect(ledger(stage).session_id).toBe('other')
  })

  longTest('a session whose agent is gone loses the file to the next one', async () => {
    const { stage, agent } = scene()
    await agent.start()
    await agent.prompt('/conductor-implement auth')
    stage.life = 'gone'
    stage.now += 31 * MINUTE
    await new Actor(stage, 'other', 200).start()
    expect(ledger(stage)).toMatchObject({ session_id: 'other', bound_track: 'auth' })
  })
})

test("switching tracks archives the previous track's work and keeps sections unrelated to it", async () => {
  const { stage, agent } = scene()
  await agent.start()
  await agent.prompt('/conductor-implement auth')
  write(stage, '### Done\n', '### Done\n- JWT validation\n')
  stage.repo.write(FILE, `${stage.repo.read(FILE)}\n## My notes\n\nkeep me\n`)
  await agent.prompt('/conductor-implement auth')
  expect(archives(stage)).toEqual([])
  await agent.prompt('/conductor-implement billing')
  const [name = ''] = archives(stage)
  expect(name).toMatch(/-track-switch-/)
  expect(stage.repo.read(`${ARCHIVE}/${name}`)).toMatch(/bound_track: auth\n[^]*- JWT validation/)
  expect(ledger(stage)).toMatchObject({ bound_track: 'billing', done: [] })
  expect(stage.repo.read(FILE)).toContain('## My notes\n\nkeep me\n')
  const told = stage.repo.run('grep', ['-rhE', 'JWT|^agent:|^reason:', EVENTS]).stdout
  expect(told).toBe('agent: claude\nreason: track-switch\n  - JWT validation\n')
})

test('secrets reach neither the archive nor an event', async () => {
  const { stage, agent } = scene()
  const secret = SECRETS.find(({ kind }) => kind === 'github-token')?.secret ?? ''
  await agent.start()
  await agent.prompt('work')
  write(stage, '### Done\n', `### Done\n- uploaded with ${secret}\n`)
  await agent.end()
  expect(archives(stage)).toHaveLength(1)
  expect(stage.repo.run('grep', ['-rlF', secret, '.']).stdout.trim()).toBe(`./${FILE}`)
  expect(stage.repo.read(`${ARCHIVE}/${archives(stage)[0]}`)).toContain('[redacted: github-token]')
})

test.each([
  ['is no UTF-8', (stage: Stage) => stage.repo.write(FILE, Buffer.from([0x23, 0xff, 0x0a]))],
  ['is a link', (stage: Stage) => void stage.repo.run('ln', ['-sf', '../../product.md', FILE])],
])('a ledger that %s is left unchanged, and the session continues', async (_, make) => {
  const { stage, agent } = scene()
  await agent.start()
  make(stage)
  const look = () =>
    stage.repo.run('sh', ['-c', `ls -l ${FILE}; cat ${FILE} conductor/product.md`]).stdout
  const before = look()
  const { context } = await agent.start()
  expect(context).toContain(`${FILE}: ${FILE} is`)
  await agent.turn({ 'a.txt': 'a\n' })
  await agent.end()
  expect(look()).toBe(before)
  expect(await stage.state('first')).toMatchObject({ phase: 'ended' })
})

test('writes nothing through a folder that a branch replaced with a symlink', async () => {
  const { stage, agent } = scene()
  const outside = join(stage.repo.sandbox.folder, 'outside')
  stage.repo.run('sh', [
    '-c',
    `mkdir '${outside}' && mkdir -p conductor/sessions && ln -s '${outside}' conductor/sessions/active`,
  ])
  await agent.start()
  await agent.turn({ 'a.txt': 'a\n' })
  expect(readdirSync(outside)).toEqual([])
})
