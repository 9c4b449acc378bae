/** Which files the built tool loads: Node reads and compiles a whole file, however little of it is used. */

import { spawnSync } from 'node:child_process'
import { copyFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { builtFrom } from '../support/built-from.ts'
import { CLI, ENTRY, Sandbox } from '../support/git-repo.ts'
import { longTest } from '../support/long.ts'

builtFrom(() => import('../../src/entry/main.ts'))
builtFrom(() => import('../../src/entry/git-entry-main.ts'))

// `status` reports more than the others but needs no parser; all commands together have 2 MB.
test.each([
  ['check', CLI, 'check', 400_000],
  ['the merge driver', ENTRY, 'merge-driver', 400_000],
  ['status', CLI, 'status', 900_000],
])('%s loads only a small part of the built tool', (_, file, word, most) => {
  const repo = new Sandbox().init()
  repo.ledger('install')
  const { sandbox, folder: cwd } = repo
  const { env } = sandbox
  const loaded = `
    process.on('exit', () => require('fs').writeSync(1, Object.keys(require.cache).join('\\n')))
    process.argv = ['node', ${JSON.stringify(file)}, ${JSON.stringify(word)}]
    require(${JSON.stringify(file)})`
  const { stdout } = spawnSync(process.execPath, ['-e', loaded], { cwd, env, encoding: 'utf8' })
  const files = stdout.split('\n').filter((name) => name.startsWith('/'))
  expect(files).toContain(file)
  const bytes = files.map((name) => statSync(name).size).reduce((sum, size) => sum + size, 0)
  expect(bytes).toBeGreaterThan(200_000)
  expect(bytes).toBeLessThan(most)
})

longTest('status prints the same with and without the parser', () => {
  const repo = new Sandbox().init()
  const status = (...words: string[]) => repo.run(process.execPath, [CLI, 'status', ...words])
  const isSame = () => {
    expect(status()).toEqual(status('--no-json'))
    expect(status('--json')).toEqual(status('--json', '--json'))
  }
  isSame()
  repo.ledger('install')
  isSame()
  repo.write('.ledger-git.yaml', 'ledger: [')
  isSame()
  expect(status()).toMatchObject({ status: 2, stdout: '' })
  expect(status('--frob')).toMatchObject({ status: 2, stdout: '' })
})

test('a broken installation says so, with a status that Node itself never uses', () => {
  const { env, folder: cwd } = new Sandbox()
  const alone = join(cwd, 'main.cjs')
  copyFileSync(CLI, alone)
  const ran = spawnSync(process.execPath, [alone, 'status'], { cwd, env, encoding: 'utf8' })
  expect(ran).toMatchObject({ status: 70, stdout: '' })
  expect(ran.stderr).toMatch(/^ledger-git: the installation is broken: /)
})
