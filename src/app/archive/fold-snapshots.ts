/** Decides which snapshots stand for the events that leave, and which older snapshots they fold in. */

import type { LedgerEvent } from '../../core/event/event.ts'
import { compareEvents } from '../../core/event/event.ts'
import { newSnapshot } from '../../core/event/snapshot.ts'
import { eventFileName, renderEvent } from '../../core/event/write-event.ts'
import { parseInstant } from '../../core/event/instant.ts'

/**
 * Maximum size of a snapshot in bytes. Git could not tell two larger ones apart (docs/decisions/0013), and every run
 * would rewrite it.
 */
const MAX_SNAPSHOT = 256 * 1024
/** A larger snapshot counts as full and is left unchanged. */
const MAX_FOLDED = 96 * 1024

export interface StoredEvent {
  readonly event: LedgerEvent
  readonly bytes: Uint8Array
}

export interface SnapshotFile {
  readonly file: string
  readonly text: string
}

/**
 * Full snapshots stand for whole groups of events; the last, small group also folds in small older snapshots. Folded
 * snapshots are always replaced by exactly one file: if two clones fold differently, their merge still has at least one
 * file for everything. `committed`: file names that HEAD has in `events/`.
 */
export function foldSnapshots(
  old: readonly StoredEvent[],
  existing: readonly StoredEvent[],
  committed: ReadonlySet<string>,
) {
  const inOrder = old.toSorted((a, b) => compareEvents(a.event, b.event))
  const fitting: StoredEvent[] = []
  const tooLarge: string[] = []
  // Consecutive events that fit into one snapshot.
  const groups: LedgerEvent[][] = []
  let room = 0
  for (const one of inOrder) {
    const size = sizeOf([one.event])
    if (size > MAX_SNAPSHOT) {
      tooLarge.push(one.event.file)
      continue
    }
    fitting.push(one)
    if (size > room || groups.length === 0) {
      groups.push([])
      room = MAX_SNAPSHOT
    }
    groups.at(-1)?.push(one.event)
    room -= size
  }
  const last = groups.at(-1)
  const small = existing
    .filter(({ event, bytes }) => bytes.length <= MAX_FOLDED && isOurs(event, bytes))
    .sort((a, b) => a.bytes.length - b.bytes.length)
  const folded: LedgerEvent[] = []
  if (last !== undefined) {
    for (const { event } of small) {
      if (sizeOf([...last, ...folded, event]) <= MAX_SNAPSHOT) folded.push(event)
    }
    last.push(...folded)
  }
  // A commit that removes an event must also add what stands for it: others may drop an existing snapshot.
  const fresh = groups
    .map((events) => ({ events, file: fileOf(events) }))
    .filter(({ file }) => file === undefined || !committed.has(file.file))
  const leaving = new Set(fresh.flatMap(({ events }) => events))
  const snapshots = fresh.flatMap(({ file }) => file ?? [])
  const names = new Set(snapshots.map(({ file }) => file)) // an interrupted run left one of them
  const filesOf = (events: readonly LedgerEvent[]) => events.map(({ file }) => file)
  return {
    leaving: fitting.filter(({ event }) => leaving.has(event)),
    /** Files of events that no snapshot can hold. */
    tooLarge,
    /** Files of events for which a snapshot already stands; they leave with the next one. */
    waiting: filesOf(fitting.map(({ event }) => event).filter((event) => !leaving.has(event))),
    folded: filesOf(folded.filter((event) => leaving.has(event) && !names.has(event.file))),
    snapshots,
  }
}

function sizeOf(events: readonly LedgerEvent[]): number {
  const snapshot = newSnapshot(events)
  return snapshot === undefined ? 0 : renderEvent(snapshot).length
}

/** True if this release would write exactly these bytes, so that rewriting the snapshot loses nothing. */
function isOurs(event: LedgerEvent, bytes: Uint8Array): boolean {
  const snapshot = newSnapshot([event])
  return snapshot !== undefined && renderEvent(snapshot) === Buffer.from(bytes).toString('utf8')
}

function fileOf(events: readonly LedgerEvent[]): SnapshotFile | undefined {
  const snapshot = newSnapshot(events)
  const instant = snapshot && parseInstant(snapshot.ts)?.instant
  if (snapshot === undefined || instant === undefined) return undefined
  const text = renderEvent(snapshot)
  return { file: eventFileName(instant, snapshot.agent, text), text }
}
