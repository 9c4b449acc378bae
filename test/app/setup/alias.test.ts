/** `git ledger` through the alias that `install` writes, with no `git-ledger` on PATH. */

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { EVENTS, Sandbox } from '../../support/git-repo.ts'
import { installIn, uninstallIn } from './in-process.ts'
import { longTest, sampleOf } from '../../support/long.ts'

const ADD = ['ledger', 'event', 'add', '--agent', 'toast', '--now']

test('runs in the folder that it is called from, also in a linked worktree', async () => {
  const sandbox = new Sandbox()
  const repo = sandbox.init()
  await installIn(repo)
  repo.git('add', '-A')
  repo.git('commit', '-q', '-m', 'set up')
  repo.git('worktree', 'add', '-q', '../linked')
  for (const top of sampleOf([sandbox.at(join(sandbox.folder, 'linked')), repo], 2)) {
    const below = sandbox.at(join(top.folder, 'a b', '-c'))
    mkdirSync(below.folder, { recursive: true })
    expect(below.git(...ADD, 'it\'s "here" $HOME')).toMatch(/^\.\.\/\.\.\/thoughts\/.*\.md$/)
    expect(top.git('ledger', 'show', '--json')).toContain(JSON.stringify('it\'s "here" $HOME'))
    expect(top.git(...ADD, 'on top')).toMatch(/^thoughts\/.*\.md$/)
    expect(top.git('status', '--porcelain', '-uall', EVENTS).split('\n')).toHaveLength(2)
    // The git process above us is ours and not somebody else's commit.
    expect(below.git(...ADD, 'x', '--commit', '--json')).toMatch(/"commit": "[0-9a-f]{40}"/)
  }
  const { status: refused, stderr: why } = repo.tryGit('ledger', 'frob')
  expect(refused).toBe(2)
  expect(why).toContain('\n  next: git ledger help\n')
  // git itself prints the alias.
  const said = repo.tryGit('ledger', '--help')
  expect(said.stdout + said.stderr).toContain("aliased to '!: git ledger help lists the commands;")
  // The recorded command is gone, and there is no other.
  const launch = '.git/ledger-git/launch'
  repo.write(launch, repo.read(launch).replace('main.js', 'gone.js'))
  const { status, stderr } = repo.tryGit('ledger', 'status')
  expect(status).toBe(3)
  expect(stderr).toContain('next: npx ledger-git install')
  await uninstallIn(repo)
  expect(repo.tryGit('config', 'alias.ledger').status).toBe(1)
})

longTest("gives way to the user's own alias and to a git-ledger on PATH", async () => {
  const repo = new Sandbox().init()
  const alias = () => repo.tryGit('config', 'alias.ledger').stdout.trim()
  await installIn(repo)
  const ours = alias()
  expect(ours).toContain('/ledger-git/run')
  const bin = join(repo.sandbox.folder, 'bin')
  mkdirSync(bin)
  writeFileSync(join(bin, 'git-ledger'), '#!/bin/sh\necho on PATH\n', { mode: 0o755 })
  const env = { PATH: `${bin}:${process.env['PATH']}` }
  expect(repo.run('git', ['ledger'], { env }).stdout).toBe('on PATH\n')

  // Ours comes later and would hide it: the next install removes ours, and doctor reports it until then.
  repo.git('config', '--global', 'alias.ledger', '!echo mine')
  expect(repo.tryLedger('doctor').stdout).toMatch(/ledger-git\/config\b/)
  await installIn(repo)
  expect(repo.git('ledger')).toBe('mine')
  expect((await installIn(repo)).changes).toEqual([])
  repo.git('config', '--global', '--unset', 'alias.ledger')
  await installIn(repo)
  expect(alias()).toBe(ours)
  repo.git('config', 'alias.ledger', '!echo of this repository')
  expect(repo.git('ledger')).toBe('of this repository')
})

test("git's trace output is not taken for an alias of the user", async () => {
  const repo = new Sandbox().init()
  await installIn(repo)
  const env = { GIT_TRACE: '1' }
  const { stdout } = repo.tryLedgerWith({ env }, 'install', '--dry-run', '--json')
  expect(JSON.parse(stdout)).toMatchObject({ changes: [] })
})
