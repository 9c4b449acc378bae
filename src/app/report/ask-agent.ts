/** At the end of a turn, decides whether to ask the agent to record what it did (`session.ask`). */

import type { AgentSignal } from '../../core/agents/agent-signal.ts'
import { isMadeByItself } from '../../core/event/event.ts'
import { instantToMillis, millisOf } from '../../core/event/instant.ts'
import { askText, isAskDue } from '../../core/summarizer/ask.ts'
import type { SessionState } from '../../core/session/session-state.ts'
import { eventsHere } from '../ledger/ledger-sources.ts'
import { readSettings } from '../ledger/read-settings.ts'
import type { SessionContext } from '../shadow/session-context.ts'
import { nowText } from '../shadow/session-context.ts'
import { nameOf } from './name-session.ts'

/** The state that remembers it, and the text for the agent; undefined if the agent is not asked. */
export async function askAgent(
  context: SessionContext,
  state: SessionState,
  { mayAsk }: AgentSignal,
) {
  if (mayAsk === undefined || state.workedAt === undefined) return undefined
  const { repository } = context
  const settings = await readSettings(repository)
  if (settings.ask !== 'on') return undefined
  const facts = {
    now: context.clock.now(),
    interval: settings.checkpointIntervalMillis,
    startedAt: millisOf(state.startedAt),
    workedAt: millisOf(state.workedAt),
    askedAt: millisOf(state.askedAt),
  }
  // Events are read only if the answer depends on them.
  if (!isAskDue({ ...facts, recordedAt: undefined })) return undefined
  const set = await eventsHere(repository, settings.root)
  const agent = nameOf(context, state)
  const own = set.events.filter(
    (event) => !isMadeByItself(event.type) && (event.session === state.id || event.agent === agent),
  )
  const recordedAt = Math.max(0, ...own.map(({ ts }) => instantToMillis(ts)))
  if (!isAskDue({ ...facts, recordedAt })) return undefined
  return { state: { ...state, askedAt: nowText(context) }, ask: askText(agent, state.id) }
}
