/** Repositories with old events, and helpers for the tests of archiving. */

import type { Repo } from '../support/git-repo.ts'
import { copyOf, EVENTS, ledgerRepo, ROOT } from '../support/git-repo.ts'
import { json, writeEvent } from './words.ts'

export const ARCHIVE = `${ROOT}/archive`
export const SETTINGS = '.ledger-git.yaml'
export const SNAPSHOT = /_ledger-git_[0-9a-f]{8}\.md$/

export interface Answer {
  archived: { file: string; path: string }[]
  staying: { file: string; reason: string }[]
  snapshots: string[]
  folded: string[]
  purged: string[]
  left_behind: string[]
  commit: string | null
}

/** Commits two old events and a young one. */
export function oldEvents(repo: Repo): void {
  writeEvent(repo, 'a.md', 'goal: g\nthis_session:\n- did a\ndecisions:\n  a: 1')
  writeEvent(repo, 'b.md', 'now: b\ndecisions:\n  b: 2', '2026-01-02T00:00:00Z')
  writeEvent(repo, 'young.md', 'now: y\nthis_session:\n- did y', '2027-01-01T00:00:00Z')
  repo.commit('events')
}

/** A repository with old events. */
export function withOldEvents(): Repo {
  return copyOf('old events', () => {
    const repo = ledgerRepo()
    oldEvents(repo)
    return repo
  })
}

export const list = (repo: Repo, ...paths: string[]) =>
  repo
    .git('ls-files', '-z', ...paths)
    .split('\0')
    .filter(Boolean)
export const events = (repo: Repo) =>
  list(repo, EVENTS)
    .map((path) => path.slice(EVENTS.length + 1))
    .filter((name) => name !== '.gitkeep')
export const decisions = (repo: Repo) =>
  Object.keys(json<{ decisions: object }>(repo, 'show').decisions).toSorted()
export const files = (repo: Repo) => [
  repo.git('ls-files', '-s'),
  repo.status(),
  repo.git('rev-parse', 'HEAD'),
]

/** Keeps archived files for a day; git ignores the setting. */
export function keepOneDay(repo: Repo): void {
  repo.write('.git/info/exclude', `${SETTINGS}\n`)
  repo.write(SETTINGS, 'archive:\n  keep: 1d\n')
}
