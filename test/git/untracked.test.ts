/** `mode: untracked`: `current.md` stays out of git but always exists. */

import { expect, test } from 'vitest'
import { CURRENT, ledgerRepo, Sandbox } from '../support/git-repo.ts'
import type { Repo } from '../support/git-repo.ts'
import { longTest } from '../support/long.ts'

const SETTINGS = '.ledger-git.yaml'

function untrackedRepo(): Repo {
  const repo = new Sandbox().init()
  repo.commit('init', { 'README.md': '# demo\n', [SETTINGS]: 'mode: untracked\n' })
  return repo.install()
}

/** Commits one event on a branch of its own. */
function branchWith(repo: Repo, branch: string, done: string): void {
  repo.git('switch', '-q', '-c', branch, 'main')
  repo.event('--agent', branch, '--done', done)
  repo.commit(`feat: ${done}`, { [`${branch}.txt`]: 'x\n' })
}

test('commits, merges and checkouts render current.md, and git never sees it', () => {
  const repo = untrackedRepo()
  expect(repo.git('ls-files', CURRENT)).toBe('')
  expect(repo.status()).toBe('')
  branchWith(repo, 'toast', 'ate')
  branchWith(repo, 'nux', 'drove')
  expect(repo.read(CURRENT)).toContain('- [x] drove\n')
  expect(repo.read(CURRENT)).not.toContain('- [x] ate\n')

  repo.git('merge', '-q', '--no-edit', 'toast')

  expect(repo.read(CURRENT)).toContain('- [x] ate\n- [x] drove\n')
  expect(repo.status()).toBe('')
  repo.git('switch', '-q', 'main')
  expect(repo.read(CURRENT)).not.toContain('- [x]')
  repo.git('switch', '-q', 'nux')
  expect(repo.read(CURRENT)).toContain('- [x] ate\n')
  repo.ledger('check')
  repo.ledger('check', '--range', 'main..nux')
  repo.git('worktree', 'add', '-q', '../linked', 'toast')
  expect(repo.sandbox.at(`${repo.sandbox.folder}/linked`).read(CURRENT)).toContain('- [x] ate\n')
  repo.ledger('uninstall')
  expect(repo.exists(CURRENT)).toBe(false)
})

longTest(
  'current.md shows an event that the commit itself adds, in whichever index the commit is built',
  () => {
    const repo = untrackedRepo()
    for (const [now, words] of [
      ['by -a', ['-a']],
      ['from the index', []],
    ] as const) {
      repo.event('--now', now)
      repo.write('README.md', `${now}\n`)
      if (words.length === 0) repo.git('add', 'README.md')
      repo.git('commit', '-q', '-m', now, ...words)
      expect(repo.read(CURRENT)).toContain(`[->] ${now}\n`)
      expect(repo.tryLedger('check')).toMatchObject({ status: 0 })
      expect(repo.status()).toBe('')
    }
  },
)

longTest('a hand edit is stale, and resolve renders without staging', () => {
  const repo = untrackedRepo()
  branchWith(repo, 'toast', 'ate')
  repo.write(CURRENT, `${repo.read(CURRENT)}by hand\n`)
  expect(repo.tryLedger('check').status).toBe(1)
  repo.ledger('resolve')
  repo.ledger('check')
  expect(repo.status()).toBe('')
})

longTest('event add --stage and --commit leave current.md out of git', () => {
  const repo = untrackedRepo()
  repo.event('--now', 'one', '--stage')
  expect(repo.git('diff', '--cached', '--name-only')).toMatch(/^\S+\/events\/\S+\.md$/)
  repo.git('commit', '-qm', 'one')
  repo.event('--now', 'two', '--commit')
  expect(repo.changed()).toEqual([expect.stringMatching(/\/events\//)])
  expect(repo.read(CURRENT)).toContain('[->] two')
  repo.ledger('check', '--range', 'HEAD~2..HEAD')
})

longTest('a team that adopts this mode is fresh before and after git rm current.md', () => {
  const repo = ledgerRepo()
  branchWith(repo, 'toast', 'ate')
  repo.git('switch', '-q', 'main')
  repo.write(SETTINGS, 'mode: untracked\n')
  const said = repo.tryLedger('install').stderr
  expect(said).toContain(`git rm --cached ${CURRENT}`)
  repo.event('--agent', 'waffle', '--done', 'moved')
  repo.commit('chore: settings')
  repo.ledger('check', '--rev', 'HEAD')
  repo.git('rm', '-q', '--cached', CURRENT)
  repo.commit('chore: current.md stays out of git')
  expect(repo.git('ls-files', CURRENT)).toBe('')

  // The other branch still changed it: git asks, and resolve answers.
  expect(repo.tryGit('merge', '-q', '--no-edit', 'toast').status).not.toBe(0)
  repo.ledger('resolve')
  repo.git('commit', '-q', '--no-edit')

  expect(repo.git('ls-files', CURRENT)).toBe('')
  expect(repo.read(CURRENT)).toContain('- [x] ate\n- [x] moved\n')
  expect(repo.status()).toBe('')
  repo.ledger('check', '--rev', 'HEAD')
})

test('install in mode: tracked removes only its own line from .gitignore', () => {
  const repo = untrackedRepo()
  const stepsBack = () => {
    repo.write(SETTINGS, 'mode: tracked\n')
    const { stdout } = repo.tryLedger('install', '--json', '--dry-run')
    const { changes, commit } = JSON.parse(stdout) as { changes: unknown; commit: string[] }
    expect(changes).toMatchObject([{ change: 'remove', what: 'no longer ignores current.md' }])
    return commit
  }
  expect(stepsBack()).toEqual(['.gitignore'])
  // `git add` of a missing file fails.
  repo.git('rm', '-q', '--cached', '.gitignore')
  expect(stepsBack()).toEqual([])
  repo.write(SETTINGS, 'mode: untracked\n')
  repo.commit('ours', { '.gitignore': repo.read('.gitignore') })
  branchWith(repo, 'toast', 'ate')
  repo.write(SETTINGS, 'mode: tracked\n')
  expect(repo.ledger('install')).toContain('no longer ignores current.md')
  expect(repo.exists('.gitignore')).toBe(false)
  expect(repo.ledger('install')).not.toContain('.gitignore')
  repo.git('add', '-A')
  repo.git('commit', '-q', '-m', 'chore: current.md is in git')
  repo.ledger('check', '--rev', 'HEAD')
  expect(repo.git('show', `HEAD:${CURRENT}`)).toContain('- [x] ate\n')

  repo.write(SETTINGS, 'mode: untracked\n')
  repo.write('.gitignore', 'dist\n')
  repo.ledger('install')
  repo.write('.gitignore', `${repo.read('.gitignore')}*.log\n`)
  repo.write(SETTINGS, 'mode: tracked\n')
  repo.ledger('install')
  expect(repo.read('.gitignore')).toBe('dist\n*.log\n')
  repo.ledger('uninstall')
  expect(repo.read('.gitignore')).toBe('dist\n*.log\n')
})
