/** Whether a task fits into a context window, and into what remains of it. Pure. */

export type Verdict = 'fits' | 'consider-sharding' | 'must-shard' | 'exceeds-remaining'

export interface Room {
  /** Tokens of the whole window. */
  readonly window: number
  /** Tokens that are left of it; undefined if unknown. */
  readonly remaining: number | undefined
}

export interface Fit {
  readonly percentOfWindow: number
  readonly percentOfRemaining: number | undefined
  readonly verdict: Verdict
}

/** Percent of the window from which a task is better split into shards. */
export const SHARD_PERCENT = 30
/** Percent of the window above which a task must be split. */
export const MUST_SHARD_PERCENT = 60

/** Judges `tokens` against the window and what remains of it. Percentages are rounded down to a tenth. */
export function judge(tokens: number, { window, remaining }: Room): Fit {
  return {
    percentOfWindow: percentOf(tokens, window),
    percentOfRemaining: remaining === undefined ? undefined : percentOf(tokens, remaining),
    verdict: verdictOf(tokens, { window, remaining }),
  }
}

function verdictOf(tokens: number, { window, remaining = Infinity }: Room): Verdict {
  if (tokens > remaining) return 'exceeds-remaining'
  if (tokens * 100 > window * MUST_SHARD_PERCENT) return 'must-shard'
  return tokens * 100 < window * SHARD_PERCENT ? 'fits' : 'consider-sharding'
}

/** False if the task must not begin in its current form. */
export function isPossible({ verdict }: Fit): boolean {
  return verdict === 'fits' || verdict === 'consider-sharding'
}

/** The largest number of tokens below this percentage of a window. */
export function tokensBelow(percent: number, window: number): number {
  return Math.max(1, Math.ceil((window * percent) / 100) - 1)
}

/** Percent, rounded down to a tenth so that it never shows a limit that was not reached. */
export function percentOf(tokens: number, whole: number): number {
  return Math.floor((tokens * 1000) / Math.max(1, whole)) / 10
}
