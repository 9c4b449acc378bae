/** The context of one session as JSON: what `context status --json` prints and keeps. */

import type { Boundaries } from './level.ts'
import { adviceFor } from './react.ts'
import type { CheckpointNote, ContextRecord } from './record.ts'
import { standing } from './record.ts'

const CHECKPOINT_STATE_VERSION = '1.0.0'

export interface Surroundings {
  readonly issue: string | undefined
  /** From the top of the worktree. */
  readonly modifiedFiles: readonly string[]
  /** ISO 8601, of milliseconds since 1970. */
  readonly formatTime: (millis: number) => string
  readonly boundaries: Boundaries
  /** When this person hands over (`learnt-shift.ts`). */
  readonly shift?: number | undefined
}

export type CheckpointState = ReturnType<typeof checkpointState>

/** What is not known is null. */
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
    /** Percent of the effective limit, which the level counts to. */
    limitPercent: now?.ofLimit ?? null,
    contextTokens: now?.tokens ?? null,
    contextWindow: window ?? null,
    effectiveLimit: limit ?? null,
    contextTrend: now?.trend?.direction ?? 'unknown',
    tokensPerMinute: now?.trend?.tokensPerMinute ?? null,
    /** `15m`; each null at its level and above, and where nothing grows. */
    estimatedTimeToL1: times[0] ?? null,
    estimatedTimeToL2: times[1] ?? null,
    estimatedTimeToL3: times[2] ?? null,
    /** What is best done now. */
    recommendation: adviceFor(record, around.boundaries, around.shift) ?? 'unknown',
    linearIssue: around.issue ?? null,
    lastCheckpoint: last === undefined ? null : about(last),
    uncommittedChanges: around.modifiedFiles.length > 0,
    modifiedFiles: around.modifiedFiles,
    /** Who wrote the newest sample, and when. */
    lastSample:
      now === undefined ? null : { source: now.source, at: around.formatTime(now.sampledAt) },
  }
}

/** A file that is ours may be written over: another program's of that name is not. */
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
