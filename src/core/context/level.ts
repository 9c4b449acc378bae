/** How full a session's context is, as one of four levels. */

/** L0 normal, L1 warning, L2 critical, L3 emergency. */
export type Level = 'L0' | 'L1' | 'L2' | 'L3'

export const LEVELS: readonly Level[] = ['L0', 'L1', 'L2', 'L3']

/** Percent of the effective limit at which L1, L2 and L3 begin. */
export type Boundaries = readonly [l1: number, l2: number, l3: number]

export const DEFAULT_BOUNDARIES: Boundaries = [70, 85, 95]

/** The level of `tokens` against `limit`, both in tokens. A level begins exactly at its boundary. */
export function levelOf(
  tokens: number,
  limit: number,
  boundaries: Boundaries = DEFAULT_BOUNDARIES,
): Level {
  const reached = boundaries.filter((boundary) => tokens * 100 >= limit * boundary)
  return LEVELS[reached.length] ?? 'L3'
}

export function isAtLeast(level: Level, other: Level): boolean {
  return LEVELS.indexOf(level) >= LEVELS.indexOf(other)
}

/** Percent, rounded down so that it never shows a boundary that is not reached. */
export function percentOf(tokens: number, whole: number): number {
  return whole > 0 ? Math.floor((tokens * 100) / whole) : 0
}
