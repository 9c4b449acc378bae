/** `install --context` and its way back. */

import { expect, test } from 'vitest'
import { Sandbox } from '../../support/git-repo.ts'
import { changedPaths, snapshot } from '../../support/snapshot.ts'
import { installIn, uninstallIn } from '../setup/in-process.ts'

const MARKER = '.git/ledger-git/context/followed'
const STATE = '.claude/checkpoint-state.json'
const OURS = JSON.stringify({ version: '1.0.0', sessionId: 's1', currentLevel: 'L0' })

test('it is asked for once, stays through other installs, and goes without a trace', async () => {
  const repo = new Sandbox().init()
  const before = snapshot(repo.sandbox.folder)
  await installIn(repo, false, undefined, { agents: ['claude'] })
  expect(repo.exists(MARKER)).toBe(false)
  await installIn(repo, false, undefined, { agents: ['claude'], context: true })
  expect(repo.exists(MARKER)).toBe(true)
  expect((await installIn(repo)).changes).toEqual([])
  expect(repo.exists(MARKER)).toBe(true)
  // What hooks write is nothing for git.
  repo.write(STATE, OURS)
  repo.write('.git/ledger-git/context/s1.json', '{}')
  expect(repo.git('status', '--porcelain', '-uall')).not.toContain('checkpoint-state')
  await uninstallIn(repo)
  expect(changedPaths(before, snapshot(repo.sandbox.folder))).toEqual([])
})

test('another program’s state file stays', async () => {
  const repo = new Sandbox().init()
  await installIn(repo, false, undefined, { agents: ['claude'], context: true })
  repo.write(STATE, '{"version": 2}')
  await uninstallIn(repo)
  expect(repo.read(STATE)).toBe('{"version": 2}')
})
