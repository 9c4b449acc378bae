/** What `doctor` checks and repairs for sessions; loaded on demand. */

import type { SessionUpkeep } from '../app/setup/setup.ts'
import type { SessionContext } from '../app/shadow/session-context.ts'
import { CHECKPOINTS_REF } from '../core/checkpoint/checkpoint.ts'
import { SHADOW_PREFIX } from '../core/shadow/shadow-name.ts'
import type { Repository } from '../io/git/repository.ts'

/** Without a worktree there are no sessions. */
export function sessionUpkeep(repository: Repository, env: NodeJS.ProcessEnv): SessionUpkeep {
  const { top } = repository.place
  const within = async <T>(action: (context: SessionContext) => T | Promise<T>) => {
    const { openSessionContext } = await import('../io/sessions/session-context.ts')
    const context = await openSessionContext(top ?? '', env, repository)
    try {
      return await action(context)
    } finally {
      context.close()
    }
  }
  const reaping = () => import('../app/session/reap-sessions.ts')
  return {
    unended: async () => {
      if (top === undefined) return []
      const { unendedSessions } = await reaping()
      return within((context) => unendedSessions(context, true))
    },
    damaged: async () =>
      top === undefined ? [] : within(({ sessions }) => sessions.look().damaged),
    brokenRefs: async () => {
      if (top === undefined) return []
      const prefixes = [SHADOW_PREFIX, CHECKPOINTS_REF]
      const found = await within(({ refs }) =>
        Promise.all(prefixes.map((prefix) => refs.broken(prefix))),
      )
      return found.flat()
    },
    end: async () => {
      const { reapSessions, unendedSessions } = await reaping()
      return within(async (context) => {
        const before = unendedSessions(context, true)
        await reapSessions(context, { isPending: true, isAsked: true })
        const left = new Set(unendedSessions(context, true))
        return before.filter((id) => !left.has(id))
      })
    },
  }
}
