/** HEAD has moved: a session's shadow data goes along, under the new base's name. */

import type { SessionState } from '../../core/session/session-state.ts'
import { bringPart, leaveChain } from './shadow-moves.ts'
import { findChain, shadowRefs } from './shadow-chain.ts'
import type { SessionContext } from './session-context.ts'
import { homeOf } from './shadow-session.ts'

/**
 * Moves the session's own part and the events; each session of the chain moves its own. Steps of the old
 * chain are history of the new one. Nothing is lost when the process dies: it is done again by the next
 * call.
 */
export async function migrateShadow(
  context: SessionContext,
  state: SessionState,
  newBase: string,
): Promise<SessionState> {
  const worktree = state.worktree.name
  const to = { base: newBase, worktree, path: state.worktree.path }
  const refs = await shadowRefs(context)
  const own = await findChain(context, { base: state.base, worktree }, refs)
  const from = (await homeOf(context, state, refs)) ?? own.chain
  const target = await findChain(context, to, refs)
  if (from === undefined || from.ref === target.ref) return { ...state, base: newBase }
  const why = `new base for session ${state.id}`
  await bringPart(context, to, from, state.id, from.sessions.get(state.id), {
    why,
    isJoined: from.sessions.has(state.id),
    isCut: false,
  })
  await leaveChain(context, from.record, state.id, to)
  return { ...state, base: newBase }
}
