/** The context of one session as JSON: what `context status --json` prints and keeps. */

import type { Advice } from './decide.ts'
import type { Boundaries } from './level.ts'
import { percentOf } from './level.ts'
import { adviceFor } from './react.ts'
import type { CheckpointNote, ContextRecord } from './record.ts'
import { standing } from './record.ts'

export const CHECKPOINT_STATE_VERSION = '1.0.0'

export interface CheckpointState {
  readonly version: string
  readonly sessionId: string
  readonly startedAt: string
  readonly currentLevel: string
  /** Percent of the window; null where it is unknown. */
  readonly contextPercent: number | null
  /** Percent of the effective limit, which the level counts to. */
  readonly limitPercent: number | null
  readonly contextTokens: number | null
  readonly contextWindow: number | null
  readonly effectiveLimit: number | null
  readonly contextTrend: 'increasing' | 'stable' | 'decreasing' | 'unknown'
  readonly tokensPerMinute: number | null
  /** `15m`; each null at its level and above, and where nothing grows. */
  readonly estimatedTimeToL1: string | null
  readonly estimatedTimeToL2: string | null
  readonly estimatedTimeToL3: string | null
  /** What is best done now. */
  readonly recommendation: Advice | 'unknown'
  readonly linearIssue: string | null
  readonly lastCheckpoint: Pick<CheckpointNote, 'timestamp' | 'handoffFile' | 'reason'> | null
  readonly uncommittedChanges: boolean
  readonly modifiedFiles: readonly string[]
  /** Who wrote the newest sample, and when. */
  readonly lastSample: { readonly source: string; readonly at: string } | null
}

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

export function checkpointState(record: ContextRecord, around: Surroundings): CheckpointState {
  const now = standing(record, around.boundaries)
  const { window, limit, session: sessionId, startedAt } = record
  const last = record.checkpoints.at(-1)
  const times = around.boundaries.map((boundary) => minutesTo(boundary, now, limit))
  return {
    version: CHECKPOINT_STATE_VERSION,
    sessionId,
    startedAt,
    currentLevel: now?.level ?? 'unknown',
    contextPercent:
      now === undefined || window === undefined ? null : percentOf(now.tokens, window),
    limitPercent: now === undefined || limit === undefined ? null : percentOf(now.tokens, limit),
    contextTokens: now?.tokens ?? null,
    contextWindow: window ?? null,
    effectiveLimit: limit ?? null,
    contextTrend: now?.trend?.direction ?? 'unknown',
    tokensPerMinute: now?.trend?.tokensPerMinute ?? null,
    estimatedTimeToL1: times[0] ?? null,
    estimatedTimeToL2: times[1] ?? null,
    estimatedTimeToL3: times[2] ?? null,
    recommendation: adviceFor(record, around.boundaries, around.shift) ?? 'unknown',
    linearIssue: around.issue ?? null,
    lastCheckpoint: last === undefined ? null : about(last),
    uncommittedChanges: around.modifiedFiles.length > 0,
    modifiedFiles: around.modifiedFiles,
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
