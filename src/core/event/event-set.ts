/** Sets of events: which of them count, in which order. */

import type { LedgerEvent } from './event.ts'
import { compareBytes, compareEvents } from './event.ts'
import { instantToMillis } from './instant.ts'
import type { Problem } from './problem.ts'

/**
 * The events in their order, less what any of them retracts. Events that a snapshot stands for take part
 * like all others; where an event's own file is there too, that one counts. The set must be whole: one
 * that was joined before has lost its retracted retractions.
 */
export function joinEvents(events: readonly LedgerEvent[]): LedgerEvent[] {
  const byFile = new Map<string, LedgerEvent>()
  const add = (event: LedgerEvent): void => {
    const key = `${event.id}/${event.file}`
    const known = byFile.get(key)
    if (known === undefined || overrides(event, known)) byFile.set(key, event)
    event.covers.forEach(add)
  }
  events.forEach(add)
  const retracted = retractedFiles(events)
  return [...byFile.values()].filter((event) => !retracted.has(event.file)).sort(compareEvents)
}

/** Its own file before a snapshot; of two snapshots that disagree (one is forged), always the same. */
function overrides(event: LedgerEvent, known: LedgerEvent): boolean {
  if (event.done === undefined || known.done === undefined) return event.done === undefined
  return compareBytes(JSON.stringify(event), JSON.stringify(known)) > 0
}

/** File names that any of the events, or of those they stand for, retracts. */
export function retractedFiles(events: readonly LedgerEvent[]): Set<string> {
  const files = new Set<string>()
  const add = ({ retracts, covers }: LedgerEvent): void => {
    for (const file of retracts) files.add(file)
    covers.forEach(add)
  }
  events.forEach(add)
  return files
}

/** Problems that nobody has settled: a file that was retracted says nothing, readable or not. */
export function openProblems({
  events,
  problems,
}: {
  readonly events: readonly LedgerEvent[]
  readonly problems: readonly Problem[]
}): Problem[] {
  const retracted = problems.length === 0 ? undefined : retractedFiles(events)
  return problems.filter(({ file }) => retracted?.has(file) === false)
}

/** Events that count and whose time is further ahead of the clock than `maxDrift`; both in milliseconds. */
export function eventsAhead(
  events: readonly LedgerEvent[],
  now: number,
  maxDrift: number,
): LedgerEvent[] {
  const retracted = retractedFiles(events)
  return events.filter(
    ({ file, ts }) => instantToMillis(ts) > now + maxDrift && !retracted.has(file),
  )
}
