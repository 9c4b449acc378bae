/** Decisions that two sides of a merge hold with different values, neither of them knowing of the other. */

import type { Decision, LedgerEvent } from '../event/event.ts'
import { compareBytes, compareEvents, saidOf, whoOf } from '../event/event.ts'
import { joinEvents } from '../event/event-set.ts'
import { safeText } from '../text/safe-text.ts'

export interface Decided {
  readonly decision: Decision
  readonly by: LedgerEvent
}

/** What holds after the merge, and what gives way. */
export type DecidedTwice = readonly [holds: Decided, yields: Decided]

/** The newest first. */
export function decidedTwice(
  ours: readonly LedgerEvent[],
  theirs: readonly LedgerEvent[],
): DecidedTwice[] {
  const joined = joinEvents([...ours, ...theirs])
  const [here, there] = [filesOf(ours), filesOf(theirs)]
  const heldThere = heldIn(joined, there)
  return [...heldIn(joined, here)]
    .flatMap(([key, a]): DecidedTwice[] => {
      const b = heldThere.get(key)
      if (b === undefined || saidOf(b.decision) === saidOf(a.decision)) return []
      if (there.has(a.by.file) || here.has(b.by.file)) return []
      return [compareEvents(a.by, b.by) > 0 ? [a, b] : [b, a]]
    })
    .sort(([a], [b]) => compareEvents(b.by, a.by) || compareBytes(a.decision.key, b.decision.key))
}

/** For people, in one line. */
export function twiceLine([holds, yields]: DecidedTwice): string {
  const said = ({ decision, by }: Decided) =>
    `${safeText(saidOf(decision) ?? 'taken back')} (${safeText(whoOf(by))})`
  return `both sides decided ${safeText(holds.decision.key)}: ${said(holds)} holds, ${said(yields)} gives way`
}

/** What a side holds, by key: of all that both sides know, as either may retract what the other holds. */
function heldIn(joined: readonly LedgerEvent[], files: ReadonlySet<string>): Map<string, Decided> {
  return new Map(
    joined
      .filter(({ file }) => files.has(file))
      .flatMap((by) => by.decisions.map((decision) => [decision.key, { decision, by }])),
  )
}

function filesOf(events: readonly LedgerEvent[]): Set<string> {
  return new Set(joinEvents(events).map(({ file }) => file))
}
