/** How long ago something was, in words: `3 min ago`. */

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** The largest unit that fits at least once; what is older than a month has a date. */
const UNITS = [
  [DAY, 'd'],
  [HOUR, 'h'],
  [MINUTE, 'min'],
  [1000, 's'],
] as const

/** Both in milliseconds; `date` is what stands for a time that is far off. */
export function ago(then: number, now: number, date: string): string {
  const away = Math.abs(now - then)
  if (away > 31 * DAY) return date
  const [unit, name] = UNITS.find(([size]) => away >= size) ?? [1000, 's']
  const words = `${Math.floor(away / unit)} ${name}`
  return then > now ? `in ${words}` : `${words} ago`
}
