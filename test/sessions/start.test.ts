/** What the start of a session and its texts must not depend on, and must not leave behind. */

import { expect, test } from 'vitest'
import { FileSessionStore } from '../../src/io/sessions/session-store.ts'
import { longTest } from '../support/long.ts'
import { SECRETS } from '../support/secrets.ts'
import { scene, turn } from './commit-scene.ts'
import { sessionLog } from './readers.ts'
import { builtFrom } from '../support/built-from.ts'

builtFrom(() => import('../../src/entry/agent-hook.ts'))

longTest(
  'a session is told the ledger at its start even while its own state is locked',
  async () => {
    const { repo, agent } = scene('session-a')
    repo.event('--now', 'the parser is next', '--commit')
    await turn(agent, { 'a.txt': 'a\n' })
    const store = new FileSessionStore(`${repo.folder}/.git`)
    let release = () => {}
    const held = store.change('session-a', async (state) => {
      await new Promise<void>((resolve) => (release = resolve))
      return { state, result: undefined }
    })
    const answer = await agent.start('resume')
    release()
    await held
    expect(JSON.stringify(answer)).toContain('the parser is next')
    expect(sessionLog(repo)).toContain('session session-a: not followed: LOCKED')
  },
)

test('a secret that is said in a session is stored nowhere', async () => {
  const { repo, agent } = scene()
  const secret = SECRETS.find(({ kind }) => kind === 'github-token')?.secret ?? ''
  expect(secret).not.toBe('')
  await agent.prompt(`Use ${secret} for the upload`)
  await agent.todo([`put ${secret} into the settings`, 'in_progress'])
  await agent.write('a.txt', 'a\n')
  await agent.commit('feat: a', 'a.txt')
  await agent.stop(`Uploaded with ${secret}. Is ${secret} the right one?`)
  // Of a long message the beginning and the end are read: neither excerpt may start inside a secret.
  await agent.prompt(`Is ${secret} the right one?`)
  await agent.stop(`${'a.\n'.repeat(3000)}Is ${secret} what you want?\n${'b.\n'.repeat(2650)}`)
  await agent.end(`other: ${secret}`)
  // Every file of the worktree and the git folder, and every object.
  const half = secret.slice(0, secret.length / 2)
  const files = repo.run('grep', ['-rlFe', half, '-e', secret.slice(half.length), '.'])
  expect(files.stdout).toBe('')
  const objects = repo.git('cat-file', '--batch-all-objects', '--batch')
  expect(objects).toContain('[redacted: github-token]')
  expect(objects).not.toContain(half)
})
