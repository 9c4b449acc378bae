/**
 * Rules shared by all parts of the merge: a change made by only one side counts. If both changed something, the texts
 * themselves decide, never which side is called ours.
 */

import { compareBytes } from '../event/event.ts'
import type { Instant } from '../event/instant.ts'

export interface Sides<T> {
  readonly base: T
  readonly ours: T
  readonly theirs: T
}

/** The side with the later date. If the dates are equal or missing, the texts decide. */
export type Later = 'ours' | 'theirs' | 'same' | 'undated'

export function mapSides<T, R>(sides: Sides<T>, change: (side: T) => R): Sides<R> {
  return { base: change(sides.base), ours: change(sides.ours), theirs: change(sides.theirs) }
}

export function laterOf(ours: Instant | undefined, theirs: Instant | undefined): Later {
  if (ours === theirs) return ours === undefined ? 'undated' : 'same'
  return (ours ?? '') > (theirs ?? '') ? 'ours' : 'theirs'
}

/** A change made by only one side counts. `both` decides if the sides changed it differently. */
export function threeWay<T>(
  { base, ours, theirs }: Sides<T>,
  both: (ours: T, theirs: T) => T,
  isSame: (a: T, b: T) => boolean = Object.is,
): T {
  if (isSame(ours, theirs) || isSame(theirs, base)) return ours
  return isSame(ours, base) ? theirs : both(ours, theirs)
}

/** Whether something is kept, given whether each of the three sides has it. */
export function isKept({ base, ours, theirs }: Sides<boolean>): boolean {
  return ours === theirs ? ours : !base
}

/** Whether the side has nested lines that the base does not. */
export function isAddedTo(
  base: readonly { readonly id: string }[],
  side: readonly { readonly id: string }[],
): boolean {
  const known = new Set(base.map(({ id }) => id))
  return side.some(({ id }) => !known.has(id))
}

/** Merges text that no rule favours: if both sides changed it, the greater one wins. */
export function mergeWords(sides: Sides<string>): string {
  return threeWay(sides, (ours, theirs) => greatest([ours, theirs], (text) => text) ?? ours)
}

/** For equal ids, the first entry counts. */
export function firstById<T extends { readonly id: string }>(all: readonly T[]): Map<string, T> {
  return new Map(all.toReversed().map((one) => [one.id, one]))
}

export function greatest<T>(all: readonly T[], textOf: (one: T) => string): T | undefined {
  const [first, ...rest] = all
  return rest.reduce(
    (most, one) => (most === undefined || compareBytes(textOf(one), textOf(most)) > 0 ? one : most),
    first,
  )
}

/**
 * Which of two different values comes first: that of the later side or, if the dates do not tell, the greater one.
 * `waiting` are values that an earlier merge put behind another. Without dates they take part again, so that many
 * merges give the same result as one.
 */
export function pickWinner<T>(
  { ours, theirs }: Readonly<Record<'ours' | 'theirs', T | undefined>>,
  waiting: readonly T[],
  later: Later,
  textOf: (one: T) => string,
): T | undefined {
  const shown = [ours, theirs].filter((one) => one !== undefined)
  if (shown.length === 0 || later === 'undated') return greatest([...shown, ...waiting], textOf)
  if (later === 'same') return greatest(shown, textOf)
  return later === 'ours' ? (ours ?? theirs) : (theirs ?? ours)
}

/**
 * Merges two orders. Ids that both sides have keep the order of the side that moved them. Ids that only one side has
 * stay after the id they followed there; at the beginning, before the id they preceded.
 */
export function mergeOrder(
  { base, ours, theirs }: Sides<readonly string[]>,
  isIn: (id: string) => boolean,
): string[] {
  const [a, b] = [ours.filter(isIn), theirs.filter(isIn)]
  const [inA, inB] = [new Set(a), new Set(b)]
  const spine = mergeSpine(base, a, b)
  const [runsA, runsB] = [runsOf(a, inB), runsOf(b, inA)]
  return [undefined, ...spine].flatMap((at) => {
    const runs = [runsA.get(at) ?? [], runsB.get(at) ?? []].filter((run) => run.length > 0)
    const nearest = at === undefined && spine.length > 0 ? -1 : 0
    runs.sort((x, y) => compareBytes(x.at(nearest) ?? '', y.at(nearest) ?? ''))
    return [...(at === undefined ? [] : [at]), ...runs.flat()]
  })
}

/** The order of the ids that both sides have. */
function mergeSpine(base: readonly string[], a: readonly string[], b: readonly string[]): string[] {
  const [inA, inB] = [new Set(a), new Set(b)]
  const [mine, other] = [a.filter((id) => inB.has(id)), b.filter((id) => inA.has(id))]
  if (isSameList(mine, other)) return mine
  const known = new Set(base)
  const was = base.filter((id) => inA.has(id) && inB.has(id))
  const keepsOrder = (ids: readonly string[]) =>
    isSameList(
      ids.filter((id) => known.has(id)),
      was,
    )
  const [isMoved, isOtherMoved] = [!keepsOrder(mine), !keepsOrder(other)]
  if (isMoved !== isOtherMoved) return isMoved ? mine : other
  // If one side has all ids of the other, it was merged with it before.
  const [hasAll, otherHasAll] = [other.length === b.length, mine.length === a.length]
  if (hasAll !== otherHasAll) return hasAll ? mine : other
  return greatest([mine, other], (ids) => ids.join('\n')) ?? mine
}

/** The ids after each shared id, up to the next shared one. */
function runsOf(ids: readonly string[], shared: ReadonlySet<string>) {
  const runs = new Map<string | undefined, string[]>()
  let at: string | undefined
  for (const id of ids) {
    const run = runs.get(at)
    if (shared.has(id)) at = id
    else if (run === undefined) runs.set(at, [id])
    else run.push(id)
  }
  return runs
}

function isSameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((id, i) => id === b[i])
}
