/** `check` and `synthesize`: fresh or stale, and how to make it fresh. */

import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import type { Repo } from '../support/git-repo.ts'
import { CLI, CURRENT, EVENTS, ledgerRepo, Sandbox } from '../support/git-repo.ts'
import manifest from '../../package.json' with { type: 'json' }
import { json, writeEvent } from './words.ts'
import { longTest } from '../support/long.ts'

const BINS = manifest.bin

interface Check {
  readonly fresh: boolean
  readonly checked: readonly { rev: string | null; where: string; fresh: boolean; reason: string }[]
}

function check(repo: Repo, ...words: string[]): Check & { status: number } {
  const { status, stdout } = repo.runLedger('check', ...words, '--json')
  return { status, ...(JSON.parse(stdout) as Check) }
}

/** Commits a ledger that no events explain. */
function commitStale(repo: Repo): string {
  repo.write(CURRENT, `${repo.read(CURRENT)}by hand\n`)
  const ran = repo.run('git', ['commit', '-qam', 'stale'], { env: { LEDGER_GIT: '0' } })
  if (ran.status !== 0) throw new Error(ran.stderr)
  return repo.git('rev-parse', 'HEAD')
}

describe('check', () => {
  test('exits with 0 if fresh, with the documented shape', () => {
    const repo = ledgerRepo()
    const reason = expect.any(String)
    const head = repo.git('rev-parse', 'HEAD')
    const fresh = (rev: string | null, where: string) => ({
      status: 0,
      fresh: true,
      checked: [{ rev, where, fresh: true, reason }],
    })
    expect(check(repo)).toEqual(fresh(null, 'worktree'))
    expect(check(repo, '--worktree')).toEqual(fresh(null, 'worktree'))
    expect(check(repo, '--staged')).toEqual(fresh(null, 'index'))
    expect(check(repo, '--rev', 'main')).toEqual(fresh(head, 'commit'))
    expect(check(repo, '--range', 'main~1..main')).toEqual(fresh(head, 'commit'))
    expect(check(repo, '--range', 'main..main')).toEqual({ status: 0, fresh: true, checked: [] })
  })

  test('names the command that fetches a range missing in a shallow clone', () => {
    const repo = ledgerRepo()
    repo.git('clone', '-q', '--depth=1', `file://${repo.folder}`, '../clone')
    const clone = repo.sandbox.at(join(repo.sandbox.folder, 'clone'))
    const words = ['check', '--range', 'HEAD~1..HEAD']
    expect(clone.tryLedger(...words).stderr).toContain('\n  next: git fetch --unshallow\n')
    clone.git('fetch', '-q', '--unshallow')
    expect(clone.tryLedger(...words).status).toBe(0)
  })

  test('reports nothing stale and resolves nothing if there are only pending events', () => {
    const repo = new Sandbox().init()
    repo.ledger('event', 'add', '--agent', 'ada', '--now', 'x')
    const reason = 'no ledger here'
    const none = { rev: null, where: 'worktree', fresh: true, reason }
    expect(check(repo)).toMatchObject({ status: 0, checked: [none] })
    expect(repo.ledger('resolve')).toBe(`${CURRENT}: ${reason}`)
    repo.git('add', '-A')
    expect(check(repo).status).toBe(1)
    expect(repo.ledger('resolve')).toBe(`${CURRENT}: regenerated and staged`)
  })

  test('resolve regenerates an unstaged edit by hand, and says what it did', () => {
    const repo = ledgerRepo()
    repo.write(CURRENT, `${repo.read(CURRENT)}by hand\n`)
    expect(repo.ledger('resolve')).toBe(`${CURRENT}: regenerated`)
    expect(repo.ledger('resolve')).toBe(`${CURRENT}: already fresh`)
  })

  test('resolve --commit during a merge says what it did and how to finish the merge', () => {
    const repo = ledgerRepo()
    repo.event('--now', 'x', '--commit')
    repo.git('switch', '-q', '-c', 'side')
    repo.commit('side', { 'side.md': 'side\n' })
    repo.git('switch', '-q', 'main')
    repo.git('merge', '-q', '--no-ff', '--no-commit', 'side')
    repo.write(CURRENT, `${repo.read(CURRENT)}by hand\n`)
    repo.git('add', CURRENT)
    const { status, stderr } = repo.tryLedger('resolve', '--commit')
    expect(status).toBe(1)
    expect(stderr).toMatch(/merge is in progress; current\.md is regenerated and staged/)
    expect(stderr).toMatch(/next: git commit, or the --continue that git status names/)
  })

  test('counts pending events without calling the ledger stale', () => {
    const repo = ledgerRepo()
    repo.event('--now', 'x')
    const ran = repo.runLedger('check')
    expect(ran.status).toBe(0)
    expect(ran.stderr).toMatch(/\b1 pending\b/)
  })

  test('exits with 1 if stale, and names the next command', () => {
    const repo = ledgerRepo()
    repo.write(CURRENT, `${repo.read(CURRENT)}by hand\n`)
    expect(check(repo)).toMatchObject({ status: 1, fresh: false })
    expect(check(repo, '--staged').status).toBe(0)
    repo.git('add', CURRENT)
    expect(check(repo, '--staged')).toMatchObject({ status: 1, checked: [{ where: 'index' }] })
    expect(repo.runLedger('check').stderr).toMatch(/next: ledger-git resolve/)
  })

  longTest('--range checks every commit, not only the ends', () => {
    const repo = ledgerRepo()
    const bad = commitStale(repo)
    repo.ledger('resolve', '--commit')
    const result = check(repo, '--range', 'HEAD~3..HEAD')
    expect(result).toMatchObject({ status: 1, fresh: false })
    expect(result.checked.map(({ rev, fresh }) => [rev, fresh])).toEqual([
      [repo.git('rev-parse', 'HEAD~2'), true],
      [bad, false],
      [repo.git('rev-parse', 'HEAD'), true],
    ])
    expect(check(repo, '--rev', 'HEAD').status).toBe(0)
  })

  test("exits with 3 at a newer release's format, and names the upgrade", () => {
    const repo = ledgerRepo()
    repo.write(CURRENT, repo.read(CURRENT).replace('  format: 1\n', '  format: 99\n'))
    const ran = repo.runLedger('check')
    expect(ran).toMatchObject({ status: 3, stdout: '' })
    expect(ran.stderr).toMatch(/format 99[^]*next: npm install ledger-git@latest/)
  })

  test("status reports a newer release's format, what is pending, and the upgrade", () => {
    const repo = ledgerRepo()
    const path = repo.event('--now', 'here')
    repo.write(CURRENT, repo.read(CURRENT).replace('  format: 1\n', '  format: 99\n'))
    expect(JSON.parse(repo.ledger('status', '--json'))).toMatchObject({
      fresh: false,
      reason: expect.stringContaining('format 99'),
      pending: [path],
      next: 'npm install ledger-git@latest',
    })
  })

  test("no command overwrites a newer release's format or stops halfway", () => {
    const repo = ledgerRepo()
    repo.event('--now', 'old', '--ts', '2026-01-01T00:00:00Z')
    const expectRefused = () => {
      const before = repo.status()
      for (const words of ['synthesize --no-confirm', 'archive', 'archive --commit', 'resolve']) {
        const ran = repo.tryLedger(...words.split(' '))
        expect.soft(ran, words).toMatchObject({ status: 3, stdout: '' })
        expect.soft(ran.stderr, words).toMatch(/format 99/)
        expect.soft(ran.stderr, words).not.toMatch(/was regenerated/)
        expect.soft(repo.status(), words).toBe(before)
      }
    }
    repo.write(CURRENT, repo.read(CURRENT).replace('  format: 1\n', '  format: 99\n'))
    expectRefused()
    repo.git('add', '-A')
    repo.git('commit', '-qnm', 'newer')
    expectRefused()
  })

  longTest("check and resolve give doctor's reason and fix if git ignores the ledger", () => {
    const repo = new Sandbox().init()
    repo.commit('first', { '.gitignore': 'thoughts/\n' })
    repo.ledger('install')
    repo.event('--now', 'x')
    repo.write(CURRENT, `${repo.read(CURRENT)}\n`)
    const { findings } = JSON.parse(repo.tryLedger('doctor', '--json').stdout) as {
      findings: { name: string; message: string; fix: string }[]
    }
    const { message = '', fix = '' } = findings.find(({ name }) => name === 'ignored') ?? {}
    expect(message).toContain('.gitignore:1:thoughts/')
    const checked = repo.runLedger('check')
    expect(checked).toMatchObject({ status: 1, stdout: `worktree: stale: ${message}\n` })
    expect(checked.stderr).toBe(`next: ${fix}\n`)
    expect(check(repo).checked).toMatchObject([{ reason: message }])
    const resolved = repo.tryLedger('resolve')
    expect(resolved).toMatchObject({ status: 1, stdout: `${CURRENT}: ${message}\n` })
    expect(resolved.stderr).toBe(`next: ${fix}\n`)
  })

  test('reports a commit without a ledger as fresh', () => {
    const repo = ledgerRepo()
    repo.git('rm', '-rqf', '--cached', 'thoughts')
    repo.git('commit', '-qm', 'no ledger')
    expect(check(repo, '--rev', 'HEAD')).toMatchObject({ status: 0, fresh: true })
  })
})

describe('synthesize', () => {
  test("writes the worktree's current.md, with messages on stderr only", () => {
    const repo = ledgerRepo()
    repo.event('--now', 'written')
    const ran = repo.tryLedger('synthesize', '--no-confirm')
    expect(ran).toMatchObject({ status: 0, stdout: '' })
    expect(ran.stderr).toMatch(/current\.md: 1 events?\b/)
    expect(repo.read(CURRENT)).toContain('[->] written\n')
    expect(check(repo).status).toBe(0)
  })

  test('asks nothing without a terminal', () => {
    const repo = ledgerRepo()
    repo.event('--now', 'written')
    expect(repo.tryLedger('synthesize').status).toBe(0)
    expect(repo.read(CURRENT)).toContain('[->] written\n')
  })

  test('--stdout prints exactly what would be written, and writes nothing', () => {
    const repo = ledgerRepo()
    repo.event('--now', 'printed')
    const before = repo.read(CURRENT)
    const { stdout } = repo.tryLedger('synthesize', '--stdout')
    expect(repo.read(CURRENT)).toBe(before)
    repo.ledger('synthesize', '--no-confirm')
    expect(repo.read(CURRENT)).toBe(stdout)
  })

  test('--check exits with 0 or 1, writes nothing, and prints nothing on stdout', () => {
    const repo = ledgerRepo()
    expect(repo.tryLedger('synthesize', '--check')).toMatchObject({ status: 0, stdout: '' })
    repo.write(CURRENT, 'by hand\n')
    repo.event('--now', 'x')
    expect(repo.tryLedger('synthesize', '--check')).toMatchObject({ status: 1, stdout: '' })
    expect(repo.read(CURRENT)).toBe('by hand\n')
    expect(JSON.parse(repo.tryLedger('synthesize', '--check', '--json').stdout)).toMatchObject({
      fresh: false,
      checked: [{ where: 'worktree' }],
    })
  })

  test('keeps and names a text that cannot be rendered again', () => {
    const repo = ledgerRepo()
    repo.write(CURRENT, 'my own notes\n')
    const { stderr } = repo.tryLedger('synthesize', '--no-confirm')
    const kept = /git show ([0-9a-f]{40})/.exec(stderr)?.[1] ?? ''
    expect(repo.git('show', kept)).toBe('my own notes')
  })

  test("--input reads other files instead of the worktree's events", () => {
    const repo = ledgerRepo()
    repo.event('--now', 'in events')
    repo.write('notes/a.md', '---\nts: 2026-01-01T00:00:00Z\nagent: a\n---\n\nnow: in notes\n')
    const text = repo.ledger('synthesize', '--stdout', '--input', 'notes/*.md')
    expect(text).toContain('[->] in notes')
    expect(text).not.toContain('in events')
    const none = repo.tryLedger('synthesize', '--stdout', '--input', 'nothing/*.md')
    expect(none).toMatchObject({ status: 1, stdout: '' })
    expect(none.stderr).toMatch(/no file matches nothing/)
  })

  test('--json has the shape of show --json', () => {
    const repo = ledgerRepo()
    repo.event('--now', 'x', '--decision', 'k=v')
    expect(json(repo, 'synthesize', '--stdout')).toEqual(json(repo, 'show'))
  })

  test('cc-synthesize and git-ledger are the same program', () => {
    const repo = ledgerRepo()
    writeEvent(repo, 'a.md', 'now: by its other name')
    const bin = (name: keyof typeof BINS) =>
      fileURLToPath(new URL(`../../${BINS[name]}`, import.meta.url))
    const ran = repo.run(process.execPath, [bin('cc-synthesize'), '--stdout'])
    expect(ran).toMatchObject({ status: 0 })
    expect(ran.stdout).toBe(repo.tryLedger('synthesize', '--stdout').stdout)
    expect(bin('git-ledger')).toBe(CLI)
    expect(repo.exists(`${EVENTS}/a.md`)).toBe(true)
  })
})
