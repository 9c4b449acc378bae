/**
 * Rates learnt from a repository's own sessions: how many characters a token has in what its agents read
 * and write, and how much more, or less, tasks took than was estimated. Pure.
 */

import type { Response } from '../agents/context-records.ts'
import type { Rates } from './work.ts'
import { START_RATES } from './work.ts'

export interface Calibration {
  readonly charactersPerToken: number
  /** Pairs of responses that it was taken from. */
  readonly pairs: number
}

/** A smaller growth is mostly what the program adds by itself. */
const MIN_GROWTH = 500
const MIN_PAIRS = 20
/** Outside of it something was added that is not in the text, or is in the text and was not added. */
const PLAUSIBLE = { least: 1, most: 8 }

/** From the responses of each session, in order. Undefined where there are too few. */
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

/** What came into the context, compactions left out. */
export function growthOf(responses: readonly Response[]): number {
  return responses.reduce((sum, { context }, i) => {
    return sum + Math.max(0, context - (responses[i - 1]?.context ?? context))
  }, 0)
}

/** A task that was estimated, and what the session took from then on. */
export interface Comparison {
  /** Before the ratio. */
  readonly estimate: number
  readonly actual: number
}

const MIN_COMPARISONS = 3
/** The newest of them count. */
const MAX_COMPARISONS = 20
/** Of the estimate: who took less was asked, and did something else. */
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
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const [low = 0, high = 0] = [
    sorted[sorted.length % 2 === 0 ? middle - 1 : middle],
    sorted[middle],
  ]
  return (low + high) / 2
}
