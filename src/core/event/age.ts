/** How long ago an instant was, in words. `now`: Unix milliseconds. */

import { formatInstant, instantToMillis, millisOf, parseInstant } from './instant.ts'

const DAY = 24 * 3_600_000
const MONTH = 31 * DAY

/** The largest unit that fits at least once is used. */
const UNITS = [
  [DAY, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1000, 's'],
] as const

/** `3 min`, or `in 3 min` if the time is in the future because of clock skew; empty if the time is unknown. */
export function ageOf(then: string | null, now: number): string {
  const at = millisOf(then)
  if (at === undefined) return ''
  const millis = now - at
  const away = Math.abs(millis)
  const [size, unit] = UNITS.find(([size]) => away >= size) ?? [1000, 's']
  const words = `${Math.floor(away / size)} ${unit}`
  return millis < 0 ? `in ${words}` : words
}

/** `3 min ago`; the date if the time is more than a month away. A text that is not a time is returned unchanged. */
export function agoOf(then: string, now: number): string {
  const instant = parseInstant(then)?.instant
  if (instant === undefined) return then
  const millis = now - instantToMillis(instant)
  if (Math.abs(millis) > MONTH) return formatInstant(instant).slice(0, 10)
  return millis < 0 ? ageOf(then, now) : `${ageOf(then, now)} ago`
}
