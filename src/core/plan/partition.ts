/**
 * Divides a row of units into runs that stay below a limit, with cuts at the best places to stop. Pure.
 *
 * The division with the lowest price is chosen. Each run has a price, and so does each cut; a cut at a better place is
 * cheaper. A cut thus moves to the end of a phase even if this takes one more run. A unit above the limit is a separate
 * run. If a number of runs is requested, they are as even as good cuts allow.
 */

export interface Row {
  readonly length: number
  /** The tokens of a run, `to` excluded. A longer run never has fewer. */
  of(from: number, to: number): number
  /** How good a cut before a unit is, from 0 to 9. */
  breakpoint(at: number): number
}

/** The price of a cut at the worst place, relative to a price of 1 per run. */
const WORST_CUT = 2
/** Weight of unevenness: among equally good divisions, even runs are preferred. */
const UNEVENNESS = 0.1

interface Division {
  readonly price: number
  /** The first unit of each run. */
  readonly cuts: readonly number[]
}

/** The first unit of each run; always begins with 0. */
export function partition(row: Row, limit: number, wanted?: number): number[] {
  if (row.length === 0) return [0]
  const way = wanted === undefined ? fewRuns(row, limit) : evenRuns(row, wanted)
  return [...way.cuts]
}

function fewRuns({ length, of, breakpoint }: Row, limit: number): Division {
  const ways: Division[] = [{ price: 0, cuts: [] }]
  for (let from = 0; from < length; from++) {
    const before = ways[from]
    if (before === undefined) continue
    for (let to = from + 1; to <= length; to++) {
      const tokens = of(from, to)
      if (tokens > limit && to > from + 1) break
      const price = 1 + cutPrice(breakpoint, from) + UNEVENNESS * (tokens / limit) ** 2
      keepBetter(ways, to, before, price, from)
    }
  }
  return ways[length] ?? { price: 0, cuts: [0] }
}

function evenRuns({ length, of, breakpoint }: Row, wanted: number): Division {
  const count = Math.max(1, Math.min(wanted, length))
  const share = of(0, length) / count
  let ways: Division[] = [{ price: 0, cuts: [] }]
  for (let run = 1; run <= count; run++) {
    const next: Division[] = []
    for (let from = run - 1; from < length; from++) {
      const before = ways[from]
      if (before === undefined) continue
      // Each later run needs a unit, and the last run ends the row.
      const [first, last] = run === count ? [length, length] : [from + 1, length - (count - run)]
      for (let to = first; to <= last; to++) {
        const price = ((of(from, to) - share) / share) ** 2 + cutPrice(breakpoint, from) / 2
        keepBetter(next, to, before, price, from)
      }
    }
    ways = next
  }
  return ways[length] ?? { price: 0, cuts: [0] }
}

function cutPrice(breakpoint: Row['breakpoint'], at: number): number {
  return at === 0 ? 0 : WORST_CUT * (1 - breakpoint(at) / 9)
}

function keepBetter(
  ways: Division[],
  to: number,
  before: Division,
  price: number,
  from: number,
): void {
  const sum = before.price + price
  if (sum < (ways[to]?.price ?? Infinity)) ways[to] = { price: sum, cuts: [...before.cuts, from] }
}
