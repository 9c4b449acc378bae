/** A handoff that two branches change, and what must hold however they are brought together. */

import { expect } from 'vitest'
import type { Repo } from '../support/git-repo.ts'
import { ledgerRepo, ROOT } from '../support/git-repo.ts'

export const HANDOFF = `${ROOT}/auth/current.md`

/** Text without meaning to ledger-git: it is a conflict if both sides change it. */
export const PROSE = 'The tokens live an hour.'

/** A handoff in which these items are done. */
export function handoffText(...done: readonly string[]): string {
  const items = done.map((item) => `- [x] ${item}\n`).join('')
  return `---
date: 2026-01-02T00:00:00Z
status: active
---

# Work Stream: auth — ✅

## Ledger

**Goal:** tokens that expire
**Branch:** main
**Test:** npm test

### Now
- [->] write the tests

### This Session
${items}
### Next
- [ ] deploy

## Notes

${PROSE}
`
}

/** Commits the handoff with one more item done, first in its list, and a code file named after it. */
export function workOn(repo: Repo, word: string, path = HANDOFF): string {
  repo.write(path, withItem(repo.read(path), word))
  return repo.commit(word, { [`${word}.txt`]: `${word}\n` })
}

/** The text with one more item done. */
export function withItem(text: string, word: string): string {
  return text.replace(/(### This Session\r?\n)/, (heading) => `${heading}- [x] ${word}\n`)
}

/** What both branches of `twoSides` contain together. */
export const ALL = ['base', 'm1', 't1', 't2']

/** main: base, m1; topic: base, t1, t2, each in the handoff. On main. */
export function twoSides(path = HANDOFF, ...initArgs: readonly string[]): Repo {
  const repo = ledgerRepo('repo', ...initArgs)
  repo.commit('base', { [path]: handoffText('base') })
  repo.git('switch', '-q', '-c', 'topic')
  workOn(repo, 't1', path)
  workOn(repo, 't2', path)
  repo.git('switch', '-q', 'main')
  workOn(repo, 'm1', path)
  return repo
}

/** The items that a text lists as done, sorted; fails if it has a marker. */
export function doneIn(text: string): string[] {
  expect(text).not.toMatch(/^[<=>|]{7}/m)
  return [...text.matchAll(/^- \[x\] (\w+)\r?$/gm)].map(([, item]) => item ?? '').toSorted()
}

/** The same for a commit; nothing is left over in index or worktree. */
export function doneAt(repo: Repo, revision = 'HEAD', path = HANDOFF): string[] {
  expect(repo.status()).toBe('')
  return doneIn(repo.git('show', `${revision}:${path}`))
}

/** A conflict that a person can see and settle: both texts between markers, and git knows of it. */
export function expectConflict(repo: Repo, ...texts: readonly string[]): void {
  expect(repo.git('ls-files', '-u', '--', HANDOFF)).not.toBe('')
  const text = repo.read(HANDOFF)
  for (const marker of [/^<{7} ours$/m, /^={7}$/m, /^>{7} theirs$/m]) expect(text).toMatch(marker)
  for (const each of texts) expect(text).toContain(each)
}
