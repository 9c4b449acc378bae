/** Small ledgers with a history, and what must hold in every one of them afterwards. */

import { createHash } from 'node:crypto'
import { stringify } from 'yaml'
import { expect } from 'vitest'
import type { Repo } from '../support/git-repo.ts'
import { copyOf, CURRENT, EVENTS, ledgerRepo, ROOT } from '../support/git-repo.ts'
import { oracleLedger, oracleMarkdown, readSnapshots } from '../support/oracle.ts'
import type { Snapshot } from '../support/oracle.ts'

let minute = 0

/** An event file's text: `word` is done, is now, and competes for the key `last`. */
export function noteText(word: string, more: Record<string, unknown> = {}): string {
  const { ts, agent, ...body } = more
  minute += 1
  const head = {
    ts: ts ?? new Date(Date.UTC(2026, 0, 2, 0, minute)).toISOString(),
    agent: agent ?? `agent-${word.slice(0, 1)}`,
    branch: `branch-${word.slice(0, 1)}`,
  }
  const fields = { now: word, this_session: [word], decisions: { last: word }, ...body }
  const yaml = (value: unknown) => stringify(value, { indentSeq: false })
  return `---\n${yaml(head)}---\n\n${yaml(fields)}`
}

/** What a merge prints on standard error when all is well: both sides of this scene decide `last`. */
export const ONLY_DECISIONS: unknown = expect.stringMatching(
  /^(?:ledger-git: both sides decided last: [^\n]*\n)*$/,
)

/** Writes one pending event; returns its path. */
export function note(
  repo: Repo,
  word: string,
  more: Record<string, unknown> = {},
  root = ROOT,
): string {
  const text = noteText(word, more)
  const ts = /^ts: (.*)$/m.exec(text)?.[1]?.replaceAll(':', '-').replaceAll('"', '') ?? ''
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 8)
  const path = `${root}/events/${ts}_${word}_${hash}.md`
  repo.write(path, text)
  return path
}

/** Commits one event (through the pre-commit hook) and a code file named after it. */
export function work(
  repo: Repo,
  word: string,
  more: Record<string, unknown> = {},
  root = ROOT,
): string {
  const path = note(repo, word, more, root)
  repo.write(`${word}.txt`, `${word}\n`)
  repo.git('add', `${word}.txt`)
  repo.git('commit', '-q', '-m', word)
  return path
}

/** One committed event of ours. */
export function withEvent(...more: string[]): {
  repo: Repo
  path: string
  file: string
  text: string
} {
  const repo = copyOf(`one event ${more.join(' ')}`, () => {
    const made = ledgerRepo()
    made.event('--agent', 'toast', '--done', 'todo 1', '--decision', 'k1=v1', ...more)
    made.commit('work', { 'a.txt': 'a\n' })
    return made
  })
  const path = repo.git('ls-files', '--', `${EVENTS}/*.md`)
  return { repo, path, file: path.slice(path.lastIndexOf('/') + 1), text: repo.read(path) }
}

/** main: setup, base. */
export function based(...initArgs: string[]): Repo {
  return copyOf(`based ${initArgs.join(' ')}`, () => {
    const repo = ledgerRepo('repo', ...initArgs)
    work(repo, 'base')
    return repo
  })
}

/** What both branches of `diverged` contain together. */
export const ALL = ['base', 'm1', 't1', 't2']

/** main: setup, base, m1; topic: setup, base, t1, t2. On main. */
export function diverged(...initArgs: string[]): Repo {
  return copyOf(`diverged ${initArgs.join(' ')}`, () => {
    const repo = based(...initArgs)
    repo.git('switch', '-q', '-c', 'topic')
    work(repo, 't1')
    work(repo, 't2')
    repo.git('switch', '-q', 'main')
    work(repo, 'm1')
    return repo
  })
}

/** The words whose events a revision contains, in event order. */
export function words(repo: Repo, revision = 'HEAD', root = ROOT): string[] {
  const [snapshot] = readSnapshots(repo, [repo.git('rev-parse', revision)], root)
  if (snapshot === undefined) return []
  return oracleLedger(snapshot.files, snapshot.eventsTree).this_session.map(({ text }) => text)
}

/** The same in alphabetical order, whichever side's came first. */
export function sortedWords(...where: Parameters<typeof words>): string[] {
  return words(...where).toSorted()
}

export function expectOracle({ commit, files, eventsTree, current }: Snapshot): void {
  if (files.length === 0 && current === undefined) return
  const expected = oracleMarkdown(oracleLedger(files, eventsTree))
  expect(current, `current.md of ${commit}`).toBe(expected)
}

/** Commits of every branch and of HEAD, oldest first. */
export function allCommits(repo: Repo): string[] {
  return repo.git('rev-list', '--reverse', '--branches', 'HEAD').split('\n').filter(Boolean)
}

/**
 * Every commit of every branch contains exactly what the oracle renders from its events; the command agrees; nothing is
 * left over in index or worktree.
 */
export function expectSound(repo: Repo, options: { root?: string; status?: string } = {}): void {
  const { root = ROOT, status = '' } = options
  expect(repo.status()).toBe(status)
  for (const snapshot of readSnapshots(repo, allCommits(repo), root)) expectOracle(snapshot)
  // The form that git and people use most is tested in test/cli/check.test.ts.
  const checked = repo.tryLedger('check', '--rev', 'HEAD')
  expect(checked.status, checked.stdout).toBe(0)
}

export function expectCommandAgrees(repo: Repo, root = ROOT): void {
  const checked = repo.tryLedger('check', '--range', 'HEAD')
  expect(checked.status, checked.stdout).toBe(0)
  const [head] = readSnapshots(repo, [repo.git('rev-parse', 'HEAD')], root)
  const shown = JSON.parse(repo.ledger('show', '--rev', 'HEAD', '--json')) as object
  expect(shown).toEqual(oracleLedger(head?.files ?? [], head?.eventsTree ?? ''))
}

/** A conflict that a person can see and settle: both texts between markers, and git knows of it. */
export function expectMarkers(repo: Repo, ...texts: string[]): void {
  expect(repo.git('ls-files', '-u', '--', CURRENT)).not.toBe('')
  const current = repo.read(CURRENT)
  expect(current).toMatch(/^<{7} /m)
  expect(current).toMatch(/^={7}$/m)
  expect(current).toMatch(/^>{7} /m)
  for (const text of texts) expect(current).toContain(text)
}

export { CURRENT, EVENTS, ROOT }
