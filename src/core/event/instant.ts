/**
 * Instants: points in UTC time that can be compared as plain strings.
 *
 * An `Instant` is always `YYYY-MM-DDTHH:MM:SS.nnnnnnnnnZ` (nine fraction digits), so string order is time order for
 * the years 0000–9999, and nanoseconds of the source are kept.
 */

// Only for calendar arithmetic, which is the same everywhere; the clock is never read.
// oxlint-disable-next-line no-restricted-globals
const Calendar = Date

declare const brand: unique symbol
export type Instant = string & { readonly [brand]: 'instant' }

const EXTENDED =
  /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?\s*([Zz]|[+-]\d\d(?::?\d\d)?)?)?$/
const BASIC =
  /^(\d{4})(\d\d)(\d\d)[Tt](\d\d)(\d\d)(?:(\d\d)(?:[.,](\d+))?)?([Zz]|[+-]\d\d(?::?\d\d)?)?$/

/** A parsed instant. `offset` is false if the text had no offset; UTC is then assumed. */
export interface ParsedInstant {
  readonly instant: Instant
  readonly offset: boolean
}

/** Reads ISO 8601 with any offset. Returns undefined for anything that is not one instant. */
export function parseInstant(text: string): ParsedInstant | undefined {
  const match = EXTENDED.exec(text.trim()) ?? BASIC.exec(text.trim())
  if (match === null) return undefined
  const [, y, mo, d, h = '00', mi = '00', s = '00', fraction = '', zone] = match
  const midnight = `${y}-${mo}-${d}T00:00:00.000Z`
  const day = Calendar.parse(midnight)
  // The calendar moves a day that does not exist into the next month.
  if (Number.isNaN(day) || new Calendar(day).toISOString() !== midnight) return undefined
  const [hour, minute, second] = [Number(h), Number(mi), Number(s)]
  if (hour > 23 || minute > 59 || second > 60) return undefined // 60: a leap second
  const offset = offsetMinutes(zone)
  if (offset === undefined) return undefined
  const seconds = day / 1000 + (hour * 60 + minute - offset) * 60 + second
  const instant = fromSeconds(seconds, fraction)
  return instant === undefined ? undefined : { instant, offset: zone !== undefined }
}

/** The instant of a Unix time in whole milliseconds. */
export function instantFromMillis(millis: number): Instant {
  const seconds = Math.floor(millis / 1000)
  const instant = fromSeconds(seconds, String(millis - seconds * 1000).padStart(3, '0'))
  if (instant === undefined) throw new RangeError(`no instant for ${millis} ms`)
  return instant
}

/** Unix time in milliseconds, rounded down. */
export function instantToMillis(instant: Instant): number {
  return Calendar.parse(`${instant.slice(0, 23)}Z`)
}

/** Unix time in milliseconds of a text that `parseInstant` reads; undefined for other texts. */
export function millisOf(text: string | null | undefined): number | undefined {
  const instant = parseInstant(text ?? '')?.instant
  return instant && instantToMillis(instant)
}

/** The text for people: UTC, without a zero fraction, otherwise with at least milliseconds. */
export function formatInstant(instant: Instant): string {
  const fraction = instant.slice(20, 29).replace(/0{1,6}$/, '')
  return fraction === '000' ? `${instant.slice(0, 19)}Z` : `${instant.slice(0, 19)}.${fraction}Z`
}

/** The same for Unix milliseconds. */
export function formatMillis(millis: number): string {
  return formatInstant(instantFromMillis(millis))
}

function fromSeconds(total: number, fraction: string): Instant | undefined {
  const text = new Calendar(total * 1000).toISOString()
  if (text.length !== 24) return undefined // a year before 0 or after 9999 has a sign
  return `${text.slice(0, 19)}.${fraction.slice(0, 9).padEnd(9, '0')}Z` as Instant
}

function offsetMinutes(zone: string | undefined): number | undefined {
  if (zone === undefined || zone === 'Z' || zone === 'z') return 0
  const hours = Number(zone.slice(1, 3))
  const minutes = Number(zone.slice(3).replace(':', '') || '0')
  if (hours > 23 || minutes > 59) return undefined
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes)
}
