/** `status`: an overview of who works here, of the ledger, and of this clone. */

import { fleetHere } from '../../app/fleet/fleet-here.ts'
import { readStatus } from '../../app/doctor/status.ts'
import { ageOf } from '../../core/event/age.ts'
import type { Attention, Fleet, FleetAgent } from '../../core/fleet/fleet.ts'
import type { Command } from '../command/command.ts'
import { safeText } from '../command/format.ts'

/** How many items of a long list are named. */
const MAX_ITEMS = 10
/** How many agents, and how many items to look at, are named. */
const MAX_ENTRIES = 3

export const status: Command = {
  name: 'status',
  describe:
    'Show who works here, whether the ledger is fresh and this clone set up, and what to run next',
  examples: [['ledger-git status', 'an overview']],
  run: async (input) => {
    await input.openWorktree()
    const { report, ...seen } = await readStatus(await input.context.setup())
    const here = { ...seen, pending: report.pending }
    const { agents, attention, more } = await fleetHere(await input.context.fleet(), here)
    const now = input.context.clock.now()
    const { pending, driver, hooks, skipped, damaged, ahead, next } = report
    const { named } = input.context
    const some = (items: readonly string[], line: (item: string) => string) =>
      items.slice(0, MAX_ITEMS).map((item) => line(safeText(item)))
    const missing =
      hooks.active.length === 0 ? 'none active here' : `missing: ${hooks.missing.join(', ')}`
    const lines = [
      `ledger:  ${report.fresh ? 'fresh' : 'stale'} (${report.reason})`,
      `pending: ${pending.length === 0 ? 'none' : pending.length}`,
      ...some(pending, (path) => `         ${path}`),
      `driver:  ${driver.active ? 'active' : 'inactive'} (${driver.reason})`,
      `hooks:   ${hooks.missing.length === 0 ? `active in ${hooks.folder}` : missing}`,
      ...(skipped > 0 ? [`skipped: ${skipped} (ledger-git event validate)`] : []),
      ...some(damaged, (file) => `damaged: ${file} (ledger-git event validate)`),
      ...some(ahead, (file) => `ahead of the clock: ${file} (ledger-git event retract)`),
      ...(next === null ? [] : [`next:    ${next}`]),
    ]
    const who = goingOn(agents, attention, more, now, named('ledger-git fleet'))
    input.print({ agents, attention, ...report }, [...who, ...lines.map(named)])
  },
}

/** What is going on, which comes before the state of the mechanism. Empty if nobody has said anything. */
function goingOn(
  agents: readonly FleetAgent[],
  attention: readonly Attention[],
  more: Fleet['more'],
  now: number,
  all: string,
): string[] {
  const work = agents
    .slice(0, MAX_ENTRIES)
    .map(({ agent, phase, now: doing, last_sign, context }) => {
      const full = context === null ? '' : `, context ${context.percent} %`
      // Without a session, nothing is known beyond what was said.
      const state = phase === 'unknown' ? '' : `${phase.replace('_', ' ')}${full}, `
      const facts = `${state}${ageOf(last_sign, now)}`
      return `${safeText(agent)}: ${safeText(doing ?? 'unknown')} (${facts})`
    })
  const look = attention.slice(0, MAX_ENTRIES).map(({ kind, subject, message }) => {
    return `${kind.replace('_', ' ')}: ${subject}: ${message}`
  })
  return [
    ...labelled('now:     ', work, agents.length + more.agents, all),
    ...labelled('look at: ', look, attention.length + more.attention, all),
  ]
}

function labelled(label: string, lines: readonly string[], total: number, all: string): string[] {
  const more = total > lines.length ? [`and ${total - lines.length} more (${all})`] : []
  return [...lines, ...more].map(
    (line, i) => `${i === 0 ? label : ' '.repeat(label.length)}${line}`,
  )
}
