/**
 * What a session has since its last checkpoint, as the record that goes into the next one.
 *
 * Reads at most a few megabytes, however long the log is. What cannot be read is named in `context.md`
 * and in the log of sessions; the rest is a checkpoint all the same. Nothing is redacted yet.
 */

import { agentNamed, readEntries } from '../../core/agents/agents.ts'
import type { CheckpointSession, CheckpointTask } from '../../core/checkpoint/checkpoint.ts'
import { MAX_TRANSCRIPT } from '../../core/checkpoint/checkpoint.ts'
import { checkpointText } from '../../core/checkpoint/checkpoint-text.ts'
import type { SessionState, SessionTask } from '../../core/session/session-state.ts'
import type { TranscriptEntry } from '../../core/agents/agent-signal.ts'
import type { SessionContext } from '../shadow/session-context.ts'
import type { StoredLog } from '../shadow/shadow-transcript.ts'
import { endsWithJson, keepNewest } from '../shadow/shadow-transcript.ts'
import { subjectOf } from './commit-message.ts'

export interface Gathering {
  /** Of this checkpoint. */
  readonly commits: readonly string[]
  readonly branch: string | undefined
  /** ISO 8601 in UTC. */
  readonly at: string
  /** What steps have of the log: the log itself may be gone, or begun anew. */
  readonly stored?: StoredLog | undefined
}

export interface GatheredSession extends CheckpointSession {
  /** Where the next checkpoint's part of the transcript begins: for `withCondensed`. */
  readonly transcriptEnd: number
}

const MAX_TASK = 1024 * 1024
/** All subagents together; the newest first. */
const MAX_TASKS = 16 * 1024 * 1024

export async function gatherSession(
  context: SessionContext,
  state: SessionState,
  { commits, branch, at, stored }: Gathering,
): Promise<GatheredSession> {
  const log = (stored && goOn(context, state, stored)) ?? readLog(context, state)
  const { tasks, unread } = readTasks(context, state)
  const missing = [...log.missing, ...unread.map((id) => `the transcript of subagent ${id}`)]
  if (missing.length > 0) {
    context.log(`checkpoint of ${state.id}: ${missing.length} transcript(s) could not be read`)
  }
  const { entries } = log
  const prompts = state.prompts.length > 0 ? state.prompts : textsOf(entries, 'prompt')
  const text = checkpointText({
    session: state.id,
    agent: state.agent,
    branch,
    firstPrompt: prompts[0] ?? state.firstPrompt,
    lastMessage: state.lastMessage ?? textsOf(entries, 'assistant').at(-1),
    todos: state.todos,
    files: state.filesTouched,
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

interface Log {
  readonly entries: readonly TranscriptEntry[]
  readonly text: string
  readonly start: number
  readonly end: number
  readonly isCut: boolean
  readonly missing: readonly string[]
}

/** What steps have stored, and what was said since; undefined where the log has to be read as a whole. */
function goOn(
  { transcripts }: SessionContext,
  state: SessionState,
  stored: StoredLog,
): Log | undefined {
  const { path, from, next, isCut } = stored.part
  const slice = transcripts.readFrom(path, next, MAX_TRANSCRIPT)
  const isThere = slice !== undefined && slice.next >= next
  if (isThere && (!slice.toEnd || !endsWithJson(stored.text))) return undefined
  const newest = keepNewest(stored.text + linesText(slice?.lines ?? []))
  return {
    entries: readEntries(state.agent, { lines: newest.text.split('\n') }),
    text: newest.text,
    start: from,
    end: slice?.next ?? next,
    isCut: isCut || newest.isCut,
    missing: [],
  }
}

/** From the state's offset on; of more than fits the newest. */
function readLog({ transcripts }: SessionContext, state: SessionState): Log {
  const { path, offset = 0 } = state.transcript ?? {}
  const none = { entries: [], text: '', start: offset, end: offset, isCut: false }
  if (path === undefined) return { ...none, missing: [] }
  const unread = { ...none, missing: ['the transcript could not be read'] }
  const first = transcripts.readFrom(path, offset, MAX_TRANSCRIPT)
  if (first === undefined || agentNamed(state.agent) === undefined) return unread
  // A log that is shorter than it was is another one: it was read from its beginning.
  const start = first.next < offset ? 0 : offset
  if (first.toEnd) {
    const { lines, next } = first
    const entries = readEntries(state.agent, first)
    return { entries, text: linesText(lines), start, end: next, isCut: false, missing: [] }
  }
  const last = transcripts.readTail(path, MAX_TRANSCRIPT)
  if (last === undefined) return unread
  const text = linesText(last.lines)
  const from = Math.max(start, last.next - Buffer.byteLength(text))
  return {
    entries: readEntries(state.agent, last),
    text,
    start: from,
    end: last.next,
    isCut: true,
    missing: [],
  }
}

function linesText(lines: readonly string[]): string {
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`
}

function readTasks(
  { transcripts }: SessionContext,
  state: SessionState,
): { tasks: CheckpointTask[]; unread: string[] } {
  const unread: string[] = []
  let left = MAX_TASKS
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
