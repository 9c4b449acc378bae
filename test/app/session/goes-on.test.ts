/**
 * An agent that continues without a prompt although its turn ended, because another Stop hook or `session.ask` told
 * it to.
 */

import { expect, test } from 'vitest'
import type { ToolUse } from '../../../src/core/agents/agent-signal.ts'
import { Actor, commitBy, Stage } from './actors.ts'

const SHELL: ToolUse = { name: 'Bash', files: [], mayWrite: true, todos: undefined }
const READ: ToolUse = { name: 'Read', files: [], mayWrite: false, todos: undefined }

/** An idle session whose turn changed a file. */
async function scene() {
  const stage = new Stage()
  const agent = new Actor(stage, 'one')
  await agent.turn({ 'a.txt': 'a\n' })
  return { stage, agent }
}

const shadowFiles = ({ repo }: Stage) =>
  repo
    .git(
      'ls-tree',
      '-r',
      '--name-only',
      repo.git('for-each-ref', '--format=%(refname)', 'refs/ledger/'),
    )
    .split('\n')

test.each(['turn_end', 'session_end'] as const)('saves what a shell made at %s', async (kind) => {
  const { stage, agent } = await scene()
  stage.repo.write('b.txt', 'b\n')
  await agent.signal('tool_used', { tool: SHELL })
  expect(await stage.state('one')).toMatchObject({ phase: 'active', turn: 1 })
  await agent.signal(kind)
  expect(await stage.state('one')).toMatchObject({ filesTouched: ['a.txt', 'b.txt'], steps: 2 })
  expect(shadowFiles(stage)).toContain('sessions/one/files/b.txt')
})

test('saves a file that a tool named', async () => {
  const { stage, agent } = await scene()
  stage.repo.write('b.txt', 'b\n')
  await agent.signal('tool_used', { tool: { ...READ, name: 'Write', files: ['b.txt'] } })
  await agent.signal('turn_end')
  expect(await stage.state('one')).toMatchObject({ phase: 'idle', steps: 2 })
  expect(shadowFiles(stage)).toContain('sessions/one/files/b.txt')
})

test('stays idle after reading, a subagent, or an end with nothing before it', async () => {
  const { stage, agent } = await scene()
  const subagent = { id: 'sub', transcript: undefined }
  for (const about of [{ tool: READ }, { tool: SHELL, subagent }]) {
    await agent.signal('tool_used', about)
    expect(await stage.state('one')).toMatchObject({ phase: 'idle' })
  }
  await agent.signal('turn_end')
  expect(await stage.state('one')).toMatchObject({ phase: 'idle', steps: 1 })
})

test('does not count what a person committed while it was idle as its work', async () => {
  const { stage, agent } = await scene()
  stage.repo.write('mine.txt', 'mine\n')
  const links = await commitBy(stage, undefined, 'mine', stage.repo, 'mine.txt')
  expect(links).toEqual([])
  for (let times = 0; times < 2; times++) await agent.signal('tool_used', { tool: SHELL })
  const head = stage.repo.git('rev-parse', 'HEAD')
  expect(await stage.state('one')).toMatchObject({ phase: 'active', base: head, commits: [] })
  await agent.signal('turn_end')
  expect(await stage.state('one')).toMatchObject({ filesTouched: ['a.txt'], commits: [] })
  expect(shadowFiles(stage)).toContain('sessions/one/files/a.txt')
})

test('counts a commit made without hooks as its own if it contains its work', async () => {
  const { stage, agent } = await scene()
  stage.repo.git('add', 'a.txt')
  stage.repo.git('-c', 'core.hooksPath=/dev/null', 'commit', '-q', '-m', 'unseen')
  await agent.signal('tool_used', { tool: SHELL })
  const commit = stage.repo.git('rev-parse', 'HEAD')
  expect(await stage.state('one')).toMatchObject({ commits: [{ commit }], filesTouched: [] })
})
