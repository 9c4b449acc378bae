/** Decisions that two sides of a merge set to different values, neither of them knowing of the other. */

import type { Decision, LedgerEvent } from '../event/event.ts'
import { joinEvents } from '../event/event-set.ts'

export interface Decided {
  readonly decision: Decision
  readonly by: LedgerEvent
}

/** What holds after the merge, and what gives way. */
export type DecidedTwice = readonly [holds: Decided, yields: Decided]

export function decidedTwice(
  ours: readonly LedgerEvent[],
  theirs: readonly LedgerEvent[],
): DecidedTwice[] {
  const [here, there] = [new Set(filesOf(ours)), new Set(filesOf(theirs))]
  const byKey = new Map<string, Decided[]>()
  for (const by of joinEvents([...ours, ...theirs])) {
    for (const decision of by.decisions) {
      byKey.set(decision.key, [...(byKey.get(decision.key) ?? []), { decision, by }])
    }
  }
  const isCommon = ({ by }: Decided) => here.has(by.file) && there.has(by.file)
  return [...byKey.values()].flatMap((all): DecidedTwice[] => {
    const holds = all.at(-1)
    // What both know came after all that either of them decided alone.
    if (holds === undefined || isCommon(holds)) return []
    const isOurs = here.has(holds.by.file)
    const yields = all.findLast((one) => !isCommon(one) && here.has(one.by.file) !== isOurs)
    if (yields === undefined || yields.decision.value === holds.decision.value) return []
    return [[holds, yields]]
  })
}

function filesOf(events: readonly LedgerEvent[]): string[] {
  return joinEvents(events).map(({ file }) => file)
}
