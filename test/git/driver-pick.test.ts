/** Cherry-pick, revert, stash, am and checkout -m: one change at a time, forwards and back. */

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { based, CURRENT, diverged, expectSound, note, sortedWords, words, work } from './scene.ts'
import { longTest, sampleOf } from '../support/long.ts'
import { builtFrom } from '../support/built-from.ts'

builtFrom(() => import('../../src/entry/git-entry-main.ts'))

longTest('cherry-pick of one commit brings only its events', () => {
  const repo = diverged()
  repo.git('cherry-pick', 'topic')
  expect(sortedWords(repo)).toEqual(['base', 'm1', 't2'])
  expectSound(repo)
})

test('cherry-pick of a range gives every commit its own events', () => {
  const repo = diverged()
  repo.git('cherry-pick', 'main~1..topic')
  expect(sortedWords(repo, 'HEAD~1')).toEqual(['base', 'm1', 't1'])
  expect(sortedWords(repo)).toEqual(['base', 'm1', 't1', 't2'])
  expectSound(repo)
})

longTest('cherry-pick -n of a range makes one fresh commit', () => {
  const repo = diverged()
  repo.git('cherry-pick', '-n', 'main~1..topic')
  expect(repo.tryLedger('check', '--staged').status).toBe(0)
  repo.git('commit', '-q', '-m', 'picked')
  expect(sortedWords(repo)).toEqual(['base', 'm1', 't1', 't2'])
  expectSound(repo)
})

longTest('cherry-pick -n keeps a staged event', () => {
  const repo = diverged()
  repo.ledger('event', 'add', '--now', 'staged', '--done', 'staged', '--stage')
  repo.git('cherry-pick', '-n', 'topic')
  repo.git('commit', '-q', '-m', 'both')
  expect(sortedWords(repo)).toEqual(['base', 'm1', 'staged', 't2'])
  expectSound(repo)
})

longTest(
  'cherry-pick -n keeps an event staged with plain git add, which the footer does not know',
  () => {
    const repo = diverged()
    repo.git('add', note(repo, 'staged'))
    repo.git('cherry-pick', '-n', 'topic')
    expect(repo.tryLedger('check', '--staged').status).toBe(0)
    repo.git('commit', '-q', '-m', 'both')
    expect(sortedWords(repo)).toEqual(['base', 'm1', 'staged', 't2'])
    expectSound(repo)
  },
)

longTest('cherry-pick -x of a merge with -m1 brings the events of its branch', () => {
  const repo = diverged()
  repo.git('switch', '-q', '-c', 'other', 'main~1')
  work(repo, 'o1')
  repo.git('switch', '-q', 'main')
  repo.git('merge', '-q', '--no-edit', 'topic')
  const merge = repo.git('rev-parse', 'HEAD')
  repo.git('switch', '-q', 'other')
  repo.git('cherry-pick', '-x', '-m1', merge)
  expect(sortedWords(repo)).toEqual(['base', 'o1', 't1', 't2'])
  expectSound(repo)
})

test('a merge after a pick of the branch’s last commit brings each event once', () => {
  const repo = diverged()
  repo.git('cherry-pick', 'topic')
  repo.git('merge', '-q', '--no-edit', 'topic')
  expect(sortedWords(repo)).toEqual(['base', 'm1', 't1', 't2'])
  expectSound(repo)
})

longTest('revert of one commit removes its events', () => {
  const repo = based()
  work(repo, 'a')
  work(repo, 'b')
  repo.git('revert', '--no-edit', 'HEAD~1')
  expect(words(repo)).toEqual(['base', 'b'])
  expectSound(repo)
})

test('revert of a revert restores the events', () => {
  const repo = based()
  work(repo, 'a')
  work(repo, 'b')
  repo.git('revert', '--no-edit', 'HEAD~1')
  work(repo, 'c')
  repo.git('revert', '--no-edit', 'HEAD~1')
  expect(sortedWords(repo)).toEqual(['a', 'b', 'base', 'c'])
  expectSound(repo)
})

longTest('revert of a range removes the events of its commits', () => {
  const repo = based()
  for (const word of ['a', 'b', 'c']) work(repo, word)
  repo.git('revert', '--no-edit', 'HEAD~3..HEAD~1')
  expect(words(repo)).toEqual(['base', 'c'])
  expectSound(repo)
})

longTest('revert -n of two commits makes one fresh commit', () => {
  const repo = based()
  for (const word of ['a', 'b', 'c']) work(repo, word)
  repo.git('revert', '-n', 'HEAD~1', 'HEAD~2')
  repo.git('commit', '-q', '-m', 'reverted')
  expect(words(repo)).toEqual(['base', 'c'])
  expectSound(repo)
})

longTest('after revert -m1 of a merge, the branch brings only new events', () => {
  const repo = diverged()
  repo.git('merge', '-q', '--no-edit', 'topic')
  work(repo, 'm2')
  repo.git('revert', '--no-edit', '-m1', 'HEAD~1')
  expect(sortedWords(repo)).toEqual(['base', 'm1', 'm2'])
  repo.git('switch', '-q', 'topic')
  work(repo, 't3')
  repo.git('switch', '-q', 'main')
  repo.git('merge', '-q', '--no-edit', 'topic')
  expect(sortedWords(repo)).toEqual(['base', 'm1', 'm2', 't3'])
  expectSound(repo)
})

longTest('a rebase of a revert removes the event that both branches had', () => {
  const repo = diverged()
  repo.git('switch', '-q', 'topic')
  repo.git('revert', '--no-edit', 'main~1')
  repo.git('rebase', '-q', 'main')
  expect(sortedWords(repo)).toEqual(['m1', 't1', 't2'])
  expectSound(repo)
})

test.each(sampleOf(['pop', 'apply'], 2))('stash %s restores a staged event over others', (verb) => {
  const repo = based()
  repo.ledger('event', 'add', '--now', 'staged', '--done', 'staged', '--stage')
  repo.git('stash', '-q')
  expect(repo.status()).toBe('')
  work(repo, 'later')
  repo.git('stash', verb, '-q')
  repo.git('commit', '-q', '-a', '-m', 'unstashed')
  expect(sortedWords(repo)).toEqual(['base', 'later', 'staged'])
  expectSound(repo)
})

longTest('stash pop --index restores a staged event', () => {
  const repo = based()
  repo.ledger('event', 'add', '--now', 'staged', '--done', 'staged', '--stage')
  repo.git('stash', '-q')
  repo.git('commit', '-q', '--allow-empty', '-m', 'nothing of the ledger')
  repo.git('stash', 'pop', '-q', '--index')
  repo.git('commit', '-q', '-m', 'unstashed')
  expect(sortedWords(repo)).toEqual(['base', 'staged'])
  expectSound(repo)
})

longTest('two stashes popped one after the other restore both events', () => {
  const repo = based()
  for (const word of ['one', 'two']) {
    repo.ledger('event', 'add', '--now', word, '--done', word, '--stage')
    repo.git('stash', '-q')
  }
  work(repo, 'later')
  repo.git('stash', 'pop', '-q')
  repo.git('commit', '-q', '-a', '-m', 'two')
  repo.git('stash', 'pop', '-q')
  repo.git('commit', '-q', '-a', '-m', 'one')
  expect(sortedWords(repo)).toEqual(['base', 'later', 'one', 'two'])
  expectSound(repo)
})

longTest('stash -u restores a pending event', () => {
  const repo = based()
  note(repo, 'pending')
  repo.git('stash', '-q', '-u')
  work(repo, 'later')
  repo.git('stash', 'pop', '-q')
  repo.git('commit', '-q', '--allow-empty', '-m', 'pending')
  expect(sortedWords(repo)).toEqual(['base', 'later', 'pending'])
  expectSound(repo)
})

longTest('am -3 applies patches made elsewhere in this repository, each with its events', () => {
  const repo = diverged()
  const folder = join(repo.sandbox.folder, 'patches')
  repo.git('format-patch', '-q', '-o', folder, 'main~1..topic')
  const patches = readdirSync(folder).toSorted()
  repo.git('am', '-q', '-3', ...patches.map((name) => join(folder, name)))
  expect(sortedWords(repo, 'HEAD~1')).toEqual(['base', 'm1', 't1'])
  expect(sortedWords(repo)).toEqual(['base', 'm1', 't1', 't2'])
  expectSound(repo)
})

// Git refuses with anything staged; an unstaged current.md is merged into the other branch.
test.each(sampleOf(['switch', 'checkout'], 2))(
  '%s -m merges a current.md that shows a pending event',
  (verb) => {
    const repo = diverged()
    const pending = note(repo, 'pending')
    repo.ledger('synthesize', '--no-confirm')
    repo.git(verb, '-q', '-m', 'topic')
    expect(repo.read(CURRENT)).not.toContain('<<<<<<<')
    expect(repo.tryLedger('check').status).toBe(0)
    expect(repo.status()).toContain(`?? ${pending}`)
    repo.git('commit', '-q', '-a', '-m', 'pending')
    expect(sortedWords(repo)).toEqual(['base', 'pending', 't1', 't2'])
    expectSound(repo)
  },
)

longTest(
  'switch -m there and back keeps current.md fresh, though no commit contains the ledger in between',
  () => {
    const repo = diverged()
    note(repo, 'pending')
    repo.ledger('synthesize', '--no-confirm')
    for (const branch of ['topic', 'main', 'topic']) {
      repo.git('switch', '-q', '-m', branch)
      expect(repo.read(CURRENT)).not.toContain('<<<<<<<')
      expect(repo.tryLedger('check').status).toBe(0)
    }
    repo.git('commit', '-q', '-a', '-m', 'pending')
    expect(sortedWords(repo)).toEqual(['base', 'pending', 't1', 't2'])
    expectSound(repo)
  },
)

longTest('a pick that conflicts in code is fresh when continued', () => {
  const repo = diverged()
  repo.commit('clash', { 'clash.txt': 'main\n' })
  repo.git('switch', '-q', 'topic')
  note(repo, 'clash')
  const pick = repo.commit('clash', { 'clash.txt': 'topic\n' })
  repo.git('switch', '-q', 'main')
  expect(repo.tryGit('cherry-pick', pick, 'topic~1').status).toBe(1)
  repo.write('clash.txt', 'both\n')
  repo.git('add', 'clash.txt')
  repo.git('cherry-pick', '--continue')
  expect(sortedWords(repo)).toEqual(['base', 'clash', 'm1', 't2'])
  expectSound(repo)
})
