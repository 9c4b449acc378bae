import { test } from 'vitest'

/**
 * `LEDGER_LONG=1 npm test` runs every pair, every step and every variant; otherwise a sample runs that is quick
 * enough to wait for.
 */
export const IS_LONG = process.env['LEDGER_LONG'] === '1'

/** A test for long runs only: other tests stand for it, because they run the same code. */
export const longTest = test.runIf(IS_LONG)

/** Cases that differ in detail: the first of every `oneOf`, or all of them in a long run. */
export function sampleOf<T>(cases: readonly T[], oneOf: number): readonly T[] {
  return IS_LONG ? cases : cases.filter((_, i) => i % oneOf === 0)
}

/** The number of random cases for a law: `fewer`, or `n` in a long run. Each run has different cases. */
export function runs(n: number, fewer = Math.ceil(n / 12)): { readonly numRuns: number } {
  return { numRuns: IS_LONG ? n : fewer }
}
