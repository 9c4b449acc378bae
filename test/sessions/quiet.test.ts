/** Tool uses that report nothing new start no Node; others are processed with few git calls. */

import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { FileSessionStore } from '../../src/io/sessions/session-store.ts'
import { builtFrom } from '../support/built-from.ts'
import type { Repo } from '../support/git-repo.ts'
import { ENTRY } from '../support/git-repo.ts'
import { Agent } from './agent.ts'
import { scene } from './commit-scene.ts'
import { countStarts, gitStarts } from './count-starts.ts'

builtFrom(() => import('../../src/entry/agent-hook.ts'))

const stateOf = (repo: Repo, { session }: Agent) =>
  new FileSessionStore(`${repo.folder}/.git`).read(session)

/** A turn in which a shell has already run. */
async function working() {
  const { repo, agent } = scene('session-a')
  await agent.prompt('Look around')
  const starts = countStarts(repo)
  await agent.bash('ls')
  expect(starts()).toBe(1) // from now on the turn may have written
  return { repo, agent, starts }
}

test('a command that changes nothing only updates the last sign of life, without Node', async () => {
  const { repo, agent, starts } = await working()
  const before = stateOf(repo, agent)
  await new Promise((resolve) => setTimeout(resolve, 20))
  await agent.bash('ls; echo "session_id, tool_name and \\"quotes\\""')
  expect(starts()).toBe(0)
  const after = stateOf(repo, agent)
  const [first, second] = [before, after].map((state) => Date.parse(state?.lastSignOfLife ?? ''))
  expect(second).toBeGreaterThan(first ?? NaN)
  expect({ ...after, lastSignOfLife: before?.lastSignOfLife }).toEqual(before)
  // The next save of the state keeps it.
  await agent.stop('Looked.')
  expect(Date.parse(stateOf(repo, agent)?.lastSignOfLife ?? '')).toBeGreaterThan(second ?? NaN)
})

test('a tool use starts Node for a commit, seen by hooks or not, a file, a patch, a subagent or another log', async () => {
  const { repo, agent, starts } = await working()
  repo.write('a.txt', 'a\n')
  await agent.bash('git add a.txt && git commit -q -m a')
  expect(stateOf(repo, agent)?.commits).toHaveLength(1)
  starts()
  await agent.bash('ls')
  expect(starts()).toBe(0)
  repo.write('b.txt', 'b\n')
  await agent.bash('git add b.txt && LEDGER_GIT=0 git commit -q -m b')
  expect(starts()).toBe(1)
  expect(stateOf(repo, agent)?.commits).toHaveLength(2)
  await agent.write('c.txt', 'c\n')
  expect(starts()).toBe(1)
  expect(stateOf(repo, agent)?.filesTouched).toContain('c.txt')
  const tool = { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_response: {} }
  for (const about of [
    { agent_id: 'a1' },
    { transcript_path: `${agent.transcript}.2` },
    { tool_input: { command: '*** Begin Patch' } },
    { tool_input: { command: 'bd close a-1' } },
    { tool_input: { command: 'ls', session_id: 'session-b' } },
    { tool_input: { command: 'x'.repeat(100_000) } },
  ]) {
    await agent.hook('PostToolUse', { ...tool, ...about })
    expect(starts(), JSON.stringify(about).slice(0, 80)).toBe(1)
  }
})

test('a tool use starts Node with an active ledger, with a commit mark, and after the end of a turn', async () => {
  const { repo, agent, starts } = await working()
  const ledger = join(repo.folder, 'conductor/sessions/active')
  mkdirSync(ledger, { recursive: true })
  writeFileSync(join(ledger, 'LEDGER.md'), '# Ledger\n')
  await agent.bash('ls')
  expect(starts()).toBe(1)
  repo.run('rm', ['-r', 'conductor'])
  await agent.bash('ls')
  expect(starts()).toBe(0)
  mkdirSync(join(repo.folder, '.git/ledger-git/commits'), { recursive: true })
  await agent.bash('ls')
  expect(starts()).toBe(1)
  repo.run('rm', ['-r', '.git/ledger-git/commits'])
  await agent.stop('Looked.')
  starts()
  await agent.bash('ls')
  expect(starts()).toBe(1)
})

test('a tool use starts Node when its quiet file is torn', async () => {
  const { repo, agent, starts } = await working()
  const file = join(repo.folder, '.git/ledger-git/quiet/session-a')
  for (const text of ['', '.', 'v1\n', 'v2\na\nb\nc\n']) {
    writeFileSync(file, text)
    await agent.bash('ls')
    expect(starts(), text).toBe(1)
  }
  appendFileSync(file, '....')
  await agent.bash('ls')
  expect(starts()).toBe(0)
})

test('each hook starts git few times, however much changed', async () => {
  const { repo, agent } = scene('session-a')
  repo.event('--now', 'pending')
  const started = gitStarts(repo)
  await agent.prompt('Write two files')
  expect(started().length).toBeLessThanOrEqual(2) // where we are, and what differs from HEAD
  await agent.write('one.txt', 'one\n')
  expect(started()).toHaveLength(1)
  await agent.write('two.txt', 'two\n')
  started()
  await agent.stop('Both are written. Next: a third one.')
  expect(started().length, 'Stop').toBeLessThanOrEqual(9)
  await agent.end()
  expect(started().length, 'SessionEnd').toBeLessThanOrEqual(16)
  expect(repo.git('diff-files')).toBe('') // the index knows what the worktree has
  expect(repo.git('log', '-1', '--format=%s')).toBe('chore(ledger): session_end by claude')
  await new Agent(repo).start()
  expect(started().length, 'SessionStart').toBeLessThanOrEqual(6)
})

test('an event that git ignores goes into no commit', async () => {
  const { repo, agent } = scene('session-a')
  repo.write('.git/info/exclude', '*_claude_*\n')
  await agent.prompt('Write a file')
  await agent.write('one.txt', 'one\n')
  await agent.stop('It is written.')
  await agent.end()
  expect(repo.git('log', '-1', '--format=%s')).not.toMatch(/^chore\(ledger\)/)
  expect(repo.git('ls-files', '-o', '-i', '--exclude-standard')).toMatch(/_claude_/)
})

test('a hook of a tool use loads only what it needs, not what a turn or a commit needs', () => {
  const loaded = new Map<string, string>()
  const load = (name: string) => {
    if (loaded.has(name)) return
    const code = readFileSync(join(dirname(ENTRY), name), 'utf8')
    loaded.set(name, code)
    for (const [, next = ''] of code.matchAll(/^(?:const \w+ = )?require\("\.\/(.+)"\);$/gm))
      load(next)
  }
  const main = readFileSync(ENTRY, 'utf8')
  load(/require\("\.\/(git-agent-[^"]+)"\)\)?;?/.exec(main)?.[1] ?? '')
  expect([...loaded.keys()].map((name) => name.replace(/-[\w-]{8}\.cjs$/, ''))).toEqual([
    'git-agent',
    'git-rolldown-runtime',
    'git-entry-agent',
  ])
  // Comments cost nothing that can be measured.
  const code = [...loaded.values()].join('\n').replace(/^\s*(?:\/?\*|\/\/).*\n/gm, '')
  expect(code.length).toBeLessThan(270_000)
  expect(code).not.toMatch(/^(?:let|const) .*require\("node:(?:crypto|child_process)"\);$/m)
})
