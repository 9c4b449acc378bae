/** `fleet`: all worktrees, branches and agents at one glance. */

import { gatherFleet } from '../../app/fleet/gather-fleet.ts'
import type { Command, Input } from '../command.ts'
import { flag } from '../command.ts'
import { fleetLines } from '../fleet-view.ts'
import { isColoured } from '../paint.ts'

const WIDTH = 80

export const fleet: Command = {
  name: 'fleet',
  describe: 'Who works where on what, what waits for a person, where branches disagree',
  examples: [
    ['ledger-git fleet', 'all worktrees of the repository'],
    ['ledger-git fleet --json', 'all of it, as data'],
  ],
  options: {
    'all-branches': flag('merged branches, too, and all of them'),
  },
  run: async (input) => {
    const context = await input.context.fleet()
    const { fleet } = await gatherFleet(context, { allBranches: input.flag('all-branches') })
    input.print(fleet, fleetLines(fleet, viewOf(input)))
  },
}

function viewOf({ context }: Input) {
  const { columns, env, clock, isStdoutTty } = context
  return { width: columns ?? WIDTH, now: clock.now(), isColoured: isColoured(env, isStdoutTty) }
}
