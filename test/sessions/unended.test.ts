/** Agents that disappeared without reporting an end: a commit or a push ends their sessions without waiting. */

import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Fleet } from '../../src/core/fleet/fleet.ts'
import { EVENTS } from '../support/git-repo.ts'
import { longTest } from '../support/long.ts'
import { commit, linkOf, partOf, scene, turn, watchErrands } from './commit-scene.ts'
import { events, stateOf } from './readers.ts'

test('a commit of the session’s work is linked as usual, and the event of its end stays uncommitted', async () => {
  const { repo, agent } = scene()
  await turn(agent, { 'a.txt': 'a\n' })
  await agent.crash()
  const isOver = watchErrands(repo, '--reap')
  const made = commit(repo, 'feat: a', 'a.txt')
  await isOver()
  expect(events(repo)).toEqual([expect.stringMatching(/^reason: timed out$/m)])
  expect(partOf(repo, linkOf(repo))).toMatchObject({ commits: [made] })
  expect(stateOf(repo, agent)).toMatchObject({ phase: 'ended', filesTouched: [] })
  // Whoever has just committed finds HEAD where it was and can amend that commit.
  expect(repo.git('rev-parse', 'HEAD')).toBe(made)
  expect(repo.status()).toMatch(new RegExp(`^\\?\\? ${EVENTS}/`))
})

test('a person ends a turn whose process is gone with the command that fleet shows', async () => {
  const { repo, agent } = scene()
  await agent.prompt('Write a.txt')
  await agent.write('a.txt', 'a\n')
  const stalled = () => {
    const { attention } = JSON.parse(repo.ledger('fleet', '--json')) as Fleet
    return attention.flatMap(({ kind, command }) => (kind === 'stalled' ? [command] : []))
  }
  expect(repo.ledger('doctor', '--fix')).not.toContain('ended session')
  expect(stalled()).toEqual([])
  await agent.crash()
  expect(stalled()).toEqual([`git -C ${repo.folder} ledger doctor --fix`])
  expect(repo.ledger('doctor', '--fix')).toContain(`ended session ${agent.session}`)
  expect(stalled()).toEqual([])
  expect(stateOf(repo, agent)).toMatchObject({ phase: 'ended', filesTouched: ['a.txt'] })
  expect(repo.ledger('doctor')).toContain('no session is open whose agent is gone')
})

longTest('a push, where no commit concerned it', async () => {
  const { repo, agent } = scene()
  repo.git('init', '-q', '--bare', '../origin.git')
  repo.git('remote', 'add', 'origin', join(repo.sandbox.folder, 'origin.git'))
  await agent.prompt('Explain the parser')
  await agent.stop('It reads dates.')
  repo.git('push', '-q', 'origin', 'HEAD')
  await agent.crash()
  const isOver = watchErrands(repo, '--reap')
  repo.write('other.txt', 'a person\n')
  commit(repo, 'unrelated', 'other.txt')
  repo.git('push', '-q', 'origin', 'HEAD')
  await isOver()
  expect(events(repo)).toEqual([expect.stringContaining('It reads dates.')])
})
