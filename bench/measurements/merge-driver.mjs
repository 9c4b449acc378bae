/** `git merge` with our driver, compared with the same merge with a driver that only starts Node. */

import { interleave } from '../measure.mjs'
import { FLOOR_DRIVER, Merges } from '../merges.mjs'
import { forgetCache } from '../repositories.mjs'
import { ratioRow } from '../rows.mjs'

/** A branch is built for each round, which takes longer than the merge itself. */
const ROUNDS = { quick: { small: 3, large: 2 }, full: { small: 15, large: 9 } }

export function measureMergeDriver({ sandbox, repositories, quick }, { events, budget, first }) {
  const isLarge = events > 1000
  const rounds = ROUNDS[quick ? 'quick' : 'full'][isLarge ? 'large' : 'small']
  const merges = new Merges(sandbox, repositories.withBranches(events, rounds))
  const work = `merge driver, ${events.toLocaleString('en')} events, 10 new anywhere in time`
  merges.warmUp()
  const toFloor = (before = () => {}) =>
    interleave(
      {
        ours: (round) => {
          before()
          return merges.merge(`theirs-${round}`)
        },
        floor: (round) => merges.merge(`theirs-${round}`, FLOOR_DRIVER),
      },
      rounds,
    )
  const forget = () => forgetCache(merges.folder)
  const installAnew = () => {
    forget()
    sandbox.git(merges.folder, 'checkout', '-q', '-f', '--detach', 'ours')
    sandbox.ledger(merges.folder, 'install')
  }
  return [
    ratioRow({ work, budget, ...toFloor(), note: 'whole git merge' }),
    ratioRow({ work: '— with nothing kept at all', ...toFloor(forget) }),
    ratioRow({
      work: '— the first in a clone, after install',
      budget: first,
      ...toFloor(installAnew),
    }),
  ]
}
