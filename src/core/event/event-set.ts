/** Sets of events: which events count, and in which order. */

import type { LedgerEvent } from './event.ts'
import { compareBytes, compareEvents } from './event.ts'
import { instantToMillis } from './instant.ts'
import type { Problem } from './problem.ts'

/**
 * The events in order, without those that any of them retracts. Events covered by a snapshot are included like all
 * others; if an event's own file is in the set too, the file counts. The set must be complete: a set that was joined
 * before has lost its retracted retractions.
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

/** An event's own file overrides a snapshot. If two snapshots disagree (one is forged), the choice is deterministic. */
function overrides(event: LedgerEvent, known: LedgerEvent): boolean {
  if (event.done === undefined || known.done === undefined) return event.done === undefined
  return compareBytes(JSON.stringify(event), JSON.stringify(known)) > 0
}

/** File names that any of the events, or any event they cover, retracts. */
export function retractedFiles(events: readonly LedgerEvent[]): Set<string> {
  const files = new Set<string>()
  const add = ({ retracts, covers }: LedgerEvent): void => {
    for (const file of retracts) files.add(file)
    covers.forEach(add)
  }
  events.forEach(add)
  return files
}

/** Problems that are still open: those of retracted files no longer matter. */
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

/** Events that count and whose time is more than `maxDrift` after `now`; both in milliseconds. */
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
