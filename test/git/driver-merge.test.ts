/** `git merge` in all its forms: the merge commit's ledger is the ledger of the merged events. */

import { expect, test } from 'vitest'
import { ALL, based, CURRENT, diverged, expectSound, sortedWords, words, work } from './scene.ts'
import { longTest, sampleOf } from '../support/long.ts'
import { builtFrom } from '../support/built-from.ts'

builtFrom(() => import('../../src/entry/git-entry-main.ts'))

longTest('a fast-forward takes the other side whole', () => {
  const repo = diverged()
  repo.git('reset', '-q', '--hard', 'HEAD~1')
  repo.git('merge', '-q', '--ff-only', 'topic')
  expect(words(repo)).toEqual(['base', 't1', 't2'])
  expectSound(repo)
})

longTest('--no-ff makes a fresh merge commit where git could fast-forward', () => {
  const repo = diverged()
  repo.git('reset', '-q', '--hard', 'HEAD~1')
  repo.git('merge', '-q', '--no-ff', '--no-edit', 'topic')
  expect(repo.git('rev-list', '--parents', '-n1', 'HEAD').split(' ')).toHaveLength(3)
  expect(words(repo)).toEqual(['base', 't1', 't2'])
  expectSound(repo)
})

test('a merge joins the events that both sides added', () => {
  const repo = diverged()
  repo.git('merge', '-q', '--no-edit', 'topic')
  expect(sortedWords(repo)).toEqual(ALL)
  expectSound(repo)
})

longTest('a merge of a commit id into a detached HEAD joins both sides', () => {
  const repo = diverged()
  repo.git('switch', '-q', '--detach')
  repo.git('merge', '-q', '--no-edit', repo.git('rev-parse', 'topic'))
  expect(sortedWords(repo)).toEqual(ALL)
  expectSound(repo)
})

test.each(sampleOf(['ours', 'theirs'], 2))(
  '-X %s does not make the driver take one side of the ledger',
  (side) => {
    const repo = diverged()
    repo.git('merge', '-q', '--no-edit', '-X', side, 'topic')
    expect(sortedWords(repo)).toEqual(ALL)
    expectSound(repo)
  },
)

test('the older recursive strategy, which fills the worktree before the driver runs, joins both', () => {
  const repo = diverged()
  repo.git('merge', '-q', '--no-edit', '-s', 'recursive', 'topic')
  expect(sortedWords(repo)).toEqual(ALL)
  expectSound(repo)
})

test('a commit after --squash joins both sides', () => {
  const repo = diverged()
  repo.git('merge', '-q', '--squash', 'topic')
  repo.git('commit', '-q', '-m', 'squashed')
  expect(sortedWords(repo)).toEqual(ALL)
  expectSound(repo)
})

longTest('a second --squash brings only what is new', () => {
  const repo = diverged()
  repo.git('merge', '-q', '--squash', 'topic')
  repo.git('commit', '-q', '-m', 'squashed')
  repo.git('switch', '-q', 'topic')
  work(repo, 't3')
  repo.git('switch', '-q', 'main')
  repo.git('merge', '-q', '--squash', 'topic')
  repo.git('commit', '-q', '-m', 'squashed again')
  expect(sortedWords(repo)).toEqual([...ALL, 't3'])
  expectSound(repo)
})

longTest('--no-commit stages a fresh ledger, and another event joins the merge commit', () => {
  const repo = diverged()
  repo.git('merge', '-q', '--no-commit', '--no-ff', 'topic')
  expect(repo.tryLedger('check', '--staged').status).toBe(0)
  work(repo, 'm2')
  expect(repo.git('rev-list', '--parents', '-n1', 'HEAD').split(' ')).toHaveLength(3)
  expect(sortedWords(repo)).toEqual(['base', 'm1', 'm2', 't1', 't2'])
  expectSound(repo)
})

test('a conflict elsewhere leaves the ledger merged, and the finished merge is fresh', () => {
  const repo = diverged()
  repo.commit('clash', { 'clash.txt': 'main\n' })
  repo.git('switch', '-q', 'topic')
  repo.commit('clash', { 'clash.txt': 'topic\n' })
  repo.git('switch', '-q', 'main')
  expect(repo.tryGit('merge', '--no-edit', 'topic').status).toBe(1)
  expect(repo.git('ls-files', '-u', '--', CURRENT)).toBe('')
  repo.write('clash.txt', 'both\n')
  repo.git('add', 'clash.txt')
  repo.git('merge', '--continue')
  expect(sortedWords(repo)).toEqual(ALL)
  expectSound(repo)
})

longTest('merges back and forth bring each side only what it lacks', () => {
  const repo = diverged()
  for (const round of ['1', '2']) {
    repo.git('switch', '-q', 'main')
    repo.git('merge', '-q', '--no-edit', 'topic')
    work(repo, `x${round}`)
    repo.git('switch', '-q', 'topic')
    work(repo, `y${round}`)
    repo.git('merge', '-q', '--no-edit', 'main~1')
  }
  repo.git('merge', '-q', '--no-edit', 'main')
  expect(sortedWords(repo)).toEqual([...ALL, 'x1', 'x2', 'y1', 'y2'])
  expectSound(repo)
})

test('a criss-cross merge joins all events', () => {
  const repo = diverged()
  const [m, t] = [repo.git('rev-parse', 'main'), repo.git('rev-parse', 'topic')]
  repo.git('merge', '-q', '--no-edit', t)
  work(repo, 'm2')
  repo.git('switch', '-q', 'topic')
  repo.git('merge', '-q', '--no-edit', m)
  work(repo, 't3')
  expect(repo.git('merge-base', '--all', 'main', 'topic').split('\n')).toHaveLength(2)
  repo.git('merge', '-q', '--no-edit', 'main')
  expect(sortedWords(repo)).toEqual(['base', 'm1', 'm2', 't1', 't2', 't3'])
  expectSound(repo)
})

longTest('a criss-cross merge keeps deletions of either side', () => {
  const repo = based()
  const old = work(repo, 'old')
  repo.git('switch', '-q', '-c', 'topic')
  const t1 = work(repo, 't1')
  repo.git('switch', '-q', 'main')
  work(repo, 'm1')
  const [m, t] = [repo.git('rev-parse', 'main'), repo.git('rev-parse', 'topic')]
  repo.git('merge', '-q', '--no-edit', t)
  repo.git('rm', '-q', old)
  repo.git('commit', '-q', '-m', 'drop old')
  work(repo, 'm2')
  repo.git('switch', '-q', 'topic')
  repo.git('merge', '-q', '--no-edit', m)
  repo.git('rm', '-q', t1)
  repo.git('commit', '-q', '-m', 'drop t1')
  repo.git('merge', '-q', '--no-edit', 'main')
  expect(words(repo)).toEqual(['base', 'm1', 'm2'])
  expectSound(repo)
})

test('an event deleted on one side and untouched on the other is deleted', () => {
  const repo = diverged()
  const base = repo.git('ls-files', '*_base_*')
  repo.git('rm', '-q', base)
  repo.git('commit', '-q', '-m', 'drop base')
  repo.git('merge', '-q', '--no-edit', 'topic')
  expect(sortedWords(repo)).toEqual(['m1', 't1', 't2'])
  expectSound(repo)
})

longTest('a retraction on one side wins over work on the other', () => {
  const repo = diverged()
  const base = repo.git('ls-files', '*_base_*').split('/').at(-1)
  work(repo, 'undo', { retracts: [base] })
  repo.git('switch', '-q', 'topic')
  repo.git('merge', '-q', '--no-edit', 'main')
  expect(sortedWords(repo)).toEqual(['m1', 't1', 't2', 'undo'])
  expectSound(repo)
})

longTest('events with the same instant, agent and keys are both kept', () => {
  const repo = based()
  const same = { ts: '2026-01-05T00:00:00Z', agent: 'twin' }
  repo.git('switch', '-q', '-c', 'topic')
  work(repo, 'left', { ...same, open_questions: ['q'], next: ['a'] })
  repo.git('switch', '-q', 'main')
  work(repo, 'right', { ...same, resolved_questions: ['q'], next: ['b'] })
  repo.git('merge', '-q', '--no-edit', 'topic')
  expect(sortedWords(repo)).toEqual(['base', 'left', 'right'])
  expectSound(repo)
})

longTest('a merge of unrelated histories joins both ledgers', () => {
  const repo = based()
  repo.git('switch', '-q', '--orphan', 'island')
  repo.ledger('install')
  repo.commit('setup on the island')
  work(repo, 'i1')
  repo.git('switch', '-q', 'main')
  repo.git('merge', '-q', '--no-edit', '--allow-unrelated-histories', 'island')
  expect(sortedWords(repo)).toEqual(['base', 'i1'])
  expectSound(repo)
})

test('show --remerge-diff of a clean merge shows nothing and changes nothing', () => {
  const repo = diverged()
  repo.git('merge', '-q', '--no-edit', 'topic')
  expect(repo.git('show', '--remerge-diff', '--format=', 'HEAD')).toBe('')
  expectSound(repo)
})

longTest('a merge repeated after a wrong one was reset is fresh', () => {
  const repo = diverged()
  repo.tryGit('-c', 'merge.ledger.driver=true', 'merge', '-q', '--no-edit', 'topic')
  expect(repo.tryLedger('check', '--rev', 'HEAD').status).toBe(1)
  repo.git('reset', '-q', '--hard', 'HEAD~1')
  repo.git('merge', '-q', '--no-edit', 'topic')
  expect(sortedWords(repo)).toEqual(ALL)
  expectSound(repo)
})
