/**
 * An agent whose shell has left its project: for a submodule, for a separate repository, or for a folder without one.
 */

import { copyFileSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { putStatusLine } from '../../src/core/agents/status-line-setting.ts'
import { builtFrom } from '../support/built-from.ts'
import type { Repo } from '../support/git-repo.ts'
import { CLI, ledgerRepo } from '../support/git-repo.ts'
import { sampleOf } from '../support/long.ts'
import { Agent } from './agent.ts'
import { events, sessionLog, stateOf } from './readers.ts'

builtFrom(
  () => import('../../src/entry/agent-hook.ts'),
  () => import('../../src/entry/statusline.ts'),
)

/** The lines of the status line as Claude Code starts it: ours, below the user's own. */
function statusLine(
  agent: Agent,
  project: Repo,
  { folder }: Repo,
  named = project.folder,
): string[] {
  project.write('.claude/settings.json', '{"statusLine":{"type":"command","command":"pwd"}}')
  const put = putStatusLine('')
  const settings = JSON.parse(typeof put === 'string' ? put : put.text) as {
    statusLine: { command: string }
  }
  const input = JSON.stringify({ session_id: agent.session, workspace: { current_dir: folder } })
  const env = named === '' ? {} : { CLAUDE_PROJECT_DIR: named }
  const command = ['-c', settings.statusLine.command]
  return project.sandbox.at(folder).run('sh', command, { input, env }).stdout.split('\n')
}

const PLACES: [string, (repo: Repo) => Repo][] = [
  [
    'a submodule',
    (repo) => {
      const library = repo.sandbox.init('library')
      library.commit('init', { 'a.txt': 'a\n' })
      repo.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library.folder)
      repo.commit('chore: a library')
      return repo.sandbox.at(join(repo.folder, 'library'))
    },
  ],
  ['a nested repository', (repo) => repo.sandbox.init('repo/inside')],
  [
    'a nested repository with ledger-git',
    (repo) => {
      const inside = repo.sandbox.init('repo/inside')
      inside.commit('init')
      inside.ledger('install')
      return inside
    },
  ],
  ['a folder outside any repository', ({ sandbox }) => sandbox.at(sandbox.folder)],
]

test.each(sampleOf(PLACES, 4))(
  'a turn and session that move to %s end where they began, and the status line still shows',
  async (_, go) => {
    const repo = ledgerRepo()
    const there = go(repo)
    const agent = new Agent(repo)
    await agent.start()
    await agent.prompt('Add a parser for dates')
    await agent.write('parser.txt', 'parser\n')
    agent.cd(there)
    await agent.bash('true')
    await agent.stop('The parser is in place.')
    expect(stateOf(repo, agent)).toMatchObject({ phase: 'idle', worktree: { path: repo.folder } })
    // The user's own status line runs where the shell is.
    const lines = [there.folder, expect.stringContaining('[CTX: '), '']
    expect(statusLine(agent, repo, there)).toEqual(lines)
    await agent.end()
    expect(events(repo)).toHaveLength(1)
    expect(events(repo)[0]).toContain('The parser is in place.')
    expect(sessionLog(repo)).toBe('')
  },
)

test('the status line finds the project in its input when no variable names it', () => {
  const repo = ledgerRepo()
  const workspace = { project_dir: repo.folder }
  const input = JSON.stringify({ session_id: 'one', workspace })
  const outside = repo.sandbox.at(repo.sandbox.folder)
  // Run as agents run it: the command, used by a person, would report what is wrong.
  const env = { LEDGER_TEST_OWN_PROCESS: '1' }
  expect(outside.run(process.execPath, [CLI, 'statusline'], { input, env })).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('[CTX: ') as string,
  })
})

test('a turn that begins in a submodule belongs to the worktree that the session is in', async () => {
  const repo = ledgerRepo()
  const folder = join(repo.sandbox.folder, 'topic')
  repo.git('worktree', 'add', '-q', '-b', 'topic', folder)
  const agent = new Agent(repo)
  agent.cd(repo.sandbox.at(folder))
  await agent.prompt('Add a parser for dates')
  await agent.stop('It is in place.')
  agent.cd(repo.sandbox.init('topic/inside'))
  await agent.prompt('And a printer')
  expect(stateOf(repo, agent)).toMatchObject({ phase: 'active', worktree: { name: 'topic' } })
})

test('another repository with ledger-git has sessions of its own', async () => {
  const repo = ledgerRepo()
  const inside = ledgerRepo()
  const agent = new Agent(repo)
  agent.cd(inside)
  await agent.prompt('Add a parser for dates')
  await agent.stop('It is in place.')
  expect(stateOf(repo, agent)).toBeUndefined()
  expect(stateOf(inside, agent)).toMatchObject({ phase: 'idle', worktree: { path: inside.folder } })
})

test('a git folder that a branch brought in never holds sessions or runs its launcher', async () => {
  const repo = ledgerRepo()
  const bare = join(repo.folder, 'fixture')
  repo.git('init', '-q', '--bare', bare)
  mkdirSync(join(bare, 'ledger-git'))
  copyFileSync(join(repo.folder, '.git/ledger-git/run'), join(bare, 'ledger-git/run'))
  const inside = repo.sandbox.at(bare)
  inside.git('config', 'core.bare', 'false')
  inside.git('config', 'core.worktree', '..') // git works in it and runs whatever its settings start
  expect(inside.git('rev-parse', '--show-toplevel')).toBe(repo.folder)
  const agent = new Agent(repo)
  agent.cd(inside)
  await agent.prompt('Look at it')
  await agent.stop('Looked.')
  expect(stateOf(repo, agent)).toMatchObject({ phase: 'idle' })
  inside.write('ledger-git/run', '#!/bin/sh\necho hostile\n')
  expect(statusLine(agent, repo, inside).join()).toMatch(/^[^,]*\/fixture,\[CTX: [^,]*,$/)
  expect(inside.exists('ledger-git/sessions')).toBe(false)
  // The same when nothing names a project.
  for (const named of ['', join(repo.sandbox.folder, 'removed')])
    expect([named, ...statusLine(agent, repo, inside, named)]).toEqual([named, ''])
})

test('the status line is of the repository around the shell when the project is gone or unnamed', async () => {
  const repo = ledgerRepo()
  repo.write('a/b.txt', 'b\n')
  const folder = join(repo.sandbox.folder, 'topic')
  repo.git('worktree', 'add', '-q', '-b', 'topic', folder)
  const agent = new Agent(repo)
  await agent.start()
  for (const there of [repo, repo.sandbox.at(join(repo.folder, 'a')), repo.sandbox.at(folder)])
    for (const named of ['', join(repo.sandbox.folder, 'removed')])
      expect(statusLine(agent, repo, there, named)).toContainEqual(
        expect.stringContaining('[CTX: '),
      )
})

test('a git folder in the worktree that claims the repository as its own never has its settings applied', async () => {
  const repo = ledgerRepo()
  const mark = join(repo.sandbox.folder, 'ran')
  const evil = join(repo.folder, 'fixture')
  for (const folder of ['objects', 'refs']) mkdirSync(join(evil, folder), { recursive: true })
  writeFileSync(join(evil, 'HEAD'), 'ref: refs/heads/main\n')
  writeFileSync(join(evil, 'commondir'), '../.git\n')
  const other = join(repo.sandbox.folder, 'other')
  mkdirSync(other)
  const settings = `[core]\n\tworktree = ${other}\n\tfsmonitor = "touch ${mark}; false"\n`
  writeFileSync(join(evil, 'config.worktree'), settings)
  repo.git('config', 'extensions.worktreeConfig', 'true')
  const inside = repo.sandbox.at(evil)
  expect(inside.git('rev-parse', '--absolute-git-dir')).toBe(evil)
  const agent = new Agent(repo)
  agent.cd(inside)
  await agent.prompt('Look at it')
  await agent.stop('Looked.')
  expect(stateOf(repo, agent)).toMatchObject({ phase: 'idle', worktree: { path: repo.folder } })
  expect(existsSync(mark)).toBe(false)
})

// On macOS, /tmp and /var are links.
test('an agent that came through a link edits the files of the worktree', async () => {
  const repo = ledgerRepo()
  repo.commit('files', { 'src/a.txt': 'a\n' })
  repo.write('src/a.txt', 'changed before\n')
  const link = join(repo.sandbox.folder, 'link')
  symlinkSync(repo.folder, link)
  const agent = new Agent(repo.sandbox.at(link))
  await agent.start()
  await agent.prompt('Change the file')
  await agent.write('src/a.txt', 'changed by the agent\n')
  expect(stateOf(repo, agent)?.filesTouched).toEqual(['src/a.txt'])
  agent.cd(repo.sandbox.at(join(link, 'src')))
  repo.write('b.txt', 'b\n')
  await agent.write('../b.txt', 'b2\n')
  expect(stateOf(repo, agent)?.filesTouched).toEqual(['src/a.txt', 'b.txt'])
})
