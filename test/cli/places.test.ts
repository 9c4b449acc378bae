/** The places in which commands are run, and the settings that they find there. */

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { CURRENT, EVENTS, ledgerRepo, Sandbox } from '../support/git-repo.ts'
import { json, refusal } from './words.ts'
import { longTest } from '../support/long.ts'

test('in a sub-folder, paths are relative to it and the ledger is the same', () => {
  const repo = ledgerRepo()
  mkdirSync(join(repo.folder, 'src/deep'), { recursive: true })
  const deep = repo.sandbox.at(join(repo.folder, 'src/deep'))
  const path = deep.event('--now', 'from below')
  expect(path).toMatch(new RegExp(`^\\.\\./\\.\\./${EVENTS}/`))
  expect(deep.read(path)).toContain('now: from below')
  expect(deep.ledger('show')).toBe(repo.ledger('show'))
  expect(deep.tryLedger('check')).toMatchObject({ status: 0 })
  expect(deep.tryLedger('event', 'validate', path).status).toBe(0)
  const inEvents = repo.sandbox.at(join(repo.folder, EVENTS))
  expect(inEvents.event('--done', 'x')).toMatch(/^\d{4}[^/]*\.md$/)
})

test('in a bare repository, reading works, and commands that need a worktree exit with 3', () => {
  const repo = ledgerRepo()
  repo.event('--now', 'in a commit')
  repo.commit('feat: x', { 'a.txt': 'a\n' })
  repo.git('clone', '-q', '--bare', '.', '../bare.git')
  const bare = repo.sandbox.at(join(repo.sandbox.folder, 'bare.git'))
  expect(json(bare, 'show')).toMatchObject({ now: { value: 'in a commit' } })
  for (const words of [
    ['log'],
    ['event', 'list'],
    ['check', '--rev', 'HEAD'],
    ['diff', 'HEAD~1', 'HEAD'],
  ]) {
    expect.soft(bare.tryLedger(...words), words.join(' ')).toMatchObject({ status: 0, stderr: '' })
  }
  for (const words of [
    ['event', 'add', '--now', 'x'],
    ['status'],
    ['check'],
    ['synthesize'],
    ['resolve'],
    ['event', 'validate'],
  ]) {
    const ran = bare.tryLedger(...words)
    expect.soft({ words, ...refusal(ran) }).toEqual({ words, status: 3, stdout: '' })
    expect.soft(ran.stderr).toMatch(/bare repository/)
  }
})

longTest(
  'before the first commit, events can be written and read, the ledger is fresh, --commit is refused',
  () => {
    const repo = new Sandbox().init()
    repo.ledger('install')
    repo.event('--now', 'early')
    expect(json(repo, 'show')).toMatchObject({ now: { value: 'early' } })
    expect(json(repo, 'status')).toMatchObject({ fresh: true, pending: [expect.any(String)] })
    expect(repo.tryLedger('check').status).toBe(0)
    const ran = repo.tryLedger('event', 'add', '--now', 'x', '--commit')
    expect(refusal(ran).status).toBe(1)
    expect(ran.stderr).toMatch(/no commit yet/)
    expect(refusal(repo.tryLedger('check', '--rev', 'HEAD')).status).toBe(2)
    repo.commit('first')
    expect(repo.tryLedger('check', '--rev', 'HEAD').status).toBe(0)
  },
)

test('on a detached HEAD, adding events and checking work', () => {
  const repo = ledgerRepo()
  repo.git('switch', '-q', '--detach')
  expect(json(repo, 'event', 'show', repo.event('--now', 'x'))['branch']).toBe('(detached)')
  expect(repo.tryLedger('check').status).toBe(0)
})

test('without an installation, reading works and status names install', () => {
  const repo = new Sandbox().init()
  repo.commit('init')
  expect(json(repo, 'show')).toMatchObject({ now: null, meta: { event_count: 0 } })
  expect(json(repo, 'status')).toMatchObject({
    driver: { active: false },
    next: 'ledger-git install',
  })
  repo.event('--now', 'x')
  expect(json(repo, 'show')).toMatchObject({ now: { value: 'x' } })
})

longTest('status says what to run next', () => {
  const repo = ledgerRepo()
  expect(json(repo, 'status')).toMatchObject({ fresh: true, pending: [], next: null, skipped: 0 })
  const path = repo.event('--now', 'x')
  expect(json(repo, 'status')).toMatchObject({
    pending: [path],
    next: expect.stringContaining('git commit'),
  })
  repo.write(CURRENT, 'by hand\n')
  expect(json(repo, 'status')).toMatchObject({ fresh: false, next: 'ledger-git resolve' })
  repo.git('config', '--unset', 'include.path')
  expect(json(repo, 'status')).toMatchObject({
    driver: { active: false },
    next: 'ledger-git install',
  })
})

describe('.ledger-git.yaml', () => {
  test('ledger.root moves the ledger', () => {
    const repo = new Sandbox().init()
    repo.write('.ledger-git.yaml', 'ledger:\n  root: "docs/the ledger"\n')
    repo.install()
    expect(repo.event('--now', 'moved')).toMatch(/^docs\/the ledger\/events\//)
    repo.commit('feat', { 'a.txt': 'a\n' })
    expect(repo.git('show', 'HEAD:docs/the ledger/current.md')).toContain('[->] moved')
    expect(repo.tryLedger('check', '--rev', 'HEAD').status).toBe(0)
  })

  test('an invalid setting exits with 2, with file, key and the nearest known key', () => {
    const repo = ledgerRepo()
    for (const [text, said] of [
      ['ledger:\n  rot: x\n', /rot[^]*root/],
      ['ledgr:\n  root: x\n', /ledgr[^]*ledger/],
      ['ledgr: {}\n', /ledgr[^]*ledger/],
      ['ledgr:\n', /ledgr[^]*ledger/],
      ['clock:\n  max_drif: 5m\n', /max_drif[^]*max_drift/],
      ['clock:\n  max_drift: soon\n', /max_drift/],
      ['ledger:\n  root: ../outside\n', /root/],
      ['ledger:\n  root: /absolute\n', /root/],
      ['ledger:\n  root: .git/x\n', /root/],
      ['commit:\n  protected: {main: yes}\n', /protected/],
      ['synthesize:\n  on_event: never\n', /on_event/],
      ['- a list\n', /\.ledger-git\.yaml/],
      ['a: [\n', /\.ledger-git\.yaml/],
    ] as const) {
      repo.write('.ledger-git.yaml', text)
      const ran = repo.tryLedger('show')
      expect
        .soft({ text, status: ran.status, stdout: ran.stdout })
        .toEqual({ text, status: 2, stdout: '' })
      expect.soft(ran.stderr).toMatch(said)
      expect.soft(ran.stderr, text).toContain('.ledger-git.yaml')
    }
    const commit = repo.tryGit('commit', '-q', '--allow-empty', '-m', 'x')
    expect(commit.status, 'bad settings never keep anybody from committing').toBe(0)
    repo.write('.ledger-git.yaml', '')
    expect(repo.tryLedger('show').status).toBe(0)
  })

  test('synthesize.on_event: file also rewrites current.md', () => {
    const repo = ledgerRepo()
    repo.write('.ledger-git.yaml', 'synthesize:\n  on_event: file\n')
    repo.event('--now', 'into the file')
    expect(repo.read(CURRENT)).toContain('[->] into the file')
  })
})
