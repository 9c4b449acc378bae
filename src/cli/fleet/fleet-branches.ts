/** Branches of the fleet: decisions that they hold differently, and those that no worktree shows. */

import { ageOf } from '../../core/event/age.ts'
import type { DifferingDecision, Fleet, FleetBranch } from '../../core/fleet/fleet.ts'
import { fitCells } from './cell-width.ts'
import type { Page } from './fleet-page.ts'
import { distance, moreLine, section, toEnds } from './fleet-page.ts'
import { count, safeText } from '../command/format.ts'

/** How many of each are shown; the others are counted. */
const SHOWN = { decisions: 5, branches: 5 }

export function decisionLines({ decisions_differ, more }: Fleet, page: Page): string[] {
  const all = decisions_differ.length + more.decisions_differ
  const items = { here: decisions_differ, all, most: SHOWN.decisions }
  const title = `${count(all, 'decision')} that branches hold differently`
  return section(title, items, (one) => decisionOf(one, page), page)
}

function decisionOf({ key, both_sides, values }: DifferingDecision, page: Page): string[] {
  const { now, width } = page
  const why = both_sides ? 'set on both sides' : 'set on one side'
  return [
    toEnds(`  ${safeText(key)}`, why, page, both_sides ? 'yellow' : 'dim'),
    ...values.slice(0, 4).map(({ value, agent, ts, held_on }) => {
      const [first = '', ...others] = held_on
      const where = `${safeText(first, 30)}${others.length === 0 ? '' : ` and ${others.length} more`}`
      const text = value === null ? '(taken back)' : safeText(String(value))
      const half = Math.max(10, Math.floor((width - 6) / 2))
      const left = `    ${fitCells(text, half)} ${safeText(agent)} on ${where}`
      return toEnds(left, ageOf(ts, now), page)
    }),
    ...moreLine(values.length - 4, ' values', page),
  ]
}

/** Branches that no worktree shows. */
export function branchLines({ branches, worktrees, more }: Fleet, page: Page): string[] {
  const shownElsewhere = new Set(worktrees.map(({ branch }) => branch))
  const here = branches.filter(({ name }) => !shownElsewhere.has(name))
  if (here.length === 0) return []
  const items = { here, all: here.length + more.branches, most: SHOWN.branches }
  const title = `${count(here.length, 'branch').replace('branchs', 'branches')} besides`
  const rest = ': git ledger fleet --all-branches --json'
  return section(title, items, (branch) => branchLine(branch, page), page, rest)
}

function branchLine(branch: FleetBranch, page: Page): string {
  const { name, would_change, more, fresh } = branch
  const changes = would_change === null ? 0 : would_change.length + more
  const facts = [
    fresh === false ? 'stale' : '',
    changes === 0 ? '' : `would change ${changes} ${changes === 1 ? 'entry' : 'entries'}`,
    distance(branch),
  ].filter((fact) => fact !== '')
  const colour = fresh === false ? 'yellow' : 'dim'
  return toEnds(`  ${safeText(name)}`, facts.join(', '), page, colour)
}
