/**
 * Cuts a row of units into runs that stay below a limit, at the places where stopping is best. Pure.
 *
 * Of all ways to cut, the one with the lowest price: a run has one, and a cut has one, the less the better its
 * place. So a cut moves to the end of a phase even where that takes a run more. A unit that is above the limit
 * by itself is a run alone. Where a number of runs is wanted, they are as even as good places allow.
 */

export interface Row {
  readonly length: number
  /** Tokens of a run, `to` excluded; never less for a longer one. */
  of(from: number, to: number): number
  /** How good it is to cut before a unit, 0 to 9. */
  breakpoint(at: number): number
}

/** Of a cut at the worst place, where a run costs 1. */
const WORST_CUT = 2
/** Among ways that are as good, runs that are alike. */
const UNEVEN = 0.1

interface Way {
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

function fewRuns({ length, of, breakpoint }: Row, limit: number): Way {
  const ways: Way[] = [{ price: 0, cuts: [] }]
  for (let from = 0; from < length; from++) {
    const before = ways[from]
    if (before === undefined) continue
    for (let to = from + 1; to <= length; to++) {
      const tokens = of(from, to)
      if (tokens > limit && to > from + 1) break
      const price = 1 + cutPrice(breakpoint, from) + UNEVEN * (tokens / limit) ** 2
      keepBetter(ways, to, before, price, from)
    }
  }
  return ways[length] ?? { price: 0, cuts: [0] }
}

function evenRuns({ length, of, breakpoint }: Row, wanted: number): Way {
  const count = Math.max(1, Math.min(wanted, length))
  const share = of(0, length) / count
  let ways: Way[] = [{ price: 0, cuts: [] }]
  for (let run = 1; run <= count; run++) {
    const next: Way[] = []
    for (let from = run - 1; from < length; from++) {
      const before = ways[from]
      if (before === undefined) continue
      // Each run to come needs a unit, and the last one ends the row.
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

function keepBetter(ways: Way[], to: number, before: Way, price: number, from: number): void {
  const sum = before.price + price
  if (sum < (ways[to]?.price ?? Infinity)) ways[to] = { price: sum, cuts: [...before.cuts, from] }
}
