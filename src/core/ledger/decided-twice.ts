/** Decisions to which two sides of a merge gave different values without knowing of each other. */

import type { Decision, LedgerEvent } from '../event/event.ts'
import { compareBytes, compareEvents, saidOf, whoOf } from '../event/event.ts'
import { joinEvents } from '../event/event-set.ts'
import { safeText } from '../text/safe-text.ts'

export interface Decided {
  readonly decision: Decision
  readonly by: Pick<LedgerEvent, 'file' | 'id' | 'ts' | 'agent' | 'branch'>
}

/** The decision that holds after the merge, and the one that yields to it. */
export type DecidedTwice = readonly [holds: Decided, yields: Decided]

/** Newest first. */
export function decidedTwice(
  ours: readonly LedgerEvent[],
  theirs: readonly LedgerEvent[],
): DecidedTwice[] {
  // Joined from both sides, because either may retract what the other has.
  const joined = joinEvents([...ours, ...theirs])
  const [here = [], there = []] = [ours, theirs].map((side) => {
    const files = new Set(joinEvents(side).map(({ file }) => file))
    return joined.filter(({ file }) => files.has(file)).flatMap(decisionsOf)
  })
  return differing(here, there)
}

export function decisionsOf(by: LedgerEvent): Decided[] {
  return by.decisions.map((decision) => ({ decision, by }))
}

/** The same for decisions of both sides, in any order, if none of them was retracted. */
export function differing(ours: readonly Decided[], theirs: readonly Decided[]): DecidedTwice[] {
  const [here, there] = [ours, theirs].map((side) => new Set(side.map(({ by }) => by.file)))
  const heldThere = newestByKey(theirs)
  return [...newestByKey(ours)]
    .flatMap(([key, a]): DecidedTwice[] => {
      const b = heldThere.get(key)
      if (b === undefined || saidOf(b.decision) === saidOf(a.decision)) return []
      if (there?.has(a.by.file) === true || here?.has(b.by.file) === true) return []
      return [compareEvents(a.by, b.by) > 0 ? [a, b] : [b, a]]
    })
    .sort(([a], [b]) => compareEvents(b.by, a.by) || compareBytes(a.decision.key, b.decision.key))
}

function newestByKey(side: readonly Decided[]): Map<string, Decided> {
  const inOrder = side.toSorted((a, b) => compareEvents(a.by, b.by))
  return new Map(inOrder.map((decided) => [decided.decision.key, decided]))
}

/** A line for people. */
export function twiceLine([holds, yields]: DecidedTwice): string {
  const describe = ({ decision, by }: Decided) =>
    `${safeText(saidOf(decision) ?? 'taken back')} (${safeText(whoOf(by))})`
  return `both sides decided ${safeText(holds.decision.key)}: ${describe(holds)} holds, ${describe(yields)} gives way`
}
