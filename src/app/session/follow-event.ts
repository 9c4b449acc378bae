/** Computes a session's state after a signal that is more than a sign of life. */

import type { AgentSignal } from '../../core/agents/agent-signal.ts'
import {
  newSession,
  withDirtyBefore,
  withEndUntold,
  withPrompt,
} from '../../core/session/change-session.ts'
import { isLateEnd } from '../../core/session/liveness.ts'
import type { SessionEvent } from '../../core/session/phase.ts'
import type { SessionState } from '../../core/session/session-state.ts'
import { hasWork } from '../../core/session/session-state.ts'
import { pathOfName } from '../../core/shadow/shadow-paths.ts'
import { nameOf } from '../report/name-session.ts'
import type { SessionContext } from '../shadow/session-context.ts'
import { headOf, isHere, nowText, ownerLife, worktreeOf } from '../shadow/session-context.ts'
import { applySignal } from './apply-signal.ts'
import { followMissedCommits, followSession } from './follow-session.ts'

/**
 * A state is created by the first prompt or by the main agent's first tool use. The latter happens if no hook reported
 * the prompt: for a built-in command (`/init`), after a compaction, or because hooks were installed later.
 */
export async function followEvent(
  context: SessionContext,
  before: SessionState | undefined,
  signal: AgentSignal,
): Promise<SessionState | undefined> {
  if (before === undefined) {
    const isTurn = signal.kind === 'turn_start' || signal.kind === 'tool_used'
    return isTurn ? begin(context, signal) : undefined
  }
  if (signal.kind === 'session_end' && isStaleEnd(context, before)) return before
  const living = { ...before, lastSignOfLife: nowText(context) }
  const applied = await applySignal(context, living, signal)
  const event = signal.subagent === undefined ? eventOf(signal) : undefined
  if (event === undefined) {
    // The log is about to be compacted: save what it says now.
    const isCompacted = signal.kind === 'before_compaction'
    if (!isCompacted) return applied
    return (await (await import('../shadow/save-step.ts')).saveStep(context, applied)).state
  }
  const followed = await followSession(context, await followMissedCommits(context, applied), event)
  if (followed === undefined) return undefined
  if (event.type === 'session_end') {
    const { reportSession } = await import('../report/report-session.ts')
    const told = { ...signal, since: before.lastSignOfLife }
    return (await reportSession(context, followed, told)) ?? withEndUntold(followed, before)
  }
  const isCondensed = followed.lastCheckpoint !== before.lastCheckpoint
  const after = isCondensed
    ? await (
        await import('../report/report-session.ts')
      ).reportCheckpoint(context, followed, signal)
    : followed
  if (event.type === 'session_start') return { ...after, owner: context.processes.owner() }
  if (event.type === 'turn_goes_on') {
    // Commits that others made while the session was idle have not moved its shadow data.
    const { migrateShadow } = await import('../shadow/shadow-moves.ts')
    const base = await headOf(context, after)
    return base === undefined ? after : migrateShadow(context, after, base)
  }
  if (event.type !== 'turn_start') {
    if (!isHere(context, after)) return after
    return { ...after, branch: (await context.repository.history.head()).branch }
  }
  const wasReported = before.endEvent !== undefined
  const known = wasReported ? await lookAtHandoffs(context, after) : after
  // Another session may have taken its name since it ended.
  return startTurn(
    context,
    before.phase === 'ended' ? { ...known, name: undefined } : known,
    signal,
  )
}

async function lookAtHandoffs(context: SessionContext, state: SessionState): Promise<SessionState> {
  return (await import('../report/session-handoffs.ts')).lookAtHandoffs(context, state)
}

async function begin(context: SessionContext, signal: AgentSignal): Promise<SessionState> {
  const { session: id, agent } = signal
  const { oid: base } = await context.repository.history.head()
  const about = { id, agent, worktree: worktreeOf(context), base, owner: undefined }
  const session = await lookAtHandoffs(context, newSession(about, nowText(context)))
  return startTurn(context, session, signal)
}

/** True if the signal reports the end of an earlier run too late: the session has continued since. */
function isStaleEnd({ processes }: SessionContext, state: SessionState): boolean {
  return isLateEnd(state, ownerLife(processes, state), processes.owner())
}

function eventOf({ kind, source }: AgentSignal): SessionEvent | undefined {
  if (kind === 'session_start') return { type: kind, source: source ?? 'startup' }
  // Any other use of a tool is only a sign of life (`handle-signal.ts`).
  if (kind === 'tool_used') return { type: 'turn_goes_on' }
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
    ...(isHere(context, state) ? state : await leaveWorktree(context, state)),
    worktree: worktreeOf(context),
    branch,
    owner: context.processes.owner(),
  }
  const here = { ...moved, name: nameOf(context, moved) }
  // Commits that others made while the session was idle have not moved its shadow data.
  const isMoved = head !== undefined && head !== here.base
  const known = isMoved
    ? await (await import('../shadow/shadow-moves.ts')).migrateShadow(context, here, head)
    : here
  const begun = await applySignal(context, withDirtyBefore(known, dirty), signal)
  return signal.prompt === undefined ? begun : withPrompt(begun, signal.prompt)
}

/** Its uncommitted files stay in the shadow data of the old worktree; in the new one, no file is the session's yet. */
async function leaveWorktree(context: SessionContext, state: SessionState): Promise<SessionState> {
  if (!hasWork(state)) {
    const { carryForward } = await import('../shadow/shadow-moves.ts')
    await carryForward(context, state, { base: state.base, files: [] })
  }
  return { ...state, filesTouched: [], hasMoreFiles: false }
}
