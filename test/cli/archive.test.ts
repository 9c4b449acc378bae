/** `archive` and `synthesize --archive`: what leaves, what stays, where it goes, and when nothing leaves. */

import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Repo } from '../support/git-repo.ts'
import { CURRENT, EVENTS, ledgerRepo, Sandbox } from '../support/git-repo.ts'
import type { Answer } from './archive-words.ts'
import {
  ARCHIVE,
  decisions,
  events,
  files,
  list,
  oldEvents,
  SETTINGS,
  SNAPSHOT,
  withOldEvents,
} from './archive-words.ts'
import { json, refusal, writeEvent } from './words.ts'
import { longTest, sampleOf } from '../support/long.ts'

test('stages the removal of old events, whatever their names, and keeps edited ones', () => {
  const repo = withOldEvents()
  writeEvent(repo, 'edited.md', 'now: e')
  writeEvent(repo, 'zwei Käfer.md', 'decisions:\n  käfer: 2')
  repo.commit('more')
  repo.write(`${EVENTS}/edited.md`, `${repo.read(`${EVENTS}/edited.md`)}test: by hand\n`)
  writeEvent(repo, 'pending.md', 'decisions:\n  pending: 1')
  const before = files(repo)
  const dry = json<Answer>(repo, 'archive', '--dry-run')
  expect(files(repo)).toEqual(before)
  const archived = [
    ['a.md', '2026-01-01/a.json'],
    ['pending.md', '2026-01-01/pending.json'],
    ['zwei Käfer.md', '2026-01-01/zwei Käfer.json'],
    ['b.md', '2026-01-02/b.json'],
  ].map(([file, path]) => ({ file, path: `${ARCHIVE}/${path}` }))
  expect({ ...dry, archived: sorted(dry.archived) }).toEqual({
    archived: sorted(archived),
    staying: [{ file: 'edited.md', reason: 'it differs from what git holds' }],
    snapshots: [expect.stringMatching(/^2026-01-02T00-00-00Z_ledger-git_/)],
    folded: [],
    purged: [],
    left_behind: [],
    commit: null,
  })

  const ran = repo.tryLedger('archive')
  expect(ran).toMatchObject({ status: 0, stdout: '' })
  expect(ran.stderr).toBe(
    'ledger-git: edited.md stays: it differs from what git holds\n' +
      '4 events to archive; staged\nnext: git commit\n',
  )
  expect(repo.git('rev-parse', 'HEAD')).toBe(before[2])
  repo.git('commit', '-q', '-m', 'archive')
  expect(repo.status()).toBe(` M ${EVENTS}/edited.md`)
  expect(events(repo)).toEqual([...dry.snapshots, 'edited.md', 'young.md'])
  expect(list(repo, ARCHIVE).toSorted()).toEqual(archived.map(({ path }) => path).toSorted())
  expect(repo.tryLedger('check', '--rev', 'HEAD').status).toBe(0)
  expect(decisions(repo)).toEqual(['a', 'b', 'käfer', 'pending'])
  expect(repo.read(CURRENT)).not.toContain('did a')

  const again = repo.tryLedger('archive', '--commit')
  expect(again.status).toBe(0)
  expect(again.stderr).toMatch(/\nno other event is older than 7d\n$/)
  expect(repo.status()).toBe(` M ${EVENTS}/edited.md`)
})

const sorted = (list: readonly { file?: string | undefined }[]) =>
  list.toSorted((a, b) => ((a.file ?? '') < (b.file ?? '') ? -1 : 1))

test('replaces the staged snapshot of an earlier run for good when more is archived', () => {
  const repo = withOldEvents()
  const { snapshots } = json<Answer>(repo, 'archive')
  writeEvent(repo, 'c.md', 'decisions:\n  c: 3', '2026-02-01T00:00:00Z')
  repo.git('add', EVENTS)
  const folded = json<Answer>(repo, 'archive', '--commit')
  expect(folded.snapshots).toHaveLength(1)
  expect(folded.folded).toEqual(snapshots)
  expect(repo.status()).not.toMatch(/^[AR]D /m)
  expect(events(repo)).toEqual([...folded.snapshots, 'young.md'])
  expect(decisions(repo)).toEqual(['a', 'b', 'c'])
  repo.git('commit', '-q', '-m', 'what is staged')
  expect(repo.status()).toBe('')
  expect(events(repo)).toEqual([...folded.snapshots, 'young.md'])
  expect(repo.tryLedger('check').status).toBe(0)
})

test('--commit makes one commit of ledger paths, keeps staged work, and does nothing without old events', () => {
  const repo = withOldEvents()
  repo.write('mine.txt', 'staged\n')
  repo.git('add', 'mine.txt')
  const { commit, snapshots } = json<Answer>(repo, 'archive', '--commit')
  expect(commit).toBe(repo.git('rev-parse', 'HEAD'))
  expect(repo.changed().toSorted()).toEqual(
    [
      `${ARCHIVE}/2026-01-01/a.json`,
      `${ARCHIVE}/2026-01-02/b.json`,
      CURRENT,
      ...['a.md', 'b.md', ...snapshots].map((name) => `${EVENTS}/${name}`),
    ].toSorted(),
  )
  expect(repo.status()).toBe('A  mine.txt')
  expect(repo.git('log', '-1', '--format=%s')).toBe('chore(ledger): archive 2 events')
  expect(repo.ledger('log', '--oneline')).toContain('stands for 2 archived events')
  expect(repo.tryLedger('archive', '--commit')).toEqual({
    status: 0,
    stdout: '',
    stderr: 'no event is older than 7d\n',
  })
  expect(repo.git('rev-parse', 'HEAD')).toBe(commit)
})

test('takes the retention from the command line or the settings, and refuses an invalid one', () => {
  const repo = withOldEvents()
  const before = files(repo)
  for (const words of ['7', '-1d', '']) {
    expect.soft(refusal(repo.tryLedger('archive', `--retention=${words}`)).status, words).toBe(2)
  }
  expect(repo.ledger('archive', '--retention', '99999d')).toBe('')
  expect(files(repo)).toEqual(before)
  const dry = (...words: string[]) =>
    json<Answer>(repo, 'archive', '--dry-run', ...words).archived.map(({ file }) => file)
  // The smallest number of days that keeps `b.md`, at any time of the day.
  const days = Math.ceil((Date.now() - Date.parse('2026-01-02T00:00:00Z')) / 86_400_000)
  repo.write(SETTINGS, `archive:\n  after: ${days}d\n`)
  expect(dry()).toEqual(['a.md'])
  expect(dry('--retention', '2h')).toEqual(['a.md', 'b.md'])
})

test('changes nothing when no commit is safe, and stages nothing during a merge', () => {
  const repo = withOldEvents()
  const lock = join(repo.folder, '.git/index.lock')
  const situations: [name: string, begin: () => void, end: () => void, RegExp][] = [
    [
      'detached',
      () => repo.git('switch', '-q', '--detach'),
      () => repo.git('switch', '-q', 'main'),
      /HEAD is detached/,
    ],
    [
      'protected',
      () => repo.write(SETTINGS, 'commit:\n  protected: [main]\n'),
      () => repo.git('clean', '-fq', SETTINGS),
      /main is listed in commit\.protected/,
    ],
    ['locked', () => repo.write('.git/index.lock', ''), () => rmSync(lock), /holds the index/],
    [
      'merging',
      () => {
        repo.git('switch', '-q', '-c', 'side', 'HEAD~1')
        repo.commit('side', { 'README.md': 'side\n' })
        repo.git('switch', '-q', 'main')
        repo.commit('main', { 'README.md': 'main\n' })
        repo.tryGit('merge', '-q', 'side')
      },
      () => repo.git('merge', '--abort'),
      /merge is in progress/,
    ],
  ]
  for (const [name, begin, end, said] of situations) {
    begin()
    const before = files(repo)
    const expectRefused = (result: RegExp, ...words: string[]) => {
      const ran = repo.tryLedger(...words)
      expect(refusal(ran).status, name).toBe(1)
      expect(ran.stderr).toMatch(said)
      expect(ran.stderr).toMatch(result)
      expect(files(repo), name).toEqual(before)
    }
    // Nothing is pending that a commit would take.
    expectRefused(/nothing was archived: .*\n {2}next: (?!nothing is lost)/, 'archive', '--commit')
    if (name === 'detached') {
      const next = 'next: switch to a branch, or leave out --commit\n'
      expectRefused(new RegExp(next), 'archive', '--commit')
      expectRefused(new RegExp(next), 'synthesize', '--archive', '--commit')
    }
    if (name === 'locked') expectRefused(/index/, 'archive')
    if (name === 'merging') {
      expectRefused(/nothing was archived/, 'archive')
    }
    end()
  }
})

test('a dry run names the first ten events that leave, and counts the others', () => {
  const repo = withOldEvents()
  const said = () => repo.tryLedger('archive', '--dry-run').stderr
  expect(said()).toBe('  a.md\n  b.md\n2 events to archive; nothing was written\n')
  for (const i of [10, 11, 12, 13, 14, 15, 16, 17, 18]) {
    writeEvent(repo, `c${i}.md`, 'now: c', `2026-01-03T00:00:${i}Z`)
  }
  const names = ['a', 'b', 'c10', 'c11', 'c12', 'c13', 'c14', 'c15', 'c16', 'c17']
  expect(said()).toBe(
    `${names.map((name) => `  ${name}.md\n`).join('')}  and 1 more\n` +
      '11 events to archive; nothing was written\n',
  )
})

test('a commit that is lost to another git command leaves nothing archived, and says so', () => {
  const repo = withOldEvents()
  const before = files(repo)
  repo.write('.git/refs/heads/main.lock', '')
  const env = {
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'core.filesRefLockTimeout',
    GIT_CONFIG_VALUE_0: '0',
  }
  const ran = repo.tryLedgerWith({ env }, 'archive', '--commit')
  expect(refusal(ran).status).toBe(1)
  expect(ran.stderr).toMatch(/nothing was archived: the branch is locked.*\n {2}next: run it again/)
  rmSync(join(repo.folder, '.git/refs/heads/main.lock'))
  expect(files(repo)).toEqual(before)
})

test('synthesize --archive fails during a merge without claiming to have archived', () => {
  const repo = withOldEvents()
  repo.write('.git/MERGE_HEAD', `${repo.git('rev-parse', 'HEAD~1')}\n`)
  const ran = repo.tryLedger('synthesize', '--archive')
  expect(refusal(ran)).toEqual({ status: 1, stdout: '' })
  expect(ran.stderr).not.toMatch(/2 events archived/)
})

describe('works in every kind of repository', () => {
  const KINDS: [string, () => Repo][] = [
    [
      'SHA-256',
      () => {
        const repo = ledgerRepo('repo', '--object-format=sha256')
        oldEvents(repo)
        return repo
      },
    ],
    [
      'autocrlf',
      () => {
        const repo = withOldEvents()
        repo.git('config', 'core.autocrlf', 'true')
        repo.git('rm', '-q', '-r', '--cached', '.')
        repo.git('reset', '-q', '--hard')
        return repo
      },
    ],
    [
      'a sparse checkout without the ledger',
      () => {
        const repo = withOldEvents()
        repo.commit('code', { 'src/a.txt': 'a\n' })
        repo.git('sparse-checkout', 'set', 'src')
        return repo
      },
    ],
    [
      'a linked worktree',
      () => {
        const repo = withOldEvents()
        repo.git('worktree', 'add', '-q', '-b', 'linked', '../linked')
        return repo.sandbox.at(join(repo.sandbox.folder, 'linked'))
      },
    ],
    [
      'mode untracked',
      () => {
        const repo = new Sandbox().init()
        repo.commit('init', { [SETTINGS]: 'mode: untracked\n' })
        oldEvents(repo.install())
        return repo
      },
    ],
  ]
  test.each(sampleOf(KINDS, 4))('%s', (_, make) => {
    const repo = make()
    const original = repo.git('rev-parse', `HEAD:${EVENTS}/a.md`)
    repo.ledger('archive', '--commit')
    expect(repo.status()).toBe('')
    expect(events(repo)).toEqual([expect.stringMatching(SNAPSHOT), 'young.md'])
    expect(list(repo, ARCHIVE)).toHaveLength(2)
    expect(decisions(repo)).toEqual(['a', 'b'])
    const path = repo.ledger('event', 'restore', 'a.md')
    expect(repo.git('hash-object', path)).toBe(original)
  })
})

longTest('synthesize --archive stages the removal of old events; --commit makes one commit', () => {
  const repo = withOldEvents()
  repo.ledger('synthesize', '--archive')
  expect(events(repo)).toEqual([expect.stringMatching(SNAPSHOT), 'young.md'])
  repo.git('reset', '-q', '--hard')
  const head = repo.git('rev-parse', 'HEAD')
  repo.ledger('synthesize', '--archive', '--commit')
  expect(repo.git('rev-parse', 'HEAD~1')).toBe(head)
  expect(repo.status()).toBe('')
  expect(events(repo)).toEqual([expect.stringMatching(SNAPSHOT), 'young.md'])
  expect(list(repo, ARCHIVE)).toHaveLength(2)
  expect(repo.tryLedger('check', '--rev', 'HEAD').status).toBe(0)
  repo.ledger('synthesize', '--archive', '--commit')
  expect(repo.git('rev-parse', 'HEAD~1')).toBe(head)
})
