/** restore, redact, accept, drop: the remedies for an event that is not as it was written. */

import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Repo } from '../support/git-repo.ts'
import { CURRENT, EVENTS, ledgerRepo, ROOT } from '../support/git-repo.ts'
import { SECRETS } from '../support/secrets.ts'
import { expectSound, withEvent, words } from '../git/scene.ts'
import { json, refusal, writeEvent } from './words.ts'
import { IS_LONG, longTest, sampleOf } from '../support/long.ts'

const { kind: KIND = '', secret: SECRET = '' } =
  SECRETS.find(({ kind }) => kind.startsWith('github')) ?? {}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

function withSecret() {
  return withEvent('--now', `use ${SECRET} here`, '--allow-secret')
}

function eventFiles(repo: Repo): string[] {
  const listed = repo.git('ls-files', '--cached', '--others', '--', `${EVENTS}/*.md`)
  return listed.split('\n').filter((path) => path !== '' && repo.exists(path))
}

function expectNoSecret(repo: Repo): void {
  expect(repo.run('git', ['grep', '-q', SECRET, 'HEAD']).status).toBe(1)
  const found = repo.run('grep', ['-rlF', SECRET, '.git/ledger-git', ROOT])
  expect(found.stdout).toBe('')
}

describe('restore', () => {
  const WHERE: [string, boolean][] = [
    ['and staged', true],
    ['in the worktree', false],
  ]
  test.each(sampleOf(WHERE, 2))('brings back a committed event changed %s', (_where, isStaged) => {
    const { repo, path, file, text } = withEvent()
    repo.write(path, '')
    if (isStaged) repo.git('add', path)
    expect(repo.ledger('event', 'restore', file.slice(0, 25))).toBe(path)
    expect(repo.read(path)).toBe(text)
    expectSound(repo)
    expect(json(repo, 'event', 'restore', path)).toEqual({ path, existed: true })
  })

  longTest('brings back an event deleted with git rm', () => {
    const { repo, path, file, text } = withEvent()
    repo.git('rm', '-q', path)
    expect(json(repo, 'event', 'restore', file)).toEqual({ path, existed: false })
    expect(repo.read(path)).toBe(text)
    expectSound(repo)
  })

  longTest('replaces committed damage by the text that history began with', () => {
    const { repo, path, text } = withEvent()
    repo.write(path, text.replace('v1', 'v2'))
    repo.git('commit', '-q', '-am', 'unseen', '--no-verify')
    repo.ledger('event', 'restore', path)
    expect(repo.read(path)).toBe(text)
    repo.git('commit', '-q', '-m', 'mended')
    expect(repo.tryLedger('check', '--rev', 'HEAD')).toMatchObject({ status: 0, stderr: '' })
  })

  longTest('brings back a staged event that was truncated in the worktree', () => {
    const { repo } = withEvent()
    const path = repo.event('--agent', 'crisp', '--now', 'x', '--stage')
    const text = repo.read(path)
    repo.write(path, '')
    repo.ledger('event', 'restore', path)
    expect(repo.read(path)).toBe(text)
  })

  test('names another remedy for a pending event of which no copy is left', () => {
    const { repo } = withEvent()
    const path = repo.event('--agent', 'crisp', '--now', 'x')
    repo.write(path, '')
    rmSync(join(repo.folder, '.git/ledger-git/kept'), { recursive: true })
    const ran = repo.tryLedger('event', 'restore', path)
    expect(refusal(ran).status).toBe(1)
    expect(ran.stderr).toContain(`ledger-git event drop ${nameOf(path)}`)
  })

  test('brings back an archived event by the beginning of its name', () => {
    const { repo, path, file, text } = withEvent('--ts', '2026-01-01T00:00:00Z')
    repo.ledger('archive', '--no-confirm')
    repo.git('commit', '-q', '-m', 'archive')
    expect(repo.exists(path)).toBe(false)
    expect(repo.ledger('event', 'restore', file.slice(0, 26))).toBe(path)
    expect(repo.read(path)).toBe(text)
    expect(json(repo, 'event', 'restore', file)).toEqual({ path, existed: true })
  })

  test('refuses an ambiguous or unknown name, like the other event commands', () => {
    const repo = ledgerRepo()
    writeEvent(repo, 'one-a.md', 'now: x')
    writeEvent(repo, 'one-b.md', 'now: x')
    for (const command of ['restore', 'redact', 'accept', 'drop', 'retract', 'show']) {
      const several = repo.tryLedger('event', command, 'one')
      expect(refusal(several)).toEqual({ status: 1, stdout: '' })
      expect(several.stderr).toContain('several events begin with one')
      expect(refusal(repo.tryLedger('event', command, 'two')).status).toBe(1)
    }
    expect(json<{ retracts: string[] }>(repo, 'event', 'retract', 'one-a').retracts).toEqual([
      'one-a.md',
    ])
  })
})

describe('redact', () => {
  test('replaces the event by a new one and a retraction, and keeps no copy of the secret', () => {
    const { repo, path, file } = withSecret()
    repo.ledger('check')
    const old = repo.git('rev-parse', `HEAD:${path}`)
    const done = json<Record<string, string>>(repo, 'event', 'redact', file.slice(0, 25))
    expect(done).toMatchObject({ file, removed: [path], held: old, commit: null })
    expect(repo.read(done['path'] ?? '')).toContain(`use (redacted ${KIND}) here`)
    expect(repo.exists(path)).toBe(false)
    repo.git('commit', '-q', '-m', 'redact')
    expect(repo.read(`${ROOT}/current.md`)).toContain(`use (redacted ${KIND}) here`)
    expect(words(repo)).toEqual(['todo 1'])
    expect(repo.status()).toBe('')
    expect(repo.ledger('event', 'validate')).toBe('')
    expectNoSecret(repo)
  })

  longTest('says what remains to be done', () => {
    const { repo, file } = withSecret()
    const { stderr } = repo.tryLedger('event', 'redact', file)
    expect(stderr).toContain("git's history still holds the old text")
    expect(stderr).toContain('replace it at its provider')
    // Rewriting the event's file alone would leave the secret in every rendering.
    expect(repo.git('log', '-p', '--', CURRENT)).toContain(SECRET)
    expect(stderr).toMatch(/current\.md .* git filter-repo --replace-text/)
  })

  longTest('takes the text as edited by hand after the commit was stopped', () => {
    const { repo, path, text } = withSecret()
    repo.write(path, text.replace(SECRET, 'the vault'))
    const ran = repo.tryGit('commit', '-q', '-am', 'secret')
    expect(ran.status).toBe(1)
    expect(ran.stderr).toContain('event redact')
    repo.ledger('event', 'redact', path)
    repo.git('commit', '-q', '-m', 'redact')
    expect(repo.read(`${ROOT}/current.md`)).toContain('use the vault here')
    expect(eventFiles(repo)).toHaveLength(2)
    expect(repo.status()).toBe('')
    expectNoSecret(repo)
  })

  longTest('keeps nothing of an event that was emptied by hand', () => {
    const { repo, path } = withSecret()
    repo.write(path, '')
    expect(json(repo, 'event', 'redact', path)).toMatchObject({ path: null, removed: [path] })
    repo.git('commit', '-q', '-m', 'redact')
    expect(words(repo)).toEqual([])
    expectNoSecret(repo)
  })

  test('--commit where no commit can be made: nothing is redacted, and that is said', () => {
    const { repo, path } = withSecret()
    repo.git('switch', '-q', '--detach')
    const text = repo.read(path)
    const ran = repo.tryLedger('event', 'redact', path, '--commit')
    expect(refusal(ran).status).toBe(1)
    expect(ran.stderr).toContain('nothing was redacted: HEAD is detached')
    expect(ran.stderr).toContain('next: switch to a branch, or leave out --commit')
    expect(repo.read(path)).toBe(text)
  })

  test('--commit commits it at once, and nothing else', () => {
    const { repo, path } = withSecret()
    repo.write('a.txt', 'mine\n')
    repo.git('add', 'a.txt')
    const { commit } = json(repo, 'event', 'redact', path, '--commit')
    expect(repo.git('rev-parse', 'HEAD')).toBe(commit)
    expect(repo.status()).toBe('M  a.txt')
    expect(repo.tryLedger('check', '--rev', 'HEAD').status).toBe(0)
    expectNoSecret(repo)
  })

  longTest('--stage stages everything, including current.md', () => {
    const { repo, path } = withSecret()
    repo.ledger('event', 'redact', path, '--stage')
    expect(repo.status()).not.toMatch(/^\?\?/m)
    expect(repo.tryLedger('check', '--staged').status).toBe(0)
  })

  longTest('writes no retraction for a pending event, because nobody else has it', () => {
    const { repo } = withEvent()
    const path = repo.event('--agent', 'crisp', '--now', `use ${SECRET}`, '--allow-secret')
    expect(json(repo, 'event', 'redact', path)).toMatchObject({ retraction: null, held: null })
    repo.git('commit', '-q', '--allow-empty', '-m', 'more')
    expect(eventFiles(repo)).toHaveLength(2)
    expectSound(repo)
    expectNoSecret(repo)
  })

  test('refuses an event without a secret, or with one left after an edit, and writes nothing', () => {
    const { repo, path, text } = withEvent()
    expect(refusal(repo.tryLedger('event', 'redact', path)).status).toBe(2)
    repo.write(path, text.replace('v1', SECRET))
    const ran = repo.tryLedger('event', 'redact', path)
    expect(refusal(ran).status).toBe(1)
    expect(ran.stderr).toContain(KIND)
    expect(ran.stderr).not.toContain(SECRET)
    expect(eventFiles(repo)).toEqual([path])
  })

  longTest('removes the archived file of an archived event', () => {
    const { repo, path, file } = withEvent(
      '--now',
      `use ${SECRET}`,
      '--allow-secret',
      '--ts',
      '2026-01-01T00:00:00Z',
    )
    repo.ledger('archive', '--no-confirm')
    repo.git('commit', '-q', '-m', 'archive')
    const done = json<{ removed: string[] }>(repo, 'event', 'redact', file)
    expect(done.removed).toEqual([`${ROOT}/archive/2026-01-01/${file.replace('.md', '.json')}`])
    repo.git('commit', '-q', '-m', 'redact')
    expect(repo.exists(path)).toBe(false)
    expect(repo.tryLedger('check', '--rev', 'HEAD').status).toBe(0)
    expect(repo.run('git', ['grep', '-q', SECRET, 'HEAD', '--', `${ROOT}/archive`]).status).toBe(1)
  })
})

describe('accept', () => {
  /** History as git's filter-branch leaves it: the event says something else in every commit. */
  function rewritten(): { repo: Repo; path: string; file: string } {
    const { repo, path, file } = withEvent()
    repo.commit('more', { 'b.txt': 'b\n' })
    const filter = `sed -i s/v1/v9/ ${path}; sed -i s/v1/v9/ ${ROOT}/current.md; true`
    const env = { FILTER_BRANCH_SQUELCH_WARNING: '1', LEDGER_GIT: '0' }
    const ran = repo.run('git', ['filter-branch', '-f', '--tree-filter', filter, 'HEAD'], { env })
    expect(ran.status, ran.stderr).toBe(0)
    repo.ledger('synthesize', '--no-confirm')
    repo.git('commit', '-q', '-am', 'ledger', '--no-verify')
    return { repo, path, file }
  }

  test('clears the warning about a rewritten history, here and in every clone', () => {
    const { repo, file } = rewritten()
    for (const args of [['check'], ['check', '--rev', 'HEAD'], ['check', '--json']]) {
      const ran = repo.tryLedger(...args)
      expect(ran.status, ran.stderr).toBe(0)
      expect(ran.stderr).toContain(`ledger-git event accept ${file}`)
    }
    const validated = repo.tryLedger('event', 'validate')
    expect(validated.status).toBe(1)
    expect(validated.stderr).toContain(`ledger-git event accept ${file}`)
    expect(json(repo, 'status')).toMatchObject({ damaged: [file] })

    const done = json(repo, 'event', 'accept', file.slice(0, 25), '--reason', 'filter-branch')
    expect(done).toMatchObject({ accepts: [file], commit: null })
    expect(repo.tryLedger('check').stderr).toBe('1 pending (in no commit yet)\n')
    expect(repo.ledger('event', 'validate')).toBe('')
    expect(json(repo, 'event', 'accept', '--all')).toMatchObject({ path: null, accepts: [] })
    repo.git('commit', '-q', '--allow-empty', '-m', 'accept')
    expect(repo.tryLedger('check', '--rev', 'HEAD')).toMatchObject({ status: 0, stderr: '' })

    repo.git('clone', '-q', '.', '../clone')
    const clone = repo.sandbox.at(`${repo.sandbox.folder}/clone`)
    expect(clone.tryLedger('check', '--rev', 'HEAD')).toMatchObject({ status: 0, stderr: '' })
  })

  longTest(
    'in two clones merges without conflict, and a later change of the file is reported again',
    () => {
      const { repo, path } = rewritten()
      repo.git('switch', '-q', '-c', 'topic')
      repo.ledger('event', 'accept', '--all', '--commit', '--agent', 'toast')
      repo.git('switch', '-q', '-')
      repo.ledger('event', 'accept', '--all', '--commit', '--agent', 'crisp')
      repo.git('merge', '-q', '--no-edit', 'topic')
      expect(repo.tryLedger('check', '--rev', 'HEAD')).toMatchObject({ status: 0, stderr: '' })
      repo.write(path, repo.read(path).replace('v9', 'v8'))
      repo.git('commit', '-q', '-am', 'unseen', '--no-verify')
      expect(repo.tryLedger('check', '--rev', 'HEAD').stderr).toContain('event accept')
    },
  )

  test('refuses an unchanged event, no event, and --all with an event', () => {
    const { repo, path } = withEvent()
    expect(refusal(repo.tryLedger('event', 'accept', path)).status).toBe(2)
    expect(refusal(repo.tryLedger('event', 'accept')).status).toBe(2)
    expect(refusal(repo.tryLedger('event', 'accept', '--all', path)).status).toBe(2)
  })

  longTest('lets a squash commit a new damaged event', () => {
    const { repo } = withEvent()
    repo.git('switch', '-q', '-c', 'topic')
    const path = repo.event('--agent', 'crisp', '--now', 'x')
    repo.write(path, repo.read(path).replace('now: x', 'now: y'))
    repo.git('add', path)
    repo.git('commit', '-q', '-m', 'unseen', '--no-verify')
    repo.git('switch', '-q', 'main')
    repo.git('merge', '-q', '--squash', 'topic')
    expect(repo.tryGit('commit', '-q', '-m', 'squash').status).toBe(1)
    repo.ledger('event', 'accept', path)
    const ran = repo.tryGit('commit', '-q', '-m', 'squash')
    expect(ran.status, ran.stderr).toBe(0)
  })
})

describe('drop', () => {
  const ADDED: [string, string[]][] = [
    ['staged', ['--stage']],
    ['pending', []],
  ]
  test.each(sampleOf(ADDED, 2))('removes the file of a %s event for good', (_how, args) => {
    const { repo } = withEvent()
    const path = repo.event('--agent', 'crisp', '--now', `use ${SECRET}`, '--allow-secret', ...args)
    expect(json(repo, 'event', 'drop', nameOf(path).slice(0, 24))).toEqual({ path })
    expect(repo.exists(path)).toBe(false)
    expect(repo.git('ls-files', '--', path)).toBe('')
  })

  test('leaves nothing of a staged event in the index or in current.md', () => {
    const { repo } = withEvent()
    const path = repo.event('--now', 'the word is hunter2', '--stage')
    expect(repo.read(CURRENT)).toContain('hunter2')
    repo.ledger('event', 'drop', path)
    expect(repo.status()).toBe('')
    expect(repo.read(CURRENT)).not.toContain('hunter2')
  })

  test('refuses committed and archived events, and names other remedies', () => {
    const { repo, path, file } = withEvent('--ts', '2026-01-01T00:00:00Z')
    const refused = repo.tryLedger('event', 'drop', file)
    expect(refusal(refused).status).toBe(1)
    expect(refused.stderr).toContain(`ledger-git event retract ${file}`)
    expect(refused.stderr).toContain(`ledger-git event redact ${file}`)
    repo.ledger('archive', '--no-confirm')
    repo.git('commit', '-q', '-m', 'archive')
    expect(refusal(repo.tryLedger('event', 'drop', path)).status).toBe(1)
  })
})

describe('damage', () => {
  test('is reported by validate, status and doctor alike', () => {
    const { repo, path, file, text } = withEvent()
    const torn = repo.event('--agent', 'crisp', '--now', 'x')
    repo.write(torn, '')
    repo.write(path, text.replace('v1', 'v2'))
    const damaged = [nameOf(torn), file]
    const { valid, problems } = json2(repo)
    expect(valid).toBe(false)
    expect(problems.map(({ file, code }) => [file, code])).toEqual(
      expect.arrayContaining([
        [nameOf(torn), 'empty'],
        [file, 'changed'],
      ]),
    )
    const status = json<{ damaged: string[]; next: string }>(repo, 'status')
    expect(status.damaged.toSorted()).toEqual(damaged.toSorted())
    expect(status.next).toBe('ledger-git event validate')
    expect(repo.tryLedger('event', 'validate', path).status).toBe(1)
    expect(repo.tryLedger('event', 'validate', torn).status).toBe(1)
  })

  test('is reported by status while an unreadable file is in no commit', () => {
    const { repo } = withEvent()
    const next = () => json<{ next: string }>(repo, 'status').next
    const path = `${EVENTS}/2026-01-11T13-05-00Z_other.md`
    repo.write(path, 'no event')
    expect(next()).toBe('ledger-git event validate')
    repo.git('add', path)
    repo.git('commit', '-q', '-n', '-m', 'other')
    expect(next()).not.toBe('ledger-git event validate')
  })

  /** The answer of `event validate --json`, which exits with 1. */
  function json2(repo: Repo) {
    const { stdout } = repo.tryLedger('event', 'validate', '--json')
    return JSON.parse(stdout) as { valid: boolean; problems: { file: string; code: string }[] }
  }

  type Finding = { name: string; status: string; fix: string | null }

  function finding(repo: Repo): Finding | undefined {
    const { stdout } = repo.tryLedger('doctor', '--json')
    const { findings } = JSON.parse(stdout) as { findings: Finding[] }
    return findings.find(({ name }) => name === 'damage')
  }

  const CHANGES: [string, (repo: Repo, path: string) => void][] = [
    ['empty', (repo: Repo) => repo.write(repo.event('--agent', 'crisp', '--now', 'x'), '')],
    [
      'edited',
      (repo: Repo) => {
        const path = repo.event('--agent', 'crisp', '--now', 'x')
        repo.write(path, repo.read(path).replace('now: x', 'now: y'))
      },
    ],
    ['changed', (repo: Repo, path: string) => repo.write(path, '')],
    [
      'rewritten',
      (repo: Repo, path: string) => {
        repo.write(path, repo.read(path).replace('v1', 'v2'))
        repo.git('commit', '-q', '-am', 'unseen', '--no-verify')
      },
    ],
  ]
  // The kind of damage does not matter here; test/app/doctor/breakages.ts covers more kinds.
  longTest.each(CHANGES)('is found by doctor (%s), and its fix repairs it', (_what, damage) => {
    const { repo, path } = withEvent()
    if (IS_LONG) expect(finding(repo)).toMatchObject({ status: 'ok', fix: null })
    damage(repo, path)
    const { status, fix } = finding(repo) ?? {}
    expect(status).toBe('warning')
    repo.ledger(...(fix ?? '').split(' ').slice(1))
    expect(finding(repo)).toMatchObject({ status: 'ok' })
  })
})
