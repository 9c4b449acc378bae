/**
 * What a coding agent's hook says, followed: the session's phase, its shadow data and checkpoints, and
 * what the agent and the person get to read.
 *
 * Never fails the agent: whoever calls it catches everything. Subagents give signs of life and tasks;
 * they never change a phase.
 */

import type { AgentSignal, SignalAnswer } from '../../core/agents/agent-signal.ts'
import {
  newSession,
  withDirtyBefore,
  withFilesTouched,
  withLastMessage,
  withOwner,
  withPrompt,
  withQuestions,
  withSignOfLife,
  withTask,
  withTodos,
  withTranscript,
} from '../../core/session/change-session.ts'
import { questionsIn } from '../../core/report/last-message.ts'
import { isLateEnd } from '../../core/session/liveness.ts'
import type { SessionEvent } from '../../core/session/phase.ts'
import type { SessionState } from '../../core/session/session-state.ts'
import { settledCommits } from '../../core/session/session-state.ts'
import { pathInWorktree, pathOfName } from '../../core/shadow/shadow-paths.ts'
import { applyTodos, redactTodos } from '../../core/session/todos.ts'
import { nowText } from '../shadow/session-context.ts'
import { followSession } from './follow-session.ts'
import { greetSession } from './session-start-context.ts'
import { includeBeside } from '../checkpoint/include-sessions.ts'
import { followMissedCommits } from './missed-commits.ts'
import { reportCheckpoint, reportSession } from '../report/report-session.ts'
import { saveStep } from '../shadow/save-step.ts'
import { quietly, settleOthers } from './reap-sessions.ts'
import type { SessionContext } from '../shadow/session-context.ts'
import { ownerLife, worktreeOf } from '../shadow/session-context.ts'

const MAX_QUESTION = 300

export async function handleSignal(
  context: SessionContext,
  signal: AgentSignal,
): Promise<SignalAnswer> {
  const { kind, subagent } = signal
  const heard = await withoutSecrets(context, signal)
  if (kind !== 'session_start' || subagent !== undefined) {
    await change(context, heard, (state) => follow(context, state, heard))
    return {}
  }
  await settleOthers(context, heard)
  // A state that is held or damaged does not keep the session from knowing the ledger.
  await quietly(context, heard.session, () =>
    change(context, heard, (state) => follow(context, state, heard)),
  )
  return greetSession(context, heard)
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

/** The one change of the session's state that a signal makes; no state is made but by a first prompt. */
async function change(
  context: SessionContext,
  signal: AgentSignal,
  action: (state: SessionState) => Promise<SessionState | undefined>,
): Promise<void> {
  const { session } = signal
  const settled = await context.sessions.change(session, async (known) => {
    if (known === undefined) {
      const isFirst = signal.kind === 'turn_start'
      return { state: isFirst ? await begin(context, signal) : undefined, result: [] }
    }
    const state = await action(known)
    return { state, result: settledCommits(known, state) }
  })
  // Last: whoever kills the hook now takes nothing of the session's own.
  await quietly(context, session, () => includeBeside(context, session, settled))
}

async function begin(context: SessionContext, signal: AgentSignal): Promise<SessionState> {
  const { oid: base } = await context.repository.history.head()
  const about = {
    id: signal.session,
    agent: signal.agent,
    worktree: worktreeOf(context),
    base,
    owner: context.processes.owner(),
  }
  return startTurn(context, newSession(about, nowText(context)), signal)
}

async function follow(
  context: SessionContext,
  state: SessionState,
  signal: AgentSignal,
): Promise<SessionState | undefined> {
  if (signal.kind === 'session_end' && endedBefore(context, state)) return state
  const at = nowText(context)
  const told = hear(context, withSignOfLife(state, at), signal)
  const event = signal.subagent === undefined ? eventOf(signal) : undefined
  if (event === undefined) return signal.kind === 'before_compaction' ? step(context, told) : told
  const heard = await followMissedCommits(context, told)
  const after = await followSession(context, heard, { event, at })
  if (after === undefined) return undefined
  if (event.type === 'session_end') return reportSession(context, after, signal)
  if (after.lastCheckpoint !== state.lastCheckpoint) await reportCheckpoint(context, after, signal)
  if (event.type === 'session_start') return withOwner(after, context.processes.owner())
  return event.type === 'turn_start' ? startTurn(context, after, signal) : after
}

/** The end of an earlier run, told late: the session has gone on since. */
function endedBefore({ processes }: SessionContext, state: SessionState): boolean {
  return isLateEnd(state, ownerLife(processes, state), processes.owner())
}

/** The log is about to be folded up: what it says now is kept. */
async function step(context: SessionContext, state: SessionState): Promise<SessionState> {
  return (await saveStep(context, state, { files: [] })).state
}

function eventOf({ kind, source }: AgentSignal): SessionEvent | undefined {
  switch (kind) {
    case 'session_start':
      return { type: 'session_start', source: source ?? 'startup' }
    case 'turn_start':
    case 'turn_end':
    case 'session_end':
      return { type: kind }
    case 'tool_used':
    case 'before_compaction':
    case 'subagent_end':
      return undefined
  }
}

/** What the signal tells besides its event. */
function hear(context: SessionContext, state: SessionState, signal: AgentSignal): SessionState {
  const { tool, transcript, lastMessage, subagent } = signal
  let heard = state
  if (transcript !== undefined && subagent === undefined) heard = withTranscript(heard, transcript)
  if (subagent !== undefined && signal.kind === 'subagent_end') {
    heard = withTask(heard, { toolUseId: subagent.id, transcriptPath: subagent.transcript })
  }
  if (tool?.todos !== undefined) heard = withTodos(heard, applyTodos(heard.todos, tool.todos))
  if (tool !== undefined) heard = withFilesTouched(heard, pathsOf(context, heard, signal))
  if (lastMessage !== undefined && subagent === undefined) {
    heard = withQuestions(
      withLastMessage(heard, lastMessage),
      questionsIn(lastMessage, MAX_QUESTION),
    )
  }
  return heard
}

/** Files that a tool names, from the top of the worktree; others are not the repository's. */
function pathsOf(context: SessionContext, state: SessionState, signal: AgentSignal): string[] {
  const tops = [context.repository.place.top ?? state.worktree.path, state.worktree.path]
  const folder = signal.cwd ?? context.folder
  return (signal.tool?.files ?? []).flatMap((file) => pathInWorktree(file, tops, folder) ?? [])
}

async function startTurn(
  context: SessionContext,
  state: SessionState,
  signal: AgentSignal,
): Promise<SessionState> {
  const dirty = (await context.files.differing()).map(pathOfName)
  const known = { ...state, worktree: worktreeOf(context) }
  const owned = withOwner(withDirtyBefore(known, dirty), context.processes.owner())
  const heard = hear(context, owned, signal)
  return signal.prompt === undefined ? heard : withPrompt(heard, signal.prompt)
}
