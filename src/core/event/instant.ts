/**
 * Instants: points on the UTC time line, comparable as plain strings.
 *
 * An `Instant` is always `YYYY-MM-DDTHH:MM:SS.nnnnnnnnnZ` (nine fraction digits), so string order
 * is time order for the years 0000–9999 and no precision of the source is lost.
 */

declare const brand: unique symbol
export type Instant = string & { readonly [brand]: 'instant' }

const EXTENDED =
  /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?\s*([Zz]|[+-]\d\d(?::?\d\d)?)?)?$/
const BASIC =
  /^(\d{4})(\d\d)(\d\d)[Tt](\d\d)(\d\d)(?:(\d\d)(?:[.,](\d+))?)?([Zz]|[+-]\d\d(?::?\d\d)?)?$/

/** How a text named an instant: `offset` is false when it gave none (UTC is then assumed). */
export interface ParsedInstant {
  readonly instant: Instant
  readonly offset: boolean
}

/** Reads ISO 8601 with any offset. Returns undefined for anything that is not one instant. */
export function parseInstant(text: string): ParsedInstant | undefined {
  const match = EXTENDED.exec(text.trim()) ?? BASIC.exec(text.trim())
  if (match === null) return undefined
  const [, y, mo, d, h = '00', mi = '00', s = '00', fraction = '', zone] = match
  const [year, month, day] = [Number(y), Number(mo), Number(d)]
  const [hour, minute, second] = [Number(h), Number(mi), Number(s)]
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return undefined
  if (hour > 23 || minute > 59 || second > 60) return undefined // 60: a leap second
  const offset = offsetMinutes(zone)
  if (offset === undefined) return undefined
  const minutes = (daysSinceEpoch(year, month, day) * 24 + hour) * 60 + minute - offset
  const instant = fromSeconds(minutes * 60 + second, fraction)
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
  const [year, month, day] = [instant.slice(0, 4), instant.slice(5, 7), instant.slice(8, 10)]
  const days = daysSinceEpoch(Number(year), Number(month), Number(day))
  const seconds =
    Number(instant.slice(11, 13)) * 3600 +
    Number(instant.slice(14, 16)) * 60 +
    Number(instant.slice(17, 19))
  return (days * 86_400 + seconds) * 1000 + Number(instant.slice(20, 23))
}

/** The text people read: UTC, without a zero fraction, otherwise at least milliseconds. */
export function formatInstant(instant: Instant): string {
  const fraction = instant.slice(20, 29).replace(/0{1,6}$/, '')
  return fraction === '000' ? `${instant.slice(0, 19)}Z` : `${instant.slice(0, 19)}.${fraction}Z`
}

function fromSeconds(total: number, fraction: string): Instant | undefined {
  const days = Math.floor(total / 86_400)
  const rest = total - days * 86_400
  const { year, month, day } = dateOfDay(days)
  if (year < 0 || year > 9999) return undefined
  const date = `${pad(year, 4)}-${pad(month)}-${pad(day)}`
  const time = `${pad(Math.floor(rest / 3600))}:${pad(Math.floor(rest / 60) % 60)}:${pad(rest % 60)}`
  return `${date}T${time}.${fraction.slice(0, 9).padEnd(9, '0')}Z` as Instant
}

function offsetMinutes(zone: string | undefined): number | undefined {
  if (zone === undefined || zone === 'Z' || zone === 'z') return 0
  const hours = Number(zone.slice(1, 3))
  const minutes = Number(zone.slice(3).replace(':', '') || '0')
  if (hours > 23 || minutes > 59) return undefined
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes)
}

function daysInMonth(year: number, month: number): number {
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
  return [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0
}

/** Days since 1970-01-01 in the proleptic Gregorian calendar (H. Hinnant, "chrono-compatible"). */
function daysSinceEpoch(year: number, month: number, day: number): number {
  const y = month <= 2 ? year - 1 : year
  const era = Math.floor(y / 400)
  const yearOfEra = y - era * 400
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1
  const dayOfEra =
    yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear
  return era * 146_097 + dayOfEra - 719_468
}

/** The inverse of `daysSinceEpoch`. */
function dateOfDay(days: number): { year: number; month: number; day: number } {
  const z = days + 719_468
  const era = Math.floor(z / 146_097)
  const dayOfEra = z - era * 146_097
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  )
  const dayOfYear =
    dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const mp = Math.floor((5 * dayOfYear + 2) / 153)
  const month = mp < 10 ? mp + 3 : mp - 9
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  return { year, month, day: dayOfYear - Math.floor((153 * mp + 2) / 5) + 1 }
}

function pad(value: number, width = 2): string {
  return String(value).padStart(width, '0')
}
