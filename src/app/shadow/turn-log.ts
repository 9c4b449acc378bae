/** What the agent's log says about the open turn that no hook reports. */

import type { TranscriptEntry } from '../../core/agents/agent-signal.ts'
import { readEntries } from '../../core/agents/agents.ts'
import { instantToMillis } from '../../core/event/instant.ts'
import type { SessionState } from '../../core/session/session-state.ts'
import type { SessionContext } from './session-context.ts'

/** Bytes to read from the end of the log; a turn also contains whatever the agent read. */
const TURN_BYTES = 2 * 1024 * 1024

/**
 * False if the agent has only read and talked since the last prompt; then changes in the worktree are a person's. Only
 * the log shows tools that write through another server and tools that failed halfway. When in doubt, returns true.
 */
export function mayHaveWritten(context: SessionContext, state: SessionState): boolean {
  if (state.mayHaveWritten) return true
  const entries = lastEntries(context, state, TURN_BYTES)
  const prompt = entries.findLastIndex(({ kind }) => kind === 'prompt')
  return prompt === -1 || entries.slice(prompt + 1).some(writes)
}

function writes(entry: TranscriptEntry): boolean {
  return entry.kind === 'tool' && (entry.tool.mayWrite || entry.tool.files.length > 0)
}

/** Bytes from the end of the log that are enough to contain the last thing that happened. */
const LAST_ENTRY_BYTES = 64 * 1024

/**
 * When the user interrupted the turn, in Unix milliseconds; 0 if the log does not say when. Undefined if nobody did, or
 * if the user has continued since.
 */
export function interruptedAt(context: SessionContext, state: SessionState): number | undefined {
  const entries = lastEntries(context, state, LAST_ENTRY_BYTES)
  const last = entries.findLast(({ kind }) => kind !== 'recap')
  if (last?.kind !== 'interruption') return undefined
  return last.at === undefined ? 0 : instantToMillis(last.at)
}

/** Without the prompt whose hook is running: it says nothing about the turn that is still open. */
function lastEntries(
  { transcripts, startsTurn }: SessionContext,
  { agent, transcript }: SessionState,
  bytes: number,
): TranscriptEntry[] {
  const tail = transcript && transcripts.readTail(transcript.path, bytes)
  const entries = tail === undefined ? [] : readEntries(agent, tail)
  const last = entries.findLastIndex(({ kind }) => kind !== 'recap')
  return startsTurn === true && entries[last]?.kind === 'prompt' ? entries.slice(0, last) : entries
}
