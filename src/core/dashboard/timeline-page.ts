/** The timeline, one page at a time. */

import type { Fleet } from '../fleet/fleet.ts'

const PAGE = 500

export interface TimelinePage {
  readonly entries: Fleet['timeline']
  /** How many entries follow. */
  readonly more: number
}

/**
 * The entries after the one whose file is `after`. A file name is used because new entries would shift an index. The
 * page starts at the beginning without `after`, or if no entry has that name any more.
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
