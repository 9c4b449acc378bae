/**
 * Archived events can still be reached, purged or not, and nothing is lost when two clones archive or one process
 * dies.
 */

import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Repo } from '../support/git-repo.ts'
import { CLI, EVENTS, ledgerRepo } from '../support/git-repo.ts'
import type { Answer } from './archive-words.ts'
import {
  ARCHIVE,
  decisions,
  events,
  files,
  keepOneDay,
  list,
  SNAPSHOT,
  withOldEvents,
} from './archive-words.ts'
import { json, refusal, writeEvent } from './words.ts'
import { longTest } from '../support/long.ts'

test('event restore returns the same bytes for archived and for purged events', () => {
  const repo = ledgerRepo()
  // Otherwise git itself would store Unix line ends.
  repo.write('.git/info/attributes', `${repo.read('.git/info/attributes')}\nthoughts/** -text\n`)
  const head = '---\nts: 2026-01-01T00:00:00Z\nagent: toast\n---\n'
  const bytes: Record<string, Buffer> = {
    'crlf.md': Buffer.from(`\ufeff${head}\nnow: crlf\n`.replaceAll('\n', '\r\n')),
    'latin1.md': Buffer.from(`${head}\nnow: caf\u00e9`, 'latin1'),
    'nul.md': Buffer.from(`${head}now: "\0\u2028"\n`),
  }
  const names = Object.keys(bytes)
  for (const [name, content] of Object.entries(bytes)) repo.write(`${EVENTS}/${name}`, content)
  repo.commit('events')
  repo.ledger('archive', '--commit')
  expect(list(repo, ARCHIVE)).toHaveLength(names.length)
  const expectRestored = (asked: (name: string) => string) => {
    for (const [name, content] of Object.entries(bytes)) {
      expect(repo.ledger('event', 'restore', asked(name))).toBe(`${EVENTS}/${name}`)
      expect(readFileSync(join(repo.folder, EVENTS, name)).equals(content), name).toBe(true)
    }
  }
  expectRestored((name) => name.replace('.md', '.json'))
  expect(repo.status().split('\n').toSorted()).toEqual(
    names.map((name) => `?? ${EVENTS}/${name}`).toSorted(),
  )
  expect(json(repo, 'event', 'restore', 'nul.md')).toEqual({
    path: `${EVENTS}/nul.md`,
    existed: true,
  })
  repo.git('clean', '-fq', EVENTS)

  keepOneDay(repo)
  const { purged } = json<Answer>(repo, 'archive', '--commit')
  expect(purged.toSorted()).toEqual(
    names.map((name) => `${ARCHIVE}/2026-01-01/${name.replace('.md', '.json')}`).toSorted(),
  )
  expect(repo.exists(`${ARCHIVE}/2026-01-01`)).toBe(false)
  expect([repo.status(), list(repo, ARCHIVE)]).toEqual(['', []])
  expectRestored((name) => `some/where/${name.replace('.md', '')}`)
  for (const name of ['nobody.md', '*.md']) {
    const ran = repo.tryLedger('event', 'restore', name)
    expect.soft(refusal(ran).status, name).toBe(1)
    expect.soft(ran.stderr, name).toMatch(/no archived event is named/)
  }
})

test("a purge spares days within the limit, other people's files, and what no commit contains", () => {
  const repo = withOldEvents()
  keepOneDay(repo)
  const mine = `${ARCHIVE}/2026-01-01/mine.txt`
  repo.commit('mine', { [mine]: 'mine\n', [`${ARCHIVE}/notes/x.json`]: '{}\n' })
  repo.ledger('archive')
  expect(json<Answer>(repo, 'archive', '--dry-run').purged).toEqual([])
  repo.git('commit', '-q', '-m', 'archived')
  const ran = repo.tryLedger('archive')
  expect(ran.stderr).toMatch(/^0 events to archive, 2 archived files to delete; staged\n/)
  expect(list(repo, ARCHIVE)).toEqual([mine, `${ARCHIVE}/notes/x.json`])
  expect([repo.exists(mine), repo.exists(`${ARCHIVE}/2026-01-02`)]).toEqual([true, false])
  repo.git('commit', '-q', '-m', 'purged')
  expect(decisions(repo)).toEqual(['a', 'b'])
})

test('the log shows archived events, also at a revision; one can be retracted', () => {
  const repo = withOldEvents()
  const names = (...words: string[]) =>
    json<{ file: string }[]>(repo, 'log', ...words).map(({ file }) => file)
  repo.ledger('archive', '--commit')
  expect(repo.ledger('log', '--all')).toContain('did a')
  repo.ledger('event', 'retract', 'a.md', '--commit')
  expect(decisions(repo)).toEqual(['b'])
  repo.git('rm', '-q', '-r', ARCHIVE)
  repo.git('commit', '-q', '-m', 'purged')
  const live = (...words: string[]) => names(...words).filter((name) => /^[a-z]+\.md$/.test(name))
  expect(live('--all')).toEqual(['young.md'])
  expect(live('--all', '--rev', 'HEAD~1')).toEqual(['young.md', 'b.md', 'a.md'])
})

describe('after an interruption', () => {
  /** Each event is in `events/`, or both in the archive and in a snapshot. */
  function expectNothingLost(repo: Repo): void {
    expect(decisions(repo)).toEqual(['a', 'b'])
    for (const [name, archived] of [
      ['a.md', '2026-01-01/a.json'],
      ['b.md', '2026-01-02/b.json'],
    ]) {
      const found = [`${EVENTS}/${name}`, `${ARCHIVE}/${archived}`].some((path) =>
        repo.exists(path),
      )
      expect(found, name).toBe(true)
    }
  }

  longTest('the next run finishes when some files were already written', () => {
    const repo = withOldEvents()
    repo.ledger('archive', '--commit')
    const done = repo.git('rev-parse', 'HEAD^{tree}')
    const made = [...list(repo, ARCHIVE).slice(1), `${EVENTS}/${events(repo)[0]}`]
    const contents = made.map((path) => repo.read(path))
    repo.git('reset', '-q', '--hard', 'main~1')
    made.forEach((path, i) => repo.write(path, contents[i] ?? ''))
    expectNothingLost(repo)
    repo.ledger('archive', '--commit')
    expect(repo.git('rev-parse', 'HEAD^{tree}')).toBe(done)
    expect(repo.status()).toBe('')
    repo.git('reset', '-q', '--hard', 'main~1')
    repo.write(made[0] ?? '', 'somebody wrote this\n')
    const before = files(repo)
    expect(refusal(repo.tryLedger('archive', '--commit')).status).toBe(3)
    expectNothingLost(repo)
    expect(repo.git('rev-parse', 'HEAD')).toBe(before[2])
  })

  longTest('pending events that HEAD has archived are deleted, and no other file', () => {
    const repo = withOldEvents()
    const path = (name: string) => `${EVENTS}/${name}.md`
    const texts = ['a', 'b'].map((name) => repo.read(path(name)))
    repo.ledger('archive', '--commit')
    const done = files(repo)
    const leave = () => ['a', 'b'].forEach((name, i) => repo.write(path(name), texts[i] ?? ''))

    leave()
    const planned = json<Answer>(repo, 'archive', '--dry-run')
    expect(planned).toMatchObject({ archived: [], left_behind: [path('a'), path('b')] })
    expect(repo.exists(path('a'))).toBe(true)
    const ran = repo.tryLedger('archive')
    expect(ran.stderr).toMatch(/0 events to archive, 2 pending events to delete/)
    expect(ran.stderr).not.toContain('staged')
    expect(files(repo)).toEqual(done)
    leave()
    expect(json<Answer>(repo, 'archive', '--commit')).toMatchObject({ commit: null })
    expect(files(repo)).toEqual(done)

    // A staged event is not pending, and another text is another event.
    leave()
    repo.git('add', path('b'))
    const staged = json<Answer>(repo, 'archive', '--dry-run')
    expect(staged.left_behind).toEqual([path('a')])
    expect(staged.staying.map(({ file }) => file)).toEqual(['b.md'])
    repo.git('reset', '-q')
    repo.git('clean', '-fq', EVENTS)
    repo.write(path('b'), `${texts[1]}\n`)
    expect(json<Answer>(repo, 'archive', '--dry-run').left_behind).toEqual([])
    leave()
    // Once HEAD has purged them, these are the only copies.
    repo.git('rm', '-q', '-r', ARCHIVE)
    repo.git('commit', '-q', '-m', 'purged', '--', ARCHIVE)
    expect(json<Answer>(repo, 'archive', '--dry-run').left_behind).toEqual([])
  })

  longTest('before staging, doctor names the leftovers, and the next run takes them in', () => {
    const repo = withOldEvents()
    const finding = () =>
      json<{ findings: { name: string }[] }>(repo, 'doctor').findings.find(
        ({ name }) => name === 'archive',
      )
    repo.ledger('archive')
    repo.git('reset', '-q')
    repo.git('restore', EVENTS)
    expect(finding()).toMatchObject({
      status: 'warning',
      message: expect.stringContaining(`${ARCHIVE}/2026-01-01/a.json`),
      fix: 'ledger-git archive',
    })
    const planned = json<Answer>(repo, 'archive', '--dry-run')
    expect(planned).toMatchObject({
      archived: [{ file: 'a.md' }, { file: 'b.md' }],
      left_behind: [],
    })
    // A commit of something else includes the snapshot; the events then leave with the next run.
    repo.write(`${ARCHIVE}/2026-01-01/other.json`, 'of somebody\n')
    repo.git('commit', '-q', '--allow-empty', '-m', 'something else')
    const left = ['2026-01-01/a.json', '2026-01-02/b.json'].map((name) => `${ARCHIVE}/${name}`)
    expect(json<Answer>(repo, 'archive', '--dry-run')).toMatchObject({ left_behind: left })
    const { stderr } = repo.tryLedger('archive')
    expect(stderr).toContain(
      '0 events to archive, 2 archived files to delete whose events still exist',
    )
    expect(finding()).toMatchObject({ status: 'ok' })
    expect(repo.status()).toBe(`?? ${ARCHIVE}/2026-01-01/other.json`)
    expectNothingLost(repo)
  })

  test('after the commit, the next commit does not bring the events back', () => {
    const repo = withOldEvents()
    writeEvent(repo, 'c.md', 'decisions:\n  c: 3')
    repo.commit('one more')
    // Git runs this hook when the branch has moved.
    repo.write('.git/hooks/reference-transaction', KILL_OURS)
    repo.chmod('.git/hooks/reference-transaction', 0o755)
    repo.run(process.execPath, [CLI, 'archive', '--commit'])
    rmSync(join(repo.folder, '.git/hooks/reference-transaction'))
    expect(repo.git('log', '-1', '--format=%s')).toBe('chore(ledger): archive 3 events')
    expect(repo.exists(`${EVENTS}/a.md`), 'the moment').toBe(true)
    // What somebody has done since then stays.
    repo.write(`${EVENTS}/b.md`, `${repo.read(`${EVENTS}/b.md`)}\n`)
    const text = repo.read(`${EVENTS}/c.md`)
    repo.write(`${EVENTS}/c.md`, `${text}\n`)
    repo.git('add', `${EVENTS}/c.md`)
    repo.write(`${EVENTS}/c.md`, text)
    repo.write('other.txt', 'x\n')
    repo.git('add', 'other.txt')
    repo.git('commit', '-q', '-m', 'next')
    expect(events(repo)).toEqual([expect.stringMatching(SNAPSHOT), 'b.md', 'c.md', 'young.md'])
    expect([repo.status(), repo.exists(`${EVENTS}/a.md`)]).toEqual([` M ${EVENTS}/c.md`, false])
    expect(decisions(repo)).toEqual(['a', 'b', 'c'])
  })

  longTest(
    'at any moment, everything exists at least once, and the next run and commit finish',
    async () => {
      const repo = withOldEvents()
      const start = repo.git('rev-parse', 'HEAD')
      const path = (name: string) => join(repo.folder, name)
      const moments: [name: string, hasCome: () => boolean][] = [
        ['the first archived file', () => existsSync(path(`${ARCHIVE}/2026-01-01/a.json`))],
        ['the snapshot', () => readdirSync(path(EVENTS)).some((name) => SNAPSHOT.test(name))],
        ['an event gone', () => !existsSync(path(`${EVENTS}/a.md`))],
      ]
      for (const [name, hasCome] of moments) {
        const { child, status } = run(repo, 'archive', '--commit')
        const timer = setInterval(() => hasCome() && child.kill('SIGKILL'), 1)
        await status
        clearInterval(timer)
        expectNothingLost(repo)
        repo.ledger('archive', '--commit')
        repo.commit('what was staged')
        expect(events(repo), name).toEqual([expect.stringMatching(SNAPSHOT), 'young.md'])
        expect(list(repo, ARCHIVE)).toHaveLength(2)
        expect(repo.tryLedger('check', '--rev', 'HEAD').status).toBe(0)
        repo.git('reset', '-q', '--hard', start)
      }
    },
  )
})

/** A hook that kills the process that started git, once the branch has moved. */
const KILL_OURS = `#!/bin/sh
[ "$1" = committed ] && grep -q refs/heads/ && kill -9 $(ps -o ppid= -p "$PPID")
exit 0
`

function run(repo: Repo, ...words: string[]) {
  const env = { ...repo.sandbox.env, ...repo.sandbox.tick() }
  const child = spawn(process.execPath, [CLI, ...words], { cwd: repo.folder, env, stdio: 'ignore' })
  return { child, status: new Promise((resolve) => child.on('close', resolve)) }
}

longTest(
  'simultaneous runs in one and in two worktrees archive once each, and both merge',
  async () => {
    const repo = withOldEvents()
    repo.git('worktree', 'add', '-q', '-b', 'linked', '../linked')
    const linked = repo.sandbox.at(join(repo.sandbox.folder, 'linked'))
    const all = [repo, repo, linked].map((one) => run(one, 'archive', '--commit').status)
    expect(await Promise.all(all)).toEqual([0, 0, 0])
    for (const one of [repo, linked]) {
      expect(one.status()).toBe('')
      expect(one.git('rev-list', '--count', 'HEAD')).toBe('4')
    }
    expect(linked.git('rev-parse', 'HEAD^{tree}')).toBe(repo.git('rev-parse', 'HEAD^{tree}'))
    repo.git('merge', '-q', '--no-edit', 'linked')
    expect(decisions(repo)).toEqual(['a', 'b'])
  },
)
