/** Instants as readers of the page would write them. */

/** In the reader's own time zone, and in the order of ISO 8601, which is how Swedish writes a time. */
export function fullTime(instant: string): string {
  const date = new Date(instant)
  return Number.isNaN(date.getTime()) ? instant : date.toLocaleString('sv')
}
