import { test } from 'vitest'

/** `LEDGER_LONG=1 npm test`: every pair, every step, every way; else a sample that people wait for. */
export const IS_LONG = process.env['LEDGER_LONG'] === '1'

/** A scenario that others stand for: what it runs, they run as well. */
export const longTest = test.runIf(IS_LONG)

/** Cases that differ in detail: each first of so many, or all of them. */
export function sampleOf<T>(cases: readonly T[], oneOf: number): readonly T[] {
  return IS_LONG ? cases : cases.filter((_, i) => i % oneOf === 0)
}

/** How many random cases a law is tried on: `fewer`, or all. Each run has others. */
export function runs(n: number, fewer = Math.ceil(n / 12)): { readonly numRuns: number } {
  return { numRuns: IS_LONG ? n : fewer }
}
