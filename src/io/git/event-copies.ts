/** Copies of events on their way into a commit. */

import type { EventCopies } from '../../app/ports.ts'

/** Nothing is kept. */
export const noCopies: EventCopies = {
  list: () => Promise.resolve([]),
  drop: () => Promise.resolve(),
}
