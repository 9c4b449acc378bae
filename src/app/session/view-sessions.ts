/** Sessions as shown to people: which there are, their status, and which session a word refers to. */

import { LedgerError } from '../../core/errors/errors.ts'
import { instantFromMillis, millisOf } from '../../core/event/instant.ts'
import type { SessionFacts } from '../../core/fleet/fleet-facts.ts'
import { CLEAN_UP_TTL, isTimedOut } from '../../core/session/liveness.ts'
import type { SessionState } from '../../core/session/session-state.ts'
import { isFinished, isSessionId } from '../../core/session/session-state.ts'
import type { DamagedState } from '../shadow/session-ports.ts'
import type { SessionContext } from '../shadow/session-context.ts'
import { ownerLife } from '../shadow/session-context.ts'
import { readChains } from '../shadow/shadow-chain.ts'

export type SeenSession = Omit<SessionFacts, 'context'>

/** Sessions in the order in which they started. `mends`: damaged state files are set aside. */
export function seeSessions(
  context: Pick<SessionContext, 'sessions' | 'processes' | 'clock'>,
  { withFinished, mends }: { readonly withFinished: boolean; readonly mends: boolean },
): { sessions: SeenSession[]; damaged: readonly DamagedState[] } {
  const { sessions, damaged } = mends ? context.sessions.list() : context.sessions.look()
  const seen = sessions.map((state) => seeSession(context, state))
  const startOf = ({ state }: SeenSession) => millisOf(state.startedAt) ?? 0
  const wanted = seen.filter((one) => withFinished || !one.isFinished)
  return { sessions: wanted.sort((a, b) => startOf(a) - startOf(b)), damaged }
}

export function seeSession(
  { processes, clock }: Pick<SessionContext, 'processes' | 'clock'>,
  state: SessionState,
): SeenSession {
  const life = ownerLife(processes, state)
  const now = instantFromMillis(clock.now())
  return {
    state,
    isTimedOut: isTimedOut(state, now, CLEAN_UP_TTL, life),
    isFinished: isFinished(state),
    isOwnerAlive: state.owner && (life === 'alive' || life === 'daemon'),
  }
}

/** Names of the shadow refs that hold a part of the session. */
export async function shadowRefsOf(context: SessionContext, id: string): Promise<string[]> {
  const { chains } = await readChains(context)
  return chains.filter(({ sessions }) => sessions.has(id)).map(({ ref }) => ref)
}

/**
 * The session whose id is the word, otherwise the only session whose id begins with it. Also finds sessions of which
 * only shadow data is left.
 */
export async function findSession(context: SessionContext, word: string): Promise<string> {
  const { chains } = await readChains(context)
  const ids = new Set([
    ...context.sessions.list().sessions.map(({ id }) => id),
    ...chains.flatMap(({ sessions }) => [...sessions.keys()]).filter(isSessionId),
  ])
  if (ids.has(word)) return word
  const [id, ...others] = word === '' ? [] : [...ids].filter((one) => one.startsWith(word))
  if (id !== undefined && others.length === 0) return id
  const what = id === undefined ? 'no session has the id' : 'several sessions begin with'
  throw new LedgerError(
    'SESSION_NOT_FOUND',
    `${what} ${isSessionId(word) ? word : JSON.stringify(word)}`,
    'ledger-git session list --all',
  )
}
