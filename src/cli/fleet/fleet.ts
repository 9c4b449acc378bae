/** `fleet`: all worktrees, branches and agents at a glance. */

import { gatherFleetAt, momentOf } from '../../app/fleet/fleet-at.ts'
import { gatherFleet } from '../../app/fleet/gather-fleet.ts'
import { WHOLE_LISTS } from '../../core/fleet/build-fleet.ts'
import type { Command, Input } from '../command/command.ts'
import { flag, nonEmpty } from '../command/command.ts'
import type { Page } from './fleet-page.ts'
import { fleetLines } from './fleet-view.ts'

/** The width in cells if no terminal says how wide it is. */
const WIDTH = 80
/** Milliseconds between two refreshes. */
const INTERVAL = 2000

export const fleet: Command = {
  name: 'fleet',
  describe: 'Show who works where on what, what waits for a person, and where branches disagree',
  examples: [
    ['ledger-git fleet', 'all worktrees of the repository'],
    ['ledger-git fleet --watch', 'the same, kept up to date until you press q'],
    ['ledger-git fleet --at 2h --json', 'what events said two hours ago, as data'],
  ],
  options: {
    watch: {
      ...flag('keep it up to date until q or Control-C; without a terminal, print it once'),
      conflicts: ['json', 'at'],
    },
    'all-branches': flag('show all branches, including merged ones'),
    at: nonEmpty('what events said as of a commit, a time, or an age: 2h, 7d'),
  },
  run: async (input) => {
    if (input.flag('watch') && hasScreen(input)) return watchFleet(input)
    const context = await input.context.fleet()
    const limits = { ...WHOLE_LISTS, ...(input.flag('all-branches') && { branches: Infinity }) }
    const at = input.text('at')
    const fleet =
      at === undefined
        ? (await gatherFleet(context, limits)).fleet
        : await gatherFleetAt(context, await momentOf(context, at), limits)
    input.print(fleet, fleetLines(fleet, viewOf(input)))
  },
}

/** A terminal without cursor movement (`TERM=dumb`) can only be printed to. */
function hasScreen({ context: { isStdoutTty, env } }: Input): boolean {
  return isStdoutTty && env['TERM'] !== 'dumb'
}

async function watchFleet(input: Input): Promise<number> {
  const request = { allBranches: input.flag('all-branches'), hasWholeLists: true }
  const { gather, close } = await input.context.dashboard()
  try {
    return await input.context.watch(
      async ({ columns }) =>
        fleetLines(await gather(request), { ...viewOf(input), width: columns }),
      INTERVAL,
    )
  } finally {
    close()
  }
}

/** A terminal of unknown size reports 0. */
function viewOf({ context, paint }: Input): Page {
  const { columns, clock, typed } = context
  return { width: columns || WIDTH, now: clock.now(), paint, typed }
}
