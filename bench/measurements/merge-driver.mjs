/** `git merge` with our driver against the same merge with one that only starts Node. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { interleave } from '../measure.mjs'
import { FLOOR_DRIVER, Merges, NODE } from '../merges.mjs'
import { forgetCache } from '../repositories.mjs'
import { ratioRow } from '../rows.mjs'

const TIMER = fileURLToPath(new URL('../programs/time-driver.mjs', import.meta.url))

/** One branch is built for each, which costs more than the merge itself. */
const ROUNDS = { quick: { small: 3, large: 2 }, full: { small: 15, large: 9 } }

export function measureMergeDriver({ sandbox, repositories, quick }, { events, budget, first }) {
  const isLarge = events > 1000
  const rounds = ROUNDS[quick ? 'quick' : 'full'][isLarge ? 'large' : 'small']
  const merges = new Merges(sandbox, repositories.withBranches(events, rounds))
  const work = `merge driver, ${events.toLocaleString('en')} events, 10 new anywhere in time`
  merges.warmUp()
  const { ours, floor } = interleave(
    {
      ours: (round) => merges.merge(`theirs-${round}`),
      floor: (round) => merges.merge(`theirs-${round}`, FLOOR_DRIVER),
    },
    rounds,
  )
  const cold = interleave(
    {
      ours: (round) => {
        forgetCache(merges.folder)
        return merges.merge(`theirs-${round}`)
      },
      floor: (round) => merges.merge(`theirs-${round}`, FLOOR_DRIVER),
    },
    rounds,
  )
  const inClone = interleave(
    {
      ours: (round) => {
        forgetCache(merges.folder)
        sandbox.git(merges.folder, 'checkout', '-q', '-f', '--detach', 'ours')
        sandbox.ledger(merges.folder, 'install')
        return merges.merge(`theirs-${round}`)
      },
      floor: (round) => merges.merge(`theirs-${round}`, FLOOR_DRIVER),
    },
    rounds,
  )
  const whole = ratioRow({ work, budget, ours, floor, note: 'whole git merge' })
  const firstRows = [
    ratioRow({ work: '— the first in a clone, after install', budget: first, ...inClone }),
    ratioRow({ work: '— with nothing kept at all', ...cold }),
  ]
  if (quick && isLarge) return [whole, ...firstRows]
  const alone = timeDriverAlone(merges, rounds, join(sandbox.folder, `times-${events}`))
  return [whole, ...firstRows, ratioRow({ work: '— its launcher and process alone', ...alone })]
}

function timeDriverAlone(merges, rounds, out) {
  const launcher = join(merges.folder, '.git/ledger-git/run')
  merges.warmUp()
  for (let round = 1; round <= rounds; round++) {
    const order = round % 2 === 0 ? 'ours-first' : 'floor-first'
    const words = `${NODE} '${TIMER}' '${out}' ${order} '${launcher}'`
    merges.merge(`theirs-${round}`, `${words} %O %A %B %L %P %S %X %Y`)
  }
  const times = readFileSync(out, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  return { ours: times.map(({ ours }) => ours), floor: times.map(({ floor }) => floor) }
}
