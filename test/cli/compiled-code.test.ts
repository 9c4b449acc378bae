/** Where Node keeps what it compiles of typed commands: in the user's own folder, or nowhere. */

import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import * as module from 'node:module'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CLI, Sandbox } from '../support/git-repo.ts'

/** Node 22 and newer. */
const isKept = 'enableCompileCache' in module

function version(sandbox: Sandbox, env: NodeJS.ProcessEnv): void {
  // Its own: other programs of the run keep what they compile in the common one.
  const TMPDIR = join(sandbox.folder, 'tmp')
  mkdirSync(TMPDIR)
  const own = { ...env, TMPDIR, LEDGER_TEST_OWN_PROCESS: '1' }
  const ran = sandbox.init().run(process.execPath, [CLI, '--version'], { env: own })
  expect(ran).toMatchObject({ status: 0, stderr: '' })
  expect(readdirSync(TMPDIR)).toEqual([])
}

test.each([
  ['home/.cache', () => ({})],
  ['caches', ({ folder }: Sandbox) => ({ XDG_CACHE_HOME: join(folder, 'caches') })],
])('in %s', (caches, envOf) => {
  const sandbox = new Sandbox()
  version(sandbox, envOf(sandbox))
  expect(existsSync(join(sandbox.folder, caches, 'ledger-git/code'))).toBe(isKept)
})

test('nowhere without a home', () => {
  const sandbox = new Sandbox()
  const HOME = join(sandbox.folder, 'nobody')
  version(sandbox, { HOME })
  expect(existsSync(HOME)).toBe(false)
})
