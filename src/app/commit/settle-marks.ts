/** Every command does this first and usually finds nothing to do; the rest is loaded only if there is a mark. */

import { LedgerError } from '../../core/errors/errors.ts'
import type { RepositoryPort, Say } from '../ports.ts'

/**
 * Settles the marks of commits that have ended. `isNewCommit`: another commit begins here, so commits of unknown
 * processes have ended, too. A busy index is not an error: the command has other work to do.
 */
export async function settleMarks(
  repository: RepositoryPort,
  say: Say,
  { isNewCommit = false }: { isNewCommit?: boolean } = {},
): Promise<void> {
  const { marks } = repository
  if (repository.place.top === undefined) return
  repository.clearDeadLock()
  if (marks.isEmpty) return
  const { settle } = await import('./commit-marks.ts')
  try {
    for (const mark of marks.list()) {
      if (!marks.isAtWork(mark, { isNewCommit })) await settle(repository, mark, say)
    }
  } catch (error) {
    // The index is busy or a folder is read-only: the next command tries again.
    if (!(error instanceof LedgerError)) throw error
  }
}
