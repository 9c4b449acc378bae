/** post-commit with many finished sessions. The product has no sessions yet: nothing is made up. */

import { unmeasuredRow } from '../rows.mjs'

export function measureSessions() {
  return [
    unmeasuredRow({
      work: 'post-commit with 200 finished sessions',
      budget: 1,
      why: 'not measured: no sessions yet',
    }),
  ]
}
