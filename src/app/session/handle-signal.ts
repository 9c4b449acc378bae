/**
 * What a coding agent's hook says, followed: the session's phase, its shadow data and checkpoints, and
 * what the agent and the person get to read.
 *
 * Never fails the agent: whoever calls it catches everything. Subagents give signs of life and tasks;
 * they never change a phase.
 */

import type { AgentSignal, SignalAnswer } from '../../core/agents/agent-signal.ts'
import { newSession, withDirtyBefore, withPrompt } from '../../core/session/change-session.ts'
import { ACTIVE_FOLDER, ACTIVE_NAME } from '../../core/active-ledger/places.ts'
import { SETTINGS_FILE } from '../../core/settings/settings.ts'
import { isLateEnd } from '../../core/session/liveness.ts'
import type { SessionEvent } from '../../core/session/phase.ts'
import type { SessionState } from '../../core/session/session-state.ts'
import { pathOfName } from '../../core/shadow/shadow-paths.ts'
import { redactTodos } from '../../core/session/todos.ts'
import { applySignal } from './apply-signal.ts'
import { lookAtHandoffs } from '../report/session-handoffs.ts'
import { changeSession, followMissedCommits, followSession } from './follow-session.ts'
import { sessionStartContext } from './session-start-context.ts'
import { askAgent, withWorkTime } from '../report/ask-agent.ts'
import { nameOf } from '../report/name-session.ts'
import { reportCheckpoint, reportSession } from '../report/report-session.ts'
import { saveStep } from '../shadow/save-step.ts'
import { migrateShadow } from '../shadow/shadow-moves.ts'
import { reapSessions } from './reap-sessions.ts'
import { followUnseenCommits, staleLedger } from './unseen-commits.ts'
import type { SessionContext } from '../shadow/session-context.ts'
import { nowText, ownerLife, quietly, worktreeOf } from '../shadow/session-context.ts'

export async function handleSignal(
  context: SessionContext,
  signal: AgentSignal,
): Promise<SignalAnswer> {
  const { kind, session, subagent } = signal
  const clean = await withoutSecrets(context, signal)
  let isUnseen = false
  let ask: string | undefined
  let full: SignalAnswer = {}
  const change = () =>
    changeSession(context, session, async (before) => {
      const state = before && (await quietlyUnseen(context, before, clean))
      isUnseen = state !== before
      const after = await follow(context, state, clean)
      if (after === undefined) return after
      const worked = before === undefined ? after : withWorkTime(context, before, after, clean)
      const { state: known, answer } = await followFull(context, worked, clean, before)
      full = answer
      if (before === undefined) return known
      const asked = await quietly(context, `session ${session}: not asked`, () =>
        askAgent(context, known, clean),
      )
      ask = asked?.ask
      return asked?.state ?? known
    })
  if (kind !== 'session_start' || subagent !== undefined) {
    await change()
    const note = await followActive(context, clean)
    const stale = isUnseen
      ? await quietly(context, 'ledger not looked at', () => staleLedger(context))
      : undefined
    if (kind === 'tool_used') return answer(lines(note, stale, full.context) ?? '', full.message)
    const told = lines(note, full.context) ?? ''
    return { ...answer(told, lines(stale, full.message)), ask: lines(ask, full.ask) }
  }
  await reapSessions(context, { except: session, isPending: false })
  // A state that is held or damaged does not keep the session from knowing the ledger.
  await quietly(context, `session ${session}: not followed`, change)
  const active = await followActive(context, clean)
  return sessionStartContext(context, clean, active)
}

/** How full the context is: loaded where that is followed. */
async function followFull(
  context: SessionContext,
  state: SessionState,
  signal: AgentSignal,
  before: SessionState | undefined,
) {
  if (!context.contexts.isFollowed()) return { state, answer: {} }
  const { followContext } = await import('../context/follow-context.ts')
  return followContext(context, state, signal, before)
}

function lines(...texts: readonly (string | undefined)[]): string | undefined {
  return texts.filter((text) => text !== undefined && text !== '').join('\n') || undefined
}

/** Loaded where there is one, or may be one: most repositories have no active ledger. */
async function followActive(context: SessionContext, signal: AgentSignal): Promise<string> {
  if (!mayHaveActive(context, signal)) return ''
  return (await import('../active-ledger/follow-signal.ts')).followInActive(context, signal)
}

function mayHaveActive({ personal }: SessionContext, signal: AgentSignal): boolean {
  const { kind, prompt = '', tool } = signal
  if (personal.list(ACTIVE_FOLDER).includes(ACTIVE_NAME)) return true
  // These begin one. It may be switched on, too.
  const begins =
    kind === 'session_start' ||
    (kind === 'turn_start' && prompt.includes('conductor')) ||
    (kind === 'tool_used' && tool?.command?.includes('bd ') === true)
  return begins && ['conductor', SETTINGS_FILE].some((name) => personal.list('.').includes(name))
}

/** An agent that reads no context after this signal shows the person the message. */
function answer(context: string, message: string | undefined): SignalAnswer {
  return { ...(context === '' ? {} : { context }), ...(message === undefined ? {} : { message }) }
}

/** With the commits that git's hooks did not follow; what keeps them from being looked for stops nobody. */
async function quietlyUnseen(
  context: SessionContext,
  state: SessionState,
  signal: AgentSignal,
): Promise<SessionState> {
  const look = () => followUnseenCommits(context, state, signal)
  return (await quietly(context, `session ${state.id}: commits not looked for`, look)) ?? state
}

/** The signal as it may be kept: what people and agents say in it without secrets. */
async function withoutSecrets(context: SessionContext, signal: AgentSignal): Promise<AgentSignal> {
  const { prompt, lastMessage, tool } = signal
  if (prompt === undefined && lastMessage === undefined && tool?.todos === undefined) return signal
  const { redact } = await context.secrets()
  const clean = (text: string | undefined) => text && redact(text)
  return {
    ...signal,
    prompt: clean(prompt),
    lastMessage: clean(lastMessage),
    tool: tool?.todos === undefined ? tool : { ...tool, todos: redactTodos(tool.todos, redact) },
  }
}

/** The session's state after a signal; no state is made but by a first prompt. */
async function follow(
  context: SessionContext,
  before: SessionState | undefined,
  signal: AgentSignal,
): Promise<SessionState | undefined> {
  if (before === undefined) {
    return signal.kind === 'turn_start' ? begin(context, signal) : undefined
  }
  if (signal.kind === 'session_end' && endedBefore(context, before)) return before
  const living = { ...before, lastSignOfLife: nowText(context) }
  // Where the log has the new prompt already it says nothing of a turn before that is open still.
  if (signal.kind === 'turn_start') living.mayHaveWritten = true
  const told = applySignal(context, living, signal)
  const event = signal.subagent === undefined ? eventOf(signal) : undefined
  if (event === undefined) {
    // The log is about to be folded up: what it says now is kept.
    const isCompacted = signal.kind === 'before_compaction'
    return isCompacted ? (await saveStep(context, told)).state : told
  }
  const followed = await followSession(context, await followMissedCommits(context, told), event)
  if (followed === undefined) return undefined
  if (event.type === 'session_end') {
    return reportSession(context, followed, { ...signal, since: before.lastSignOfLife })
  }
  const isCondensed = followed.lastCheckpoint !== before.lastCheckpoint
  const after = isCondensed ? await reportCheckpoint(context, followed, signal) : followed
  if (event.type === 'session_start') return { ...after, owner: context.processes.owner() }
  const { branch } = await context.repository.history.head()
  if (event.type !== 'turn_start') return { ...after, branch }
  const isTold = before.endEvent !== undefined
  const known = isTold ? await lookAtHandoffs(context, after) : after
  // Another session may have its name since it ended.
  return startTurn(
    context,
    before.phase === 'ended' ? { ...known, name: undefined } : known,
    signal,
  )
}

async function begin(context: SessionContext, signal: AgentSignal): Promise<SessionState> {
  const { session: id, agent } = signal
  const { oid: base } = await context.repository.history.head()
  const about = { id, agent, worktree: worktreeOf(context), base, owner: undefined }
  const session = await lookAtHandoffs(context, newSession(about, nowText(context)))
  return startTurn(context, session, signal)
}

/** The end of an earlier run, told late: the session has gone on since. */
function endedBefore({ processes }: SessionContext, state: SessionState): boolean {
  return isLateEnd(state, ownerLife(processes, state), processes.owner())
}

function eventOf({ kind, source }: AgentSignal): SessionEvent | undefined {
  if (kind === 'session_start') return { type: kind, source: source ?? 'startup' }
  const isEvent = kind === 'turn_start' || kind === 'turn_end' || kind === 'session_end'
  return isEvent ? { type: kind } : undefined
}

async function startTurn(
  context: SessionContext,
  state: SessionState,
  signal: AgentSignal,
): Promise<SessionState> {
  const dirty = (await context.files.differing()).map(({ path }) => pathOfName(path))
  const { oid: head, branch } = await context.repository.history.head()
  const moved = {
    ...state,
    worktree: worktreeOf(context),
    branch,
    owner: context.processes.owner(),
  }
  const here = { ...moved, name: nameOf(context, moved) }
  // Commits of others, while it rested, moved nothing of it.
  const known = head === undefined ? here : await migrateShadow(context, here, head)
  const begun = applySignal(context, withDirtyBefore(known, dirty), signal)
  return signal.prompt === undefined ? begun : withPrompt(begun, signal.prompt)
}
