/** The newest document of a context checkpoint for a branch or an issue. */

import type { ReadHandoff } from '../../core/context/handoff-document.ts'
import { readContextHandoff } from '../../core/context/handoff-document.ts'
import { newestFirst } from '../../core/context/places.ts'
import { readSettings } from '../ledger/read-settings.ts'
import type { SessionContext } from '../shadow/session-context.ts'

export interface FoundCheckpoint {
  /** From the top of the worktree. */
  readonly path: string
  readonly handoff: ReadHandoff
}

/** So many are looked through: each is a file to read. */
const MOST = 200

/** Undefined where there is none. `issue`: then the branch does not matter. */
export async function findCheckpoint(
  { repository, personal }: Pick<SessionContext, 'repository' | 'personal'>,
  { branch, issue }: { readonly branch: string | undefined; readonly issue: string | undefined },
): Promise<FoundCheckpoint | undefined> {
  const { handoffs } = await readSettings(repository)
  for (const name of newestFirst(personal.list(handoffs)).slice(0, MOST)) {
    const path = `${handoffs}/${name}`
    const bytes = await repository.worktree.read(path)
    const text = bytes && Buffer.from(bytes).toString('utf8')
    const handoff = text === undefined ? undefined : readContextHandoff(text)
    if (handoff === undefined) continue
    const isMeant = issue === undefined ? handoff.branch === branch : handoff.issues.includes(issue)
    if (isMeant) return { path, handoff }
  }
  return undefined
}
