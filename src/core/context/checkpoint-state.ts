/** The context of one session as JSON, as `context status --json` prints and stores it. */

import type { Boundaries } from './level.ts'
import { adviceFor } from './react.ts'
import type { CheckpointNote, ContextRecord } from './record.ts'
import { standing } from './record.ts'

const CHECKPOINT_STATE_VERSION = '1.0.0'

export interface Surroundings {
  readonly issue: string | undefined
  /** Paths from the top of the worktree. */
  readonly modifiedFiles: readonly string[]
  /** Formats milliseconds since 1970 as ISO 8601. */
  readonly formatTime: (millis: number) => string
  readonly boundaries: Boundaries
  /** How much later than usual this person hands over, in points of percent (`learnt-shift.ts`). */
  readonly shift?: number | undefined
}

export type CheckpointState = ReturnType<typeof checkpointState>

/** Unknown values are null. */
export function checkpointState(record: ContextRecord, around: Surroundings) {
  const now = standing(record, around.boundaries)
  const { window, limit, session: sessionId, startedAt } = record
  const last = record.checkpoints.at(-1)
  const times = around.boundaries.map((boundary) => minutesTo(boundary, now, limit))
  return {
    version: CHECKPOINT_STATE_VERSION,
    sessionId,
    startedAt,
    currentLevel: now?.level ?? 'unknown',
    /** Percent of the window. */
    contextPercent: now?.percent ?? null,
    /** Percent of the effective limit, on which the level is based. */
    limitPercent: now?.ofLimit ?? null,
    contextTokens: now?.tokens ?? null,
    contextWindow: window ?? null,
    effectiveLimit: limit ?? null,
    contextTrend: now?.trend?.direction ?? 'unknown',
    tokensPerMinute: now?.trend?.tokensPerMinute ?? null,
    /** `15m`; null once the level is reached, and while the context does not grow. */
    estimatedTimeToL1: times[0] ?? null,
    estimatedTimeToL2: times[1] ?? null,
    estimatedTimeToL3: times[2] ?? null,
    /** The advice for now. */
    recommendation: adviceFor(record, around.boundaries, around.shift) ?? 'unknown',
    linearIssue: around.issue ?? null,
    lastCheckpoint: last === undefined ? null : about(last),
    uncommittedChanges: around.modifiedFiles.length > 0,
    modifiedFiles: around.modifiedFiles,
    /** Source and time of the newest sample. */
    lastSample:
      now === undefined ? null : { source: now.source, at: around.formatTime(now.sampledAt) },
  }
}

/** True for the content of our own file, which may be overwritten; another program's file of that name may not. */
export function isCheckpointState(value: unknown): boolean {
  const fields = value as Partial<Record<string, unknown>> | null
  return (
    typeof fields === 'object' &&
    fields !== null &&
    fields['version'] === CHECKPOINT_STATE_VERSION &&
    typeof fields['sessionId'] === 'string' &&
    typeof fields['currentLevel'] === 'string'
  )
}

function about({ timestamp, handoffFile, reason }: CheckpointNote) {
  return { timestamp, handoffFile, reason }
}

function minutesTo(
  boundary: number,
  now: ReturnType<typeof standing>,
  limit: number | undefined,
): string | undefined {
  if (now === undefined || limit === undefined || now.trend?.direction !== 'increasing')
    return undefined
  const missing = Math.ceil((limit * boundary) / 100) - now.tokens
  return missing <= 0 ? undefined : `${Math.ceil(missing / now.trend.tokensPerMinute)}m`
}
