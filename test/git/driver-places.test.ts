/** The same merge in every kind of repository, worktree and folder that git knows. */

import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Repo } from '../support/git-repo.ts'
import { readSnapshots } from '../support/oracle.ts'
import {
  ALL,
  based,
  CURRENT,
  diverged,
  expectOracle,
  expectSound,
  note,
  noteText,
  ROOT,
  sortedWords,
  words,
  work,
} from './scene.ts'
import { Sandbox } from '../support/git-repo.ts'
import { longTest, sampleOf } from '../support/long.ts'

/** A clone with ledger-git installed; `args` go to git clone. */
function cloneOf(origin: Repo, name: string, ...args: string[]): Repo {
  const { sandbox } = origin
  sandbox.at(sandbox.folder).git('clone', '-q', ...args, `file://${origin.folder}`, name)
  const clone = sandbox.at(join(sandbox.folder, name))
  clone.ledger('install')
  return clone
}

/** A merge, a rebase, a pick and a revert that all need the driver. */
function exercise(repo: Repo, topic = 'topic'): void {
  repo.git('merge', '-q', '--no-edit', topic)
  expect(sortedWords(repo)).toEqual(ALL)
  repo.git('revert', '--no-edit', '-m1', 'HEAD')
  work(repo, 'm2')
  repo.git('cherry-pick', topic)
  expect(sortedWords(repo)).toEqual(['base', 'm1', 'm2', 't2'])
  repo.git('switch', '-q', '-c', 'moved', topic)
  work(repo, 't3')
  repo.git('rebase', '-q', '--onto', 'main', 'HEAD~1')
  expect(sortedWords(repo)).toEqual(['base', 'm1', 'm2', 't2', 't3'])
}

longTest('the driver works in a SHA-256 repository', () => {
  const repo = diverged('--object-format=sha256')
  exercise(repo)
  expectSound(repo)
})

test('linked worktrees merge, rebase and pick on two branches at the same time', () => {
  const repo = diverged()
  const folder = join(repo.sandbox.folder, 'linked é tree')
  repo.git('worktree', 'add', '-q', folder, 'topic')
  const linked = repo.sandbox.at(folder)
  linked.git('merge', '-q', '--no-edit', 'main')
  work(linked, 't3')
  work(repo, 'm2')
  linked.git('rebase', '-q', 'main')
  repo.git('merge', '-q', '--no-edit', 'topic')
  expect(sortedWords(repo)).toEqual(['base', 'm1', 'm2', 't1', 't2', 't3'])
  repo.ledger('event', 'add', '--done', 'here', '--stage')
  linked.git('switch', '-q', '-c', 'other', 'main~1')
  work(linked, 'o1')
  linked.git('cherry-pick', 'topic')
  repo.git('commit', '-q', '-m', 'here')
  expectSound(linked)
  expectSound(repo)
})

longTest('a linked worktree inside the main one keeps its pending event apart', () => {
  const repo = diverged()
  repo.git('worktree', 'add', '-q', 'tree', 'topic')
  appendFileSync(join(repo.folder, '.git/info/exclude'), '/tree\n')
  const linked = repo.sandbox.at(join(repo.folder, 'tree'))
  note(repo, 'p1')
  note(linked, 'p2')
  linked.git('merge', '-q', '--no-edit', 'main')
  linked.git('commit', '-q', '--allow-empty', '-m', 'p2')
  repo.git('commit', '-q', '--allow-empty', '-m', 'p1')
  expect(sortedWords(linked)).toEqual(['base', 'm1', 'p2', 't1', 't2'])
  expect(sortedWords(repo)).toEqual(['base', 'm1', 'p1'])
  expectSound(repo)
  expectSound(linked)
})

test('merge-tree --write-tree merges the ledger in a bare repository', () => {
  const origin = diverged()
  const { sandbox } = origin
  sandbox.at(sandbox.folder).git('clone', '-q', '--bare', origin.folder, 'bare.git')
  const bare = sandbox.at(join(sandbox.folder, 'bare.git'))
  bare.ledger('install')
  const tree = bare.git('merge-tree', '--write-tree', 'main', 'topic').split('\n')[0] ?? ''
  const [merged] = readSnapshots(bare, [tree])
  expect(merged?.files).toHaveLength(4)
  if (merged !== undefined) expectOracle(merged)
})

longTest('the driver works with spaces and non-ASCII in the ledger root and its files', () => {
  const root = 'notes é/hand off'
  const repo = based()
  repo.write('.ledger-git.yaml', `ledger: {root: "${root}"}\n`)
  repo.git('rm', '-q', '-r', ROOT)
  repo.ledger('install')
  repo.commit('move the ledger')
  expect(repo.git('check-attr', 'merge', '--', `${root}/current.md`)).toMatch(/: ledger$/)
  repo.git('switch', '-q', '-c', 'topic')
  const event = note(repo, 't1', {}, root)
  repo.write(event.replace(/t1_/, 'tè 1_'), noteText('t2'))
  repo.git('commit', '-q', '--allow-empty', '-m', 't1 t2')
  repo.git('switch', '-q', 'main')
  work(repo, 'm1', {}, root)
  repo.git('merge', '-q', '--no-edit', 'topic')
  expect(sortedWords(repo, 'HEAD', root)).toEqual(['m1', 't1', 't2'])
  work(repo, 'm2', {}, root)
  repo.git('revert', '--no-edit', 'topic')
  expect(sortedWords(repo, 'HEAD', root)).toEqual(['m1', 'm2'])
  const below = repo.sandbox.at(join(repo.folder, 'notes é'))
  below.ledger('event', 'add', '--done', 'below', '--commit')
  expect(sortedWords(repo, 'HEAD', root)).toEqual(['below', 'm1', 'm2'])
  // The commits before the move had another root: only later ones are checked here.
  expect(repo.status()).toBe('')
  const later = repo.git('rev-list', 'HEAD', '^HEAD~4').split('\n')
  for (const snapshot of readSnapshots(repo, later, root)) expectOracle(snapshot)
  expect(repo.tryLedger('check', '--range', 'HEAD').stdout).not.toContain('stale')
})

longTest('the driver works in a path with spaces, quotes and non-ASCII', () => {
  const origin = diverged()
  const repo = cloneOf(origin, `it's a "répo" $HOME`)
  exercise(repo, 'origin/topic')
  expectSound(repo)
})

test('a shallow clone that lacks the common ancestor merges the ledger', () => {
  const origin = diverged()
  const repo = cloneOf(origin, 'shallow', '--depth=1', '--no-single-branch')
  expect(repo.tryGit('merge-base', 'main', 'origin/topic').status).toBe(1)
  repo.git('merge', '-q', '--no-edit', '--allow-unrelated-histories', 'origin/topic')
  expect(sortedWords(repo)).toEqual(ALL)
  expectSound(repo)
})

longTest('a shallow clone picks and reverts next to its boundary', () => {
  const origin = diverged()
  const repo = cloneOf(origin, 'shallow', '--depth=2', '--no-single-branch')
  work(repo, 'm2')
  repo.git('cherry-pick', 'origin/topic')
  repo.git('revert', '--no-edit', 'HEAD~1')
  expect(sortedWords(repo)).toEqual(['base', 'm1', 't2'])
  expectSound(repo)
})

longTest.each(sampleOf(['blob:none', 'tree:0'], 2))(
  'the driver works in a partial clone with --filter=%s',
  (filter) => {
    const origin = diverged()
    origin.git('config', 'uploadpack.allowFilter', 'true')
    origin.git('config', 'uploadpack.allowAnySHA1InWant', 'true')
    const repo = cloneOf(origin, 'partial', `--filter=${filter}`)
    exercise(repo, 'origin/topic')
    expectSound(repo)
  },
)

const SPARSE: [string, string[]][] = [
  ['cone', ['--cone', 'src']],
  ['no-cone', ['--no-cone', '/src/']],
]
test.each(sampleOf(SPARSE, 2))('a sparse (%s) checkout merges the ledger', (_name, patterns) => {
  const repo = diverged()
  repo.commit('src', { 'src/a.txt': 'a\n' })
  repo.git('sparse-checkout', 'set', ...patterns)
  expect(repo.exists(CURRENT)).toBe(false)
  repo.git('merge', '-q', '--no-edit', 'topic')
  expect(sortedWords(repo)).toEqual(ALL)
  repo.git('revert', '--no-edit', '-m1', 'HEAD')
  repo.git('cherry-pick', 'topic')
  expect(sortedWords(repo)).toEqual(['base', 'm1', 't2'])
  expect(repo.exists(CURRENT)).toBe(false)
  expectSound(repo)
})

longTest('a sparse checkout without the ledger still adds and commits events', () => {
  const repo = diverged()
  repo.commit('src', { 'src/a.txt': 'a\n' })
  repo.git('sparse-checkout', 'set', '--cone', 'src')
  repo.ledger('event', 'add', '--done', 'outside')
  repo.write('src/a.txt', 'b\n')
  repo.git('commit', '-q', '-a', '-m', 'outside')
  expect(words(repo)).toContain('outside')
  repo.git('merge', '-q', '--no-edit', 'topic')
  expect(sortedWords(repo)).toEqual(['base', 'm1', 'outside', 't1', 't2'])
  expectSound(repo)
})

longTest('a sparse checkout without the settings keeps the ledger where they put it', () => {
  const repo = new Sandbox().init()
  repo.commit('init', { '.ledger-git.yaml': 'ledger: {root: notes}\n', 'src/a.txt': 'a\n' })
  repo.install()
  repo.git('sparse-checkout', 'set', '--no-cone', '/src/')
  expect(repo.exists('.ledger-git.yaml')).toBe(false)
  const path = repo.ledger('event', 'add', '--done', 'outside')
  expect(path).toMatch(/^notes\/events\//)
  repo.write('src/a.txt', 'b\n')
  repo.git('commit', '-q', '-a', '-m', 'outside')
  expect(repo.git('ls-files', '--', 'notes/events')).toContain(path)
  expectSound(repo, { root: 'notes' })
})

longTest('the driver works in a clone --shared with alternates', () => {
  const origin = diverged()
  const { sandbox } = origin
  sandbox.at(sandbox.folder).git('clone', '-q', '--shared', origin.folder, 'shared')
  const repo = sandbox.at(join(sandbox.folder, 'shared'))
  repo.ledger('install')
  exercise(repo, 'origin/topic')
  expectSound(repo)
})

longTest('core.autocrlf=true leaves the ledger fresh', () => {
  const origin = diverged()
  const repo = cloneOf(origin, 'crlf', '-c', 'core.autocrlf=true')
  expect(repo.read('README.md')).toContain('\r\n')
  exercise(repo, 'origin/topic')
  expect(repo.tryLedger('check').status).toBe(0)
  expectSound(repo)
})

longTest('the driver works with packed objects and refs', () => {
  const repo = diverged()
  repo.git('gc', '-q', '--prune=now')
  exercise(repo)
  expectSound(repo)
})

longTest('the driver works with index version 4, a split index and an untracked cache', () => {
  const repo = diverged()
  repo.git('update-index', '--index-version=4')
  repo.git('update-index', '--split-index', '--untracked-cache')
  exercise(repo)
  expectSound(repo)
})

test('the driver ignores configuration that colours, abbreviates and relabels output', () => {
  const repo = diverged()
  for (const [key, value] of [
    ['color.ui', 'always'],
    ['diff.noprefix', 'true'],
    ['merge.conflictStyle', 'diff3'],
    ['core.quotePath', 'false'],
    ['log.showSignature', 'true'],
    ['diff.external', 'false'],
    ['status.short', 'true'],
    ['status.relativePaths', 'false'],
    ['core.abbrev', '5'],
    ['merge.renames', 'false'],
  ] as const) {
    repo.git('config', key, value)
  }
  repo.git('-c', 'color.ui=never', 'merge', '-q', '--no-edit', 'topic')
  work(repo, 'm2')
  repo.git('config', 'color.ui', 'never')
  expect(sortedWords(repo)).toEqual(['base', 'm1', 'm2', 't1', 't2'])
  expectSound(repo)
})

longTest('the driver ignores foreign files and folders in events/', () => {
  const repo = based()
  repo.commit('strange', {
    [`${ROOT}/events/README.txt`]: 'not an event\n',
    [`${ROOT}/events/.hidden.md`]: 'not an event\n',
    [`${ROOT}/events/sub/x.md`]: 'not an event\n',
  })
  repo.git('switch', '-q', '-c', 'topic')
  work(repo, 't1')
  repo.commit('below', { [`${ROOT}/events/sub/y.md`]: 'y\n' })
  repo.git('switch', '-q', 'main')
  work(repo, 'm1')
  repo.commit('below', { [`${ROOT}/events/sub/z.md`]: 'z\n' })
  repo.git('merge', '-q', '--no-edit', 'topic')
  expect(sortedWords(repo)).toEqual(['base', 'm1', 't1'])
  expect(repo.git('ls-files', `${ROOT}/events/sub`).split('\n')).toHaveLength(3)
  expectSound(repo)
})
