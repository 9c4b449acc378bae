/** `context checkpoint`, `orient` and `undo-wip`: one session hands over, and the next one continues. */

import { chmodSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { builtFrom } from '../support/built-from.ts'
import { CLI, EVENTS, Sandbox, type Repo } from '../support/git-repo.ts'
import { longTest, sampleOf } from '../support/long.ts'
import { chance } from '../support/secrets.ts'
import { json, refusal } from '../cli/words.ts'
import { Agent } from './agent.ts'
import { scene } from './commit-scene.ts'

builtFrom(() => import('../../src/cli/context/context-checkpoint.ts'))

const HANDOFFS = '.claude/handoffs'

interface Written {
  readonly handoff: string
  readonly event: string | null
  readonly wip: string | null
  readonly left_out: { readonly path: string; readonly why: string }[]
  readonly obstacle: string | null
}

const checkpointBy = async (agent: Agent, words = '') => {
  const ran = await agent.bash(`"${process.execPath}" "${CLI}" context checkpoint --json ${words}`)
  return JSON.parse(ran.stdout) as Written
}

async function atWork(): Promise<{ repo: Repo; agent: Agent }> {
  const { repo, agent } = scene()
  repo.ledger('install', '--agent', 'claude')
  repo.git('add', '-A')
  repo.git('commit', '-qm', 'ledger-git')
  await agent.start()
  await agent.prompt('Add a login form with a session cookie (ANV-123)')
  await agent.todo(['Form', 'completed'], ['Cookie', 'in_progress'], ['Docs', 'pending'])
  await agent.write('src/login.ts', 'export const form = 1\n')
  await agent.write('old.txt', 'one\ntwo\nTHREE\nfour\nFIVE\nsix\n')
  return { repo, agent }
}

const showsAt = (repo: Repo, revision: string) =>
  repo.git('show', '--name-only', '--format=', revision).split('\n').filter(Boolean).toSorted()

test('a context checkpoint leaves the next session everything it needs to continue', async () => {
  const { repo, agent } = await atWork()
  agent.say('The root cause is that the cookie had no path. Now the docs.')
  const written = await checkpointBy(
    agent,
    '--now "set the cookie path" --next "write the docs" --decision cookie=lax --question "Which lifetime?" --issue ANV-123',
  )
  expect(written).toMatchObject({ left_out: [], obstacle: null })
  expect(written.handoff).toMatch(/^\.claude\/handoffs\/\d{4}-\d\d-\d\d-\d{4}-[0-9a-f]{4}\.md$/)

  // The commit has the session's files and nothing else; index and worktree match it.
  expect(repo.git('log', '-1', '--format=%s')).toBe('[WIP] ANV-123 - checkpoint')
  expect(showsAt(repo, 'HEAD')).toEqual(['old.txt', 'src/login.ts'])
  expect(repo.git('rev-parse', 'HEAD')).toBe(written.wip)
  expect(repo.git('diff', 'HEAD', '--', 'src', 'old.txt')).toBe('')

  // A reader who sees nothing else learns the task, the files, the next step and the open question.
  const next = json<Record<string, unknown>>(repo, 'context', 'orient', '--issue', 'ANV-123')
  expect(next).toMatchObject({
    handoff: written.handoff,
    now: 'set the cookie path',
    next: ['write the docs'],
    questions: ['Which lifetime?'],
    decisions: ['cookie: lax'],
    files: ['old.txt (lines 3-5)', 'src/login.ts'],
    wip: written.wip,
  })
  const text = repo.read(written.handoff)
  expect(text).toContain('# Session Handoff: ANV-123 Add a login form with a session cookie')
  expect(text).toContain('- The root cause is that the cookie had no path.')
  expect(text).toContain('- Cookie (1 of 3 to-dos done)')

  // The same is recorded as an event of the ledger.
  expect(repo.read(written.event ?? '')).toContain('now: set the cookie path')
})

longTest('after /clear the next session gets the checkpoint and a later one does not', async () => {
  const { repo, agent } = await atWork()
  await checkpointBy(agent, '--now "set the cookie path" --next "write the docs"')
  await agent.end('clear')
  const next = new Agent(repo, 'session-b')
  const { hookSpecificOutput } = (await next.start('clear')) as {
    hookSpecificOutput?: { additionalContext?: string }
  }
  const told = hookSpecificOutput?.additionalContext ?? ''
  expect(told).toMatch(/^The context checkpoint of /)
  expect(told).toContain('[->] set the cookie path')
  expect(told).toContain('1. write the docs')
  expect(told.length).toBeLessThanOrEqual(10_000)
  await next.prompt('Something else')
  await next.end('clear')
  const third = await new Agent(repo, 'session-c').start('clear')
  expect(JSON.stringify(third)).not.toContain('context-checkpoint')
})

describe('the event of a context checkpoint', () => {
  const eventOf = async (words: string) => {
    const { repo, agent } = await atWork()
    const { event } = await checkpointBy(agent, words)
    return repo.read(event ?? '')
  }

  longTest('fills in what the session knows where the command is silent', async () => {
    const text = await eventOf('--question "Which lifetime?" --no-wip')
    expect(text).toMatch(/^now: .*Cookie/m)
    expect(text).toContain('- Docs')
    expect(text).toContain('Which lifetime?')
  })

  test('omits a secret that somebody typed', async () => {
    const secret = `ghp_${chance(36)}`
    const text = await eventOf(`--now "use ${secret}" --no-wip`)
    expect(text).toContain('now: ')
    expect(text).not.toContain(secret)
  })

  test('is not written when a person adds nothing: what others said stays theirs', () => {
    const { repo } = scene()
    repo.ledger('event', 'add', '--now', 'fix the parser', '--next', 'write docs')
    expect(json<Written>(repo, 'context', 'checkpoint').event).toBeNull()
    expect(repo.ledger('context', 'orient')).toContain('1. write docs')
  })
})

describe('the work-in-progress commit', () => {
  test('is undone exactly, once', async () => {
    const { repo, agent } = await atWork()
    const before = repo.git('rev-parse', 'HEAD')
    const status = repo.git('status', '--porcelain', '--', 'src', 'old.txt')
    await checkpointBy(agent)
    expect(repo.git('rev-parse', 'HEAD')).not.toBe(before)
    repo.ledger('context', 'undo-wip')
    expect(repo.git('rev-parse', 'HEAD')).toBe(before)
    expect(repo.git('status', '--porcelain', '--', 'src', 'old.txt')).toBe(status)
    expect(repo.read('src/login.ts')).toBe('export const form = 1\n')
    expect(refusal(repo.tryLedger('context', 'undo-wip'))).toEqual({ status: 1, stdout: '' })
  })

  longTest('restores the staged content when undone, even where a hook changed it', async () => {
    const { repo, agent } = await atWork()
    repo.git('config', 'core.hooksPath', '.hooks')
    const hook = '#!/bin/sh\nfor f in src/*.ts; do echo "// hooked" >>"$f"; git add "$f"; done\n'
    repo.write('.hooks/pre-commit', hook)
    chmodSync(join(repo.folder, '.hooks/pre-commit'), 0o755)
    await agent.bash('git rm -q --cached old.txt && rm old.txt && git mv other.txt moved.txt')
    await agent.write('plain.txt', 'not staged\n')
    repo.git('add', 'src/login.ts', 'moved.txt')
    const status = () => repo.git('status', '--porcelain', '--', '.', ':!.claude', `:!${EVENTS}`)
    const [before, staged] = [status(), repo.git('diff', '--cached', '--raw', '--', 'src/login.ts')]
    expect(before.split('\n').filter((line) => !line.startsWith('?'))).toEqual([
      'R  other.txt -> moved.txt',
      'D  old.txt',
      'A  src/login.ts',
    ])
    const { wip } = await checkpointBy(agent)
    expect(showsAt(repo, wip ?? '')).toContain('plain.txt')
    expect(repo.read('src/login.ts')).toContain('hooked')
    repo.write('src/login.ts', 'export const form = 1\n')
    repo.ledger('context', 'undo-wip')
    expect(repo.git('diff', '--cached', '--raw', '--', 'src/login.ts')).toBe(staged)
    expect(status()).toBe(before)
  })

  test('leaves out and names files that a person changed, staged differently, or that hold secrets', async () => {
    const { repo, agent } = await atWork()
    await agent.stop('Half done.')
    repo.write('notes.txt', 'mine\n')
    repo.write('other.txt', 'a person began here\n')
    await agent.prompt('Go on')
    await agent.write('other.txt', 'a person began here\nand the agent went on\n')
    await agent.write('keys.env', `TOKEN=ghp_${chance(36)}\n`)
    await agent.write('src/login.ts', 'export const form = 2\n')
    repo.write('src/login.ts', 'export const form = 3\n')
    repo.git('add', 'src/login.ts')
    repo.write('src/login.ts', 'export const form = 4\n')
    const { left_out: leftOut } = await checkpointBy(agent)
    expect(leftOut.map(({ path }) => path).toSorted()).toEqual([
      'keys.env',
      'other.txt',
      'src/login.ts',
    ])
    expect(showsAt(repo, 'HEAD')).toEqual(['old.txt'])
    expect(repo.git('diff', '--cached', '--name-only')).toBe('src/login.ts')
    expect(repo.read('notes.txt')).toBe('mine\n')
  })

  const HINDRANCES: [string, (repo: Repo) => void, RegExp][] = [
    ['a detached HEAD', (repo) => repo.git('checkout', '-q', '--detach'), /^HEAD is detached/],
    [
      'a protected branch',
      (repo) => repo.write('.ledger-git.yaml', 'commit:\n  protected: main\n'),
      /commit\.protected/,
    ],
    ['signed commits', (repo) => repo.git('config', 'commit.gpgSign', 'true'), /signed/],
    ['a merge in progress', (repo) => repo.write('.git/MERGE_HEAD', ''), /merge is in progress/],
    [
      'a hook that refuses',
      (repo) => {
        repo.git('config', 'core.hooksPath', '.hooks')
        repo.write('.hooks/pre-commit', '#!/bin/sh\necho "lint: bad form" >&2\nexit 1\n')
        chmodSync(join(repo.folder, '.hooks/pre-commit'), 0o755)
      },
      /pre-commit said no: lint: bad form/,
    ],
  ]
  test.each(sampleOf(HINDRANCES, 4))(
    'is not made because of %s, but the work is saved in shadow data',
    async (_, hinder, why) => {
      const { repo, agent } = await atWork()
      hinder(repo)
      const head = repo.git('rev-parse', 'HEAD')
      const { wip, obstacle, handoff } = await checkpointBy(agent)
      expect(wip).toBeNull()
      expect(obstacle).toMatch(why)
      expect(repo.git('rev-parse', 'HEAD')).toBe(head)
      expect(repo.git('diff', '--cached', '--name-only')).toBe('')
      expect(repo.exists(handoff)).toBe(true)
      const shadow = repo.git('for-each-ref', '--format=%(refname)', 'refs/ledger/shadow')
      expect(repo.git('ls-tree', '-r', '--name-only', shadow)).toContain('src/login.ts')
    },
  )

  // As in an agent's sandbox, where the git folder is read-only.
  longTest(
    'leaves the document where the git folder is not writable, and says what is not saved',
    async () => {
      const { repo, agent } = await atWork()
      repo.run('rm', ['-rf', '.git/ledger-git/scratch'])
      repo.write('.git/ledger-git/scratch', '')
      repo.write('.git/index.lock', '')
      const ran = await agent.bash(`"${process.execPath}" "${CLI}" context checkpoint --now "half"`)
      expect(ran.stdout).toMatch(
        /^handoff: .*\nno commit of work in progress: .*; only the files here /,
      )
      expect(repo.ledger('context', 'orient')).toContain('[->] half')
    },
  )

  longTest('includes what a pre-commit hook changes', async () => {
    const { repo, agent } = await atWork()
    repo.git('config', 'core.hooksPath', '.hooks')
    repo.write(
      '.hooks/pre-commit',
      '#!/bin/sh\necho formatted >src/login.ts && git add src/login.ts\n',
    )
    chmodSync(join(repo.folder, '.hooks/pre-commit'), 0o755)
    await checkpointBy(agent)
    expect(repo.git('show', 'HEAD:src/login.ts')).toBe('formatted')
    expect(repo.git('status', '--porcelain', '--', 'src')).toBe('')
  })

  longTest('is not made with --no-wip or without changes: only the document is', async () => {
    const { repo, agent } = await atWork()
    const head = repo.git('rev-parse', 'HEAD')
    expect((await checkpointBy(agent, '--no-wip')).wip).toBeNull()
    expect(repo.git('rev-parse', 'HEAD')).toBe(head)
    // The previous document does not count as the session's work.
    const second = await checkpointBy(agent, '--no-wip')
    expect(repo.read(second.handoff)).not.toMatch(/Changed .*\.claude\/handoffs/)
    await agent.commit('all of it', 'src', 'old.txt')
    expect(await checkpointBy(agent)).toMatchObject({ wip: null, obstacle: null })
  })
})

test('a person without a session writes a checkpoint for the branch', () => {
  const { repo } = scene()
  repo.write('other.txt', 'changed\n')
  const written = json<Written>(repo, 'context', 'checkpoint', '--next', 'ask Ada')
  expect(written.wip).toBeNull()
  expect(readdirSync(join(repo.folder, HANDOFFS))).toHaveLength(1)
  expect(repo.ledger('context', 'orient')).toContain('1. ask Ada')
})

test('orient shows the newest checkpoint, whatever time zone it was written in', () => {
  const { repo } = scene()
  // File names contain local time: the older one's is hours ahead.
  const write = (now: string, TZ: string) =>
    repo.run(process.execPath, [CLI, 'context', 'checkpoint', '--now', now], { env: { TZ } })
  write('older', 'Pacific/Kiritimati')
  write('newer', 'Etc/GMT+12')
  expect(readdirSync(join(repo.folder, HANDOFFS))).toHaveLength(2)
  expect(repo.ledger('context', 'orient')).toContain('[->] newer')
})

test('orient finds the branch’s checkpoint, however many newer ones other branches have', () => {
  const { repo } = scene()
  repo.ledger('context', 'checkpoint', '--now', 'ours')
  const [ours = ''] = readdirSync(join(repo.folder, HANDOFFS))
  const other = repo.read(`${HANDOFFS}/${ours}`).replace(/^branch: .*$/m, 'branch: other')
  for (let i = 0; i < 250; i++) {
    const name = `2999-01-01-00${String(i % 60).padStart(2, '0')}-${String(i).padStart(4, '0')}.md`
    repo.write(`${HANDOFFS}/${name}`, other)
  }
  expect(repo.ledger('context', 'orient')).toContain('[->] ours')
})

test('orient fails on a branch without a checkpoint and names the branch', () => {
  const { repo } = scene()
  json(repo, 'context', 'checkpoint', '--next', 'ask Ada')
  repo.git('checkout', '-qb', 'other')
  const ran = repo.tryLedger('context', 'orient')
  expect(refusal(ran).status).toBe(1)
  expect(ran.stderr).toContain('there is no context checkpoint for branch other')
})

test('undo-wip fails in a repository without commits and says that nothing was undone', () => {
  const repo = new Sandbox().init()
  const ran = repo.tryLedger('context', 'undo-wip')
  expect(refusal(ran).status).toBe(1)
  expect(ran.stderr).toContain('no commit of work in progress was undone')
})

test('a push of work in progress is stopped once and told how to undo the commit', async () => {
  const { repo, agent } = await atWork()
  repo.git('clone', '-q', '--bare', '.', '../origin.git')
  repo.git('remote', 'add', 'origin', '../origin.git')
  const { wip } = await checkpointBy(agent, '--now "half of it"')
  const push = () => repo.tryGit('push', 'origin', 'HEAD:refs/heads/work')
  const first = push()
  expect(first.status).toBe(1)
  expect(first.stderr).toContain(`work in progress is the tip of work (${wip?.slice(0, 9)})`)
  expect(first.stderr).toContain('ledger-git context undo-wip')
  expect(push().status).toBe(0)
})
