/**
 * What is kept of one session's context: its samples, what was said about them, and its checkpoints.
 *
 * Nothing here is truth that could not be found again: a record that is lost costs a repeated message.
 */

import type { Breakpoint } from './decide.ts'
import type { Boundaries, Level } from './level.ts'
import { isAtLeast, levelOf } from './level.ts'
import type { Sample, Standing } from './samples.ts'
import { isFoldedUp, standingOf, withSample } from './samples.ts'

export interface ContextRecord {
  readonly session: string
  /** As the session's state names it. */
  readonly agent: string
  /** ISO 8601. */
  readonly startedAt: string
  readonly model: string | undefined
  /** The model's window, in tokens. */
  readonly window: number | undefined
  /** Where the agent compacts, in tokens. */
  readonly limit: number | undefined
  readonly samples: readonly Sample[]
  /** The highest level that the agent was told since the context last fell below it. */
  readonly told: Level
  /** A stop was held up; once for a session, whatever happens to its context. */
  readonly isHeldUp: boolean
  /** What checkpoints were written for since the context was last folded up. */
  readonly saved: readonly SavedFor[]
  /** The person was told of a good moment since then. */
  readonly isHinted: boolean
  /** Plans and to-dos that do not fit, and of which that was said. */
  readonly foreseen: readonly string[]
  readonly deferred: 'once' | 'until L2' | undefined
  /** When the advice was put off, ISO 8601. */
  readonly deferrals: readonly string[]
  /** Names of documents that the session was shown, to go on from; each once. */
  readonly shown: readonly string[]
  /** Tokens at the newest checkpoint, until a tool is used that may have changed something. */
  readonly savedAt: number | undefined
  readonly breakpoint: Breakpoint
  /** Oldest first. */
  readonly checkpoints: readonly CheckpointNote[]
}

export type SavedFor = 'L2' | 'L3' | 'compaction'

export interface CheckpointNote {
  /** ISO 8601. */
  readonly timestamp: string
  /** From the top of the worktree. */
  readonly handoffFile: string
  readonly reason: string
  /** By a person or the agent, not by a hook. */
  readonly isTyped?: boolean | undefined
  readonly level: Level | 'unknown'
  /** Percent of the limit. */
  readonly percent: number | undefined
}

/** Checkpoints, deferrals and documents that are remembered. */
const MOST = 50

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
    deferred: undefined,
    deferrals: [],
    shown: [],
    savedAt: undefined,
    breakpoint: 'none',
    checkpoints: [],
  }
}

/**
 * The record after a sample. A level that the context fell below is told again when it rises; what was saved
 * and hinted before it was folded up has to be again.
 */
export function observe(
  record: ContextRecord,
  sample: Sample,
  boundaries?: Boundaries,
): ContextRecord {
  const isFolded = isFoldedUp(record.samples, sample)
  const anew = isFolded ? { saved: [], isHinted: false, savedAt: undefined } : {}
  const samples = withSample(record.samples, sample)
  const known = { ...record, ...anew, samples }
  const { limit, told } = record
  if (limit === undefined) return known
  const level = levelOf(samples.at(-1)?.tokens ?? 0, limit, boundaries)
  return { ...known, told: isAtLeast(level, told) ? told : level }
}

/** The record's newest sample against its limit; undefined where there is none. */
export function standing(record: ContextRecord, boundaries?: Boundaries): Standing | undefined {
  return standingOf(record.samples, record.window, record.limit, boundaries)
}

/**
 * The level to tell now, with the record that remembers it; undefined where it was told, or put off. What was
 * put off once is put off for one message.
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

/** A checkpoint at a level is one for that level, whoever asked for it. `saved`: what else it was for. */
export function withCheckpoint(
  record: ContextRecord,
  note: CheckpointNote,
  saved?: SavedFor,
): ContextRecord {
  const checkpoints = [...record.checkpoints, note].slice(-MOST)
  const level = note.level === 'L2' || note.level === 'L3' ? [note.level] : []
  const all = new Set([...record.saved, ...level, ...(saved === undefined ? [] : [saved])])
  const savedAt = record.samples.at(-1)?.tokens
  return { ...record, checkpoints, saved: [...all], deferred: undefined, savedAt }
}

/**
 * The checkpoint whose place one before a compaction takes: the newest one, where a hook wrote it since the context
 * was last folded up.
 */
export function replacedBy(record: ContextRecord, save: SavedFor): CheckpointNote | undefined {
  const last = record.checkpoints.at(-1)
  const isHooks = last?.isTyped === false && record.saved.length > 0
  return save === 'compaction' && isHooks ? last : undefined
}

/** L1 and L2 keep silent: for one message, or until L2. `at`: ISO 8601. */
export function putOff(
  record: ContextRecord,
  deferred: NonNullable<ContextRecord['deferred']>,
  at: string,
): ContextRecord {
  return { ...record, deferred, deferrals: [...record.deferrals, at].slice(-MOST) }
}

/** The session goes on from the document of this name. */
export function withShown(record: ContextRecord, name: string): ContextRecord {
  return { ...record, shown: [...record.shown, name].slice(-MOST) }
}
