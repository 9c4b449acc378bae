/** Branches of the fleet: decisions that they hold differently, and those that no worktree shows. */

import { ageOf } from '../../core/event/age.ts'
import type { DifferingDecision, Fleet, FleetBranch } from '../../core/fleet/fleet.ts'
import { fitCells } from './cell-width.ts'
import type { Page } from './fleet-page.ts'
import { distance, ends, heading, moreLine } from './fleet-page.ts'
import { count, safeText } from '../command/format.ts'

/** How many of each are shown; the others are counted. */
const SHOWN = { decisions: 5, branches: 5 }

export function decisionLines({ decisions_differ, more }: Fleet, page: Page): string[] {
  const all = decisions_differ.length + more.decisions_differ
  if (all === 0) return []
  const shown = decisions_differ.slice(0, SHOWN.decisions)
  return [
    heading(`${count(all, 'decision')} that branches hold differently`, page),
    ...shown.flatMap((one) => decisionOf(one, page)),
    ...moreLine(all - shown.length, ': git ledger fleet --json', page),
  ]
}

function decisionOf({ key, both_sides, values }: DifferingDecision, page: Page): string[] {
  const { paint, now, width } = page
  const why = both_sides ? 'set on both sides' : 'set on one side'
  const [name, end] = ends(`  ${safeText(key)}`, why, page)
  return [
    `${name}${paint[both_sides ? 'yellow' : 'dim'](end)}`,
    ...values.slice(0, 4).map(({ value, agent, ts, held_on }) => {
      const [first = '', ...others] = held_on
      const where = `${safeText(first, 30)}${others.length === 0 ? '' : ` and ${others.length} more`}`
      const text = value === null ? '(taken back)' : safeText(String(value))
      const half = Math.max(10, Math.floor((width - 6) / 2))
      const left = `    ${fitCells(text, half)} ${safeText(agent)} on ${where}`
      const [line, age] = ends(left, ageOf(ts, now), page)
      return `${line}${paint.dim(age)}`
    }),
    ...moreLine(values.length - 4, ' values', page),
  ]
}

/** Branches that no worktree shows. */
export function branchLines({ branches, worktrees, more }: Fleet, page: Page): string[] {
  const shownElsewhere = new Set(worktrees.map(({ branch }) => branch))
  const others = branches.filter(({ name }) => !shownElsewhere.has(name))
  if (others.length === 0) return []
  const shown = others.slice(0, SHOWN.branches)
  return [
    heading(`${count(others.length, 'branch').replace('branchs', 'branches')} besides`, page),
    ...shown.map((branch) => branchLine(branch, page)),
    ...moreLine(
      others.length - shown.length + more.branches,
      ': git ledger fleet --all-branches --json',
      page,
    ),
  ]
}

function branchLine(branch: FleetBranch, page: Page): string {
  const { name, would_change, more, fresh } = branch
  const changes = would_change === null ? undefined : would_change.length + more
  const facts = [
    fresh === false ? 'stale' : '',
    changes === undefined || changes === 0
      ? ''
      : `would change ${count(changes, 'entry').replace('entrys', 'entries')}`,
    distance(branch),
  ].filter((fact) => fact !== '')
  const [text, end] = ends(`  ${safeText(name)}`, facts.join(', '), page)
  return `${text}${page.paint[fresh === false ? 'yellow' : 'dim'](end)}`
}
