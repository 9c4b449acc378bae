/**
 * How to react to a full context at each moment when something can be done: who is told, whether a stop is held up,
 * and whether a checkpoint is written now. Only decides; the caller acts.
 */

import type { Advice } from './decide.ts'
import { decide, isQuietHint } from './decide.ts'
import type { Boundaries, Level } from './level.ts'
import type { ContextRecord, SavedFor } from './record.ts'
import { standing, tell } from './record.ts'

export type Moment =
  | { readonly kind: 'tool_used'; readonly mayWrite?: boolean }
  /** `mayHold`: the agent would continue if asked, and was not asked already. */
  | { readonly kind: 'turn_end'; readonly mayHold: boolean }
  | { readonly kind: 'before_compaction' }

export interface Reaction {
  /** Remembers what was told and held up; `saved` is set only after the checkpoint was written. */
  readonly record: ContextRecord
  /** The level that the agent is told; at the end of a turn this also holds up the stop. */
  readonly told?: Level
  /** The reason for which the hook itself writes a checkpoint now. */
  readonly save?: SavedFor
  /** The person gets one quiet line. */
  readonly isHint?: true
}

export function react(record: ContextRecord, moment: Moment, boundaries?: Boundaries): Reaction {
  switch (moment.kind) {
    case 'tool_used':
      return afterTool(moment.mayWrite ? { ...record, savedAt: undefined } : record, boundaries)
    case 'turn_end':
      return atTurnEnd({ ...record, task: undefined }, moment.mayHold, boundaries)
    case 'before_compaction': {
      const { savedAt, samples } = record
      // The newest checkpoint covers everything that happened.
      if (savedAt !== undefined && savedAt === samples.at(-1)?.tokens) return { record }
      return { record, ...due(record, 'compaction') }
    }
  }
}

function afterTool(record: ContextRecord, boundaries: Boundaries | undefined): Reaction {
  const situation = situationOf(record, boundaries)
  if (situation === undefined) return { record }
  const { level } = situation
  const { record: after, level: told } = tell(record, level)
  const isUrgent = decide(situation) === 'emergency'
  return {
    record: after,
    ...(told !== undefined && { told }),
    ...(isUrgent && due(record, level === 'L3' ? 'L3' : 'L2')),
  }
}

function atTurnEnd(
  record: ContextRecord,
  mayHold: boolean,
  boundaries: Boundaries | undefined,
): Reaction {
  const situation = situationOf(record, boundaries)
  if (situation === undefined || situation.level === 'L1') return { record }
  const { level } = situation
  if (level === 'L0') {
    if (record.isHinted || !isQuietHint(situation)) return { record }
    return { record: { ...record, isHinted: true }, isHint: true }
  }
  const save = due(record, level)
  if (save.save === undefined || level === 'L3') return { record, ...save }
  if (record.deferred === 'once') return { record: { ...record, deferred: undefined } }
  if (!mayHold || record.isHeldUp) return { record, ...save }
  return { record: tell({ ...record, isHeldUp: true }, level).record, told: level }
}

/** Empty if a checkpoint was already written for this reason since the last compaction. */
function due(record: ContextRecord, save: SavedFor): { readonly save?: SavedFor } {
  return record.saved.includes(save) ? {} : { save }
}

/** The advice for now; undefined if it is unknown how full the context is. `shift`: see `learnt-shift.ts`. */
export function adviceFor(
  record: ContextRecord,
  boundaries?: Boundaries,
  shift = 0,
): Advice | undefined {
  const situation = situationOf(record, boundaries)
  return situation && decide({ ...situation, shift })
}

/** Undefined if the context or its limit is unknown. */
function situationOf(record: ContextRecord, boundaries: Boundaries | undefined) {
  const { level = 'unknown', ofLimit: percent, trend } = standing(record, boundaries) ?? {}
  if (level === 'unknown' || percent === undefined) return undefined
  const { task = 'unknown', breakpoint, deferred } = record
  return { level, percent, trend, task, breakpoint, deferred } as const
}
