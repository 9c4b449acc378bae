/** A sparse checkout without the ledger's folder: the index holds the ledger, and nothing restores the folder. */

import { expect, test } from 'vitest'
import type { Repo } from '../support/git-repo.ts'
import { CURRENT, EVENTS, ledgerRepo, Sandbox } from '../support/git-repo.ts'
import { longTest, sampleOf } from '../support/long.ts'

/** A sparse checkout of the folder `src` only, with an event in HEAD. */
function sparseRepo(): Repo {
  const repo = ledgerRepo()
  repo.event('--agent', 'ada', '--done', 'one')
  repo.commit('one', { 'src/a.txt': 'a\n' })
  repo.git('sparse-checkout', 'set', 'src')
  expect(repo.exists(CURRENT)).toBe(false)
  return repo
}

function skipped(repo: Repo): boolean {
  return repo.git('ls-files', '-t', CURRENT).startsWith('S ')
}

const json = <T>(repo: Repo, ...words: string[]): T =>
  JSON.parse(repo.tryLedger(...words, '--json').stdout) as T

test('check, status and doctor judge the ledger by the index', () => {
  const repo = sparseRepo()
  expect(repo.tryLedger('check')).toMatchObject({ status: 0 })
  expect(json(repo, 'status')).toMatchObject({ fresh: true, next: null })
  const { findings } = json<{ findings: { status: string }[] }>(repo, 'doctor')
  expect(findings.filter(({ status }) => status !== 'ok')).toEqual([])
})

longTest('status does so even if the settings file is left out', () => {
  const repo = ledgerRepo()
  repo.commit('one', { '.ledger-git.yaml': 'ledger:\n  root: docs/led ger\n', 'src/a.txt': 'a\n' })
  repo.ledger('install')
  repo.git('add', '-A')
  repo.git('commit', '-q', '-m', 'two')
  repo.git('sparse-checkout', 'set', '--no-cone', '/src/')
  expect(json(repo, 'status')).toMatchObject({ fresh: true, hooks: { missing: [] }, next: null })
})

test('install changes no file that is left out, and names the command that adds it', () => {
  const repo = new Sandbox().init()
  const files = { '.gitattributes': '*.png binary\n', 'src/a.txt': 'a\n' }
  repo.commit('one', { ...files, '.claude/settings.json': '{ "model": "sonnet" }\n' })
  repo.git('sparse-checkout', 'set', '--no-cone', '/src/')
  const { stdout, stderr } = repo.tryLedger('install', '--agent', 'claude')
  expect(stdout).not.toMatch(/ \.gitattributes|settings\.json/)
  expect(stderr).toContain(
    'this sparse checkout leaves out .gitattributes, .claude/settings.json: not changed; next: git -C "$(git rev-parse --show-toplevel)" sparse-checkout add /.gitattributes .claude, then install again',
  )
  expect(repo.git('diff', '--name-only')).toBe('')
  const next = stderr.slice(stderr.lastIndexOf('next: ') + 'next: '.length).trim()
  repo.run('sh', ['-c', next])
  expect(repo.tryLedger('check', '--rev', 'HEAD').status).toBe(0)
  repo.ledger('uninstall')
  expect(repo.status()).toBe('')
})

longTest('install says nothing about a left out file that is already as it would write it', () => {
  const repo = sparseRepo()
  repo.git('sparse-checkout', 'set', '--no-cone', '/src/')
  repo.ledger('uninstall')
  expect(repo.tryLedger('install').stderr).toBe('')
  expect([repo.exists('.gitattributes'), repo.status()]).toEqual([false, ''])
})

test('install names left out hooks, with a command that also works in a sub-folder', () => {
  const repo = new Sandbox().init()
  repo.git('config', 'core.hooksPath', '.githooks')
  repo.install().commit('setup', { 'src/a.txt': 'a\n' })
  repo.git('sparse-checkout', 'set', 'src')
  expect(repo.exists('.githooks')).toBe(false)
  const { stderr } = repo.tryLedger('install')
  expect(stderr).toContain('leaves out .githooks/pre-commit, ')
  repo.run('sh', ['-c', `cd src && ${/; next: (.*), then install again$/m.exec(stderr)?.[1]}`])
  expect(repo.exists('.githooks/pre-commit')).toBe(true)
  expect(repo.tryLedger('install').stderr).toBe('')
})

longTest('a pending event does not make the ledger stale', () => {
  const repo = sparseRepo()
  repo.event('--agent', 'ada', '--done', 'two')
  expect(repo.tryLedger('check')).toMatchObject({ status: 0 })
  expect(json(repo, 'status')).toMatchObject({
    fresh: true,
    next: expect.stringMatching(/pending/),
  })
})

longTest('a current.md in the index that is not the rendering of its events is stale', () => {
  const repo = sparseRepo()
  const blob = repo.run('git', ['hash-object', '-w', '--stdin'], { input: 'other\n' }).stdout.trim()
  repo.git('update-index', '--cacheinfo', `100644,${blob},${CURRENT}`)
  repo.git('update-index', '--skip-worktree', CURRENT)
  expect(repo.tryLedger('check').status).toBe(1)
  expect(json(repo, 'status')).toMatchObject({ fresh: false, next: 'ledger-git resolve' })
  repo.ledger('resolve')
  expect(repo.tryLedger('check').status).toBe(0)
  expect([repo.exists(CURRENT), skipped(repo)]).toEqual([false, true])
})

test.each(sampleOf([['resolve'], ['resolve', '--commit'], ['synthesize', '--no-confirm']], 3))(
  '%s %s does not create the left out file',
  (...words) => {
    const repo = sparseRepo()
    repo.tryLedger(...words)
    expect([repo.exists(CURRENT), skipped(repo)]).toEqual([false, true])
    expect(repo.status()).toBe('')
  },
)

test('event add says where it writes, and the next commit includes the event', () => {
  const repo = sparseRepo()
  const added = repo.tryLedger('event', 'add', '--agent', 'ada', '--done', 'two')
  expect(added.status).toBe(0)
  expect(added.stderr).toBe(
    'ledger-git: this sparse checkout leaves the ledger out; the event is written anyway, and your next commit takes it along\n',
  )
  const path = added.stdout.trim()
  repo.write('src/a.txt', 'b\n')
  repo.git('commit', '-q', '-a', '-m', 'two')
  expect(repo.changed()).toEqual(['src/a.txt', CURRENT, path].toSorted())
  expect(path.startsWith(EVENTS)).toBe(true)
  expect([repo.exists(CURRENT), skipped(repo)]).toEqual([false, true])
  expect(repo.tryLedger('check', '--rev', 'HEAD').status).toBe(0)
})

longTest('status and doctor name the command that ends skip-worktree for current.md', () => {
  const repo = ledgerRepo()
  repo.event('--now', 'one')
  repo.commit('one')
  repo.git('update-index', '--skip-worktree', CURRENT)
  expect(repo.tryLedger('resolve').status).toBe(0) // because the index is fresh
  const before = repo.read(CURRENT)
  repo.event('--now', 'two')
  repo.commit('two')
  expect(repo.read(CURRENT)).toBe(before)
  const fix = `git update-index --no-skip-worktree ${CURRENT} && ledger-git resolve`
  expect(json(repo, 'status')).toMatchObject({ fresh: false, next: fix })
  const { findings } = json<{ findings: object[] }>(repo, 'doctor')
  const message = expect.stringContaining('told to skip it (skip-worktree)')
  expect(findings).toContainEqual({ name: 'ledger', status: 'warning', message, fix })
  for (const command of ['resolve', 'synthesize'])
    expect(repo.tryLedger(command).stderr, command).toContain(`next: ${fix}\n`)
  expect(repo.tryLedger('resolve').status).toBe(1)
  expect(repo.read(CURRENT)).toBe(before)
  repo.git('update-index', '--no-skip-worktree', CURRENT)
  repo.ledger('resolve')
  expect(repo.read(CURRENT)).toContain('two')
  expect(repo.status()).toBe('')
  expect(json(repo, 'status')).toMatchObject({ fresh: true, next: null })
})
