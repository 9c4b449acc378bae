/**
 * What is stored about one session's context: its samples, the messages about them, and its checkpoints.
 *
 * Everything here can be found again: losing a record costs at most a repeated message.
 */

import type { Breakpoint, TaskSize } from './decide.ts'
import type { Boundaries, Level } from './level.ts'
import { isAtLeast, levelOf } from './level.ts'
import type { Sample, Standing } from './samples.ts'
import { wasCompacted, standingOf, withSample } from './samples.ts'

export interface ContextRecord {
  readonly session: string
  /** The agent's name as in the session state. */
  readonly agent: string
  /** ISO 8601. */
  readonly startedAt: string
  readonly model: string | undefined
  /** The model's window, in tokens. */
  readonly window: number | undefined
  /** Tokens at which the agent compacts. */
  readonly limit: number | undefined
  readonly samples: readonly Sample[]
  /** The highest level that the agent was told; lowered when the context falls below it. */
  readonly told: Level
  /** A stop was held up. This happens once per session, whatever happens to its context. */
  readonly isHeldUp: boolean
  /** Reasons for which checkpoints were written since the last compaction. */
  readonly saved: readonly SavedFor[]
  /** The person was told about a good moment since the last compaction. */
  readonly isHinted: boolean
  /** Plans and to-dos that do not fit and were already reported. */
  readonly foreseen: readonly string[]
  /** The size of the tasks that began last in this turn; undefined if it is unknown. */
  readonly task: Exclude<TaskSize, 'unknown'> | undefined
  readonly deferred: 'once' | 'until L2' | undefined
  /** Times at which the advice was deferred, ISO 8601. */
  readonly deferrals: readonly string[]
  /** Names of documents that the session was shown to continue from. */
  readonly shown: readonly string[]
  /** Tokens at the newest checkpoint; undefined again once a tool was used that may have changed something. */
  readonly savedAt: number | undefined
  readonly breakpoint: Breakpoint
  /** Oldest first. */
  readonly checkpoints: readonly CheckpointNote[]
}

export type SavedFor = 'L2' | 'L3' | 'compaction'

export interface CheckpointNote {
  /** ISO 8601. */
  readonly timestamp: string
  /** Path from the top of the worktree. */
  readonly handoffFile: string
  readonly reason: string
  /** True if a person or the agent asked for it, not a hook. */
  readonly isTyped?: boolean | undefined
  readonly level: Level | 'unknown'
  /** Percent of the limit. */
  readonly percent: number | undefined
}

/** Limit for each of checkpoints, deferrals and documents; the newest are kept. */
const MAX_REMEMBERED = 50

export function newRecord(
  about: Pick<ContextRecord, 'session' | 'agent' | 'startedAt'>,
): ContextRecord {
  return {
    ...about,
    model: undefined,
    window: undefined,
    limit: undefined,
    samples: [],
    told: 'L0',
    isHeldUp: false,
    saved: [],
    isHinted: false,
    foreseen: [],
    task: undefined,
    deferred: undefined,
    deferrals: [],
    shown: [],
    savedAt: undefined,
    breakpoint: 'none',
    checkpoints: [],
  }
}

/**
 * The record after a sample. If the context fell below a level, that level is reported again when it is reached
 * again. After a compaction, checkpoints and hints are due again.
 */
export function observe(
  record: ContextRecord,
  sample: Sample,
  boundaries?: Boundaries,
): ContextRecord {
  const reset = wasCompacted(record.samples, sample)
    ? { saved: [], isHinted: false, savedAt: undefined }
    : {}
  const samples = withSample(record.samples, sample)
  const known = { ...record, ...reset, samples }
  const { limit, told } = record
  if (limit === undefined) return known
  const level = levelOf(samples.at(-1)?.tokens ?? 0, limit, boundaries)
  return { ...known, told: isAtLeast(level, told) ? told : level }
}

/** The record's newest sample against its limit; undefined without a sample. */
export function standing(record: ContextRecord, boundaries?: Boundaries): Standing | undefined {
  return standingOf(record.samples, record.window, record.limit, boundaries)
}

/**
 * The level to report now, and the record that remembers it. The level is undefined if it was already reported, or
 * deferred. Deferring once suppresses one message.
 */
export function tell(
  record: ContextRecord,
  level: Level,
): { readonly record: ContextRecord; readonly level: Level | undefined } {
  if (level === 'L0' || isAtLeast(record.told, level)) return { record, level: undefined }
  const after = { ...record, told: level }
  if (level === 'L1' && record.deferred === 'until L2') return { record: after, level: undefined }
  if (level !== 'L3' && record.deferred === 'once')
    return { record: { ...after, deferred: undefined }, level: undefined }
  return { record: { ...after, deferred: undefined }, level }
}

/** Adds a checkpoint. It counts for its level, whoever asked for it. `saved`: a further reason that it counts for. */
export function withCheckpoint(
  record: ContextRecord,
  note: CheckpointNote,
  saved?: SavedFor,
): ContextRecord {
  const checkpoints = [...record.checkpoints, note].slice(-MAX_REMEMBERED)
  const level = note.level === 'L2' || note.level === 'L3' ? [note.level] : []
  const all = new Set([...record.saved, ...level, ...(saved === undefined ? [] : [saved])])
  const savedAt = record.samples.at(-1)?.tokens
  return { ...record, checkpoints, saved: [...all], deferred: undefined, savedAt }
}

/**
 * The checkpoint that the one before a compaction replaces: the newest one, if a hook wrote it since the last
 * compaction.
 */
export function replacedBy(record: ContextRecord, save: SavedFor): CheckpointNote | undefined {
  const last = record.checkpoints.at(-1)
  const isFromHook = last?.isTyped === false && record.saved.length > 0
  return save === 'compaction' && isFromHook ? last : undefined
}

/** Defers the messages of L1 and L2: for one message, or until L2. `at`: ISO 8601. */
export function putOff(
  record: ContextRecord,
  deferred: NonNullable<ContextRecord['deferred']>,
  at: string,
): ContextRecord {
  return { ...record, deferred, deferrals: [...record.deferrals, at].slice(-MAX_REMEMBERED) }
}

/** Remembers that the session continues from the document with this name. */
export function withShown(record: ContextRecord, name: string): ContextRecord {
  return { ...record, shown: [...record.shown, name].slice(-MAX_REMEMBERED) }
}
