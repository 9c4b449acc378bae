/** `LEDGER_LONG=1 npm test`: every pair, every step, every way; else a sample that people wait for. */
export const IS_LONG = process.env['LEDGER_LONG'] === '1'

/** Cases that differ in detail: each first of so many, or all of them. */
export function sampleOf<T>(cases: readonly T[], oneOf: number): readonly T[] {
  return IS_LONG ? cases : cases.filter((_, i) => i % oneOf === 0)
}
