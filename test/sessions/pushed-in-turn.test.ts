/** A commit that is pushed before its turn ends: its checkpoint is pushed once written, by the same rules. */

import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Repo } from '../support/git-repo.ts'
import { longTest } from '../support/long.ts'
import type { Agent } from './agent.ts'
import { linkOf, scene, turn, watchErrands } from './commit-scene.ts'
import { BRANCH, stateOf } from './readers.ts'

const ASKED = { LEDGER_GIT_PUSH_CHECKPOINTS: '1' }

function shared(): { repo: Repo; agent: Agent } {
  const { repo, agent } = scene()
  repo.git('init', '-q', '--bare', '../origin.git')
  repo.git('remote', 'add', 'origin', join(repo.sandbox.folder, 'origin.git'))
  return { repo, agent }
}

/** A turn up to its push. */
async function pushed(repo: Repo, agent: Agent, env: Record<string, string> = {}) {
  await agent.prompt('Write and push')
  await agent.write('a.txt', 'a\n')
  await agent.commit('feat: a')
  const ran = await agent.run('git', ['push', '-q', 'origin', 'HEAD'], '', env)
  expect(ran.status).toBe(0)
  return linkOf(repo)
}

const pathOf = (id: string) => `${id.slice(0, 2)}/${id.slice(2)}/metadata.json`
const isThere = (repo: Repo, id: string) =>
  repo.tryGit('--git-dir=../origin.git', 'cat-file', '-e', `${BRANCH}:${pathOf(id)}`).status === 0

longTest(
  'the end of a turn pushes its checkpoint to a remote that has some, or when the user asked for it',
  async () => {
    const { repo, agent } = shared()
    const first = await pushed(repo, agent, ASKED)
    expect(isThere(repo, first)).toBe(false)
    const isOver = watchErrands(repo, '--push')
    await agent.stop('Done.')
    await isOver()
    expect(isThere(repo, first)).toBe(true)
    expect(stateOf(repo, agent)).not.toHaveProperty('pushTo')

    await agent.prompt('More')
    await agent.write('b.txt', 'b\n')
    await agent.commit('feat: b')
    await agent.bash('git push -q origin HEAD')
    await agent.stop('Done.')
    await isOver()
    expect(isThere(repo, linkOf(repo))).toBe(true)
  },
)

test('the end of a turn pushes no checkpoint to a remote without any, or when the user forbids it', async () => {
  const { repo, agent } = shared()
  const id = await pushed(repo, agent)
  expect(stateOf(repo, agent)).toMatchObject({ pushTo: { remote: 'origin', isAsked: false } })
  const isOver = watchErrands(repo, '--push')
  await agent.stop('Done.')
  await isOver()
  expect(isThere(repo, id)).toBe(false)
  await turn(agent, {})
  await pushed(repo, agent, { LEDGER_GIT_PUSH_CHECKPOINTS: '0' }).catch(() => {})
  expect(stateOf(repo, agent)).not.toHaveProperty('pushTo')
})
