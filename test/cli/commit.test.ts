/** `--stage` and `--commit`: the ledger's own commit is made beside the user's work, or not at all. */

import { execFileSync } from 'node:child_process'
import { copyFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Repo } from '../support/git-repo.ts'
import { CURRENT, EVENTS, ledgerRepo, ROOT } from '../support/git-repo.ts'
import { encodeTree } from '../../src/core/git/objects.ts'
import { json } from './words.ts'
import { longTest, sampleOf } from '../support/long.ts'

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
  test('commits pending events and a fresh current.md, and leaves staged and other work as it was', () => {
    const repo = ledgerRepo()
    const earlier = repo.event('--done', 'earlier')
    repo.write('staged.txt', 'staged\n')
    repo.git('add', 'staged.txt')
    repo.write('README.md', 'changed\n')
    const path = repo.event('--now', 'mine', '--type', 'handoff', '--commit')

    expect(repo.changed().toSorted()).toEqual([CURRENT, earlier, path].toSorted())
    expect(repo.git('log', '-1', '--format=%s')).toBe('chore(ledger): handoff by Ada')
    expect(repo.status().split('\n')).toEqual([' M README.md', 'A  staged.txt'])
    expect(repo.tryLedger('check', '--rev', 'HEAD').status).toBe(0)

    repo.git('commit', '-q', '-m', 'feat: staged')
    expect(repo.changed()).toEqual(['staged.txt'])
    expect(repo.git('ls-tree', '--name-only', '-r', 'HEAD', EVENTS)).toContain(path)
  })

  test('keeps a staged event staged, and gives the staged current.md both events', () => {
    const repo = ledgerRepo()
    const staged = repo.event('--done', 'theirs', '--stage')
    repo.event('--done', 'mine', '--commit')

    expect(repo.status().split('\n')).toEqual([`M  ${CURRENT}`, `A  ${staged}`])
    expect(repo.tryLedger('check', '--staged').status).toBe(0)
    expect(repo.read(CURRENT)).toContain('- [x] theirs\n- [x] mine\n')
    expect(repo.git('show', `HEAD:${CURRENT}`)).not.toContain('theirs')
  })

  test("updates both a user-named index and the worktree's own, and limits the length of the subject", () => {
    const repo = ledgerRepo()
    const agent = `a\n\nb${'x'.repeat(200)}`
    copyFileSync(join(repo.folder, '.git/index'), join(repo.folder, '.git/other'))
    const env = { GIT_INDEX_FILE: '.git/other' }
    const ran = repo.tryLedgerWith(
      { env },
      'event',
      'add',
      '--agent',
      agent,
      '--now',
      'x',
      '--commit',
    )
    expect(ran).toMatchObject({ status: 0 })
    expect(repo.git('log', '-1', '--format=%B')).toMatch(/^chore\(ledger\): note by a bx{73}…\n?$/)
    expect(repo.changed()).toHaveLength(2)
    expect(repo.status()).toBe('')
    expect(repo.run('git', ['status', '--porcelain'], { env }).stdout).toBe('')
  })

  test('updates the index in a folder whose name is not ASCII', () => {
    const repo = ledgerRepo()
    repo.commit('moved', { '.ledger-git.yaml': 'ledger.root: läger\n' })
    repo.ledger('install')
    repo.commit('installed')
    repo.ledger('event', 'add', '--now', 'x', '--commit')
    expect(repo.changed()).toHaveLength(2)
    expect(repo.git('diff-files')).toBe('')
  })

  longTest(
    'commits an executable event as executable, like git add, unless core.fileMode is off',
    () => {
      const repo = ledgerRepo()
      const modeOfNew = () => {
        const path = repo.event('--now', 'mine')
        repo.chmod(path, 0o755)
        repo.event('--now', 'other', '--commit')
        expect(repo.status()).toBe('')
        return repo.git('ls-tree', 'HEAD', path).slice(0, 6)
      }
      expect(modeOfNew()).toBe('100755')
      repo.git('config', 'core.fileMode', 'No')
      expect(modeOfNew()).toBe('100644')
    },
  )

  test("keeps a tracked file's mode, and commits a regular file in place of a link", () => {
    const repo = ledgerRepo()
    repo.ledger('handoff', 'create', 'auth', '--goal', 'g')
    const path = join(dirname(CURRENT), 'auth/current.md')
    const change = (now: string) => {
      repo.ledger('handoff', 'update', 'auth', '--now', now, '--commit')
      expect(repo.status()).toBe('')
      return repo.git('ls-tree', 'HEAD', path).slice(0, 6)
    }
    repo.chmod(path, 0o755)
    repo.commit('handoff')
    expect(change('first')).toBe('100755')
    repo.git('update-index', '--cacheinfo', `120000,${repo.git('hash-object', '-w', path)},${path}`)
    repo.git('commit', '-q', '-n', '-m', 'link')
    repo.chmod(path, 0o644)
    expect(change('second')).toBe('100644')
  })

  test('runs no commit hooks of the user, and prints the commit', () => {
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

  test('makes no commit if there is nothing to commit', () => {
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
      // The rebase stopped with HEAD detached; attaching it to a branch does not make it safe.
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
  [
    'a cherry-pick is resolved, and not committed',
    /cherry-pick is in progress/,
    (repo) => {
      repo.git('switch', '-q', '-c', 'side')
      repo.commit('side', { 'README.md': 'side\n' })
      repo.git('switch', '-q', 'main')
      repo.commit('main', { 'README.md': 'main\n' })
      repo.tryGit('cherry-pick', 'side')
      repo.git('add', 'README.md')
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

test.each(sampleOf(OBSTACLES, 6))(
  '%s: makes no commit, and the event stays pending',
  (_name, said, obstruct) => {
    const repo = ledgerRepo()
    obstruct(repo)
    const head = repo.git('rev-parse', 'HEAD')
    const staged = repo.git('ls-files', '-s')

    const ran = repo.tryLedger('event', 'add', '--now', 'x', '--commit')

    // The event is written anyway, and a script learns its path.
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

test('where no hook would take the event either, the next step is to set the clone up', () => {
  const origin = ledgerRepo()
  origin.git('clone', '-q', '.', '../clone')
  const clone = origin.sandbox.at(join(origin.sandbox.folder, 'clone'))
  clone.write('.ledger-git.yaml', 'commit:\n  protected: main\n')
  const own =
    'the ledger was not committed: main is listed in commit.protected; this clone is not set up'
  for (const [words, next] of [
    [['event', 'add', '--now', 'x', '--commit'], 'ledger-git install'],
    [['synthesize', '--no-confirm', '--commit'], 'ledger-git install'],
    [['resolve', '--commit'], 'ledger-git install'],
    [
      ['handoff', 'create', 'auth', '--goal', 'g', '--commit'],
      `ledger-git install, then git add ${ROOT}/auth/current.md && git commit`,
    ],
  ] as const) {
    const { status, stderr } = clone.tryLedger(...words)
    expect(status).toBe(1)
    expect(stderr).toContain(own)
    expect(stderr).toContain(`  next: ${next}`)
    expect(stderr).not.toContain('nothing is lost')
  }
})

describe('what HEAD has beside the ledger stays', () => {
  /** Writes a tree exactly as given, which git itself would not do. */
  function withZero(repo: Repo, entries: readonly { mode: string; name: string; oid: string }[]) {
    const input = encodeTree(entries)
    const args = ['hash-object', '-t', 'tree', '-w', '--literally', '--stdin']
    const options = { cwd: repo.folder, env: repo.sandbox.env, input }
    return execFileSync('git', args, options).toString('utf8').trim()
  }

  test('if folders have a mode that begins with zero', () => {
    const repo = ledgerRepo()
    repo.commit('files', { 'a/b.txt': 'b\n' })
    const entries = repo
      .git('ls-tree', 'HEAD')
      .split('\n')
      .map((line) => {
        const [, mode = '', oid = '', name = ''] = /^(\d+) \w+ ([0-9a-f]+)\t(.*)$/.exec(line) ?? []
        return { mode, oid, name } // git prints the leading zero
      })
    const tree = withZero(repo, entries)
    expect(tree).not.toBe(repo.git('rev-parse', 'HEAD^{tree}'))
    repo.git('update-ref', 'HEAD', repo.git('commit-tree', '-p', 'HEAD', '-m', 'old', tree))
    const path = repo.event('--now', 'x', '--commit')
    expect(repo.changed()).toEqual([CURRENT, path])
  })

  test("by refusing to commit if HEAD's tree is lost", () => {
    const repo = ledgerRepo()
    const [head, tree] = repo.git('rev-parse', 'HEAD', 'HEAD^{tree}').split('\n')
    const file = `.git/objects/${tree?.slice(0, 2)}/${tree?.slice(2)}`
    rmSync(join(repo.folder, file))
    const ran = repo.tryLedger('event', 'add', '--now', 'x', '--commit')
    expect(ran).toMatchObject({ status: 3, stderr: expect.stringContaining(`${tree}`) })
    expect(repo.git('rev-parse', 'HEAD')).toBe(head)
  })

  test('by refusing to commit if HEAD has a link with the name of a ledger folder', () => {
    const repo = ledgerRepo()
    const [top = ''] = CURRENT.split('/')
    repo.git('rm', '-rq', '--cached', top)
    const link = repo.git('hash-object', '-w', 'README.md')
    repo.git('update-index', '--add', '--cacheinfo', `120000,${link},${top}`)
    repo.git('commit', '-q', '-n', '-m', 'link')
    const ran = repo.tryLedger('event', 'add', '--now', 'x', '--commit')
    expect(ran).toMatchObject({ status: 1, stderr: expect.stringContaining(`name of ${top}`) })
    expect(repo.git('ls-tree', 'HEAD', top)).toContain('120000 blob')
  })
})

test('ignores a file among the events whose name contains a line break', () => {
  const repo = ledgerRepo()
  repo.write(`${EVENTS}/a\nb.md`, 'x\n')
  repo.event('--now', 'x', '--commit')
  expect(repo.ledger('show')).toContain('x')
  expect(repo.tryLedger('check').status).toBe(0)
})
