/**
 * Gathers what a session has done since its last checkpoint into the record for the next one.
 *
 * Reads at most a few megabytes, however long the log is. Anything unreadable is named in `context.md` and in the
 * session log; the rest still makes a checkpoint. Nothing is redacted yet.
 */

import { agentNamed, readEntries } from '../../core/agents/agents.ts'
import type { CheckpointSession, CheckpointTask } from '../../core/checkpoint/checkpoint.ts'
import { keepNewest, MAX_TASK, MAX_TRANSCRIPT } from '../../core/checkpoint/checkpoint.ts'
import { checkpointText } from '../../core/checkpoint/checkpoint-text.ts'
import type { SessionState, SessionTask } from '../../core/session/session-state.ts'
import type { TranscriptEntry } from '../../core/agents/agent-signal.ts'
import type { SessionContext } from '../shadow/session-context.ts'
import { nowText } from '../shadow/session-context.ts'
import type { StoredLog } from '../shadow/shadow-transcript.ts'
import { endsWithJson, linesText, readLog } from '../shadow/shadow-transcript.ts'
import { subjectOf } from './read-commit.ts'

export interface Gathering {
  /** The commits of this checkpoint. */
  readonly commits: readonly string[]
  readonly branch: string | undefined
  /** What steps have stored of the log, which may itself be gone or started again. */
  readonly stored?: StoredLog | undefined
}

export interface GatheredSession extends CheckpointSession {
  /** Where the next checkpoint's part of the transcript begins; used by `withCondensed`. */
  readonly transcriptEnd: number
}

/** Byte limit for all subagents' transcripts together; the newest are kept. */
const MAX_TASKS_BYTES = 16 * 1024 * 1024

export async function gatherSession(
  context: SessionContext,
  state: SessionState,
  { commits, branch, stored }: Gathering,
): Promise<GatheredSession> {
  const at = nowText(context)
  const log = gatherLog(context, state, stored)
  const { tasks, unread } = readTasks(context, state)
  const missing = [...log.missing, ...unread.map((id) => `the transcript of subagent ${id}`)]
  if (missing.length > 0) {
    context.log(`checkpoint of ${state.id}: ${missing.length} transcript(s) could not be read`)
  }
  // Most sessions know prompts and the last message from their hooks.
  const entries =
    state.prompts.length > 0 && state.lastMessage !== undefined ? [] : readEntries(state.agent, log)
  const prompts = state.prompts.length > 0 ? state.prompts : textsOf(entries, 'prompt')
  const text = checkpointText(state, {
    branch,
    firstPrompt: prompts[0] ?? state.firstPrompt,
    lastMessage: state.lastMessage ?? textsOf(entries, 'assistant').at(-1),
    commits: await Promise.all(
      commits.map(async (oid) => ({ oid, subject: await subjectOf(context.repository, oid) })),
    ),
    missing,
  })
  return {
    session: state.id,
    agent: state.agent,
    addedAt: at,
    condensedAt: at,
    branch,
    turn: state.turn,
    steps: state.steps,
    commits,
    files: state.filesTouched,
    transcript: log.text,
    transcriptOffset: log.start,
    transcriptEnd: log.end,
    isCut: log.isCut,
    prompts,
    context: text,
    tasks,
  }
}

function textsOf(entries: readonly TranscriptEntry[], kind: 'prompt' | 'assistant'): string[] {
  return entries.flatMap((entry) => (entry.kind === kind ? [entry.text] : []))
}

/** What steps have stored plus what was added since, or the whole log if that is not enough. */
function gatherLog(
  context: SessionContext,
  { agent, transcript }: SessionState,
  stored: StoredLog | undefined,
) {
  const { path, offset = 0 } = transcript ?? {}
  const none = { lines: [], text: '', start: offset, end: offset, isCut: false, missing: [] }
  if (path === undefined) return none
  if (stored !== undefined) {
    const { from, next, isCut } = stored.part
    const since = readLog(context, path, next)
    if (since === undefined || since.isOther || (!since.isCut && endsWithJson(stored.text))) {
      const all = stored.text + linesText(since?.lines ?? [])
      const { text, dropped } = keepNewest(all, MAX_TRANSCRIPT)
      const end = since?.next ?? next
      return {
        lines: text.split('\n'),
        text,
        start: from,
        end,
        isCut: isCut || dropped > 0,
        missing: [],
      }
    }
  }
  const log = agentNamed(agent) === undefined ? undefined : readLog(context, path, offset)
  if (log === undefined) return { ...none, missing: ['the transcript could not be read'] }
  const { start, next: end } = log
  return { ...log, text: linesText(log.lines), start, end, missing: [] }
}

function readTasks(
  { transcripts }: SessionContext,
  state: SessionState,
): { tasks: CheckpointTask[]; unread: string[] } {
  const unread: string[] = []
  let left = MAX_TASKS_BYTES
  const read = ({ toolUseId, transcriptPath }: SessionTask): CheckpointTask => {
    if (transcriptPath === undefined) return { toolUseId, transcript: '' }
    const limit = Math.min(left, MAX_TASK)
    const slice = limit === 0 ? undefined : transcripts.readTail(transcriptPath, limit)
    if (slice === undefined) unread.push(toolUseId)
    const transcript = linesText(slice?.lines ?? [])
    left = Math.max(0, left - Buffer.byteLength(transcript))
    return { toolUseId, transcript }
  }
  const tasks = state.tasks.toReversed().map(read).toReversed()
  return { tasks, unread }
}
