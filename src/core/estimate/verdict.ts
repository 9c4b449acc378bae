/** Whether a task fits into a context window, and into what remains of it. Pure. */

const VERDICTS = ['fits', 'consider-sharding', 'must-shard', 'exceeds-remaining'] as const

export type Verdict = (typeof VERDICTS)[number]

export interface Room {
  /** Tokens of the whole window. */
  readonly window: number
  /** Tokens that are left of it; undefined where nobody knows. */
  readonly remaining: number | undefined
}

export interface Fit {
  readonly percentOfWindow: number
  readonly percentOfRemaining: number | undefined
  readonly verdict: Verdict
}

/** From this share of the window on, a task is better cut into shards. */
export const SHARD_PERCENT = 30
/** Above this one it must be. */
export const MUST_SHARD_PERCENT = 60

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

/** False where a task must not begin as it is. */
export function isPossible({ verdict }: Fit): boolean {
  return verdict === 'fits' || verdict === 'consider-sharding'
}

/** The most tokens that are below so many percent of a window. */
export function tokensBelow(percent: number, window: number): number {
  return Math.max(1, Math.ceil((window * percent) / 100) - 1)
}

/** Rounded down to a tenth, so that it never reads as a bound that was not reached. */
export function percentOf(tokens: number, whole: number): number {
  return Math.floor((tokens * 1000) / Math.max(1, whole)) / 10
}
