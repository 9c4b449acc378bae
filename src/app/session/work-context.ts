/** What following a session needs: every port of the session use cases, and who runs them. */

import type { BranchPort, ChangesPort, CheckpointRemote } from '../checkpoint/checkpoint-ports.ts'
import { instantFromMillis } from '../../core/event/instant.ts'
import type { OwnerLife } from '../../core/session/liveness.ts'
import { isTimedOut } from '../../core/session/liveness.ts'
import type { SessionState, Worktree } from '../../core/session/session-state.ts'
import type { ProcessPort } from './session-ports.ts'
import type { ShadowContext } from '../shadow/shadow-ports.ts'

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

/** Whether the session works in the worktree of this context. */
export function isHere(context: Pick<WorkContext, 'repository' | 'folder'>, state: SessionState) {
  return worktreeOf(context).name === state.worktree.name
}

/** HEAD of the session's own worktree, as far as it is known here: that of another one is not its base. */
export async function headOf(
  context: Pick<WorkContext, 'repository' | 'folder'>,
  state: SessionState,
): Promise<string | undefined> {
  return isHere(context, state) ? (await context.repository.history.head()).oid : state.base
}

export function hasTimedOut(
  { clock, processes }: Pick<WorkContext, 'clock' | 'processes'>,
  state: SessionState,
  ttl: number,
): boolean {
  return isTimedOut(state, instantFromMillis(clock.now()), ttl, ownerLife(processes, state))
}

export function ownerLife(processes: ProcessPort, { owner }: SessionState): OwnerLife {
  return owner === undefined ? 'unknown' : processes.lifeOf(owner)
}
