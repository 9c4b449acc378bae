/**
 * Bytes of an agent's log below which nothing can follow from a tool use: its launcher looks at the size first,
 * and starts a hook only from there on.
 */

import { EMERGENCY_PERCENT } from './decide.ts'
import type { Boundaries } from './level.ts'
import { DEFAULT_BOUNDARIES } from './level.ts'
import type { Standing } from './samples.ts'

/** Bytes of the log that a token takes at least. */
const MIN_BYTES_PER_TOKEN = 2

/** Where the limit is unknown, every use is looked at; behind L3 none is. `logBytes`: when the sample was taken. */
export function quietUntil(
  { tokens, limit }: Standing,
  logBytes: number,
  boundaries: Boundaries = DEFAULT_BOUNDARIES,
): number {
  if (limit === undefined) return logBytes
  const points = [...boundaries, EMERGENCY_PERCENT].map((point) => Math.ceil((limit * point) / 100))
  const ahead = points.filter((point) => point > tokens)
  return ahead.length === 0
    ? Number.MAX_SAFE_INTEGER
    : logBytes + (Math.min(...ahead) - tokens) * MIN_BYTES_PER_TOKEN
}
