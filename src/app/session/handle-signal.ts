/**
 * Handles a signal from a coding agent's hook: updates the session's phase, shadow data and checkpoints, and
 * returns what the agent and the person get to read.
 *
 * An error must never reach the agent: callers catch everything. Subagents contribute signs of life and tasks; they
 * never change a phase. Most signals are tool uses, so code that tool uses do not need is loaded on demand.
 */

import type { AgentSignal, SignalAnswer } from '../../core/agents/agent-signal.ts'
import { ACTIVE_FOLDER, ACTIVE_NAME } from '../../core/active-ledger/places.ts'
import { keepEnds } from '../../core/agents/agent-signal.ts'
import { SETTINGS_FILE } from '../../core/settings/settings.ts'
import type { SessionState } from '../../core/session/session-state.ts'
import { isOpenTurn } from '../../core/session/session-state.ts'
import { applySignal, goesOn, withWorkTime } from './apply-signal.ts'
import { changeSession } from './change-session.ts'
import type { SessionContext } from '../shadow/session-context.ts'
import { isHere, nowText, quietly } from '../shadow/session-context.ts'

export async function handleSignal(
  opened: SessionContext,
  signal: AgentSignal,
): Promise<SignalAnswer> {
  const { kind, session, subagent } = signal
  const context = { ...opened, startsTurn: kind === 'turn_start' }
  const clean = await cleanSignal(context, signal)
  let isUnseen = false
  let ask: string | undefined
  let full: SignalAnswer = {}
  const change = () =>
    changeSession(context, session, async (before) => {
      const state = before && (await withUnseenCommits(context, before, clean))
      isUnseen = state !== before
      const after = await follow(context, state, clean)
      if (after === undefined) return after
      const worked = before === undefined ? after : withWorkTime(context, before, after, clean)
      const { state: known, answer } = await followContextSize(context, worked, clean, before)
      full = answer
      if (before === undefined || kind !== 'turn_end') return known
      const { askAgent } = await import('../report/ask-agent.ts')
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
      ? await quietly(context, 'ledger not looked at', async () =>
          (await import('./unseen-commits.ts')).staleLedger(context),
        )
      : undefined
    if (kind === 'tool_used') return answer(lines(note, stale, full.context) ?? '', full.message)
    const forAgent = lines(note, full.context) ?? ''
    return { ...answer(forAgent, lines(stale, full.message)), ask: lines(ask, full.ask) }
  }
  const { reapSessions } = await import('./reap-sessions.ts')
  await reapSessions(context, { except: session, isPending: false })
  // Even if the state is locked or damaged, the session still gets the ledger.
  await quietly(context, `session ${session}: not followed`, change)
  const active = await followActive(context, clean)
  return (await import('./session-start-context.ts')).sessionStartContext(context, clean, active)
}

async function follow(
  context: SessionContext,
  state: SessionState | undefined,
  signal: AgentSignal,
): Promise<SessionState | undefined> {
  const { kind, subagent } = signal
  const isSign = kind === 'subagent_end' || (kind === 'tool_used' && subagent !== undefined)
  if (isSign || (kind === 'tool_used' && state !== undefined && !goesOn(state, signal))) {
    return state && applySignal(context, { ...state, lastSignOfLife: nowText(context) }, signal)
  }
  return (await import('./follow-event.ts')).followEvent(context, state, signal)
}

/** Follows how full the context window is; the code is loaded only if that is enabled. */
async function followContextSize(
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

/** Loaded only if there is or may be an active ledger; most repositories have none. */
async function followActive(context: SessionContext, signal: AgentSignal): Promise<string> {
  if (!mayHaveActive(context, signal)) return ''
  return (await import('../active-ledger/follow-signal.ts')).followInActive(context, signal)
}

function mayHaveActive({ personal }: SessionContext, signal: AgentSignal): boolean {
  const { kind, prompt = '', tool } = signal
  if (personal.list(ACTIVE_FOLDER).includes(ACTIVE_NAME)) return true
  // These signals can start an active ledger, if the feature is in use here.
  const begins =
    kind === 'session_start' ||
    (kind === 'turn_start' && prompt.includes('conductor')) ||
    (kind === 'tool_used' && tool?.command?.includes('bd ') === true)
  return begins && ['conductor', SETTINGS_FILE].some((name) => personal.list('.').includes(name))
}

/** Context is for the agent; the message is for the person, in case the agent reads no context after this signal. */
function answer(context: string, message: string | undefined): SignalAnswer {
  return { ...(context === '' ? {} : { context }), ...(message === undefined ? {} : { message }) }
}

/** Adds commits that git's hooks did not follow; a failure to look for them stops nothing. */
async function withUnseenCommits(
  context: SessionContext,
  state: SessionState,
  signal: AgentSignal,
): Promise<SessionState> {
  const look = async () => {
    const { kind, tool } = signal
    const isShell = kind === 'tool_used' && tool?.mayWrite === true
    const isTurn = kind === 'turn_start' || kind === 'turn_end' || kind === 'session_end'
    const isOpen = isOpenTurn(state)
    if (!(isOpen || goesOn(state, signal)) || !isHere(context, state)) return state
    if (!(isShell || isTurn)) return state
    const { oid: head } = await context.repository.history.head()
    if (head === undefined || head === state.base) return state
    return (await import('./unseen-commits.ts')).followUnseenCommits(
      context,
      state,
      isShell && isOpen,
    )
  }
  return (await quietly(context, `session ${state.id}: commits not looked for`, look)) ?? state
}

/** The signal as it may be stored: texts of people and agents without secrets, long texts cut to both ends. */
async function cleanSignal(context: SessionContext, signal: AgentSignal): Promise<AgentSignal> {
  const { prompt, lastMessage, tool } = signal
  if (prompt === undefined && lastMessage === undefined && tool?.todos === undefined) return signal
  const { withoutSecrets } = await import('../secrets/find-secrets.ts')
  const said = { prompt, lastMessage, todos: tool?.todos }
  const clean = await withoutSecrets(said, context.secrets)
  return {
    ...signal,
    prompt: clean.prompt && keepEnds(clean.prompt),
    lastMessage: clean.lastMessage && keepEnds(clean.lastMessage),
    tool: tool && { ...tool, todos: clean.todos },
  }
}
