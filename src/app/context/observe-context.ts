/** How full a session's context is now: read from what its agent wrote, and added to what is already known. */

import { agentNamed, readEntries } from '../../core/agents/agents.ts'
import { readContextUsage, windowOfModel } from '../../core/agents/context-usage.ts'
import { breakpointIn } from '../../core/context/breakpoint.ts'
import type { Breakpoint } from '../../core/context/decide.ts'
import { limitOf, readCompactionSettings } from '../../core/context/limit.ts'
import type { ContextRecord } from '../../core/context/record.ts'
import { newRecord, observe } from '../../core/context/record.ts'
import type { Sample } from '../../core/context/samples.ts'
import type { StatusInput } from '../../core/context/status-input.ts'
import { readStatusInput } from '../../core/context/status-input.ts'
import { shardFolder } from '../../core/plan/shard-folder.ts'
import type { SessionState } from '../../core/session/session-state.ts'
import type { Settings } from '../../core/settings/settings.ts'
import { pathInWorktree } from '../../core/shadow/shadow-paths.ts'
import { parseJson } from '../../core/text/json-values.ts'
import type { SessionContext } from '../shadow/session-context.ts'

/** How many bytes at the end of the log are read: the newest response is near the end. */
const TAIL_BYTES = 256 * 1024

/**
 * The record with the newest sample. At the end of a turn (`isTurnEnd`), the log is one response behind, so what the
 * status line got since the last sample is more accurate.
 */
export async function observeContext(
  context: SessionContext,
  state: SessionState,
  settings: Settings,
  isTurnEnd: boolean,
): Promise<ContextRecord> {
  const { contexts, transcripts, clock, env } = context
  const { id: session, agent, startedAt } = state
  const before = contexts.read(session) ?? newRecord({ session, agent, startedAt })
  const slice = state.transcript && transcripts.readTail(state.transcript.path, TAIL_BYTES)
  const lines = slice === undefined ? [] : [...slice.lines, slice.rest]
  const usage = readContextUsage(agent, lines)
  const status = statusOf(contexts, session)
  const model = usage?.model ?? status?.input.model ?? before.model
  const window =
    status?.input.window ??
    usage?.window ??
    (model === undefined ? undefined : windowOfModel(model)) ??
    before.window
  const compaction = readCompactionSettings(env, contexts.agentSettings().map(parseJson))
  const limit = limitOf(agentNamed(agent), { window, set: settings.contextLimit, compaction })
  const known = {
    ...before,
    model,
    window,
    limit,
    breakpoint: await breakpointOf(context, state, slice),
  }
  const fromLog: Sample | undefined = usage && {
    at: clock.now(),
    tokens: usage.tokens,
    source: usage.isCompaction ? 'compaction' : 'transcript',
  }
  const fromLine: Sample | undefined =
    status?.input.tokens === undefined
      ? undefined
      : { at: status.at, tokens: status.input.tokens, source: 'status_line' }
  const isLineNewer = (fromLine?.at ?? 0) > (before.samples.at(-1)?.at ?? 0)
  const newest = isTurnEnd && isLineNewer ? fromLine : (fromLog ?? fromLine)
  return newest === undefined ? known : observe(known, newest, settings.contextLevels)
}

async function breakpointOf(
  context: SessionContext,
  { agent }: SessionState,
  slice: Parameters<typeof readEntries>[1] | undefined,
): Promise<Breakpoint> {
  const found = slice === undefined ? 'none' : breakpointIn(readEntries(agent, slice))
  if (typeof found === 'string') return found
  const { plans, folder, tops } = context
  const [top = folder] = tops
  const plan = found.changed
    .flatMap((file) => pathInWorktree(file, tops, folder) ?? [])
    .map((path) => `${top}/${path}`)
    .find((path) => plans.list(shardFolder(path)).length > 0)
  if (plan === undefined) return 'none'
  // Loaded late, because few edits change a plan.
  return (await import('../estimate/plan-progress.ts')).placeInPlan(context, plan)
}

function statusOf(
  contexts: SessionContext['contexts'],
  session: string,
): { readonly input: StatusInput; readonly at: number } | undefined {
  const kept = contexts.statusInput(session)
  const input = kept && readStatusInput(kept.text)
  return input?.session === session ? { input, at: kept?.at ?? 0 } : undefined
}
