/**
 * Lanes: what each agent does now and next, apart for each branch and each handoff (stream).
 *
 * Nobody takes back a lane that was left for good, so lanes rest: all but the newest few, when what was
 * last said in them is old beside the newest of all lanes. `current.md` counts what rests. Pure: no clock
 * is asked, and what an archived event said counts at its own time.
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

/** So many of the newest lanes never rest. */
const AWAKE = 5
const REST_MILLIS = 14 * 24 * 60 * 60 * 1000

/** Items of all lanes, in the order of the events; each once, and awake if any lane with it is. */
export function foldNext(sections: Sections): InLane[] {
  const lists = goingOn(sections, sections.next)
  const isResting = restIn(sections, lists)
  const [awake, resting] = [new Map<string, InLane>(), new Map<string, InLane>()]
  for (const { value: list, by } of lists) {
    const found = isResting(by) ? resting : awake
    for (const text of list) {
      const [key, value] = [itemKey(text), itemText(text)]
      if (value !== '' && !found.has(key) && !isDone(sections, key, by))
        found.set(key, { value, by, isResting: found === resting })
    }
  }
  // What rests is older than all that does not.
  return [...[...resting].flatMap(([key, item]) => (awake.has(key) ? [] : item)), ...awake.values()]
}

export function foldAgents(sections: Sections): InLane[] {
  const rows = goingOn(sections, sections.now)
  const isResting = restIn(sections, rows)
  return (
    rows
      // Who has said nothing since the archive's cut is not at work any more.
      .filter(({ by }) => !by.isArchived)
      .map((row) => ({ ...row, isResting: isResting(row.by) }))
  )
}

/** Streams of which every lane rests; what is about no stream is about all. */
export function streamsAtRest(sections: Sections): ReadonlySet<string> {
  const lanes = newestOfLanes(sections)
  const isResting = restIn(sections, lanes)
  const awake = new Set(lanes.filter(({ by }) => !isResting(by)).map(({ by }) => by.stream))
  return new Set(lanes.flatMap(({ by: { stream } }) => (awake.has(stream) ? [] : (stream ?? []))))
}

/** What was last said in each lane, in event order. */
function newestOfLanes({ now, next }: Sections): Pick<Attributed<unknown>, 'by'>[] {
  const newest = new Map<string, Pick<Attributed<unknown>, 'by'>>()
  for (const [lane, { by }] of [...now, ...next]) {
    const known = newest.get(lane)
    if (known === undefined || compareEvents(by, known.by) > 0) newest.set(lane, { by })
  }
  return [...newest.values()].sort((a, b) => compareEvents(a.by, b.by))
}

/** In event order, without the lanes that a later event superseded. */
function goingOn<T>(
  { superseded }: Sections,
  lanes: ReadonlyMap<string, Attributed<T>>,
): Attributed<T>[] {
  return inOrder(lanes).filter(({ by }) => {
    const over = superseded.get(laneOwner(by))?.by
    return over === undefined || compareEvents(by, over) >= 0
  })
}

/** Says which of the lanes rest; `lanes` in event order. */
function restIn(
  { now, next }: Sections,
  lanes: readonly Pick<Attributed<unknown>, 'by'>[],
): (by: Attributed<unknown>['by']) => boolean {
  const newest = newestOf([...now.values(), ...next.values()].map(({ by }) => by.ts))
  const awake = new Set(lanes.slice(-AWAKE).map(({ by }) => by))
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
