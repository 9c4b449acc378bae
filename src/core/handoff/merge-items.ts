/**
 * Now, This Session and Next, merged as one: an item has one state over the three lists, and states are
 * merged, not lines.
 *
 * Where two sides are about different things now, one stays and the other leads Next. It keeps its arrow
 * there (`- [->] …`): so the next merge knows that nobody but a merge moved it, and many small merges
 * come to what one would (docs/decisions/0035).
 */

import type { Entry, Unit } from './merge-entries.ts'
import type { Later, Sides } from './merge-sides.ts'
import {
  contest,
  firstById,
  greatest,
  isAddedTo,
  isKept,
  mapSides,
  mergeOrder,
  mergeWords,
  threeWay,
} from './merge-sides.ts'

export const LISTS = ['now', 'thisSession', 'next'] as const
export type List = (typeof LISTS)[number]

/** The items of each list by id, in their order. */
export type Lists = Readonly<Record<List, ReadonlyMap<string, Entry>>>

export interface MergedItems {
  readonly lists: Lists
  /** In Next before all others: what is the other side's Now. */
  readonly leading: readonly string[]
}

/** Where an item stands, as bits: it may stand in several lists. The greater state is the greater number. */
const [NEXT, NOW, DONE] = [1, 2, 4]

export function mergeItems(sides: Sides<Lists>, later: Later): MergedItems {
  const ids = [...new Set([sides.ours, sides.theirs].flatMap(allIds))]
  const merged = new Map(
    ids.map((id) => {
      const rest = mapSides(sides, (lists) => anyOf(lists, id)?.rest ?? [])
      return [
        id,
        mergePlaces(
          mapSides(sides, (lists) => placeOf(lists, id)),
          rest,
        ),
      ]
    }),
  )
  const isAt = (id: string, place: number) => ((merged.get(id) ?? 0) & place) !== 0
  const nowIn = (list: ReadonlyMap<string, Entry>, isWanted: (entry: Entry) => boolean) =>
    [...list.values()].filter((one) => isWanted(one) && isAt(one.id, NOW)).map(({ id }) => id)

  const focus = mapSides(sides, ({ now }) => nowIn(now, ({ isFocus = false }) => isFocus))
  const waiting = mapSides(sides, ({ next }) => nowIn(next, isWaiting))
  const shown = new Set(chooseFocus(focus, waiting, later))
  const rivals = new Set([focus.ours, focus.theirs, waiting.ours, waiting.theirs].flat())
  const isLeading = (id: string) => rivals.has(id) && !shown.has(id)

  const pick = (isIn: (id: string) => boolean, entryOf: (id: string) => Entry) =>
    new Map(ids.filter(isIn).map((id) => [id, entryOf(id)]))
  const orderIn = (list: List) =>
    mergeOrder(
      mapSides(sides, (lists) => [...lists[list].keys()]),
      isLeading,
    )
  const inNext = new Set(orderIn('next'))
  return {
    lists: {
      thisSession: pick(
        (id) => isAt(id, DONE),
        (id) => mergeItem(sides, id, 'thisSession', '- [x] '),
      ),
      now: pick(
        (id) => isAt(id, NOW) && !isLeading(id),
        (id) => mergeItem(sides, id, 'now', '[->] '),
      ),
      next: pick(
        (id) => isAt(id, NEXT) || isLeading(id),
        (id) => mergeItem(sides, id, 'next', isLeading(id) ? '- [->] ' : '- [ ] '),
      ),
    },
    leading: [...orderIn('now').filter((id) => !inNext.has(id)), ...inNext],
  }
}

/** An item of Next that a merge moved there from Now. */
function isWaiting({ lines }: Entry): boolean {
  return /^\s*(?:[-*+]\s+)?\[->\]\s/.test(lines[0] ?? '')
}

function allIds(lists: Lists): string[] {
  return LISTS.flatMap((list) => [...lists[list].keys()])
}

function anyOf({ now, thisSession, next }: Lists, id: string): Entry | undefined {
  return now.get(id) ?? thisSession.get(id) ?? next.get(id)
}

function placeOf({ now, thisSession, next }: Lists, id: string): number {
  const planned = next.get(id)
  const place = planned === undefined ? 0 : isWaiting(planned) ? NOW : NEXT
  return place | (now.has(id) ? NOW : 0) | (thisSession.has(id) ? DONE : 0)
}

/** Both changed it: done, before now, before next, before gone. What a side added to stays. */
function mergePlaces(places: Sides<number>, rest: Sides<readonly Unit[]>): number {
  if (places.ours === 0 && isAddedTo(rest.base, rest.theirs)) return places.theirs
  if (places.theirs === 0 && isAddedTo(rest.base, rest.ours)) return places.ours
  return threeWay(
    places,
    (a, b) => a === b,
    (ours, theirs) =>
      [DONE, NOW, NEXT].find((place) => (Math.max(ours, theirs) & place) !== 0) ?? 0,
  )
}

/** Several Nows of one side are one choice. */
function chooseFocus(
  focus: Sides<readonly string[]>,
  waiting: Sides<readonly string[]>,
  later: Later,
): readonly string[] {
  const { ours, theirs } = focus
  if (ours.length > 0 && theirs.length > 0) {
    if (isSubset(theirs, ours)) return ours
    if (isSubset(ours, theirs)) return theirs
  }
  const old = new Set([...waiting.base, ...ours, ...theirs])
  const fresh = [...waiting.ours, ...waiting.theirs].filter((id) => !old.has(id))
  const side = (ids: readonly string[]) => (ids.length === 0 ? undefined : ids)
  const both = { ours: side(ours), theirs: side(theirs) }
  return (
    contest(
      both,
      fresh.map((id) => [id]),
      later,
      (ids) => ids.join('\n'),
    ) ?? []
  )
}

function isSubset(some: readonly string[], all: readonly string[]): boolean {
  const known = new Set(all)
  return some.every((id) => known.has(id))
}

/** The lines of an item at its new place: as they stand there already, else with another head. */
function mergeItem(sides: Sides<Lists>, id: string, list: List, head: string): Entry {
  const there = mapSides(sides, (lists) => {
    const found = lists[list].get(id)
    const isRight = list !== 'next' || (found && isWaiting(found)) === head.includes('->')
    return isRight ? found : undefined
  })
  const known = mapSides(sides, (lists) => anyOf(lists, id))
  const [ours, theirs] = [there.ours ?? there.theirs, there.theirs ?? there.ours]
  const any = greatest(
    [known.ours, known.theirs].filter((one) => one !== undefined),
    ({ words }) => words,
  )
  const [first = ''] =
    ours === undefined || theirs === undefined
      ? [`${head}${any?.words ?? ''}`]
      : [firstLine({ base: there.base, ours, theirs })]
  const rest = mergeRest({
    base: known.base?.rest ?? [],
    ours: (known.ours ?? known.theirs)?.rest ?? [],
    theirs: (known.theirs ?? known.ours)?.rest ?? [],
  })
  const kind = [ours, theirs].find((one) => one?.lines[0] === first)?.kind ?? 'item'
  return { id, role: 'item', kind, words: any?.words ?? '', lines: [first, ...rest] }
}

/** Both changed it: a line of text says less than an item. */
function firstLine(sides: Sides<Entry | undefined>): string {
  const kinds = new Set([sides.ours?.kind, sides.theirs?.kind])
  const isMixed = kinds.has('text') && kinds.has('item')
  const line = mapSides(sides, (one) => one?.lines[0] ?? '')
  if (!isMixed) return mergeWords(line)
  const item = sides.ours?.kind === 'item' ? line.ours : line.theirs
  return threeWay(
    line,
    (a, b) => a === b,
    () => item,
  )
}

/** The lines of an item that stands at the same place on all sides. */
export function mergeNested(entry: Sides<Entry>): string[] {
  return [
    mergeWords(mapSides(entry, ({ lines: [first = ''] }) => first)),
    ...mergeRest(mapSides(entry, ({ rest = [] }) => rest)),
  ]
}

/** Nested lines: none is lost that one side has and the other did not take out. */
function mergeRest(rest: Sides<readonly Unit[]>): string[] {
  const ids = mapSides(rest, (units) => units.map(({ id }) => id))
  const sets = mapSides(ids, (some) => new Set(some))
  const order = mergeOrder(ids, (id) => isKept(mapSides(sets, (some) => some.has(id))))
  const [ours, theirs] = [rest.ours, rest.theirs].map(firstById)
  return order.flatMap((id) => {
    const units = [ours?.get(id), theirs?.get(id)].filter((unit) => unit !== undefined)
    return greatest(units, ({ lines }) => lines.join('\n'))?.lines ?? []
  })
}
