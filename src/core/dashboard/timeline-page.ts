/** The timeline, a page at a time. */

import type { Fleet } from '../fleet/fleet.ts'

const PAGE = 500

export interface TimelinePage {
  readonly entries: Fleet['timeline']
  /** How many follow. */
  readonly more: number
}

/**
 * What follows the entry of the file `after`; entries may have come meanwhile, so no number would say where.
 * Without `after`, or where no entry has that name any more: the beginning.
 */
export function readTimelinePage(
  timeline: Fleet['timeline'],
  cut: number,
  after: string | null,
): TimelinePage {
  const from = timeline.findIndex(({ file }) => file === after) + 1
  const entries = timeline.slice(from, from + PAGE)
  return { entries, more: timeline.length - from - entries.length + cut }
}
