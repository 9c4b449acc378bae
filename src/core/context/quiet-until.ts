/**
 * Up to where nothing can follow from a tool use: the launcher looks there first, at the size of the agent's log and at
 * the tokens of its last response, and starts a hook only from there on.
 */

import { EMERGENCY_PERCENT } from './decide.ts'
import type { Boundaries } from './level.ts'
import { DEFAULT_BOUNDARIES } from './level.ts'
import type { Standing } from './samples.ts'

/** Bytes of the log that a token takes at least. */
const MIN_BYTES_PER_TOKEN = 2

export interface QuietUntil {
  /** Of the log. */
  readonly bytes: number
  readonly tokens: number
}

const NEVER = Number.MAX_SAFE_INTEGER

/** Where the limit is unknown, every use is looked at; behind L3 none is. `logBytes`: when the sample was taken. */
export function quietUntil(
  { tokens, limit }: Standing,
  logBytes: number,
  boundaries: Boundaries = DEFAULT_BOUNDARIES,
): QuietUntil {
  if (limit === undefined) return { bytes: logBytes, tokens }
  const points = [...boundaries, EMERGENCY_PERCENT].map((point) => Math.ceil((limit * point) / 100))
  const ahead = points.filter((point) => point > tokens)
  if (ahead.length === 0) return { bytes: NEVER, tokens: NEVER }
  const next = Math.min(...ahead)
  return { bytes: logBytes + (next - tokens) * MIN_BYTES_PER_TOKEN, tokens: next }
}
