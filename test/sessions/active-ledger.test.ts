/** The active ledger with a real agent's payloads, through the launcher, and with commands that the agent runs. */

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readActiveLedger } from '../../src/core/active-ledger/active-ledger.ts'
import { builtFrom } from '../support/built-from.ts'
import type { Repo } from '../support/git-repo.ts'
import { CLI } from '../support/git-repo.ts'
import { Agent } from './agent.ts'
import { scene } from './commit-scene.ts'
import { ledger as shared, sessionLog } from './readers.ts'

builtFrom(() => import('../../src/entry/agent-hook.ts'))

const FILE = 'conductor/sessions/active/LEDGER.md'
const ARCHIVE = 'conductor/sessions/archive'
const CONTINUITY = `${process.execPath} ${CLI} continuity`

const active = (repo: Repo) => readActiveLedger(repo.read(FILE))
const triggers = (repo: Repo) =>
  readdirSync(join(repo.folder, ARCHIVE))
    .map((name) => name.slice(17, -8))
    .sort()

test('the active ledger follows its agent from start to end and refuses a second one', async () => {
  const { repo, agent } = scene('session-a')
  repo.commit('chore: conductor', { 'conductor/product.md': '# Product\n' })
  await agent.start()
  await agent.prompt('/conductor-implement auth_20251227')
  expect(active(repo)).toMatchObject({
    session_id: 'session-a',
    platform: 'claude',
    bound_track: 'auth_20251227',
  })

  // `bd` is not installed here: what counts is the command that the agent ran.
  await agent.tool('Bash', {
    command: 'bd update my-workflow:3-xyz --claim --json',
    description: 'claim',
  })
  await agent.write('src/jwt.ts', 'export {}\n')
  const saved = await agent.bash(
    `${CONTINUITY} save --done "JWT validation" --now "refresh tokens" --strict`,
  )
  expect(saved).toMatchObject({ status: 0 })
  await agent.tool('Read', { file_path: join(repo.folder, 'old.txt') })
  await agent.stop('The tokens are validated.')
  expect(active(repo)).toMatchObject({
    session_id: 'session-a',
    bound_bead: 'my-workflow:3-xyz',
    modified: ['src/jwt.ts'],
    read: ['old.txt'],
    done: ['JWT validation'],
    now: ['refresh tokens'],
  })

  await agent.compact()
  const told = JSON.stringify(await agent.start('compact'))
  expect(told).toContain('track: auth_20251227\\nbead: my-workflow:3-xyz\\nnow: refresh tokens')
  expect(triggers(repo)).toEqual(['pre-compact'])

  // A second session in the same worktree may read; it is told who owns the ledger, and changes nothing.
  await agent.prompt('Go on')
  const other = new Agent(repo, 'session-b')
  expect(JSON.stringify(await other.start())).toContain('belongs to session session-a')
  const { stdout } = await other.prompt('/conductor-implement billing')
  expect(stdout).toContain('belongs to session session-a')
  const before = repo.read(FILE)
  const refused = await other.bash(
    `${CONTINUITY} save --now mine; ${CONTINUITY} save --now mine --strict`,
  )
  expect(refused).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('belongs to session session-a') as string,
  })
  await other.end()
  expect(repo.read(FILE)).toBe(before)

  await agent.tool('Bash', { command: 'bd close my-workflow:3-xyz --reason completed' })
  expect(active(repo).bound_bead).toBeNull()
  await agent.commit('feat: jwt', 'src/jwt.ts')
  await agent.stop('Committed.')
  await agent.end()
  expect(active(repo)).toMatchObject({
    bound_track: null,
    bound_bead: null,
    done: ['JWT validation'],
  })
  expect(triggers(repo)).toEqual(['pre-compact', 'session-end'])
  expect(shared(repo).now?.value).toBe('refresh tokens')
  expect(shared(repo).this_session.map(({ text }) => text)).toContain('JWT validation')
  // None of it shows up in git status, and the log has only the refusal.
  expect(repo.git('status', '--porcelain')).not.toContain('conductor')
  const logged = sessionLog(repo)
    .split('\n')
    .filter((line) => line.includes('active ledger'))
  expect(logged).toEqual([
    expect.stringMatching(/session session-b: active ledger: ACTIVE_LEDGER_IN_USE$/),
  ])
})
