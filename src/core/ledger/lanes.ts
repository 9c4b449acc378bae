/**
 * Lanes: what each agent does now and next, separately for each branch and each handoff (stream).
 *
 * Nobody removes a lane that was abandoned, so lanes rest: all but the newest few rest once their last event is old
 * compared to the newest one of all lanes. `current.md` only counts resting lanes. Pure: there is no clock, and
 * archived events count at their own time.
 */

import { compareEvents } from '../event/event.ts'
import type { Instant } from '../event/instant.ts'
import { instantToMillis } from '../event/instant.ts'
import { itemKey, itemText } from '../event/item-text.ts'
import type { Attributed, Sections } from './join-state.ts'
import { inOrder, isDone, laneOwner } from './join-state.ts'

export interface InLane extends Attributed<string> {
  readonly isResting: boolean
}

/** This many of the newest lanes never rest. */
const MIN_AWAKE = 5
const REST_MILLIS = 14 * 24 * 60 * 60 * 1000

/** The items of all lanes in event order, without duplicates. An item rests only if all lanes that list it rest. */
export function foldNext(sections: Sections): InLane[] {
  const lists = currentLanes(sections, sections.next)
  const isResting = restingTest(sections, lists)
  const [awake, resting] = [new Map<string, InLane>(), new Map<string, InLane>()]
  for (const { value: list, by } of lists) {
    const found = isResting(by) ? resting : awake
    for (const text of list) {
      const [key, value] = [itemKey(text), itemText(text)]
      if (value !== '' && !found.has(key) && !isDone(sections, key, by))
        found.set(key, { value, by, isResting: found === resting })
    }
  }
  // Resting items are older than all others.
  return [...[...resting].flatMap(([key, item]) => (awake.has(key) ? [] : item)), ...awake.values()]
}

export function foldAgents(sections: Sections): InLane[] {
  const rows = currentLanes(sections, sections.now)
  const isResting = restingTest(sections, rows)
  return (
    rows
      // An agent without events since the archive's cutoff is no longer active.
      .filter(({ by }) => !by.isArchived)
      .map((row) => ({ ...row, isResting: isResting(row.by) }))
  )
}

/** Streams whose lanes all rest. Lanes without a stream do not count. */
export function streamsAtRest(sections: Sections): ReadonlySet<string> {
  const lanes = newestOfLanes(sections)
  const isResting = restingTest(sections, lanes)
  const awake = new Set(lanes.filter(({ by }) => !isResting(by)).map(({ by }) => by.stream))
  return new Set(lanes.flatMap(({ by: { stream } }) => (awake.has(stream) ? [] : (stream ?? []))))
}

/** The last event of each lane, in event order. */
function newestOfLanes({ now, next }: Sections): Pick<Attributed<unknown>, 'by'>[] {
  const newest = new Map<string, Pick<Attributed<unknown>, 'by'>>()
  for (const [lane, { by }] of [...now, ...next]) {
    const known = newest.get(lane)
    if (known === undefined || compareEvents(by, known.by) > 0) newest.set(lane, { by })
  }
  return [...newest.values()].sort((a, b) => compareEvents(a.by, b.by))
}

/** Lanes in event order, without those that a later event superseded. */
function currentLanes<T>(
  { superseded }: Sections,
  lanes: ReadonlyMap<string, Attributed<T>>,
): Attributed<T>[] {
  return inOrder(lanes).filter(({ by }) => {
    const over = superseded.get(laneOwner(by))?.by
    return over === undefined || compareEvents(by, over) >= 0
  })
}

/** Returns a test for resting lanes. `lanes` must be in event order. */
function restingTest(
  { now, next }: Sections,
  lanes: readonly Pick<Attributed<unknown>, 'by'>[],
): (by: Attributed<unknown>['by']) => boolean {
  const newest = newestOf([...now.values(), ...next.values()].map(({ by }) => by.ts))
  const awake = new Set(lanes.slice(-MIN_AWAKE).map(({ by }) => by))
  return (by) =>
    newest !== undefined && !awake.has(by) && newest - instantToMillis(by.ts) > REST_MILLIS
}

function newestOf(instants: readonly Instant[]): number | undefined {
  const newest = instants.reduce<Instant | undefined>(
    (a, b) => (a === undefined || b > a ? b : a),
    undefined,
  )
  return newest && instantToMillis(newest)
}
