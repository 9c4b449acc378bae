/** Work that no commit will contain, and commits in a worktree other than the session's. */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Agent } from './agent.ts'
import { commit, linkOf, partOf, scene, turn, written } from './commit-scene.ts'
import { editState, shadowPaths, stateOf, trailers } from './readers.ts'

test('discarded work is condensed by a later session, ignored by other commits, and recoverable', async () => {
  const { repo, agent } = scene()
  await turn(agent, { 'new.txt': 'an idea\n' })
  await agent.run('rm', ['new.txt'])
  await agent.end()
  const open = () => readdirSync(join(repo.folder, '.git/ledger-git/open-sessions'))
  const next = new Agent(repo, 'session-b')
  await next.start()
  expect(open()).toEqual([agent.session])
  const longAgo = new Date(Date.now() - 31 * 60_000).toISOString()
  editState(repo, agent, { endedAt: longAgo })
  await next.start()
  expect(open()).toEqual([])
  expect(written(repo)).toBe(1)
  expect(repo.ledger('session', 'list', '--all')).toContain('left behind')

  repo.write('other.txt', 'a person\n')
  commit(repo, 'unrelated', 'other.txt')
  expect(trailers(repo)).toEqual([])
  const rescued = join(repo.sandbox.folder, 'rescued')
  repo.ledger('session', 'recover', agent.session, '--files', rescued)
  const names = readdirSync(rescued, { recursive: true, encoding: 'utf8' })
  const file = names.find((name) => name.endsWith('new.txt')) ?? ''
  expect(readFileSync(join(rescued, file), 'utf8')).toBe('an idea\n')
  expect(stateOf(repo, agent)).toMatchObject({ phase: 'ended', filesTouched: ['new.txt'] })
})

test('a turn that commits in another worktree links the commit and keeps the rest in its own', async () => {
  const { repo, agent } = scene()
  const folder = join(repo.sandbox.folder, 'topic')
  repo.git('worktree', 'add', '-q', '-b', 'topic', folder)
  const topic = repo.sandbox.at(folder)
  await agent.prompt('Here and there')
  await agent.write('here.txt', 'here\n')
  await agent.bash(
    `cd '${folder}' && echo there > there.txt && git add -A && git commit -q -m there`,
  )
  const made = topic.git('rev-parse', 'HEAD')
  topic.write('of-a-person.txt', 'a person\n')
  // The agent's shell stays there, as its hooks report.
  await agent.cd(topic).stop('Done.')
  expect(partOf(repo, linkOf(topic))).toMatchObject({ commits: [made] })
  expect(stateOf(repo, agent)).toMatchObject({
    base: repo.git('rev-parse', 'HEAD'),
    worktree: { name: '' },
    filesTouched: ['here.txt'],
  })
  expect(shadowPaths(repo).filter((path) => path.includes('/files/'))).toEqual([
    'sessions/session-a/files/here.txt',
  ])
})

test('the event reports commits as done if a branch has them, and not if they were undone', async () => {
  const { repo, agent } = scene()
  await agent.prompt('Count requests')
  for (const name of ['kept', 'moved', 'undone']) {
    await agent.write(`${name}.txt`, `${name}\n`)
    await agent.bash(`git add -A && git commit -q -m 'feat: ${name}'`)
    if (name === 'moved') await agent.bash('git branch topic && git reset -q --hard HEAD~1')
  }
  await agent.bash('git reset -q --hard HEAD~1')
  await agent.stop('The secrets are out.')
  await agent.end()
  const told = repo.ledger('show')
  expect(told).toContain('feat: kept')
  expect(told).toContain('feat: moved')
  expect(told).not.toContain('feat: undone')
})
