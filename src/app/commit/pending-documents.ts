/** Documents of context checkpoints that no commit has yet: a commit takes them along, as it does pending events. */

import { isOwnHandoff } from '../../core/context/places.ts'
import type { ByteName } from '../../core/git/objects.ts'
import { fileOfPath } from '../ledger/ledger-sources.ts'
import { bytesOrUnreadable } from '../ledger/unreadable-files.ts'
import type { LedgerContext } from '../ports.ts'

/** Only those that are as they were written: what somebody put in is theirs to look through and to commit. */
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
