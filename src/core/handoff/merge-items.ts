/**
 * Now, This Session, and Next, merged together: an item has one state across the three lists, and the merge works on
 * states, not on lines.
 *
 * If the two sides have different current work, one stays in Now and the other goes to the top of Next, where it keeps
 * its arrow (`- [->] …`). The arrow tells the next merge that only a merge moved it, so that many small merges give
 * the same result as one (docs/decisions/0035).
 */

import type { Entry, Unit } from './merge-entries.ts'
import type { Later, Sides } from './merge-sides.ts'
import {
  pickWinner,
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
  /** The other side's Now, which leads Next. */
  readonly leading: readonly string[]
}

/** Places of an item, as bits: it may be in several lists. A greater number is a more advanced state. */
const [NEXT, NOW, DONE] = [1, 2, 4]

export function mergeItems(sides: Sides<Lists>, later: Later): MergedItems {
  const ids = [...new Set([sides.ours, sides.theirs].flatMap(allIds))]
  const merged = new Map(
    ids.map((id) => {
      const places = mapSides(sides, (lists) => placeOf(lists, id))
      const rest = mapSides(sides, (lists) => anyOf(lists, id)?.rest ?? [])
      return [id, mergePlaces(places, rest)]
    }),
  )
  const isAt = (id: string, place: number) => ((merged.get(id) ?? 0) & place) !== 0
  const nowIn = (list: ReadonlyMap<string, Entry>, isWanted: (entry: Entry) => boolean) =>
    [...list.values()].filter((one) => isWanted(one) && isAt(one.id, NOW)).map(({ id }) => id)

  const focus = mapSides(sides, ({ now }) => nowIn(now, ({ isFocus = false }) => isFocus))
  const waiting = mapSides(sides, ({ next }) => nowIn(next, isDisplaced))
  const chosen = new Set(chooseFocus(focus, waiting, later))
  const rivals = new Set([focus.ours, focus.theirs, waiting.ours, waiting.theirs].flat())
  const isLeading = (id: string) => rivals.has(id) && !chosen.has(id)

  const pick = (isIn: (id: string) => boolean, entryOf: (id: string) => Entry) =>
    new Map(ids.filter(isIn).map((id) => [id, entryOf(id)]))
  const orderIn = (list: List) => {
    const order = mapSides(sides, (lists) => [...lists[list].keys()])
    return mergeOrder(order, isLeading)
  }
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

/** An item that a merge moved from Now to Next. */
function isDisplaced({ lines }: Entry): boolean {
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
  const place = planned === undefined ? 0 : isDisplaced(planned) ? NOW : NEXT
  return place | (now.has(id) ? NOW : 0) | (thisSession.has(id) ? DONE : 0)
}

/** If both sides changed it: done wins over now, now over next, next over removed. Items with additions are kept. */
function mergePlaces(places: Sides<number>, rest: Sides<readonly Unit[]>): number {
  if (places.ours === 0 && isAddedTo(rest.base, rest.theirs)) return places.theirs
  if (places.theirs === 0 && isAddedTo(rest.base, rest.ours)) return places.ours
  const foremost = (ours: number, theirs: number) =>
    [DONE, NOW, NEXT].find((place) => (Math.max(ours, theirs) & place) !== 0) ?? 0
  return threeWay(places, foremost)
}

/** Several Nows of one side are chosen or rejected together. */
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
  const fresh = [...waiting.ours, ...waiting.theirs].filter((id) => !old.has(id)).map((id) => [id])
  const side = (ids: readonly string[]) => (ids.length === 0 ? undefined : ids)
  const both = { ours: side(ours), theirs: side(theirs) }
  return pickWinner(both, fresh, later, (ids) => ids.join('\n')) ?? []
}

function isSubset(some: readonly string[], all: readonly string[]): boolean {
  const known = new Set(all)
  return some.every((id) => known.has(id))
}

/** The lines of an item in a list: those already there, or else its first line with the given head. */
function mergeItem(sides: Sides<Lists>, id: string, list: List, head: string): Entry {
  const existing = mapSides(sides, (lists) => {
    const found = lists[list].get(id)
    const isMatching = list !== 'next' || (found && isDisplaced(found)) === head.includes('->')
    return isMatching ? found : undefined
  })
  const known = mapSides(sides, (lists) => anyOf(lists, id))
  const [ours, theirs] = [existing.ours ?? existing.theirs, existing.theirs ?? existing.ours]
  const versions = [known.ours, known.theirs].filter((one) => one !== undefined)
  const any = greatest(versions, ({ words }) => words)
  const [first = ''] =
    ours === undefined || theirs === undefined
      ? [`${head}${any?.words ?? ''}`]
      : [firstLine({ base: existing.base, ours, theirs })]
  const rest = mergeRest({
    base: known.base?.rest ?? [],
    ours: (known.ours ?? known.theirs)?.rest ?? [],
    theirs: (known.theirs ?? known.ours)?.rest ?? [],
  })
  const kind = [ours, theirs].find((one) => one?.lines[0] === first)?.kind ?? 'item'
  return { id, role: 'item', kind, words: any?.words ?? '', lines: [first, ...rest] }
}

/** If both sides changed the line, an item is preferred to a line of text. */
function firstLine(sides: Sides<Entry | undefined>): string {
  const kinds = new Set([sides.ours?.kind, sides.theirs?.kind])
  const isMixed = kinds.has('text') && kinds.has('item')
  const line = mapSides(sides, (one) => one?.lines[0] ?? '')
  if (!isMixed) return mergeWords(line)
  const item = sides.ours?.kind === 'item' ? line.ours : line.theirs
  return threeWay(line, () => item)
}

/** The lines of an item that is in the same place on all sides. */
export function mergeNested(entry: Sides<Entry>): string[] {
  const first = mergeWords(mapSides(entry, ({ lines: [line = ''] }) => line))
  return [first, ...mergeRest(mapSides(entry, ({ rest = [] }) => rest))]
}

/** Nested lines: a line that one side has is kept unless the other side removed it. */
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
