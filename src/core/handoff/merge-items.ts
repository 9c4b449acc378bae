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

/** The items of one side. */
export type Lists = Readonly<Record<List, readonly Entry[]>>

export interface MergedItems {
  /** What stands in each list, by id. */
  readonly lists: Readonly<Record<List, ReadonlyMap<string, Entry>>>
  /** In Next before all others: what is the other side's Now. */
  readonly leading: readonly string[]
}

/** Where an item stands, as bits: it may stand in several lists. The greater state is the greater number. */
const [NEXT, NOW, DONE] = [1, 2, 4]

export function mergeItems(sides: Sides<Lists>, later: Later): MergedItems {
  const places = mapSides(sides, placesOf)
  const rests = mapSides(sides, restsOf)
  const ids = [...new Set([...places.ours.keys(), ...places.theirs.keys()])]
  const merged = new Map(
    ids.map((id) => {
      const place = mapSides(places, (one) => one.get(id) ?? 0)
      const rest = mapSides(rests, (one) => one.get(id) ?? [])
      return [id, mergePlaces(place, rest)]
    }),
  )
  const isAt = (id: string, place: number) => ((merged.get(id) ?? 0) & place) !== 0
  const isNow = (id: string) => isAt(id, NOW)

  const focus = mapSides(sides, ({ now }) =>
    idsOf(now.filter(({ isFocus }) => isFocus)).filter(isNow),
  )
  const waiting = mapSides(sides, ({ next }) => idsOf(next.filter(isWaiting)).filter(isNow))
  const shown = new Set(chooseFocus(focus, waiting, later))
  const rivals = new Set([focus.ours, focus.theirs, waiting.ours, waiting.theirs].flat())
  const isLeading = (id: string) => rivals.has(id) && !shown.has(id)

  const byId = mapSides(sides, byIdOf)
  const entry = (id: string, list: List, isRight: (entry: Entry) => boolean, head: string) =>
    mergeItem(
      mapSides(byId, (lists) => ({ lists, list, isRight })),
      id,
      head,
    )
  const pick = (list: List, isIn: (id: string) => boolean, entryOf: (id: string) => Entry) => [
    list,
    new Map(ids.filter(isIn).map((id) => [id, entryOf(id)])),
  ]
  const orderNow = mergeOrder(
    mapSides(sides, ({ now }) => idsOf(now)),
    isLeading,
  )
  const orderNext = mergeOrder(
    mapSides(sides, ({ next }) => idsOf(next)),
    isLeading,
  )
  return {
    lists: Object.fromEntries([
      pick(
        'thisSession',
        (id) => isAt(id, DONE),
        (id) => entry(id, 'thisSession', () => true, '- [x] '),
      ),
      pick(
        'now',
        (id) => isNow(id) && !isLeading(id),
        (id) => entry(id, 'now', () => true, '[->] '),
      ),
      pick(
        'next',
        (id) => isAt(id, NEXT) || isLeading(id),
        (id) =>
          isLeading(id)
            ? entry(id, 'next', isWaiting, '- [->] ')
            : entry(id, 'next', (one) => !isWaiting(one), '- [ ] '),
      ),
    ]) as MergedItems['lists'],
    leading: [...orderNow.filter((id) => !orderNext.includes(id)), ...orderNext],
  }
}

/** An item of Next that a merge moved there from Now. */
function isWaiting({ lines }: Entry): boolean {
  return /^\s*(?:[-*+]\s+)?\[->\]\s/.test(lines[0] ?? '')
}

function placesOf({ now, thisSession, next }: Lists): Map<string, number> {
  const places = new Map<string, number>()
  const put = (entry: Entry, place: number) =>
    places.set(entry.id, (places.get(entry.id) ?? 0) | place)
  for (const entry of now) put(entry, NOW)
  for (const entry of thisSession) put(entry, DONE)
  for (const entry of next) put(entry, isWaiting(entry) ? NOW : NEXT)
  return places
}

function restsOf(lists: Lists): Map<string, readonly Unit[]> {
  return new Map(
    LISTS.flatMap((list) => lists[list].map(({ id, rest = [] }) => [id, rest] as const)),
  )
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
    if (theirs.every((id) => ours.includes(id))) return ours
    if (ours.every((id) => theirs.includes(id))) return theirs
  }
  const fresh = [...waiting.ours, ...waiting.theirs].filter(
    (id) => ![...waiting.base, ...ours, ...theirs].includes(id),
  )
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

type ById = Readonly<Record<List, ReadonlyMap<string, Entry>>>

function byIdOf({ now, thisSession, next }: Lists): ById {
  const mapOf = (entries: readonly Entry[]) => new Map(entries.map((entry) => [entry.id, entry]))
  return { now: mapOf(now), thisSession: mapOf(thisSession), next: mapOf(next) }
}

interface Place {
  readonly lists: ById
  readonly list: List
  readonly isRight: (entry: Entry) => boolean
}

/** The lines of an item at its new place: as they stand there already, else with another head. */
function mergeItem(places: Sides<Place>, id: string, head: string): Entry {
  const there = mapSides(places, ({ lists, list, isRight }) => {
    const found = lists[list].get(id)
    return found && isRight(found) ? found : undefined
  })
  const known = mapSides(
    places,
    ({ lists }) => lists.now.get(id) ?? lists.thisSession.get(id) ?? lists.next.get(id),
  )
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
  const gap =
    ours === undefined
      ? undefined
      : (greatest([ours, theirs ?? ours], (one) => (one.gap ?? []).join('\n')) ?? ours).gap
  const kind = [ours, theirs].find((one) => one?.lines[0] === first)?.kind ?? 'item'
  return { id, role: 'item', kind, words: any?.words ?? '', lines: [first, ...rest], gap }
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

function idsOf(entries: readonly Entry[]): string[] {
  return entries.map(({ id }) => id)
}
