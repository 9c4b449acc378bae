/** Instants as people say them. */

const STEPS = [
  { unit: 'd', millis: 86_400_000 },
  { unit: 'h', millis: 3_600_000 },
  { unit: 'min', millis: 60_000 },
] as const

/** `3 min`, as of `now`. An instant in the future, by a clock that is ahead, is no age. */
export function ageOf(instant: string, now: number): string {
  const millis = now - Date.parse(instant)
  if (Number.isNaN(millis)) return '?'
  if (millis < -60_000) return 'ahead of the clock'
  const step = STEPS.find((each) => millis >= each.millis)
  return step === undefined ? 'now' : `${Math.floor(millis / step.millis)} ${step.unit}`
}

/** In the reader's own time zone. */
export function fullTime(instant: string): string {
  const date = new Date(instant)
  if (Number.isNaN(date.getTime())) return instant
  const [year, month, day, hour, minute, second] = [
    date.getFullYear(),
    date.getMonth() + 1,
    date.getDate(),
    date.getHours(),
    date.getMinutes(),
    date.getSeconds(),
  ].map((part) => String(part).padStart(2, '0'))
  return `${year}-${month}-${day} ${hour}:${minute}:${second}`
}
