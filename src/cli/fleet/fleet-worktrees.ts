/** Worktrees of the fleet, and the agents in each. */

import { ageOf } from '../../core/event/age.ts'
import type { Fleet, FleetAgent, FleetWorktree } from '../../core/fleet/fleet.ts'
import { folderName } from '../../core/text/folder-name.ts'
import { fitCells } from './cell-width.ts'
import type { Colour, Page } from './fleet-page.ts'
import { distance, ends, heading, moreLine } from './fleet-page.ts'
import { count, safeText } from '../command/format.ts'

export function worktreeLines({ worktrees, more }: Fleet, page: Page): string[] {
  const all = worktrees.length + more.worktrees
  if (all === 0) return [heading('no worktrees', page)]
  const lines = worktrees.flatMap((worktree) => [
    worktreeLine(worktree, page),
    ...worktree.agents.map((agent) => agentLine(agent, page)),
  ])
  return [
    heading(count(all, 'worktree'), page),
    ...lines,
    ...moreLine(more.worktrees, '', page),
    ...moreLine(more.agents, more.agents === 1 ? ' agent' : ' agents', page),
  ]
}

function worktreeLine(worktree: FleetWorktree, page: Page): string {
  const { branch, path, note, fresh, pending } = worktree
  const folder = safeText(folderName(path))
  const name = branch === null ? folder : safeText(branch)
  const facts = [
    note ?? '',
    fresh === false ? 'stale' : '',
    pending === null || pending === 0 ? '' : `${pending} pending`,
    distance(worktree),
  ].filter((fact) => fact !== '')
  const where = branch === null || branch === folder ? '' : `  in ${folder}`
  const [text, end] = ends(`  ${name}${where}`, facts.join(', '), page)
  const { paint } = page
  return `${paint.bold(text)}${paint[fresh === false ? 'yellow' : 'dim'](end)}`
}

const NAME_WIDTH = 14
const PHASE_WIDTH = 11

const PHASE_COLOURS: Partial<Record<FleetAgent['phase'], Colour>> = {
  active: 'green',
  active_committed: 'green',
  idle: 'yellow',
  timed_out: 'red',
}

/** Name, phase, how full its context is, what it does, and for how long nothing was heard. */
function agentLine(
  { agent, phase, now: doing, last_sign, context }: FleetAgent,
  page: Page,
): string {
  const { paint, now } = page
  const name = fitCells(safeText(agent), NAME_WIDTH)
  const word = (phase === 'active_committed' ? 'active' : phase.replace('_', ' ')).padEnd(
    PHASE_WIDTH,
  )
  const full =
    context === null ? '      ' : `${String(context.percent).padStart(3)} %  `.slice(0, 6)
  const said = doing === null ? '' : safeText(doing)
  const [text, age] = ends(`    ${name} ${word} ${full}${said}`, ageOf(last_sign, now), page)
  const at = `    ${name} `.length
  const colour = PHASE_COLOURS[phase] ?? 'dim'
  const level = context === null || context.level === 'L0' ? undefined : context.level
  const rest = text.slice(at + word.length)
  const shown =
    level === undefined
      ? rest
      : paint[level === 'L1' ? 'yellow' : 'red'](rest.slice(0, 7)) + rest.slice(7)
  return `${text.slice(0, at)}${paint[colour](word)}${shown}${paint.dim(age)}`
}
