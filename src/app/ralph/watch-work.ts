/** A loop's world as it is: this worktree, its sessions, and what they leave behind. */

import { readContextUsage, windowOfModel } from '../../core/agents/context-usage.ts'
import { isAtLeast, percentOf } from '../../core/context/level.ts'
import { effectiveLimit, readCompactionSettings } from '../../core/context/limit.ts'
import { isContextHandoff } from '../../core/context/places.ts'
import type { ContextRecord } from '../../core/context/record.ts'
import { newRecord, observe, standing } from '../../core/context/record.ts'
import { instantToMillis, parseInstant } from '../../core/event/instant.ts'
import { RALPH_STATE } from '../../core/ralph/ralph-state.ts'
import type { WorkMark } from '../../core/ralph/work-mark.ts'
import type { SessionState } from '../../core/session/session-state.ts'
import type { Settings } from '../../core/settings/settings.ts'
import { isLedgerPath, pathOfName } from '../../core/shadow/shadow-paths.ts'
import { responsesIn, readContextRecords } from '../../core/agents/context-records.ts'
import { writeContextCheckpoint } from '../context/write-checkpoint.ts'
import type { SessionContext } from '../shadow/session-context.ts'
import { isHere } from '../shadow/session-context.ts'
import { handoffsNow, handoverOf, newHandoff } from './hand-over.ts'
import type { LoopWorld, LookBack } from './loop-world.ts'

export interface WorldOptions {
  readonly settings: Settings
  readonly issue: string | undefined
  /** Queries of a memory tool. */
  readonly memory: readonly string[]
  readonly runAgent: LoopWorld['runAgent']
}

/** Bytes of a transcript's end that are read. */
const TAIL = 16 * 1024 * 1024

/** Where nobody knows the agent's. */
const WINDOW = 200_000

const OURS: ReadonlySet<string> = new Set([RALPH_STATE, '.claude/checkpoint-state.json'])

export function loopWorld(context: SessionContext, options: WorldOptions): LoopWorld {
  const { repository, changes, say } = context
  return {
    worktree: repository.worktree,
    runAgent: options.runAgent,
    say,
    mark: () => markOf(context),
    committed: async ({ head: from }, { head: to }) =>
      from === undefined || to === undefined || from === to ? [] : changes.between(from, to),
    isOurs: (path) =>
      OURS.has(path) || isContextHandoff(path) || isLedgerPath(path, options.settings.root),
    watch: async (iteration) => {
      const before = handoffsNow(context)
      const began = context.clock.now()
      return () => lookBack(context, options, { iteration, before, began })
    },
  }
}

async function markOf({ repository, files }: SessionContext): Promise<WorkMark> {
  const { oid: head } = await repository.history.head()
  const names = await files.differing()
  const taken = await files.take(names)
  try {
    const oids = names.map((name, i) => [pathOfName(name), taken.files[i]?.oid] as const)
    return { head, differing: new Map(oids) }
  } finally {
    taken.dispose()
  }
}

interface Iteration {
  readonly iteration: number
  readonly before: ReadonlySet<string>
  readonly began: number
}

/**
 * What the iteration's session wrote counts. Where its context was full and it wrote nothing, it is written
 * now: the process is gone, and nobody else will.
 */
async function lookBack(
  context: SessionContext,
  { settings, issue, memory }: WorldOptions,
  { iteration, before, began }: Iteration,
): Promise<LookBack> {
  const state = sessionSince(context, began)
  const full = state === undefined ? undefined : fullness(context, state)
  const level = full === undefined ? undefined : standing(full.record)?.level
  const isFull = level !== undefined && level !== 'unknown' && isAtLeast(level, 'L2')
  const write = async (reason: string) => {
    const request = {
      by: 'loop',
      reason,
      settings,
      issue,
      iteration,
      record: full?.record,
    } as const
    return (await writeContextCheckpoint(context, state, request)).path
  }
  const path = newHandoff(context, before) ?? (isFull ? await write(level) : undefined)
  const handover =
    path === undefined ? undefined : await handoverOf(context, path, state?.id, memory)
  return { peak: full?.peak, handover }
}

/** The session of this worktree that began since then and lived last. */
function sessionSince(context: SessionContext, began: number): SessionState | undefined {
  return context.sessions
    .list()
    .sessions.filter((one) => isHere(context, one) && millisOf(one.lastSignOfLife) >= began)
    .toSorted((a, b) => (a.lastSignOfLife < b.lastSignOfLife ? 1 : -1))[0]
}

function millisOf(ts: string): number {
  const parsed = parseInstant(ts)
  return parsed === undefined ? 0 : instantToMillis(parsed.instant)
}

/** Undefined where its log does not tell. `peak`: percent of the window. */
function fullness(
  { transcripts, env, clock }: SessionContext,
  { agent, id, startedAt, transcript }: SessionState,
): { readonly record: ContextRecord; readonly peak: number } | undefined {
  const tail = transcript === undefined ? undefined : transcripts.readTail(transcript.path, TAIL)
  const lines = tail?.lines ?? []
  const usage = readContextUsage(agent, lines)
  if (usage === undefined) return undefined
  const window = usage.window ?? windowOfModel(usage.model ?? '') ?? WINDOW
  const limit = effectiveLimit(window, readCompactionSettings(env))
  const about = { ...newRecord({ session: id, agent, startedAt }), model: usage.model }
  const record = observe(
    { ...about, window, limit },
    { at: clock.now(), tokens: usage.tokens, source: 'transcript' },
  )
  const seen = responsesIn(readContextRecords(lines)).map(({ context }) => context)
  return { record, peak: percentOf(Math.max(usage.tokens, ...seen), window) }
}
