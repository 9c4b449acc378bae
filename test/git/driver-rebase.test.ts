/** Rebase and pull --rebase: every rewritten commit is fresh, not only the tip. */

import { expect, test } from 'vitest'
import type { Repo } from '../support/git-repo.ts'
import { ALL, diverged, expectSound, note, sortedWords, words, work } from './scene.ts'
import { longTest, sampleOf } from '../support/long.ts'
import { builtFrom } from '../support/built-from.ts'

builtFrom(() => import('../../src/entry/git-entry-main.ts'))

/** Rebases with the to-do list edited by a sed script. */
function interactive(repo: Repo, script: string, ...args: string[]) {
  const env = { GIT_SEQUENCE_EDITOR: `sed -i -e '${script}'` }
  const ran = repo.run('git', ['rebase', '-q', '-i', ...args], { env })
  expect(ran.status, ran.stderr).toBe(0)
}

function subjects(repo: Repo, range: string): string[] {
  return repo.git('log', '--reverse', '--format=%s', range).split('\n')
}

test.each(['--merge', '--apply'])('rebase %s gives each commit its own events', (backend) => {
  const repo = diverged()
  repo.git('switch', '-q', 'topic')
  repo.git('rebase', '-q', backend, 'main')
  expect(sortedWords(repo)).toEqual(ALL)
  expect(sortedWords(repo, 'HEAD~1')).toEqual(['base', 'm1', 't1'])
  expectSound(repo)
})

// For how the to-do list names a commit, see test/io/merge/merge-evidence.test.ts.
test.each(sampleOf(['squash', 'drop', 'fixup', 'edit', 'fixup -C'], 5))('rebase -i: %s', (verb) => {
  const repo = diverged()
  repo.git('switch', '-q', 'topic')
  interactive(repo, `2s/^pick/${verb}/`, 'main')
  if (verb === 'edit') repo.git('rebase', '--continue')
  const expected = verb === 'drop' ? ['base', 'm1', 't1'] : ALL
  expect(sortedWords(repo)).toEqual(expected)
  expectSound(repo)
})

longTest('rebase -i with reword changes the message but not the ledger', () => {
  const repo = diverged()
  repo.git('switch', '-q', 'topic')
  const env = { GIT_SEQUENCE_EDITOR: `sed -i 's/^pick/reword/'`, GIT_EDITOR: `sed -i 's/^t/T/'` }
  const ran = repo.run('git', ['rebase', '-q', '-i', 'main'], { env })
  expect(ran.status, ran.stderr).toBe(0)
  expect(subjects(repo, 'main..topic')).toEqual(['T1', 'T2'])
  expect(sortedWords(repo)).toEqual(ALL)
  expectSound(repo)
})

longTest('rebase -i in another order gives each commit its own events', () => {
  const repo = diverged()
  repo.git('switch', '-q', 'topic')
  interactive(repo, '1{h;d};2{G}', 'main')
  expect(subjects(repo, 'main..topic')).toEqual(['t2', 't1'])
  expect(sortedWords(repo, 'HEAD~1')).toEqual(['base', 'm1', 't2'])
  expectSound(repo)
})

longTest('rebase -i with edit adds an event to the commit it stops at', () => {
  const repo = diverged()
  repo.git('switch', '-q', 'topic')
  interactive(repo, '1s/^pick/edit/', 'main')
  note(repo, 'between')
  repo.git('commit', '-q', '--amend', '--no-edit')
  repo.git('rebase', '--continue')
  expect(sortedWords(repo, 'HEAD~1')).toEqual(['base', 'between', 'm1', 't1'])
  expect(sortedWords(repo)).toEqual(['base', 'between', 'm1', 't1', 't2'])
  expectSound(repo)
})

longTest('rebase --exec that commits an event after every pick makes fresh commits', () => {
  const repo = diverged()
  repo.git('switch', '-q', 'topic')
  const template = note(repo, 'exec')
  repo.git('add', template)
  const text = repo.read(template)
  repo.git('rm', '-q', '-f', template)
  repo.sandbox.at(repo.sandbox.folder).write('event.md', text)
  const folder = template.slice(0, template.lastIndexOf('/'))
  const copy = `cp ../event.md ${folder}/n$(git rev-list --count HEAD).md && git commit -q --allow-empty -m exec`
  repo.git('rebase', '-q', '--exec', copy, 'main')
  expect(subjects(repo, 'main..topic')).toEqual(['t1', 'exec', 't2', 'exec'])
  expect(repo.git('ls-files', `${folder}/n*.md`).split('\n')).toHaveLength(2)
  expectSound(repo)
})

longTest('rebase --onto leaves out the events of the commits it leaves behind', () => {
  const repo = diverged()
  repo.git('switch', '-q', 'topic')
  work(repo, 't3')
  repo.git('rebase', '-q', '--onto', 'main', 'topic~2', 'topic')
  expect(sortedWords(repo)).toEqual(['base', 'm1', 't2', 't3'])
  expectSound(repo)
})

longTest('rebase --autosquash moves a fixup’s event into the commit it fixes', () => {
  const repo = diverged()
  repo.git('switch', '-q', 'topic')
  note(repo, 'fix')
  repo.write('t1.txt', 't1 fixed\n')
  repo.git('commit', '-q', '-a', '--fixup', 'HEAD~1')
  interactive(repo, '', '--autosquash', 'main')
  expect(subjects(repo, 'main..topic')).toEqual(['t1', 't2'])
  expect(sortedWords(repo, 'HEAD~1')).toEqual(['base', 'fix', 'm1', 't1'])
  expect(sortedWords(repo)).toEqual(['base', 'fix', 'm1', 't1', 't2'])
  expectSound(repo)
})

test('rebase --rebase-merges makes the merges again, and they are fresh', () => {
  const repo = diverged()
  repo.git('switch', '-q', '-c', 'side', 'topic~1')
  work(repo, 's1')
  repo.git('switch', '-q', 'topic')
  repo.git('merge', '-q', '--no-edit', 'side')
  work(repo, 't3')
  repo.git('rebase', '-q', '--rebase-merges', 'main')
  expect(repo.git('rev-list', '--merges', '--count', 'main..topic')).toBe('1')
  expect(sortedWords(repo)).toEqual(['base', 'm1', 's1', 't1', 't2', 't3'])
  expectSound(repo)
})

test.each(sampleOf(['--merge', '--apply'], 2))('%s --autostash keeps a staged event', (backend) => {
  const repo = diverged()
  repo.git('switch', '-q', 'topic')
  repo.ledger('event', 'add', '--now', 'kept', '--done', 'kept', '--stage')
  repo.write('t1.txt', 'edited\n')
  repo.git('rebase', '-q', backend, '--autostash', 'main')
  expect(repo.git('stash', 'list')).toBe('')
  repo.git('commit', '-q', '-a', '-m', 'kept')
  expect(sortedWords(repo)).toEqual(['base', 'kept', 'm1', 't1', 't2'])
  expectSound(repo)
})

longTest('merge --autostash keeps a staged event', () => {
  const repo = diverged()
  repo.ledger('event', 'add', '--now', 'kept', '--done', 'kept', '--stage')
  repo.git('merge', '-q', '--no-edit', '--autostash', 'topic')
  repo.git('commit', '-q', '-a', '-m', 'kept')
  expect(sortedWords(repo)).toEqual(['base', 'kept', 'm1', 't1', 't2'])
  expectSound(repo)
})

longTest('a conflict in code leaves the continued commit fresh', () => {
  const repo = diverged()
  repo.commit('clash', { 'clash.txt': 'main\n' })
  repo.git('switch', '-q', 'topic')
  note(repo, 'clash')
  repo.commit('clash', { 'clash.txt': 'topic\n' })
  work(repo, 't3')
  expect(repo.tryGit('rebase', '-q', 'main').status).toBe(1)
  repo.write('clash.txt', 'both\n')
  repo.git('add', 'clash.txt')
  repo.git('rebase', '--continue')
  expect(sortedWords(repo)).toEqual(['base', 'clash', 'm1', 't1', 't2', 't3'])
  expectSound(repo)
})

longTest('a rebased commit that deletes an event deletes it', () => {
  const repo = diverged()
  repo.git('switch', '-q', 'topic')
  repo.git('rm', '-q', repo.git('ls-files', '*_base_*'))
  repo.git('commit', '-q', '-m', 'drop base')
  repo.git('rebase', '-q', 'main')
  expect(sortedWords(repo)).toEqual(['m1', 't1', 't2'])
  expectSound(repo)
})

longTest('pull --rebase leaves an unrelated pending event pending', () => {
  const origin = diverged()
  const clone = cloneOf(origin, 'topic')
  work(clone, 'c1')
  work(clone, 'c2')
  origin.git('switch', '-q', 'topic')
  work(origin, 'o1')
  const pending = note(clone, 'pending')
  clone.git('pull', '-q', '--rebase')
  expect(sortedWords(clone)).toEqual(['base', 'c1', 'c2', 'o1', 't1', 't2'])
  expectSound(clone, { status: `?? ${pending}` })
  clone.git('commit', '-q', '--allow-empty', '-m', 'pending')
  expect(words(clone)).toContain('pending')
  expectSound(clone)
})

longTest('pull that merges joins both sides', () => {
  const origin = diverged()
  const clone = cloneOf(origin, 'topic')
  work(clone, 'c1')
  origin.git('switch', '-q', 'topic')
  work(origin, 'o1')
  clone.git('pull', '-q', '--no-rebase', '--no-edit')
  expect(sortedWords(clone)).toEqual(['base', 'c1', 'o1', 't1', 't2'])
  expectSound(clone)
})

longTest('rebase of a squash-merged branch keeps only what is new', () => {
  const repo = diverged()
  repo.git('merge', '-q', '--squash', 'topic')
  repo.git('commit', '-q', '-m', 'squashed')
  repo.git('switch', '-q', 'topic')
  work(repo, 't3')
  repo.git('rebase', '-q', 'main')
  expect(sortedWords(repo)).toEqual([...ALL, 't3'])
  expectSound(repo)
})

longTest('rebase and merge work from a sub-folder, with -C and with --git-dir', () => {
  const repo = diverged()
  repo.git('switch', '-q', 'topic')
  repo.commit('folder', { 'deep/er/x.txt': 'x\n' })
  const below = repo.sandbox.at(`${repo.folder}/deep/er`)
  below.git('rebase', '-q', 'main')
  expectSound(repo)
  const outside = repo.sandbox.at(repo.sandbox.folder)
  outside.git('-C', repo.folder, 'switch', '-q', 'main')
  work(repo, 'm2')
  outside.git('-C', `${repo.folder}/thoughts`, 'merge', '-q', '--no-edit', 'topic')
  work(repo, 'm3')
  repo.git('switch', '-q', 'topic')
  work(repo, 't4')
  const dirs = [`--git-dir=${repo.folder}/.git`, `--work-tree=${repo.folder}`]
  outside.git(...dirs, 'merge', '-q', '--no-edit', 'main')
  expect(sortedWords(repo)).toEqual(['base', 'm1', 'm2', 'm3', 't1', 't2', 't4'])
  expectSound(repo)
})

function cloneOf(origin: Repo, branch: string): Repo {
  origin.sandbox
    .at(origin.sandbox.folder)
    .git('clone', '-q', '-b', branch, `file://${origin.folder}`, 'clone')
  const clone = origin.sandbox.at(`${origin.sandbox.folder}/clone`)
  clone.ledger('install')
  return clone
}
