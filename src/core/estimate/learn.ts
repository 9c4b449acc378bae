/**
 * Rates learnt from a repository's own sessions: how many characters per token its agents read and write, and how
 * much more or less tasks took than estimated. Pure.
 */

import type { Response } from '../agents/context-records.ts'
import type { Rates } from './work.ts'
import { START_RATES } from './work.ts'

export interface Calibration {
  readonly charactersPerToken: number
  /** Number of pairs of responses that it is based on. */
  readonly pairs: number
}

/** Tokens; a smaller growth is mostly text that the program adds by itself. */
const MIN_GROWTH = 500
const MIN_PAIRS = 20
/** Characters per token. Outside this range, the counted text is not what was added to the context. */
const PLAUSIBLE = { least: 1, most: 8 }

/** Calibrates from the responses of each session, in order. Undefined if there are too few. */
export function calibrate(sessions: readonly (readonly Response[])[]): Calibration | undefined {
  let [characters, tokens, pairs] = [0, 0, 0]
  for (const responses of sessions) {
    for (const [i, { context, charactersBefore }] of responses.entries()) {
      const growth = context - (responses[i - 1]?.context ?? context)
      const ratio = charactersBefore / growth
      if (growth < MIN_GROWTH || ratio < PLAUSIBLE.least || ratio > PLAUSIBLE.most) continue
      characters += charactersBefore
      tokens += growth
      pairs++
    }
  }
  if (pairs < MIN_PAIRS) return undefined
  return { charactersPerToken: Math.round((characters / tokens) * 100) / 100, pairs }
}

/** Tokens added to the context; compactions are ignored. */
export function growthOf(responses: readonly Response[]): number {
  return responses.reduce((sum, { context }, i) => {
    return sum + Math.max(0, context - (responses[i - 1]?.context ?? context))
  }, 0)
}

/** The estimate of a task, and what the session took from then on; both in tokens. */
export interface Comparison {
  /** Before the ratio is applied. */
  readonly estimate: number
  readonly actual: number
}

const MIN_COMPARISONS = 3
/** Only the newest comparisons count. */
const MAX_COMPARISONS = 20
/** Share of the estimate: a session that took less did something else. */
const LEAST_SHARE = 0.1
const RATIO = { least: 0.25, most: 4 }

/** `comparisons`: the newest last. */
export function learnRates(
  calibration: Calibration | undefined,
  comparisons: readonly Comparison[],
): Rates & { readonly compared: number } {
  const ratios = comparisons
    .filter(({ estimate, actual }) => estimate > 0 && actual >= estimate * LEAST_SHARE)
    .slice(-MAX_COMPARISONS)
    .map(({ estimate, actual }) => actual / estimate)
  const learnt = ratios.length < MIN_COMPARISONS ? START_RATES.ratio : median(ratios)
  const ratio = Math.min(RATIO.most, Math.max(RATIO.least, learnt))
  return {
    charactersPerToken: calibration?.charactersPerToken ?? START_RATES.charactersPerToken,
    ratio: Math.round(ratio * 100) / 100,
    compared: ratios.length,
  }
}

function median(values: readonly number[]): number {
  const half = values.length / 2
  const sorted = values.toSorted((a, b) => a - b)
  // One value in the middle, or two.
  const [low = 0, high = low] = sorted.slice(Math.ceil(half) - 1, Math.floor(half) + 1)
  return (low + high) / 2
}
