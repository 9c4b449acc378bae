/**
 * Git cannot read the configuration that `install` wrote, and refuses to run: this is detected, reported and
 * repaired.
 */

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ledgerRepo } from '../../support/git-repo.ts'
import type { Repo } from '../../support/git-repo.ts'
import { builtFrom } from '../../support/built-from.ts'
import { longTest, sampleOf } from '../../support/long.ts'

builtFrom(() => import('../../../src/app/setup/fix-config.ts'))

const OUR = '.git/ledger-git'
const SAID =
  /^ledger-git: git cannot read \/.*\/\.git\/ledger-git\/config \(line \d+\), and does nothing in this repository\n {2}next: ledger-git doctor --fix\n$/

/** Damage as a full disk or a bad sector causes it. */
const DAMAGE: Readonly<Record<string, (repo: Repo) => string>> = {
  'cut in the middle': (repo) => repo.read(`${OUR}/config`).slice(0, 60),
  zeros: () => '\0\0\0\0',
  'foreign text': (repo) => `${repo.read(`${OUR}/config`)}hello [there\n`,
}

function broken(text: (repo: Repo) => string = () => '[merge "led'): Repo {
  const repo = ledgerRepo()
  repo.write(`${OUR}/config`, text(repo))
  expect(repo.tryGit('status').status).toBe(128)
  return repo
}

function doctor(repo: Repo, ...words: string[]) {
  const { status, stdout } = repo.tryLedger('doctor', '--json', ...words)
  return { status, ...(JSON.parse(stdout) as { findings: { name: string }[]; fixed: string[] }) }
}

// The kind of damage does not matter: git reports each in the same words.
describe.each(sampleOf(Object.entries(DAMAGE), 3))('%s', (_, damage) => {
  longTest('doctor finds it, and its fix repairs it and checks everything again', () => {
    const repo = broken(damage)
    const { status, findings } = doctor(repo)
    expect({ status, findings }).toMatchObject({
      status: 1,
      findings: [{ name: 'installation', status: 'broken', fix: 'ledger-git doctor --fix' }],
    })
    const after = doctor(repo, '--fix')
    expect(after).toMatchObject({ status: 0, fixed: [`edit ${repo.folder}/${OUR}/config`] })
    expect(after.findings.length).toBeGreaterThan(20)
    expect(repo.status()).toBe('')
  })
})

test('install repairs both files, also from a sub-folder of a linked worktree', () => {
  const repo = ledgerRepo()
  const healthy = ['config', 'config-hooks'].map((name) => repo.read(`${OUR}/config`) + name)
  repo.git('worktree', 'add', '-q', '../linked')
  repo.write(`${OUR}/config-hooks`, 'hello [\n')
  const folder = join(repo.sandbox.folder, 'linked/some/folder')
  mkdirSync(folder, { recursive: true })
  const linked = repo.sandbox.at(folder)
  expect(linked.tryLedger('doctor').stdout).toMatch(/config-hooks \(line 1\)/)
  repo.write(`${OUR}/config`, 'hello [\n')
  expect(linked.tryLedger('install', '--dry-run')).toMatchObject({ status: 3 })
  const { status, stdout } = linked.tryLedger('install')
  expect(status).toBe(0)
  expect(stdout).toMatch(/^edit .*ledger-git\/config \(configuration that git could not read\)$/m)
  expect(stdout).toMatch(/^edit .*ledger-git\/config-hooks \(configuration/m)
  expect(stdout).not.toContain('nothing to change')
  expect(['config', 'config-hooks'].map((name) => repo.read(`${OUR}/config`) + name)).toEqual(
    healthy,
  )
  expect(repo.ledger('install')).toBe('already installed: nothing to change')
})

test('uninstall removes everything', () => {
  const repo = broken()
  expect(repo.tryLedger('uninstall')).toMatchObject({ status: 0 })
  expect(repo.exists(OUR)).toBe(false)
  expect(repo.read('.git/config')).not.toContain('ledger-git')
  expect(repo.git('config', '--list')).not.toContain('ledger')
})

test('other commands name the command that helps', () => {
  const repo = broken()
  const commands = ['status', 'show', 'check', 'log', 'resolve', 'event add --agent a --now x']
  for (const words of [...commands, 'uninstall --dry-run', 'install --dry-run']) {
    const ran = repo.tryLedger(...words.split(' '))
    expect.soft(ran, words).toMatchObject({ status: 3, stdout: '' })
    expect.soft(ran.stderr).toMatch(SAID)
  }
  expect(repo.read(`${OUR}/config`)).toBe('[merge "led')
})

test("leaves damage in the user's own configuration to the user", () => {
  const repo = ledgerRepo()
  repo.write('.git/config', `${repo.read('.git/config')}hello [\n`)
  const text = repo.read('.git/config')
  for (const words of ['show', 'install', 'uninstall', 'doctor --fix']) {
    const { status, stdout, stderr } = repo.tryLedger(...words.split(' '))
    expect.soft(status, words).toBe(words === 'doctor --fix' ? 1 : 3)
    expect.soft(stdout + stderr, words).toMatch(/git cannot read \/.*\/\.git\/config \(line \d+\)/)
    expect.soft(stdout + stderr, words).toMatch(/fix line \d+ of that file/)
    expect.soft(stdout, words).not.toContain('fixed')
  }
  expect(repo.read('.git/config')).toBe(text)
})

test('a file with the same name outside a git folder is not ours', () => {
  const repo = ledgerRepo()
  repo.write('settings/ledger-git/config', 'mine [\n')
  repo.git('config', 'include.path', '../settings/ledger-git/config')
  for (const words of ['show', 'install', 'doctor --fix']) {
    expect(repo.tryLedger(...words.split(' ')).status, words).not.toBe(0)
  }
  expect(repo.read('settings/ledger-git/config')).toBe('mine [\n')
})
