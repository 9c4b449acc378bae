/** `--stage` and `--commit`: the ledger's own commit is made beside the user's work, or not at all. */

import { describe, expect, test } from 'vitest'
import type { Repo } from '../support/git-repo.ts'
import { CURRENT, EVENTS, ledgerRepo } from '../support/git-repo.ts'
import { json } from './words.ts'
import { sampleOf } from '../support/long.ts'

test('--stage stages the event and the refreshed current.md, and nothing else', () => {
  const repo = ledgerRepo()
  repo.write('other.txt', 'x\n')
  const path = repo.event('--now', 'staged', '--stage')
  expect(repo.git('diff', '--cached', '--name-only').split('\n')).toEqual([CURRENT, path])
  expect(repo.status()).toContain('?? other.txt')
  expect(repo.tryLedger('check', '--staged').status).toBe(0)
  expect(repo.read(CURRENT)).toContain('[->] staged\n')
})

describe('--commit', () => {
  test('holds pending events and a fresh current.md; staged and other work stays as it was', () => {
    const repo = ledgerRepo()
    const earlier = repo.event('--done', 'earlier')
    repo.write('staged.txt', 'staged\n')
    repo.git('add', 'staged.txt')
    repo.write('README.md', 'changed\n')
    const path = repo.event('--now', 'mine', '--type', 'handoff', '--commit')

    expect(repo.changed().toSorted()).toEqual([CURRENT, earlier, path].toSorted())
    expect(repo.git('log', '-1', '--format=%s')).toBe('ledger: handoff by Ada')
    expect(repo.status().split('\n')).toEqual([' M README.md', 'A  staged.txt'])
    expect(repo.tryLedger('check', '--rev', 'HEAD').status).toBe(0)

    repo.git('commit', '-q', '-m', 'feat: staged')
    expect(repo.changed()).toEqual(['staged.txt'])
    expect(repo.git('ls-tree', '--name-only', '-r', 'HEAD', EVENTS)).toContain(path)
  })

  test('runs none of the user’s hooks, and says the commit', () => {
    const repo = ledgerRepo()
    for (const hook of ['pre-commit', 'commit-msg', 'post-commit', 'reference-transaction']) {
      const path = `.git/hooks/${hook}`
      const end = hook === 'reference-transaction' ? 'exit 0' : 'exit 1'
      const old = repo.exists(path) ? repo.read(path) : '#!/bin/sh\n'
      repo.write(path, `${old}echo ${hook} >>"$PWD/ran.txt"\n${end}\n`)
      repo.chmod(path, 0o755)
    }
    const { commit } = json<{ commit: string }>(repo, 'event', 'add', '--now', 'x', '--commit')
    expect(commit).toBe(repo.git('rev-parse', 'HEAD'))
    const ran = repo.exists('ran.txt') ? repo.read('ran.txt') : ''
    expect(ran).not.toMatch(/commit/)
  })

  test('nothing to commit is no commit', () => {
    const repo = ledgerRepo()
    const head = repo.git('rev-parse', 'HEAD')
    expect(json(repo, 'resolve', '--commit')).toMatchObject({ commit: null })
    expect(repo.tryLedger('synthesize', '--no-confirm', '--commit').status).toBe(0)
    expect(repo.git('rev-parse', 'HEAD')).toBe(head)
  })
})

/** Situations in which no commit is safe, and the words that say so. */
const OBSTACLES: readonly (readonly [string, RegExp, (repo: Repo) => void])[] = [
  ['HEAD is detached', /HEAD is detached/, (repo) => repo.git('switch', '-q', '--detach')],
  [
    'a rebase is in progress',
    /rebase is in progress/,
    (repo) => {
      repo.commit('one', { 'a.txt': '1\n' })
      repo.tryGit('rebase', '-q', '--exec', 'false', 'HEAD~1')
      // The rebase stopped with HEAD detached; a branch alone does not make it safe.
      repo.git('symbolic-ref', 'HEAD', 'refs/heads/main')
    },
  ],
  [
    'paths are unmerged',
    /merge is in progress|unmerged/,
    (repo) => {
      repo.git('switch', '-q', '-c', 'side')
      repo.commit('side', { 'README.md': 'side\n' })
      repo.git('switch', '-q', 'main')
      repo.commit('main', { 'README.md': 'main\n' })
      repo.tryGit('merge', '-q', 'side')
    },
  ],
  [
    'paths are unmerged after a stash',
    /unmerged/,
    (repo) => {
      repo.write('README.md', 'stashed\n')
      repo.git('stash', '-q')
      repo.commit('main', { 'README.md': 'main\n' })
      repo.tryGit('stash', 'pop', '-q')
    },
  ],
  ['index.lock is held', /holds the index/, (repo) => repo.write('.git/index.lock', '')],
  ['commits are signed', /signed/, (repo) => repo.git('config', 'commit.gpgSign', 'true')],
  [
    'the branch is protected',
    /main is listed in commit\.protected/,
    (repo) => repo.write('.ledger-git.yaml', 'commit:\n  protected: [main]\n'),
  ],
  [
    'the branch is locked',
    /the branch is locked/,
    (repo) => repo.write('.git/refs/heads/main.lock', ''),
  ],
]

test.each(sampleOf(OBSTACLES, 2))(
  '%s: no commit, and the event stays pending',
  (_name, said, obstruct) => {
    const repo = ledgerRepo()
    obstruct(repo)
    const head = repo.git('rev-parse', 'HEAD')
    const staged = repo.git('ls-files', '-s')

    const ran = repo.tryLedger('event', 'add', '--now', 'x', '--commit')

    // The event is written all the same, and a script learns where.
    expect(ran).toMatchObject({
      status: 1,
      stdout: expect.stringMatching(/_Ada_[0-9a-f]{8}\.md\n$/),
    })
    expect(ran.stderr).toMatch(said)
    expect(repo.git('rev-parse', 'HEAD')).toBe(head)
    expect(repo.git('ls-files', '-s')).toBe(staged)
    expect(repo.git('ls-files', '-o', '--', EVENTS).split('\n')).toEqual([
      expect.stringMatching(/_Ada_[0-9a-f]{8}\.md$/),
    ])
    expect(json<{ pending: string[] }>(repo, 'status').pending).toHaveLength(1)
  },
)
