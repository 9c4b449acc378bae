/** The real world of a loop: this worktree, its sessions, and what they leave behind. */

import { LedgerError } from '../../core/errors/errors.ts'
import { millisOf } from '../../core/event/instant.ts'
import { responsesIn } from '../../core/agents/context-records.ts'
import { isAtLeast, percentOf } from '../../core/context/level.ts'
import { isContextHandoff, newestFirst, STATE_FILE } from '../../core/context/places.ts'
import type { ContextRecord } from '../../core/context/record.ts'
import { standing } from '../../core/context/record.ts'
import type { Standing } from '../../core/context/samples.ts'
import { ownLoopEnv } from '../../core/ralph/own-loop.ts'
import { RALPH_STATE } from '../../core/ralph/ralph-state.ts'
import type { WorkMark } from '../../core/ralph/work-mark.ts'
import type { SessionState } from '../../core/session/session-state.ts'
import type { Settings } from '../../core/settings/settings.ts'
import { isLedgerPath, pathOfName } from '../../core/shadow/shadow-paths.ts'
import { observeContext } from '../context/observe-context.ts'
import { writeContextCheckpoint } from '../context/write-checkpoint.ts'
import { recordsOf } from '../estimate/learnt-rates.ts'
import { handoverOf } from '../loops/tell-loops.ts'
import type { SessionContext } from '../shadow/session-context.ts'
import { isHere, quietly } from '../shadow/session-context.ts'
import { itemAhead } from './item-ahead.ts'
import type { LoopWorld, LookBack } from './loop-world.ts'

export interface WorldOptions {
  readonly settings: Settings
  readonly issue: string | undefined
  /** Relative to the top of the worktree. */
  readonly prompt: string
  readonly runAgent: LoopWorld['runAgent']
}

/** How many bytes at the end of a transcript are read. */
const TAIL_BYTES = 16 * 1024 * 1024

const OURS: ReadonlySet<string> = new Set([RALPH_STATE, STATE_FILE])

export function loopWorld(context: SessionContext, options: WorldOptions): LoopWorld {
  const { repository, changes, say } = context
  return {
    worktree: repository.worktree,
    runAgent: options.runAgent,
    say,
    foresee: (prompt) => {
      const last = lastSession(context, 0)
      const window = last && context.contexts.read(last.id)?.window
      return quietly(context, 'the next item is not estimated', () =>
        itemAhead(context, prompt, window),
      )
    },
    mark: () => markOf(context),
    committed: async ({ head: from }, { head: to }) =>
      from === undefined || to === undefined || from === to ? [] : changes.between(from, to),
    isOurs: (path) =>
      OURS.has(path) ||
      isContextHandoff(path, options.settings) ||
      isLedgerPath(path, options.settings.root),
    watch: async (iteration) => {
      const before = handoffsNow(context, options.settings)
      const began = context.clock.now()
      const inside = { ...context, env: { ...context.env, ...envOf(context, options, iteration) } }
      return (cutOff) => lookBack(inside, options, { before, began, cutOff })
    },
    killedAt: async () => {
      const session = lastSession(context, 0)
      const noted = session && context.contexts.read(session.id)?.checkpoints.at(-1)?.handoffFile
      const others = [...handoffsNow(context, options.settings)].filter(
        (name) => `${options.settings.handoffs}/${name}` !== noted,
      )
      const run = { before: new Set(others), began: 0, cutOff: 'killed' }
      return (await lookBack(context, options, run)).handover
    },
  }
}

/** Environment variables for the processes of an iteration. */
export function envOf(
  { repository, folder }: SessionContext,
  { prompt }: Pick<WorldOptions, 'prompt'>,
  iteration: number,
): Readonly<Record<string, string>> {
  return ownLoopEnv({ iteration, prompt }, repository.place.top ?? folder)
}

async function markOf({ repository, files }: SessionContext): Promise<WorkMark> {
  const { oid: head } = await repository.history.head()
  const names = (await files.differing()).map(({ path }) => path)
  const taken = await files.take(names)
  try {
    const oids = names.map((name, i) => [pathOfName(name), taken.files[i]?.oid] as const)
    return { head, differing: new Map(oids) }
  } finally {
    taken.dispose()
  }
}

interface Iteration {
  /** Names of documents that already existed. */
  readonly before: ReadonlySet<string>
  readonly began: number
  /** Why the iteration did not end by itself. */
  readonly cutOff: string | undefined
}

/**
 * A checkpoint that the iteration's session wrote is used. If it wrote none although its context was full or it was cut
 * off, the checkpoint is written now: the process is gone, and nobody else will. A failure here must not stop a loop
 * that runs all night.
 */
async function lookBack(
  context: SessionContext,
  { settings, issue }: WorldOptions,
  { before, began, cutOff }: Iteration,
): Promise<LookBack> {
  const state = lastSession(context, began)
  const record = state && (await observeContext(context, state, settings, false))
  const now = record && standing(record, settings.contextLevels)
  const level = now?.level
  const isFull = level !== undefined && level !== 'unknown' && isAtLeast(level, 'L2')
  const hasWorked = state !== undefined && state.filesTouched.length > 0
  const reason = isFull ? level : hasWorked ? cutOff : undefined
  const write = async (why: string) => {
    // Short work that was cut off stays uncommitted in the worktree.
    const request = { by: 'loop', reason: why, settings, issue, record, noWip: !isFull } as const
    return (await writeContextCheckpoint(context, state, request)).path
  }
  const peak = state && now && peakOf(context, state, now)
  try {
    const path =
      newHandoff(context, before, record, settings) ??
      (reason === undefined ? undefined : await write(reason))
    const handover =
      path === undefined ? undefined : await handoverOf(context, path, state?.id, settings)
    return { peak, handover }
  } catch (error) {
    if (!(error instanceof LedgerError)) throw error
    context.say(`no checkpoint of this iteration: ${error.message}`)
    return { peak, handover: undefined }
  }
}

function handoffsNow({ personal }: SessionContext, { handoffs }: Settings): ReadonlySet<string> {
  return new Set(newestFirst(personal.list(handoffs)))
}

/** The newest document since then. Names only have minutes; within a minute, the record says which came last. */
function newHandoff(
  context: SessionContext,
  before: ReadonlySet<string>,
  record: ContextRecord | undefined,
  settings: Settings,
): string | undefined {
  const fresh = [...handoffsNow(context, settings)].filter((one) => !before.has(one))
  const paths = fresh.map((name) => `${settings.handoffs}/${name}`)
  const noted = record?.checkpoints.at(-1)?.handoffFile
  return paths.find((path) => path === noted) ?? paths[0]
}

/** The session of this worktree with the latest sign of life, if that is not before `began`. */
function lastSession(context: SessionContext, began: number): SessionState | undefined {
  return context.sessions
    .list()
    .sessions.filter((one) => isHere(context, one) && (millisOf(one.lastSignOfLife) ?? 0) >= began)
    .toSorted((a, b) => (a.lastSignOfLife < b.lastSignOfLife ? 1 : -1))[0]
}

/** The highest percentage of the window according to its log; undefined if the window is unknown. */
function peakOf(
  session: SessionContext,
  state: SessionState,
  { tokens, window }: Standing,
): number | undefined {
  if (window === undefined) return undefined
  const seen = responsesIn(recordsOf(session, state, TAIL_BYTES)).map(({ context }) => context)
  return percentOf(Math.max(tokens, ...seen), window)
}
