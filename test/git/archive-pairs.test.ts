/**
 * What one branch does to old events, combined with what another does: git never sees a conflict, and no lasting
 * section shows that anything was archived.
 */

import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { copyFolder } from '../support/copy-folder.ts'
import type { Repo } from '../support/git-repo.ts'
import { IS_LONG } from '../support/long.ts'
import { ledgerRepo, Sandbox } from '../support/git-repo.ts'
import type { OracleFile } from '../support/oracle.ts'
import { everAdded, readSnapshots } from '../support/oracle.ts'
import {
  DOING,
  lawBroken,
  purge,
  questionOf,
  SETTINGS,
  share,
  similarEvent,
  since,
  startGit,
} from './archive-scene.ts'

const EARLY = '2026-01-06T00:00:00Z'

const archive = (repo: Repo, retention = '7d') =>
  void repo.ledger('archive', '--commit', '--retention', retention)

/** Writes events and commits them. */
function add(repo: Repo, ...instants: string[]): void {
  for (const ts of instants) similarEvent(repo, ts)
  repo.commit('add')
}

/** Branches: where each one starts, and what it does there. */
const WAYS: Record<string, readonly [from: string, act: (repo: Repo) => void]> = {
  add: ['base', (repo) => add(repo, '2027-02-01T00:00:01Z', '2027-02-01T00:00:02Z')],
  'add old, retract': [
    'base',
    (repo) => {
      const old = repo.git('ls-files', '*/events/2026-01-02T*').replace(/^.*\//, '')
      similarEvent(repo, '2026-01-12T00:00:00Z', { retracts: [old] })
      add(repo, '2026-01-03T00:00:01Z', '2026-01-09T00:00:01Z')
    },
  ],
  archive: ['base', (repo) => archive(repo)],
  'archive, add': ['archive', (repo) => add(repo, '2027-02-01T00:00:03Z')],
  'archive, revert': ['archive', (repo) => void repo.git('revert', '--no-edit', 'HEAD')],
  'archive, purge': ['archive', (repo) => purge(repo)],
  some: ['base', (repo) => archive(repo, since(EARLY))],
  'some, add': ['some', (repo) => add(repo, '2027-02-01T00:00:04Z', '2026-01-03T00:00:04Z')],
  'some, late': [
    'some',
    (repo) => {
      add(repo, '2026-01-03T00:00:05Z')
      archive(repo, since(EARLY))
    },
  ],
  'some, rest': ['some', (repo) => archive(repo)],
  'some, purge': ['some', (repo) => purge(repo, '--retention', since(EARLY))],
  'some, revert': ['some', (repo) => void repo.git('revert', '--no-edit', 'HEAD')],
}

interface Branch {
  readonly name: string
  readonly commit: string
  readonly added: readonly OracleFile[]
}

const built: { folder?: string; branches: Branch[] } = { branches: [] }
afterAll(() => {
  if (built.folder !== undefined) rmSync(built.folder, { recursive: true, force: true })
})

/** One repository with all branches, made once. */
function scene(): { repo: Repo; branches: readonly Branch[] } {
  if (built.folder !== undefined) {
    return { repo: new Sandbox().at(built.folder), branches: built.branches }
  }
  const repo = ledgerRepo()
  repo.write('.git/info/exclude', `${SETTINGS}\n`)
  for (const day of ['02', '03', '04', '08', '09']) similarEvent(repo, `2026-01-${day}T00:00:00Z`)
  similarEvent(repo, '2026-01-10T00:00:00Z', DOING)
  similarEvent(repo, '2027-01-20T00:00:00Z', {
    next: undefined,
    resolvedQuestions: [questionOf('0103000000')],
  })
  const commits = new Map([['base', repo.commit('base')]])
  for (const [name, [from, act]] of Object.entries(WAYS)) {
    repo.git('switch', '-q', '-C', 'work', commits.get(from) ?? from)
    act(repo)
    const commit = repo.git('rev-parse', 'HEAD')
    if (repo.status() !== '') throw new Error(`${name} left ${repo.status()}`)
    if (commit === commits.get(from)) throw new Error(`${name} did nothing`)
    commits.set(name, commit)
    built.branches.push({ name, commit, added: everAdded(repo, [commit]) })
  }
  built.folder = realpathSync(mkdtempSync(join(tmpdir(), 'ledger-pairs-')))
  copyFolder(repo.folder, built.folder)
  return { repo, branches: built.branches }
}

interface Pair {
  readonly a: Branch
  readonly b: Branch
}

/** Every ordered pair of branches of which neither contains the other and at least one archives. */
function pairsOf(branches: readonly Branch[]): Pair[] {
  const holds = (a: Branch, b: Branch) => a.name.startsWith(`${b.name}, `)
  const archives = ({ name }: Branch) => /^(?:archive|some)/.test(name)
  return branches.flatMap((a) =>
    branches
      .filter((b) => a !== b && !holds(a, b) && !holds(b, a) && (archives(a) || archives(b)))
      .map((b) => ({ a, b })),
  )
}

interface Result {
  /** A commit or tree; undefined if git failed. */
  readonly tree: string | undefined
  readonly said: string
}

/** The pairs that failed, and how. */
function wrong(repo: Repo, pairs: readonly Pair[], results: readonly Result[]): string[] {
  const held = readSnapshots(
    repo,
    results.map(({ tree }) => tree ?? 'none'),
  )
  return pairs.flatMap(({ a, b }, i) => {
    const [result, ledger] = [results[i], held[i]]
    const all = new Map([...a.added, ...b.added].map((file) => [file.file, file]))
    const problem =
      result?.tree === undefined || ledger === undefined
        ? (/^CONFLICT.*$/m.exec(result?.said ?? '')?.[0] ?? result?.said)
        : lawBroken([...all.values()], ledger)
    return problem === undefined ? [] : [`${a.name} × ${b.name}: ${problem}`]
  })
}

test.runIf(IS_LONG)('every branch by itself keeps what lasts', () => {
  const { repo, branches } = scene()
  const results = branches.map(({ commit }) => ({ tree: commit, said: '' }))
  const alone = branches.map((branch) => ({ a: branch, b: branch }))
  expect(wrong(repo, alone, results)).toEqual([])
})

test('a merge gives the same tree in both directions and keeps what lasts', async () => {
  const { repo, branches } = scene()
  const all = pairsOf(branches)
  expect(all).toHaveLength(114)
  // Both directions of a pair, or neither.
  const isWanted = ({ a, b }: Pair) => IS_LONG || (a.name.length + b.name.length) % 12 === 0
  const pairs = all.filter(isWanted)
  expect(pairs.length).toBeGreaterThan(7)
  const results = await share([repo, repo], pairs, async (_, { a, b }): Promise<Result> => {
    const ran = await startGit(repo, 'merge-tree', '--write-tree', a.commit, b.commit)
    const said = ran.stdout + ran.stderr
    return { tree: ran.status === 0 ? ran.stdout.trim() : undefined, said }
  })
  expect(wrong(repo, pairs, results)).toEqual([])
  const trees = new Map(pairs.map(({ a, b }, i) => [`${a.name}/${b.name}`, results[i]?.tree]))
  for (const { a, b } of pairs) {
    expect(trees.get(`${a.name}/${b.name}`)).toBe(trees.get(`${b.name}/${a.name}`))
  }
})

test.each([
  [
    'rebase',
    (_: Pair, i: number) => IS_LONG || i % 20 === 0,
    (a: Branch, b: Branch) => ['rebase', '-q', b.commit, a.commit],
  ],
  [
    'cherry-pick',
    // Only the last commit is picked, so the branch needs an earlier one.
    ({ a, b }: Pair) =>
      a.name.includes(', ') &&
      (IS_LONG ? ['add', 'archive', 'some'] : ['archive']).includes(b.name),
    (a: Branch) => ['cherry-pick', '--allow-empty', '--keep-redundant-commits', a.commit],
  ],
] as const)('a %s in either direction keeps what lasts', async (verb, isWanted, words) => {
  const { repo, branches } = scene()
  const pairs = pairsOf(branches).filter(isWanted)
  const worktrees = [0, 1].map((i) => {
    const folder = join(repo.sandbox.folder, `${verb} ${i}`)
    repo.git('worktree', 'add', '-q', '--detach', folder)
    return repo.sandbox.at(folder)
  })
  const results = await share(worktrees, pairs, async (worktree, { a, b }): Promise<Result> => {
    const git = (...args: string[]) => startGit(worktree, '-c', 'core.hooksPath=/', ...args)
    if (verb === 'cherry-pick') await git('checkout', '-q', '--detach', b.commit)
    const ran = await git(...words(a, b))
    if (ran.status === 0) return { tree: (await git('rev-parse', 'HEAD')).stdout.trim(), said: '' }
    await git(verb, '--abort')
    await git('reset', '-q', '--hard')
    return { tree: undefined, said: ran.stdout + ran.stderr }
  })
  for (const worktree of worktrees) expect(worktree.status()).toBe('')
  expect(wrong(repo, pairs, results)).toEqual([])
})
