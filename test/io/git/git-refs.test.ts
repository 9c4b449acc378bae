/** Refs as sessions move them, in repositories of every kind. */

import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { Git } from '../../../src/io/process/exec.ts'
import { gitRefs } from '../../../src/io/git/git-refs.ts'
import type { Repo } from '../../support/git-repo.ts'
import { Sandbox } from '../../support/git-repo.ts'
import { sampleOf } from '../../support/long.ts'
import { notRunUnless } from '../../support/not-run.ts'
import { bundled, start } from '../../support/workers.ts'

const NAME = 'refs/ledger/shadow/0123abc-9f2c41'
const refsOf = (repo: Repo) => gitRefs(new Git(repo.folder, repo.sandbox.env))

/** A repository with three commits, oldest first. */
function history(...args: string[]) {
  const repo = new Sandbox().init('repo', ...args)
  const commits = ['a', 'b', 'c'].map((name) => repo.commit(name, { [name]: name }))
  return { repo, commits: commits as [string, string, string] }
}

const usage = spawnSync('git', ['init', '-h'], { encoding: 'utf8' })
const hasReftable = `${usage.stdout}${usage.stderr}`.includes('ref-format')
const needsReftable = notRunUnless(hasReftable, 'refs in a reftable', 'this git has none')

/** Folders in which the same must hold. */
const PLACES: Record<string, () => { at: Repo; commits: [string, string, string] }> = {
  'the main worktree': () => {
    const { repo, commits } = history()
    return { at: repo, commits }
  },
  'a linked worktree': () => {
    const { repo, commits } = history()
    repo.git('worktree', 'add', '-q', '-b', 'linked', '../linked tree')
    return { at: repo.sandbox.at(join(repo.sandbox.folder, 'linked tree')), commits }
  },
  'a bare repository': () => {
    const { repo, commits } = history()
    repo.git('clone', '-q', '--bare', '.', '../bare.git')
    return { at: repo.sandbox.at(join(repo.sandbox.folder, 'bare.git')), commits }
  },
  'a SHA-256 repository': () => {
    const { repo, commits } = history('--object-format=sha256')
    return { at: repo, commits }
  },
  ...(needsReftable
    ? {}
    : {
        'a reftable': () => {
          const { repo, commits } = history('--ref-format=reftable')
          return { at: repo, commits }
        },
      }),
}

describe.each(Object.keys(PLACES))('in %s', (place) => {
  test('moves a ref only from where it is believed to be', async () => {
    const { at, commits } = (PLACES[place] as (typeof PLACES)['x'])()
    const [a, b, c] = commits
    const refs = refsOf(at)
    expect(await refs.read(NAME)).toBeUndefined()
    expect(await refs.move(NAME, b, a, 'none there')).toBe(false)
    expect(await refs.remove(NAME, a)).toBe(false)
    expect(await refs.move(NAME, a, undefined, 'begin')).toBe(true)
    expect(await refs.move(NAME, b, undefined, 'there is one')).toBe(false)
    expect(await refs.move(NAME, c, b, 'not there')).toBe(false)
    expect(await refs.read(NAME)).toBe(a)
    expect(await refs.move(NAME, b, a, 'on')).toBe(true)
    expect(await refs.read(NAME)).toBe(b)
    expect(await refs.remove(NAME, a)).toBe(false)
    expect(await refs.read(NAME)).toBe(b)
    expect(await refs.remove(NAME, b)).toBe(true)
    expect(await refs.read(NAME)).toBeUndefined()
    expect(at.git('for-each-ref', 'refs/ledger')).toBe('')
  })

  test('lists the refs below a prefix by their full names', async () => {
    const { at, commits } = (PLACES[place] as (typeof PLACES)['x'])()
    const refs = refsOf(at)
    for (const name of [
      NAME,
      'refs/ledger/shadow/ü',
      'refs/ledger/shadows',
      'refs/ledger/other/x',
    ]) {
      expect(await refs.move(name, commits[0], undefined, 'x')).toBe(true)
    }
    const below = (prefix: string) => refs.list(prefix).then((all) => all.map(({ name }) => name))
    expect(await refs.list('refs/ledger/shadow/')).toEqual([
      { name: NAME, oid: commits[0] },
      { name: 'refs/ledger/shadow/ü', oid: commits[0] },
    ])
    expect(await below('refs/ledger/shadow/0123')).toEqual([NAME])
    expect(await below('refs/ledger/none/')).toEqual([])
    // A folder of refs is not a ref.
    expect(await refs.read('refs/ledger/shadow')).toBeUndefined()
  })
})

test('reads, moves and removes packed refs', async () => {
  const { repo, commits } = history()
  const refs = refsOf(repo)
  await refs.move(NAME, commits[0], undefined, 'x')
  repo.git('pack-refs', '--all')
  expect(await refs.read(NAME)).toBe(commits[0])
  expect(await refs.move(NAME, commits[1], commits[0], 'x')).toBe(true)
  repo.git('pack-refs', '--all')
  expect(await refs.remove(NAME, commits[1])).toBe(true)
  expect(await refs.read(NAME)).toBeUndefined()
})

test('keeps a log of branches with the reason on one line, but none of shadow refs', async () => {
  const { repo, commits } = history()
  const refs = refsOf(repo)
  const branch = 'refs/heads/ledger/checkpoints/v1'
  await refs.move(branch, commits[0], undefined, 'ledger-git: checkpoint\n0123456789ab')
  await refs.move(NAME, commits[0], undefined, 'ledger-git: step')
  expect(repo.git('reflog', '--format=%gs', branch)).toBe('ledger-git: checkpoint 0123456789ab')
  expect(repo.tryGit('reflog', 'exists', NAME).status).toBe(1)
})

test('does not move the branch that a symbolic ref names', async () => {
  const { repo, commits } = history()
  repo.git('symbolic-ref', NAME, 'refs/heads/main')
  const refs = refsOf(repo)
  expect(await refs.move(NAME, commits[0], commits[2], 'x')).toBe(true)
  expect(repo.git('rev-parse', 'main', NAME)).toBe(`${commits[2]}\n${commits[0]}`)
})

test('runs no hooks of the user', async () => {
  const { repo, commits } = history()
  repo.write('.git/hooks/reference-transaction', '#!/bin/sh\ntouch hook-ran\nexit 1\n')
  repo.chmod('.git/hooks/reference-transaction', 0o755)
  expect(await refsOf(repo).move(NAME, commits[0], undefined, 'x')).toBe(true)
  expect(repo.exists('hook-ran')).toBe(false)
})

test('fails on a missing object, a bad name or a word like HEAD, as no move of others causes these', async () => {
  const { repo, commits } = history()
  const refs = refsOf(repo)
  await expect(refs.move(NAME, 'f'.repeat(40), undefined, 'x')).rejects.toMatchObject({
    code: 'GIT_FAILED',
  })
  await expect(refs.move('refs/ledger/a..b', commits[0], undefined, 'x')).rejects.toMatchObject({
    code: 'GIT_FAILED',
  })
  for (const name of ['HEAD', 'main', '--help', '']) {
    await expect(refs.move(name, commits[0], commits[2], 'x')).rejects.toThrow('full name')
    await expect(refs.read(name)).rejects.toThrow('full name')
    await expect(refs.remove(name, commits[2])).rejects.toThrow('full name')
  }
  expect(repo.git('rev-parse', 'HEAD')).toBe(commits[2])
})

test('waits for a lock that somebody holds, and fails if it stays', async () => {
  const { repo, commits } = history()
  const refs = refsOf(repo)
  const lock = join(repo.folder, '.git', `${NAME}.lock`)
  mkdirSync(join(lock, '..'), { recursive: true })
  writeFileSync(lock, '')
  setTimeout(() => rmSync(lock), 300)
  expect(await refs.move(NAME, commits[0], undefined, 'x')).toBe(true)
  writeFileSync(lock, '')
  await expect(refs.remove(NAME, commits[0])).rejects.toMatchObject({ code: 'GIT_FAILED' })
})

const BRANCH = 'refs/heads/ledger/checkpoints/v1'

test.each(sampleOf([NAME, BRANCH], 2))(
  'removes a lock of %s that a killed git left, after a minute',
  async (name) => {
    const { repo, commits } = history()
    const logged: string[] = []
    const refs = gitRefs(new Git(repo.folder, repo.sandbox.env), (line) => logged.push(line))
    const lock = join(repo.folder, '.git', `${name}.lock`)
    mkdirSync(join(lock, '..'), { recursive: true })
    writeFileSync(lock, '')
    await expect(refs.move(name, commits[0], undefined, 'x')).rejects.toThrow(name)
    expect(existsSync(lock)).toBe(true)
    age(lock)
    expect(await refs.move(name, commits[0], undefined, 'x')).toBe(true)
    expect(await refs.read(name)).toBe(commits[0])
    expect(logged).toEqual([`${name}: a lock was left`])
  },
)

test('keeps a lock of a ref that is not ours, however old it is', async () => {
  const { repo, commits } = history()
  const lock = join(repo.folder, '.git/refs/heads/other.lock')
  writeFileSync(lock, '')
  age(lock)
  const moved = refsOf(repo).move('refs/heads/other', commits[0], undefined, 'x')
  await expect(moved).rejects.toMatchObject({ code: 'GIT_FAILED' })
  expect(existsSync(lock)).toBe(true)
})

test.each(sampleOf(['', '\n', '0'.repeat(40), '\0'.repeat(41)], 2))(
  'reports an empty shadow ref (%j), and the next writer starts it anew',
  async (text) => {
    const { repo, commits } = history()
    const refs = refsOf(repo)
    await refs.move(NAME, commits[0], undefined, 'x')
    const file = join(repo.folder, '.git', NAME)
    writeFileSync(file, text)
    expect(await refs.read(NAME)).toBeUndefined()
    expect(await refs.broken('refs/ledger/')).toEqual([{ name: NAME, file, last: undefined }])
    expect(await refs.move(NAME, commits[1], undefined, 'x')).toBe(true)
    expect(await refs.read(NAME)).toBe(commits[1])
    expect(await refs.broken('refs/ledger/')).toEqual([])
    repo.git('gc', '-q')
  },
)

test('reports an empty branch with its last commit, and leaves it to a person', async () => {
  const { repo, commits } = history()
  const refs = refsOf(repo)
  await refs.move(BRANCH, commits[0], undefined, 'x')
  await refs.move(BRANCH, commits[1], commits[0], 'x')
  const file = join(repo.folder, '.git', BRANCH)
  writeFileSync(file, '')
  expect(await refs.broken(BRANCH)).toEqual([{ name: BRANCH, file, last: commits[1] }])
  await expect(refs.move(BRANCH, commits[2], undefined, 'x')).rejects.toThrow(BRANCH)
  expect(readFileSync(file, 'utf8')).toBe('')
})

/** Makes it two minutes old. */
function age(path: string): void {
  const then = Date.now() / 1000 - 120
  utimesSync(path, then, then)
}

test('two processes that move one ref lose no move', async () => {
  const { repo, commits } = history()
  const program = `import { Git } from './exec.mjs'
    import { gitRefs } from './git-refs.mjs'
    import { spawnSync } from 'node:child_process'
    const [name, who, rounds] = process.argv.slice(2)
    const refs = gitRefs(new Git(process.cwd(), process.env))
    const tree = spawnSync('git', ['rev-parse', 'HEAD^{tree}']).stdout.toString().trim()
    let lost = 0
    for (let made = 0; made < Number(rounds);) {
      const from = await refs.read(name)
      const parents = from === undefined ? [] : ['-p', from]
      const words = ['commit-tree', '-m', who + made, ...parents, tree]
      const to = spawnSync('git', words).stdout.toString().trim()
      if (await refs.move(name, to, from, 'test')) made += 1
      else lost += 1
    }
    console.log(lost)`
  const folder = join(repo.sandbox.folder, 'bundle')
  await bundled(folder, 'io/process/exec.ts', { name: 'exec', program })
  const path = await bundled(folder, 'io/git/git-refs.ts', { name: 'git-refs', program })
  const run = (who: string) => {
    const words = [NAME, who, '15']
    return start(path, words, { env: repo.sandbox.env, cwd: repo.folder }).said
  }
  const said = await Promise.all(['a', 'b'].map(run))
  expect(said.join('')).toMatch(/^\d+\n\d+\n$/)
  expect(said.map(Number).reduce((a, b) => a + b)).toBeGreaterThan(0)
  const subjects = repo.git('log', '--format=%s', NAME).split('\n')
  expect(subjects.toSorted()).toEqual(
    ['a', 'b'].flatMap((who) => Array.from({ length: 15 }, (_, i) => `${who}${i}`)).toSorted(),
  )
  expect(commits).toHaveLength(3)
})
