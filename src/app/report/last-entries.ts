/** What the end of a session's transcript says. */

import { readEntries, toldLines, unusedLineOf } from '../../core/agents/agents.ts'
import type { TranscriptEntry } from '../../core/agents/agent-signal.ts'
import type { SessionState } from '../../core/session/session-state.ts'
import { withEarlierPrompts } from '../../core/report/earlier-prompts.ts'
import { linesWithoutSecrets, withoutSecrets } from '../secrets/find-secrets.ts'
import type { SessionContext } from '../shadow/session-context.ts'
import { readStoredLog } from '../shadow/shadow-transcript.ts'

/** How many bytes of text at the end of the transcript are read. */
const TAIL_BYTES = 2 * 1024 * 1024

/**
 * Entries from the end of the log, without secrets, and the prompts since the last checkpoint that come before it. If
 * the log is gone, entries from what steps have stored of it.
 */
export async function lastEntries(
  context: SessionContext,
  state: SessionState,
): Promise<readonly TranscriptEntry[]> {
  if (state.transcript === undefined) return []
  const tail = context.transcripts.readTailText(
    state.transcript.path,
    TAIL_BYTES,
    unusedLineOf(state.agent),
  )
  if (tail !== undefined) {
    const told = [...toldLines(state.agent, tail.lines), tail.rest]
    const clean = await linesWithoutSecrets(told, context.secrets)
    const [lines, rest] = [clean.slice(0, -1), clean.at(-1) ?? '']
    const entries = readEntries(state.agent, { lines, rest, toEnd: tail.toEnd })
    if (!tail.isCut) return entries
    const reported = await withoutSecrets(state.prompts, context.secrets)
    return withEarlierPrompts(entries, reported)
  }
  const stored = await readStoredLog(context, state)
  return stored === undefined ? [] : readEntries(state.agent, { lines: stored.text.split('\n') })
}
