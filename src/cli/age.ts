/** How long ago, as people say it. */

import { instantToMillis, parseInstant } from '../core/event/instant.ts'

const UNITS: readonly (readonly [millis: number, unit: string])[] = [
  [24 * 3_600_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1000, 's'],
]

/** `3 min`, or `in 3 min` for a clock ahead of this one; empty for what is not known. `now`: Unix milliseconds. */
export function ageOf(then: string | null, now: number): string {
  const parsed = then === null ? undefined : parseInstant(then)
  if (parsed === undefined) return ''
  const millis = now - instantToMillis(parsed.instant)
  const [size, unit] = UNITS.find(([size]) => Math.abs(millis) >= size) ?? [1000, 's']
  const text = `${Math.floor(Math.abs(millis) / size)} ${unit}`
  return millis < 0 ? `in ${text}` : text
}
