/** What `doctor` checks and repairs for sessions; loaded on demand. */

import type { SessionUpkeep } from '../app/setup/setup.ts'
import type { SessionContext } from '../app/shadow/session-context.ts'
import { CHECKPOINTS_REF } from '../core/checkpoint/checkpoint.ts'
import { SHADOW_PREFIX } from '../core/shadow/shadow-name.ts'
import type { Repository } from '../io/git/repository.ts'

export function sessionUpkeep(repository: Repository, env: NodeJS.ProcessEnv): SessionUpkeep {
  const { top } = repository.place
  type Action<T> = (context: SessionContext) => readonly T[] | Promise<readonly T[]>
  const within = async <T>(action: Action<T>): Promise<readonly T[]> => {
    // Without a worktree there are no sessions.
    if (top === undefined) return []
    const { openSessionContext } = await import('../io/sessions/session-context.ts')
    const context = await openSessionContext(top, env, repository)
    try {
      return await action(context)
    } finally {
      context.close()
    }
  }
  const reaping = () => import('../app/session/reap-sessions.ts')
  return {
    unended: () => within(async (context) => (await reaping()).unendedSessions(context, true)),
    damaged: () => within(({ sessions }) => sessions.look().damaged),
    brokenRefs: () =>
      within(async ({ refs }) => [
        ...(await refs.broken(SHADOW_PREFIX)),
        ...(await refs.broken(CHECKPOINTS_REF)),
      ]),
    blocked: () =>
      within(async (context) => {
        const { findHold } = await import('../app/checkpoint/held-branch.ts')
        const hold = await findHold(context)
        return hold === undefined ? [] : [hold]
      }),
    end: () =>
      within(async (context) => {
        const { reapSessions, unendedSessions } = await reaping()
        const before = unendedSessions(context, true)
        await reapSessions(context, { isPending: true, isAsked: true })
        const left = new Set(unendedSessions(context, true))
        return before.filter((id) => !left.has(id))
      }),
  }
}
