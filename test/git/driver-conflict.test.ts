/** If the merge cannot be exact, there is a conflict that shows both sides, and a way out of it. */

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

/** Finishes a merge whose ledger is in conflict, as the message advises. */
function finish(repo: Repo): void {
  repo.ledger('resolve')
  repo.git('commit', '-q', '--no-edit')
}

longTest('an octopus merge fails without a commit, and merging one head at a time works', () => {
  const repo = diverged()
  repo.git('switch', '-q', '-c', 'third', 'main~1')
  work(repo, 'x1')
  repo.git('switch', '-q', 'main')
  const before = repo.git('rev-parse', 'HEAD')
  const ran = repo.tryGit('merge', '--no-edit', 'topic', 'third')
  expect(ran.status).not.toBe(0)
  expect(repo.git('rev-parse', 'HEAD')).toBe(before)
  // Git gives up in the middle of the second head; what the first one changed stays staged.
  repo.git('reset', '-q', '--hard')
  repo.git('merge', '-q', '--no-edit', 'topic')
  repo.git('merge', '-q', '--no-edit', 'third')
  expect(sortedWords(repo)).toEqual([...ALL, 'x1'])
  expectSound(repo)
})

longTest('resolve and commit keep all parents of an octopus whose last head conflicts', () => {
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

longTest('-s resolve, which calls no drivers, leaves a plain conflict that resolve settles', () => {
  const repo = diverged()
  expect(repo.tryGit('merge', '--no-edit', '-s', 'resolve', 'topic').status).toBe(1)
  expectMarkers(repo, 'm1', 't2')
  finish(repo)
  expect(sortedWords(repo)).toEqual(ALL)
  expectSound(repo)
})

test('resolve names the side that git put aside for a link, and the git command that removes it', () => {
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

test('one event name with two contents is a conflict whose message names the way out', () => {
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

test.each(sampleOf(Object.keys(BROKEN), 6))('%s: resolve settles the conflict', (name) => {
  const repo = diverged()
  const env = BROKEN[name]?.(repo) ?? {}
  const ran = repo.run('git', ['merge', '--no-edit', 'topic'], { env })
  expect(ran.status).toBe(1)
  expectMarkers(repo, 'm1', 't2')
  finish(repo)
  expect(sortedWords(repo)).toEqual(ALL)
  expectSound(repo)
})

test('a launcher without its run bit still works', () => {
  const repo = diverged()
  repo.chmod('.git/ledger-git/run', 0o644)
  repo.git('merge', '--no-edit', 'topic')
  expect(sortedWords(repo)).toEqual(ALL)
  expectSound(repo)
})

test('a driver that is killed after writing beside %A leaves a plain conflict', () => {
  const repo = diverged()
  const env = script('printf half >"$3.half"; kill -9 $$')(repo)
  const ran = repo.run('git', ['merge', '--no-edit', 'topic'], { env })
  expect(ran.status).toBe(1)
  expectMarkers(repo, 'm1', 't2')
  expect(repo.read(CURRENT)).not.toContain('half')
})

longTest('a driver’s own conflict markers are kept until resolve', () => {
  const repo = diverged()
  const body = 'printf "<<<<<<< mine\\nm1\\n=======\\nt2\\n>>>>>>> other\\n" >"$3"; exit 1'
  const ran = repo.run('git', ['merge', '--no-edit', 'topic'], { env: script(body)(repo) })
  expect(ran.status).toBe(1)
  expect(repo.read(CURRENT)).toBe('<<<<<<< mine\nm1\n=======\nt2\n>>>>>>> other\n')
  finish(repo)
  expect(sortedWords(repo)).toEqual(ALL)
  expectSound(repo)
})

longTest('a rebase without the driver is finished by resolve and continue at each step', () => {
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

test('a clone without an installation gets a text conflict, which resolve and install settle', () => {
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

test('a merge counts the events that our stale side really contains', () => {
  const repo = diverged()
  stale(repo, 'm2')
  repo.git('merge', '-q', '--no-edit', 'topic')
  staleSound(repo, ['base', 'm1', 'm2', 't1', 't2'])
})

longTest('a merge counts the events that their stale side really contains', () => {
  const repo = diverged()
  repo.git('switch', '-q', 'topic')
  stale(repo, 't3')
  repo.git('switch', '-q', 'main')
  repo.git('merge', '-q', '--no-edit', 'topic')
  staleSound(repo, ['base', 'm1', 't1', 't2', 't3'])
})

longTest('a merge counts the events of two stale sides and a stale base', () => {
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

longTest.each(sampleOf(['--merge', '--apply'], 2))('rebase %s heals a stale commit', (backend) => {
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
  'a merge that only takes a stale side warns, and resolve --commit makes the ledger fresh',
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

test('a current.md deleted on one side is a conflict, and resolve regenerates it', () => {
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

longTest('a foreign clone’s patch (am -3) is a conflict that resolve and continue finish', () => {
  const origin = diverged()
  const { sandbox } = origin
  // The clone has the patch's pre-image, but not the tree of events that the patch makes.
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
