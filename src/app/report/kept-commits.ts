/** A session's commits without those that were undone, which must not be reported as done. */

import type { LinkedCommit } from '../../core/session/session-state.ts'
import type { HistoryPort } from '../ports/history.ts'

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
