/**
 * Follows the context in a hook: takes a sample, then reacts to it (`core/context/react.ts`). Runs only after
 * `install --context`. Fails open: whatever goes wrong here, the agent continues.
 */

import type { AgentSignal, SignalAnswer, ToolUse } from '../../core/agents/agent-signal.ts'
import type { Task } from '../../core/context/foresee.ts'
import { tasksOf } from '../../core/context/foresee.ts'
import type { Fullness } from '../../core/context/messages.ts'
import { levelMessage, quietHint } from '../../core/context/messages.ts'
import type { Moment, Reaction } from '../../core/context/react.ts'
import { react } from '../../core/context/react.ts'
import type { ContextRecord, SavedFor } from '../../core/context/record.ts'
import { isOwnHandoff, newestFirst } from '../../core/context/places.ts'
import { replacedBy, standing } from '../../core/context/record.ts'
import { quietUntil } from '../../core/context/quiet-until.ts'
import { namedPaths } from '../../core/estimate/named-files.ts'
import type { SessionState } from '../../core/session/session-state.ts'
import type { Settings } from '../../core/settings/settings.ts'
import { nameOfPath } from '../../core/shadow/shadow-paths.ts'
import { readSettings } from '../ledger/read-settings.ts'
import type { SessionContext } from '../shadow/session-context.ts'
import { issueHere } from '../tracker/tracked-issue.ts'
import { keepCheckpointState } from './checkpoint-state-file.ts'
import { writeShown } from './find-checkpoint.ts'
import { noteCheckpoint } from './note-checkpoint.ts'
import { observeContext } from './observe-context.ts'

export interface FollowedContext {
  readonly state: SessionState
  readonly answer: SignalAnswer
}

/** Runs under the session's lock. `before` is the session's state before the signal. */
export async function followContext(
  context: SessionContext,
  state: SessionState,
  signal: AgentSignal,
  before: SessionState | undefined,
): Promise<FollowedContext> {
  const moment = momentOf(signal)
  const tasks = tasksOf(signal, before, state)
  const named = signal.kind === 'turn_start' ? documentsIn(signal.prompt ?? '') : []
  if (moment === undefined && tasks.length + named.length === 0) return { state, answer: {} }
  try {
    for (const name of named) writeShown(context, state, name)
    const settings = await readSettings(context.repository)
    const followed =
      moment === undefined
        ? { state, answer: {} }
        : await followMoment(context, state, settings, moment)
    const text = tasks.length === 0 ? undefined : await foresee(context, state, settings, tasks)
    return text === undefined ? followed : { ...followed, answer: withText(followed.answer, text) }
  } catch (error) {
    const reason = (error as { code?: unknown }).code ?? (error as Error).name
    context.log(`session ${state.id}: context not followed: ${String(reason)}`)
    return { state, answer: {} }
  }
}

async function followMoment(
  context: SessionContext,
  state: SessionState,
  settings: Settings,
  moment: Moment,
): Promise<FollowedContext> {
  const before = context.contexts.read(state.id)
  const size = sizeOfLog(context, state)
  const observed = await observeContext(context, state, settings, moment.kind === 'turn_end')
  const reaction = react(observed, moment, settings.contextLevels)
  // Written first, so that nothing is announced twice even if saving is cut short.
  context.contexts.write(reaction.record)
  const { record, state: known } =
    reaction.save === undefined
      ? { record: reaction.record, state }
      : await saveNow(context, state, settings, reaction.record, reaction.save)
  keepQuiet(context, known, record, moment, size, settings)
  if (moment.kind !== 'tool_used' || record.told !== before?.told) {
    await keepCheckpointState(context, record, settings)
  }
  const isTold = reaction.told !== undefined
  const issue = isTold ? await issueHere(context) : undefined
  return { state: known, answer: answerOf({ ...reaction, issue }, moment, record, settings) }
}

/** Names of checkpoint documents from which a prompt says to continue, as a loop's prompt does. */
function documentsIn(prompt: string): string[] {
  return newestFirst(namedPaths(prompt).map((path) => path.slice(path.lastIndexOf('/') + 1)))
}

/** A warning if a task that starts now does not fit; the code is loaded only for this. */
async function foresee(
  context: SessionContext,
  state: SessionState,
  settings: Settings,
  tasks: readonly Task[],
): Promise<string | undefined> {
  const { foreseeTasks } = await import('./foresee-task.ts')
  const observed = await observeContext(context, state, settings, false)
  const now = standing(observed, settings.contextLevels)
  const remaining = now?.limit === undefined ? undefined : Math.max(now.limit - now.tokens, 0)
  const { record, text } = foreseeTasks(context, observed, tasks, remaining)
  if (text !== undefined || record.task !== observed.task) context.contexts.write(record)
  return text
}

/** Adds the text for both the agent and the person. */
function withText(answer: SignalAnswer, text: string): SignalAnswer {
  const both = (said: string | undefined) => [said, text].filter(Boolean).join('\n')
  return { ...answer, context: both(answer.context), message: both(answer.message) }
}

/** In bytes; undefined if there is no readable log. Read before the sample is taken, since the log may still grow. */
function sizeOfLog({ transcripts }: SessionContext, { transcript }: SessionState) {
  const slice = transcript && transcripts.readTail(transcript.path, 1)
  return slice && slice.next + Buffer.byteLength(slice.rest)
}

/** Remembers how far the log may grow before a tool use can have an effect; after a compaction that is unknown. */
function keepQuiet(
  { contexts }: SessionContext,
  { id, transcript }: SessionState,
  record: ContextRecord,
  { kind }: Moment,
  size: number | undefined,
  { contextLevels }: Settings,
): void {
  const now = kind === 'before_compaction' ? undefined : standing(record, contextLevels)
  const isKnown = now !== undefined && transcript !== undefined && size !== undefined
  const until = isKnown
    ? { log: transcript.path, ...quietUntil(now, size, contextLevels) }
    : undefined
  contexts.keepQuiet(id, until)
}

/** Undefined if the signal is of no interest here; a subagent has a separate context. */
function momentOf({ kind, subagent, tool, mayAsk }: AgentSignal): Moment | undefined {
  if (subagent !== undefined) return undefined
  if (kind === 'tool_used') return { kind, mayWrite: tool !== undefined && isWriting(tool) }
  if (kind === 'before_compaction') return { kind }
  return kind === 'turn_end' ? { kind, mayHold: mayAsk === true } : undefined
}

function isWriting({ files, mayWrite, todos }: ToolUse): boolean {
  return mayWrite || files.length > 0 || todos !== undefined
}

async function saveNow(
  context: SessionContext,
  state: SessionState,
  settings: Settings,
  record: ContextRecord,
  save: SavedFor,
): Promise<{ readonly state: SessionState; readonly record: ContextRecord }> {
  // Loaded late, because most hooks save nothing.
  const { writeContextCheckpoint } = await import('./write-checkpoint.ts')
  const reason = save === 'compaction' ? 'before compaction' : `${save}, by a hook`
  const request = { by: 'hook', reason, settings, record } as const
  const written = await writeContextCheckpoint(context, state, request)
  const { path, issue } = written
  const old = issue === undefined ? replacedBy(record, save)?.handoffFile : undefined
  const isGone = old !== undefined && old !== path && (await removeUnused(context, old))
  const kept = record.checkpoints.filter(({ handoffFile }) => !isGone || handoffFile !== old)
  const before = { ...record, checkpoints: kept }
  const after = noteCheckpoint(context, before, settings, { path, reason, save })
  return { state: written.state ?? state, record: after }
}

/** Removes a document if it is unchanged, not staged, and nobody was shown it. True if it was removed. */
async function removeUnused(
  { repository, contexts }: SessionContext,
  path: string,
): Promise<boolean> {
  const { worktree, index } = repository
  const name = path.slice(path.lastIndexOf('/') + 1)
  const bytes = await worktree.read(path)
  const isOwn = bytes !== undefined && isOwnHandoff(name, bytes)
  if (!isOwn || contexts.list().some(({ shown }) => shown.includes(name))) return false
  if ((await index.blobs(path)).size > 0) return false
  await worktree.remove(nameOfPath(path))
  return true
}

function answerOf(
  { told, save, isHint, issue }: Reaction & { readonly issue: string | undefined },
  moment: Moment,
  record: ContextRecord,
  settings: Settings,
): SignalAnswer {
  const fullness = fullnessOf(record, settings)
  if (fullness === undefined) return {}
  if (isHint) return { message: quietHint(fullness) }
  if (told === undefined || (told === 'L3' && save === undefined)) return {}
  const text = levelMessage(told, { ...fullness, issue })
  return moment.kind === 'turn_end' ? { ask: text } : { context: text }
}

function fullnessOf(record: ContextRecord, { contextLevels }: Settings): Fullness | undefined {
  const { percent, ofLimit } = standing(record, contextLevels) ?? {}
  return ofLimit === undefined ? undefined : { percent, ofLimit }
}
