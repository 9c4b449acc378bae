/** Where Node keeps what it compiles of typed commands: in the user's own folder, or nowhere. */

import { existsSync, readdirSync } from 'node:fs'
import * as module from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CLI, Sandbox } from '../support/git-repo.ts'

/** Node 22 and newer. */
const isKept = 'enableCompileCache' in module

function version(sandbox: Sandbox, env: NodeJS.ProcessEnv): void {
  // A helper's process has such a folder already.
  const own = { ...env, LEDGER_TEST_OWN_PROCESS: '1' }
  const ran = sandbox.init().run(process.execPath, [CLI, '--version'], { env: own })
  expect(ran).toMatchObject({ status: 0, stderr: '' })
  expect(readdirSync(tmpdir())).not.toContain('node-compile-cache')
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
