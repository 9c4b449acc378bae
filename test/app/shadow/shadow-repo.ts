/** A repository with shadow data, inspected through git alone. */

import type { SessionContext } from '../../../src/app/shadow/session-context.ts'
import { Sandbox } from '../../support/git-repo.ts'
import type { Repo } from '../../support/git-repo.ts'
import { sessionContext } from '../../support/session-context.ts'

export function repoWith(files: Record<string, string> = { 'a.txt': 'a\n' }): Repo {
  const repo = new Sandbox().init()
  repo.commit('first', files)
  return repo
}

/** A new context for each use case, as each command has. */
export function contextOf(
  repo: Repo,
  about: Partial<SessionContext> = {},
): Promise<SessionContext> {
  return sessionContext(repo.folder, repo.sandbox.env, about)
}

export function shadowRefs(repo: Repo): string[] {
  const args = ['--format=%(refname)', 'refs/ledger/shadow']
  return repo
    .git('for-each-ref', ...args)
    .split('\n')
    .filter(Boolean)
}

/** Paths below a folder in the tree of a ref, by default the only one. */
export function shadowPaths(repo: Repo, below: string, ref = shadowRefs(repo)[0] ?? ''): string[] {
  const out = repo.git('ls-tree', '-r', '--name-only', ref, `${below}/`)
  return out.split('\n').flatMap((path) => (path === '' ? [] : [path.slice(below.length + 1)]))
}

export function shadowText(repo: Repo, path: string, ref = shadowRefs(repo)[0] ?? ''): string {
  return repo.git('show', `${ref}:${path}`)
}

export function shadowSteps(repo: Repo, ref = shadowRefs(repo)[0] ?? ''): number {
  return Number(repo.git('rev-list', '--count', ref))
}

/** The text of an event, which depends on its number. */
export function eventText(n: number): string {
  const second = String(n).padStart(2, '0')
  return `---\nts: 2026-01-10T12:00:${second}Z\nagent: a\ntype: note\n---\n\nnow: ${n}\n`
}

export function eventName(n: number): string {
  return `2026-01-10T12-00-${String(n).padStart(2, '0')}Z_a_0000000${n}.md`
}
