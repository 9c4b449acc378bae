/** When a source was written, as far as it says so itself. */

import type { Instant } from '../event/instant.ts'
import { parseInstant } from '../event/instant.ts'
import type { Claim } from './draft.ts'

const LEADING =
  /^\D{0,3}(\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:\s?(?:Z|[+-]\d\d:?\d\d))?)?)(?!\d)/
const IN_NAME =
  /(?<!\d)(\d{4}-\d\d-\d\d)(?:[T_-](\d\d)[-:]?(\d\d)(?:[-:](\d\d)(?:[-.](\d{3}))?)?(?=[_.Z-]|$))?/

const MIDNIGHT = 'T00:00:00.000000000Z'

/** `2026-06-08 (end of the loop)`: the time that a text begins with, as written. */
export function leadingTime(text: string): string | undefined {
  const found = LEADING.exec(text)?.[1]
  return found !== undefined && parseInstant(found) !== undefined ? found : undefined
}

/** `general/2026-05-29_10-12_review.yaml`, `2025-12-31_22-50-00-000_x.md`; UTC, as nothing else is said. */
export function timeInName(path: string): Instant | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const [, date, hour, minute, second = '00', millis = '000'] = IN_NAME.exec(name) ?? []
  if (date === undefined) return undefined
  const time = hour === undefined ? '00:00:00' : `${hour}:${minute}:${second}.${millis}`
  return (parseInstant(`${date}T${time}Z`) ?? parseInstant(date))?.instant
}

/**
 * The newest time that the source gives itself; its name where it gives none, or the same day without
 * a time. A name has no time zone, so it never beats a text that may have one.
 */
export function sourceTime(times: readonly Claim[], path: string): Instant | undefined {
  const said = times.map(({ texts }) => parseInstant(texts[0] ?? '')?.instant)
  const newest = said
    .filter((instant) => instant !== undefined)
    .toSorted()
    .at(-1)
  const named = timeInName(path)
  if (newest === undefined) return named
  const isDay = newest.slice(10) === MIDNIGHT && newest.slice(0, 10) === named?.slice(0, 10)
  return isDay ? named : newest
}

/** The times that the event's own `ts` repeats: their lines need no note. */
export function timesHeld(times: readonly Claim[], ts: Instant): Claim[] {
  return times.filter(({ texts: [text = ''] }) => {
    return parseInstant(text)?.instant === ts || text === ts.slice(0, 10)
  })
}
