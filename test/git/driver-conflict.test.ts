/** If the merge cannot be exact: a conflict that shows both sides, and a way out of it. */

import { rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Repo } from '../support/git-repo.ts'
import {
  ALL,
  based,
  CURRENT,
  diverged,
  EVENTS,
  expectMarkers,
  expectSound,
  note,
  sortedWords,
  work,
} from './scene.ts'
import { BROKEN, script } from './broken-driver.ts'
import { longTest, sampleOf } from '../support/long.ts'
import { builtFrom } from '../support/built-from.ts'

builtFrom(() => import('../../src/entry/git-entry-main.ts'))

/** Finishes a merge whose ledger is in conflict, as the message says. */
function finish(repo: Repo): void {
  repo.ledger('resolve')
  repo.git('commit', '-q', '--no-edit')
}

longTest('octopus: refused cleanly, and one head at a time works', () => {
  const repo = diverged()
  repo.git('switch', '-q', '-c', 'third', 'main~1')
  work(repo, 'x1')
  repo.git('switch', '-q', 'main')
  const before = repo.git('rev-parse', 'HEAD')
  const ran = repo.tryGit('merge', '--no-edit', 'topic', 'third')
  expect(ran.status).not.toBe(0)
  expect(repo.git('rev-parse', 'HEAD')).toBe(before)
  // Git gives up in the middle of the second head; what the first changed is left staged.
  repo.git('reset', '-q', '--hard')
  repo.git('merge', '-q', '--no-edit', 'topic')
  repo.git('merge', '-q', '--no-edit', 'third')
  expect(sortedWords(repo)).toEqual([...ALL, 'x1'])
  expectSound(repo)
})

longTest('octopus whose last head conflicts: resolve and commit keep all three parents', () => {
  const repo = based()
  for (const word of ['a', 'b']) {
    repo.git('switch', '-q', '-c', word, 'main')
    if (word === 'b') work(repo, word)
    else repo.commit(word, { 'a.txt': 'a\n' })
  }
  repo.git('switch', '-q', 'main')
  work(repo, 'm1')
  expect(repo.tryGit('merge', '--no-edit', 'a', 'b').status).not.toBe(0)
  expectMarkers(repo, 'm1', 'b')
  finish(repo)
  expect(repo.git('rev-list', '--parents', '-n1', 'HEAD').split(' ')).toHaveLength(4)
  expect(sortedWords(repo)).toEqual(['b', 'base', 'm1'])
  expectSound(repo)
})

longTest('-s resolve never calls drivers: plain conflict, then resolve', () => {
  const repo = diverged()
  expect(repo.tryGit('merge', '--no-edit', '-s', 'resolve', 'topic').status).toBe(1)
  expectMarkers(repo, 'm1', 't2')
  finish(repo)
  expect(sortedWords(repo)).toEqual(ALL)
  expectSound(repo)
})

test('a link on one side: resolve names the side that git put aside, with git’s own step', () => {
  const repo = diverged()
  repo.git('switch', '-q', 'topic')
  rmSync(join(repo.folder, CURRENT))
  symlinkSync('elsewhere', join(repo.folder, CURRENT))
  repo.git('commit', '-q', '-n', '-am', 'link')
  repo.git('switch', '-q', 'main')
  expect(repo.tryGit('merge', '-q', 'topic').status).toBe(1)
  const ran = repo.tryLedger('resolve')
  expect(ran.status).toBe(1)
  expect(ran.stdout).toContain(`git rm '${CURRENT}~HEAD'`)
  expect(ran.stderr).not.toContain('next: git commit')
  repo.git('rm', '-q', `${CURRENT}~HEAD`)
  expect(repo.tryLedger('resolve').status).toBe(0)
  repo.git('commit', '-q', '--no-edit')
  expect(repo.status()).toBe('')
  expect(repo.tryLedger('check', '--rev', 'HEAD').status).toBe(0)
})

test('one event name with two contents: conflict, exit 1, and the message says what to do', () => {
  const repo = diverged()
  const path = `${EVENTS}/same.md`
  for (const [branch, word] of [
    ['topic', 't9'],
    ['main', 'm9'],
  ] as const) {
    repo.git('switch', '-q', branch)
    const made = note(repo, word)
    repo.write(path, repo.read(made))
    rmSync(join(repo.folder, made))
    repo.git('commit', '-q', '--allow-empty', '-m', word)
  }
  const ran = repo.tryGit('merge', '--no-edit', 'topic')
  expect(ran.status).toBe(1)
  expect(ran.stderr + ran.stdout).toContain('same.md')
  expect(ran.stderr + ran.stdout).toContain('ledger-git resolve')
  expectMarkers(repo, 'm9', 't9')
  expect(repo.tryLedger('resolve').status).toBe(1)
  repo.git('checkout', '-q', '--theirs', '--', path)
  repo.git('add', path)
  finish(repo)
  expect(sortedWords(repo)).toEqual([...ALL, 't9'])
  expectSound(repo)
})

test('the markers have the size that git asks for', () => {
  const repo = diverged()
  repo.commit('attributes', {
    '.gitattributes': `${repo.read('.gitattributes')}${CURRENT} conflict-marker-size=12\n`,
  })
  const ran = repo.run('git', ['merge', '--no-edit', 'topic'], { env: { LEDGER_GIT: '0' } })
  expect(ran.status).toBe(1)
  expect(repo.read(CURRENT)).toMatch(/^<{12} /m)
})

test.each(sampleOf(Object.keys(BROKEN), 6))('%s: a conflict with markers, then resolve', (name) => {
  const repo = diverged()
  const env = BROKEN[name]?.(repo) ?? {}
  const ran = repo.run('git', ['merge', '--no-edit', 'topic'], { env })
  expect(ran.status).toBe(1)
  expectMarkers(repo, 'm1', 't2')
  finish(repo)
  expect(sortedWords(repo)).toEqual(ALL)
  expectSound(repo)
})

test('the launcher has lost its run bit: it is read, not run', () => {
  const repo = diverged()
  repo.chmod('.git/ledger-git/run', 0o644)
  repo.git('merge', '--no-edit', 'topic')
  expect(sortedWords(repo)).toEqual(ALL)
  expectSound(repo)
})

test('killed after %A was written in part: nothing of it survives', () => {
  const repo = diverged()
  const env = script('printf half >"$3.half"; kill -9 $$')(repo)
  const ran = repo.run('git', ['merge', '--no-edit', 'topic'], { env })
  expect(ran.status).toBe(1)
  expectMarkers(repo, 'm1', 't2')
  expect(repo.read(CURRENT)).not.toContain('half')
})

longTest('a driver that ran and left markers is not merged a second time', () => {
  const repo = diverged()
  const body = 'printf "<<<<<<< mine\\nm1\\n=======\\nt2\\n>>>>>>> other\\n" >"$3"; exit 1'
  const ran = repo.run('git', ['merge', '--no-edit', 'topic'], { env: script(body)(repo) })
  expect(ran.status).toBe(1)
  expect(repo.read(CURRENT)).toBe('<<<<<<< mine\nm1\n=======\nt2\n>>>>>>> other\n')
  finish(repo)
  expect(sortedWords(repo)).toEqual(ALL)
  expectSound(repo)
})

longTest('a rebase without the driver: resolve and continue at every step', () => {
  const repo = diverged()
  repo.git('switch', '-q', 'topic')
  const env = { LEDGER_GIT_BIN: '/nowhere/ledger-git' }
  let ran = repo.run('git', ['rebase', 'main'], { env })
  for (let steps = 0; ran.status !== 0 && steps < 5; steps++) {
    expectMarkers(repo)
    repo.ledger('resolve')
    ran = repo.run('git', ['rebase', '--continue'], { env })
  }
  expect(ran.status).toBe(0)
  expect(sortedWords(repo)).toEqual(ALL)
  expectSound(repo)
})

test('no attributes and no driver at all (not installed): text conflict, then install', () => {
  const origin = diverged()
  const { sandbox } = origin
  sandbox.at(sandbox.folder).git('clone', '-q', origin.folder, 'plain')
  const repo = sandbox.at(join(sandbox.folder, 'plain'))
  expect(repo.tryGit('merge', '--no-edit', 'origin/topic').status).toBe(1)
  expectMarkers(repo, 'm1', 't2')
  repo.ledger('resolve')
  repo.ledger('install')
  repo.git('commit', '-q', '--no-edit')
  expect(sortedWords(repo)).toEqual(ALL)
  expectSound(repo)
})

/** Commits an event without refreshing current.md. */
function stale(repo: Repo, word: string): void {
  const path = note(repo, word)
  repo.git('add', path)
  const ran = repo.run('git', ['commit', '-q', '-m', word], { env: { LEDGER_GIT: '0' } })
  expect(ran.status).toBe(0)
  expect(repo.tryLedger('check', '--rev', 'HEAD').status).toBe(1)
}

function staleSound(repo: Repo, expected: string[]): void {
  expect(repo.status()).toBe('')
  expect(repo.tryLedger('check', '--rev', 'HEAD').stdout).toMatch(/: fresh:/)
  expect(sortedWords(repo)).toEqual(expected)
}

test('our side is stale: the events it really holds count', () => {
  const repo = diverged()
  stale(repo, 'm2')
  repo.git('merge', '-q', '--no-edit', 'topic')
  staleSound(repo, ['base', 'm1', 'm2', 't1', 't2'])
})

longTest('their side is stale', () => {
  const repo = diverged()
  repo.git('switch', '-q', 'topic')
  stale(repo, 't3')
  repo.git('switch', '-q', 'main')
  repo.git('merge', '-q', '--no-edit', 'topic')
  staleSound(repo, ['base', 'm1', 't1', 't2', 't3'])
})

longTest('both sides and the base are stale', () => {
  const repo = based()
  stale(repo, 'b2')
  repo.git('switch', '-q', '-c', 'topic')
  work(repo, 't1')
  stale(repo, 't2')
  repo.git('switch', '-q', 'main')
  work(repo, 'm1')
  stale(repo, 'm2')
  repo.git('merge', '-q', '--no-edit', 'topic')
  staleSound(repo, ['b2', 'base', 'm1', 'm2', 't1', 't2'])
})

longTest.each(sampleOf(['--merge', '--apply'], 2))('a stale commit is rebased %s', (backend) => {
  const repo = diverged()
  repo.git('switch', '-q', 'topic')
  stale(repo, 't3')
  work(repo, 't4')
  let { stderr } = repo.tryGit('rebase', '-q', backend, 'main')
  for (let i = 0; i < 4 && repo.git('status').includes('rebase in progress'); i++) {
    repo.ledger('resolve')
    if (stderr.includes('next: ledger-git resolve, git commit --no-edit, git rebase --continue'))
      repo.git('commit', '-q', '--no-edit')
    stderr = repo.tryGit('rebase', '--continue').stderr
  }
  staleSound(repo, ['base', 'm1', 't1', 't2', 't3', 't4'])
})

longTest(
  'only one side changed anything, and it is stale: warned, and resolve --commit heals',
  () => {
    const repo = based()
    repo.git('switch', '-q', '-c', 'topic')
    stale(repo, 't1')
    repo.git('switch', '-q', 'main')
    repo.commit('code', { 'code.txt': 'x\n' })
    const ran = repo.tryGit('merge', '--no-edit', 'topic')
    expect(ran.status).toBe(0)
    expect(ran.stderr).toContain('ledger-git resolve --commit')
    repo.ledger('resolve', '--commit')
    staleSound(repo, ['base', 't1'])
  },
)

test('a hand-edited current.md on their side is regenerated', () => {
  const repo = diverged()
  repo.git('switch', '-q', 'topic')
  repo.write(CURRENT, repo.read(CURRENT).replace('t2', 'edited'))
  const ran = repo.run('git', ['commit', '-q', '-a', '-m', 'edit'], { env: { LEDGER_GIT: '0' } })
  expect(ran.status).toBe(0)
  repo.git('switch', '-q', 'main')
  repo.git('merge', '-q', '--no-edit', 'topic')
  staleSound(repo, ALL)
})

test('current.md deleted on one side: conflict, and resolve regenerates it', () => {
  const repo = diverged()
  repo.git('switch', '-q', 'topic')
  repo.git('rm', '-q', CURRENT)
  const ran = repo.run('git', ['commit', '-q', '-m', 'rm'], { env: { LEDGER_GIT: '0' } })
  expect(ran.status).toBe(0)
  repo.git('switch', '-q', 'main')
  expect(repo.tryGit('merge', '--no-edit', 'topic').status).toBe(1)
  finish(repo)
  staleSound(repo, ALL)
})

test('a ledger of a newer format is left in conflict, not downgraded', () => {
  const repo = diverged()
  repo.git('switch', '-q', 'topic')
  repo.write(CURRENT, repo.read(CURRENT).replace('  format: 1', '  format: 99'))
  const ran = repo.run('git', ['commit', '-q', '-a', '-m', 'new'], { env: { LEDGER_GIT: '0' } })
  expect(ran.status).toBe(0)
  repo.git('switch', '-q', 'main')
  const merged = repo.tryGit('merge', '--no-edit', 'topic')
  expect(merged.status).toBe(1)
  expect(merged.stderr + merged.stdout).toMatch(/format 99/)
  expectMarkers(repo, '  format: 99')
  expect(repo.tryLedger('resolve')).toMatchObject({
    status: 3,
    stderr: expect.stringMatching(/format 99[^]*next: npm install/) as string,
  })
  expectMarkers(repo, '  format: 99')
  repo.git('merge', '--abort')
  expect(repo.status()).toBe('')
})

longTest('patches of a foreign clone (am -3): conflict, resolve, continue', () => {
  const origin = diverged()
  const { sandbox } = origin
  // Its pre-image is here, the tree of events that it makes is not.
  const patch = origin.git('format-patch', '--stdout', 'main~1..topic~1')
  sandbox.at(sandbox.folder).git('clone', '-q', '--single-branch', `file://${origin.folder}`, 'far')
  const repo = sandbox.at(join(sandbox.folder, 'far'))
  repo.ledger('install')
  repo.git('commit', '-q', '--allow-empty', '-m', 'start')
  const ran = repo.run('git', ['am', '-3'], { input: `${patch}\n` })
  expect(ran.status).not.toBe(0)
  expectMarkers(repo, 'm1', 't1')
  repo.ledger('resolve')
  repo.git('am', '--continue')
  expect(sortedWords(repo)).toEqual(['base', 'm1', 't1'])
  expectSound(repo)
})
