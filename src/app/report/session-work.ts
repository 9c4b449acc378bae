/** What git says of a session's work: which of its commits count, and which of its files no commit has. */

import type { LinkedCommit, SessionState } from '../../core/session/session-state.ts'
import { pathOfName } from '../../core/shadow/shadow-paths.ts'
import type { HistoryPort } from '../ports/history.ts'
import type { SessionContext } from '../shadow/session-context.ts'
import { isHere } from '../shadow/session-context.ts'

/** The commits without those that were undone, which must not be reported as done. */
export async function keptCommits(
  history: HistoryPort,
  commits: readonly LinkedCommit[],
): Promise<readonly LinkedCommit[]> {
  const [first] = commits
  if (first === undefined) return commits
  const { oid: head } = await history.head()
  if (commits.length === 1 && first.commit === head) return commits
  const lost = new Set(await history.unreachable(commits.map(({ commit }) => commit)))
  return commits.filter(({ commit }) => !lost.has(commit))
}

/** Undefined for a session of another worktree. Git is asked only if the session changed files. */
export async function uncommittedFiles(
  context: SessionContext,
  state: SessionState,
  files: readonly string[],
): Promise<ReadonlySet<string> | undefined> {
  if (files.length === 0 || !isHere(context, state)) return undefined
  const differing = await context.files.differing()
  return new Set(differing.map(({ path }) => pathOfName(path)))
}
