/**
 * Distributes tasks to sessions, so that each session ends at a good place to stop. Pure.
 *
 * A session holds more than a shard does: up to the share of a window above which a task must be cut. The first session
 * has what remains of the window, if that is known. A plan begins in the session in which the previous one ended.
 */

import type { Rates } from '../estimate/work.ts'
import { partition } from './partition.ts'
import type { Plan, Unit } from './plan.ts'
import type { FileSizes } from './plan-work.ts'
import { runTokens } from './plan-work.ts'
import { openInOrder } from './order.ts'

export interface Source {
  readonly plan: Plan
  readonly sizes: FileSizes
}

export interface Session {
  readonly tasks: readonly { readonly source: number; readonly unit: Unit }[]
  readonly tokens: number
  readonly isTooLarge: boolean
}

/** `limits`: tokens of the first session, and of each later session. */
export function planSessions(
  sources: readonly Source[],
  rates: Rates,
  limits: { readonly first: number; readonly later: number },
): Session[] {
  const row = openRow(sources)
  if (row.units.length === 0) return []
  const tokensOf = runTokens(row.plan, row.sizes, rates, 0)
  const first = firstRun(row.units, tokensOf, limits)
  const rest = row.units.length - first
  const cuts =
    rest === 0
      ? []
      : partition(
          {
            length: rest,
            of: (from, to) => tokensOf(first + from, first + to),
            breakpoint: (at) => row.units[first + at]?.breakpoint ?? 0,
          },
          limits.later,
        ).map((at) => first + at)
  const starts = first === 0 ? cuts : [0, ...cuts]
  return starts.map((from, i) => {
    const to = starts[i + 1] ?? row.units.length
    const tokens = tokensOf(from, to)
    const limit = i === 0 && first > 0 ? limits.first : limits.later
    const tasks = row.units.slice(from, to).map((unit, at) => ({
      source: row.sources[from + at] ?? 0,
      unit,
    }))
    return { tasks, tokens, isTooLarge: tokens > limit }
  })
}

/** All open tasks in one row. The same path in several plans is the same file. */
function openRow(sources: readonly Source[]) {
  const rows = sources.map(({ plan }, source) =>
    openInOrder(plan)
      // An empty file also has one unit, which is skipped.
      .filter(({ task, text }) => task !== undefined || text.trim() !== '')
      .map((unit, i) => ({ source, unit: i === 0 ? { ...unit, breakpoint: 9 } : unit })),
  )
  const all = rows.flat()
  const units = all.map(({ unit }) => unit)
  const plan = { preamble: '', units }
  const sizes = new Map(sources.flatMap((source) => [...source.sizes]))
  return { plan, units, sizes, sources: all.map(({ source }) => source) }
}

/** The number of tasks that fit into the remaining window, up to the last of the best places to stop. */
function firstRun(
  units: readonly Unit[],
  tokensOf: (from: number, to: number) => number,
  { first, later }: { readonly first: number; readonly later: number },
): number {
  if (first >= later) return 0
  let best = 0
  for (let to = 1; to <= units.length && tokensOf(0, to) <= first; to++) {
    const at = (place: number) => units[place]?.breakpoint ?? 9
    if (best === 0 || at(to) >= at(best)) best = to
  }
  return best
}
