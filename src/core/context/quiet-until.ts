/**
 * The point below which a tool use cannot lead to any reaction. The launcher compares it with the size of the agent's
 * log and the tokens of its last response, and starts the hook only beyond that point.
 */

import { EMERGENCY_PERCENT } from './decide.ts'
import type { Boundaries } from './level.ts'
import { DEFAULT_BOUNDARIES } from './level.ts'
import type { Standing } from './samples.ts'

/** The least number of bytes that a token takes in the log. */
const MIN_BYTES_PER_TOKEN = 2

export interface QuietUntil {
  /** Size of the log. */
  readonly bytes: number
  readonly tokens: number
}

const NEVER = Number.MAX_SAFE_INTEGER

/**
 * If the limit is unknown, every tool use is examined; beyond L3 none is. `logBytes`: size of the log when the sample
 * was taken.
 */
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
