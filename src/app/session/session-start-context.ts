/** What a session gets when it starts: the worktree's ledger, for the agent and for the person. */

import type { AgentSignal, SignalAnswer } from '../../core/agents/agent-signal.ts'
import type { NamedHandoff } from '../../core/handoff/choose.ts'
import { orientText } from '../../core/context/orient.ts'
import { issueLines } from '../../core/tracker/known-issues.ts'
import { contextText, MAX_CONTEXT, startBlock } from '../../core/briefing/context-text.ts'
import type { HandoffNotes } from '../../core/briefing/handoff-context.ts'
import {
  handoffLine,
  handoffNotes,
  NO_NOTES,
  toldKey,
} from '../../core/briefing/handoff-context.ts'
import { handoffOn } from '../handoff/read-handoffs.ts'
import type { LedgerEvent } from '../../core/event/event.ts'
import { nameNote } from '../../core/text/own-name.ts'
import { parseInstant } from '../../core/event/instant.ts'
import { ledgerOf } from '../ledger/ledger-tree.ts'
import { readSettings } from '../ledger/read-settings.ts'
import { eventsHere } from '../ledger/ledger-sources.ts'
import { findCheckpoint, knownIssues, noteShown } from '../context/find-checkpoint.ts'
import { unrecordedEvent } from '../report/report-session.ts'
import { eventsUnderWay } from '../report/summaries.ts'
import type { SessionContext } from '../shadow/session-context.ts'
import { isHere, nowText, quietly, worktreeOf } from '../shadow/session-context.ts'

/** `active` is the text from the active ledger; the shared ledger gets the remaining room. */
export async function sessionStartContext(
  context: SessionContext,
  signal: AgentSignal,
  active: string,
): Promise<SignalAnswer> {
  const { repository, sessions } = context
  const { root } = await readSettings(repository)
  const set = await eventsHere(repository, root)
  const underWay = (await quietly(context, 'events not read', () => eventsUnderWay(context))) ?? []
  const events = [...set.events, ...underWay, ...(await unrecordedEvents(context, signal, root))]
  const ledger = ledgerOf({ ...set, events })
  const { branch } = await repository.history.head()
  const worktree = worktreeOf(context)
  const ends = sessions
    .list()
    .sessions.filter((one) => one.id !== signal.session && one.worktree.name === worktree.name)
    .flatMap(({ endedAt }) => parseInstant(endedAt ?? '')?.instant ?? [])
  const since = ends.toSorted().at(-1)
  const handoff = await quietly(context, 'handoffs not read', () =>
    handoffOn(repository, root, branch),
  )
  const notes = handoff === undefined ? NO_NOTES : notesOf(handoff, signal, root)
  const oriented = await quietly(context, 'no context checkpoint', () =>
    orientedBy(context, signal, branch),
  )
  const { program = 'ledger-git' } = context
  const room = MAX_CONTEXT - nameNote('ledger-git show', program).length
  const maxLength = room - notes.text.length - (oriented ?? '').length - active.length - 1
  const told = new Set([...notes.told, ...keysToldIn(active)])
  const text =
    (oriented ?? '') +
    notes.text +
    (active === '' ? '' : `${active}\n`) +
    contextText(ledger, { branch, maxLength, told })
  return {
    context: text + nameNote(text, program),
    message: startBlock(ledger, events, since),
  }
}

/** An agent whose context was cleared or compacted continues from the checkpoint that was written right before. */
async function orientedBy(
  context: SessionContext,
  { source, session, agent }: AgentSignal,
  branch: string | undefined,
): Promise<string> {
  if (source !== 'clear' && source !== 'compact') return ''
  const found = await findCheckpoint(context, { branch, issue: undefined })
  if (found === undefined) return ''
  const last = context.sessions
    .list()
    .sessions.filter((one) => one.id !== session && one.agent === agent && isHere(context, one))
    .sort((a, b) => ((a.endedAt ?? '') < (b.endedAt ?? '') ? 1 : -1))[0]
  const before = source === 'compact' ? session : last?.id
  if (found.handoff.session !== before) return ''
  const { handoff, path } = found
  await noteShown(context, { id: session, agent, startedAt: nowText(context) }, path)
  return orientText(handoff, { path, issues: issueLines(await knownIssues(context, handoff)) })
}

/** Keys of the texts in the active ledger's lines, without the field names (`now: …`). */
function keysToldIn(active: string): string[] {
  return active.split('\n').map((line) => toldKey(line.replace(/^[a-z ]+: /, '')))
}

/**
 * An agent with a new context gets only the handoff's name and can ask for more. An agent whose context was cleared is
 * in the middle of the work and gets the handoff's notes.
 */
function notesOf(handoff: NamedHandoff, { source }: AgentSignal, root: string): HandoffNotes {
  const isCleared = source === 'clear' || source === 'compact'
  return isCleared ? handoffNotes(handoff) : { ...NO_NOTES, text: handoffLine(handoff, root) }
}

/** Few sessions are idle at the same time; older ones are reported when they end. */
const MAX_UNRECORDED = 3

/**
 * What idle sessions of the same agent did here. They may be over although nobody has reported it yet: an agent's
 * daemon takes a minute to do so.
 */
async function unrecordedEvents(
  context: SessionContext,
  { agent, session }: AgentSignal,
  root: string,
): Promise<LedgerEvent[]> {
  const idle = context.sessions
    .listOpen()
    .filter((one) => one.id !== session && one.agent === agent && one.phase === 'idle')
    .filter((one) => isHere(context, one))
    .sort((a, b) => (a.lastSignOfLife < b.lastSignOfLife ? 1 : -1))
  const found: LedgerEvent[] = []
  for (const one of idle.slice(0, MAX_UNRECORDED)) {
    const read = () => unrecordedEvent(context, one, root)
    const event = await quietly(context, `session ${one.id}: not followed`, read)
    if (event !== undefined) found.push(event)
  }
  return found
}
