/** Context checkpoint documents that no commit has yet: a commit includes them, as it does pending events. */

import { isOwnHandoff } from '../../core/context/places.ts'
import type { ByteName } from '../../core/git/objects.ts'
import { fileOfPath } from '../ledger/ledger-sources.ts'
import { bytesOrUnreadable } from '../ledger/unreadable-files.ts'
import type { LedgerContext } from '../ports.ts'

/** Only documents that are unchanged since we wrote them: an edited document is for its author to review and commit. */
export async function pendingDocuments({
  repository: { worktree },
  settings,
}: LedgerContext): Promise<ByteName[]> {
  if (!settings.commitsContext) return []
  const own: ByteName[] = []
  for (const path of await worktree.untracked(settings.handoffs)) {
    const bytes = await bytesOrUnreadable(worktree, path)
    if (typeof bytes === 'object' && isOwnHandoff(fileOfPath(path), bytes)) own.push(path)
  }
  return own
}
