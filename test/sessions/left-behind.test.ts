/** Work that no commit will hold, and commits in another worktree than the session's. */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Agent } from './agent.ts'
import { commit, scene, turn, written } from './commit-scene.ts'
import { editState, stateOf, trailers } from './readers.ts'

test('thrown away: a later session puts it away, commits are free of it, its files come back', async () => {
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
  const [file = ''] = names.filter((name) => name.endsWith('new.txt'))
  expect(readFileSync(join(rescued, file), 'utf8')).toBe('an idea\n')
  expect(stateOf(repo, agent)).toMatchObject({ phase: 'ended', filesTouched: ['new.txt'] })
})
