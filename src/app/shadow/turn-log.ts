/** What the agent's log says of the turn that is open, where no hook tells it. */

import type { TranscriptEntry } from '../../core/agents/agent-signal.ts'
import { readEntries } from '../../core/agents/agents.ts'
import type { SessionState } from '../../core/session/session-state.ts'
import type { SessionContext } from './session-context.ts'

/** Bytes of the log's end: what was read in a turn stands there, too. */
const TURN = 2 * 1024 * 1024

/**
 * False where only reading and talking was seen since the last prompt: then what changes in the worktree is
 * a person's. Tools that write by another server's means, and those that failed half way, are in the log
 * alone. Not knowing counts as yes.
 */
export function mayHaveWritten(context: SessionContext, state: SessionState): boolean {
  if (state.mayHaveWritten) return true
  const entries = lastEntries(context, state, TURN)
  const prompt = entries.findLastIndex(({ kind }) => kind === 'prompt')
  return prompt === -1 || entries.slice(prompt + 1).some(writes)
}

function writes(entry: TranscriptEntry): boolean {
  return entry.kind === 'tool' && (entry.tool.mayWrite || entry.tool.files.length > 0)
}

/** Bytes in which the last thing that happened is told. */
const LAST = 64 * 1024

/** True where the user stopped the turn and did not go on. */
export function isInterrupted(context: SessionContext, state: SessionState): boolean {
  const told = lastEntries(context, state, LAST).filter(({ kind }) => kind !== 'recap')
  return told.at(-1)?.kind === 'interruption'
}

function lastEntries(
  { transcripts }: SessionContext,
  { agent, transcript }: SessionState,
  bytes: number,
): TranscriptEntry[] {
  const tail = transcript && transcripts.readTail(transcript.path, bytes)
  return tail === undefined ? [] : readEntries(agent, tail)
}
