/** What a session gets at its start: the ledger of the worktree, for the agent and for the person. */

import type { AgentSignal, SignalAnswer } from '../../core/agents/agent-signal.ts'
import { contextText, startBlock } from '../../core/report/context-text.ts'
import type { LedgerEvent } from '../../core/event/event.ts'
import { parseInstant } from '../../core/event/instant.ts'
import { ledgerOf } from '../ledger/ledger-tree.ts'
import { readSettings } from '../ledger/read-settings.ts'
import { previewWorktree } from '../commit/synthesize.ts'
import { unrecordedEvent } from '../report/report-session.ts'
import type { SessionContext } from '../shadow/session-context.ts'
import { isHere, quietly, worktreeOf } from '../shadow/session-context.ts'

export async function sessionStartContext(
  context: SessionContext,
  signal: AgentSignal,
): Promise<SignalAnswer> {
  const { repository, sessions } = context
  const { root } = await readSettings(repository)
  const { set } = await previewWorktree(repository, root, { write: false })
  const events = [...set.events, ...(await unrecordedEvents(context, signal, root))]
  const ledger = ledgerOf({ ...set, events })
  const { branch } = await repository.history.head()
  const worktree = worktreeOf(context)
  const ends = sessions
    .list()
    .sessions.filter((one) => one.id !== signal.session && one.worktree.name === worktree.name)
    .flatMap(({ endedAt }) => parseInstant(endedAt ?? '')?.instant ?? [])
  const since = ends.reduce<(typeof ends)[number] | undefined>(
    (a, b) => (a === undefined || b > a ? b : a),
    undefined,
  )
  return {
    context: contextText(ledger, { branch }),
    message: startBlock(ledger, events, since),
  }
}

/** Sessions that rest at once are few; older ones wait for their end. */
const MOST = 3

/**
 * What sessions of the same agent did here that rest and may be over, though nobody has told so yet: an
 * agent's daemon takes a minute to.
 */
async function unrecordedEvents(
  context: SessionContext,
  { agent, session }: AgentSignal,
  root: string,
): Promise<LedgerEvent[]> {
  const resting = context.sessions
    .listOpen()
    .filter((one) => one.id !== session && one.agent === agent && one.phase === 'idle')
    .filter((one) => isHere(context, one))
    .sort((a, b) => (a.lastSignOfLife < b.lastSignOfLife ? 1 : -1))
  const found: LedgerEvent[] = []
  for (const one of resting.slice(0, MOST)) {
    const read = () => unrecordedEvent(context, one, root)
    const event = await quietly(context, `session ${one.id}: not followed`, read)
    if (event !== undefined) found.push(event)
  }
  return found
}
