/** What following a session needs: every port of the session use cases, and who runs them. */

import type { BranchPort, ChangesPort, CheckpointRemote } from './checkpoint-ports.ts'
import type { Worktree } from '../../core/session/session-state.ts'
import type { ShadowContext } from './shadow-ports.ts'

export interface WorkContext extends ShadowContext {
  readonly branches: BranchPort
  readonly changes: ChangesPort
  readonly remote: CheckpointRemote
  readonly env: Readonly<Record<string, string | undefined>>
  /** The folder that the hook runs in. */
  readonly folder: string
}

/** What an agent and the person at its terminal get to read. */
export interface SignalAnswer {
  readonly context?: string | undefined
  readonly message?: string | undefined
}

export function worktreeOf({
  repository,
  folder,
}: Pick<WorkContext, 'repository' | 'folder'>): Worktree {
  const { top, gitDir, commonDir } = repository.place
  const name = gitDir === commonDir ? '' : gitDir.slice(gitDir.lastIndexOf('/') + 1)
  return { path: top ?? folder, name }
}
