/** Merges one segment: what becomes of each entry, their order, and the blank lines between them. */

import type { Entry } from './merge-entries.ts'
import { isEmpty } from './handoff.ts'
import type { Segment } from './merge-outline.ts'
import type { Sides } from './merge-sides.ts'
import {
  greatest,
  isAddedTo,
  isKept,
  mapSides,
  mergeOrder,
  mergeWords,
  threeWay,
} from './merge-sides.ts'

/** Entries that come from elsewhere in the merge. */
export interface NewEntries {
  /** Placed before the first item, in this order, even if they are already further down. */
  readonly first: readonly Entry[]
  readonly last: readonly Entry[]
}

export type Decide = (id: string, entry: Sides<Entry | undefined>) => Entry | undefined

/** Undefined if nothing remains of the segment. */
export function mergeEntries(
  segments: Sides<Segment | undefined>,
  decide: Decide,
  added: NewEntries,
): Segment | undefined {
  const ids = mapSides(segments, (one) => (one?.entries ?? []).map(({ id }) => id))
  const byId = mapSides(segments, (one) => new Map(one?.entries?.map((entry) => [entry.id, entry])))
  const merged = new Map<string, Entry>()
  for (const id of new Set([...ids.ours, ...ids.theirs, ...ids.base])) {
    const versions = mapSides(byId, (entries) => entries.get(id))
    const entry = decide(id, versions)
    if (entry !== undefined) merged.set(id, entry)
  }
  const known = new Set([...ids.ours, ...ids.theirs])
  const news = [...added.first, ...added.last]
  if (news.some(({ id }) => !known.has(id))) dropPlaceholders(merged)
  for (const entry of news) merged.set(entry.id, entry)
  const order = mergeOrder(ids, (id) => merged.has(id))
  const spaced = placeNew(order, added).flatMap((id): Entry[] => {
    const entry = merged.get(id)
    // An entry may come from one side only, but the blank lines before it are merged in any case.
    const gap = mergeBlank(mapSides(byId, (entries) => entries.get(id)?.gap))
    return entry === undefined ? [] : [{ ...entry, gap }]
  })
  const entries = withGaps(spaced)
  const isSegmentKept = isKept(mapSides(segments, (one) => one !== undefined))
  if (!isSegmentKept && entries.length === 0) return undefined
  const head = headOf(segments)
  return head && { ...head, entries, text: [], lead: entries.length === 0 ? [] : head.lead }
}

/** Removes placeholders such as `- (none)` when entries are added, as an edit does. */
function dropPlaceholders(merged: Map<string, Entry>): void {
  for (const [id, { role, kind, lines, words }] of merged) {
    const hasContent = lines.length > 1 || !isEmpty(words)
    const isPlain = (role === 'member' && kind === 'item') || (role === 'text' && kind === 'text')
    if (isPlain && !hasContent) merged.delete(id)
  }
}

/** The heading, and the blank lines below it and at the segment's end. */
export function headOf(segments: Sides<Segment | undefined>): Segment | undefined {
  const { ours, theirs } = segments
  const existing = [ours, theirs].filter((one) => one !== undefined)
  const any = greatest(existing, ({ heading = '' }) => heading)
  if (any === undefined) return undefined
  const heading = mergeWords({
    base: segments.base?.heading ?? '',
    ours: (ours ?? any).heading ?? '',
    theirs: (theirs ?? any).heading ?? '',
  })
  const withEntries = mapSides(segments, (one) => (one?.entries?.length === 0 ? undefined : one))
  return {
    ...any,
    heading: any.heading === undefined ? undefined : heading,
    lead: mergeBlank(mapSides(withEntries, (one) => one?.lead)) ?? [],
    tail: mergeBlank(mapSides(segments, (one) => one?.tail)),
  }
}

/** Text without further structure is kept or dropped as a whole. Nested lines of an item are merged one by one. */
export function mergeMember(
  entry: Sides<Entry | undefined>,
  mergeBody: (entry: Sides<Entry>) => readonly string[],
): Entry | undefined {
  if (!isKept(mapSides(entry, (one) => one !== undefined)) && !hasAddition(entry)) return undefined
  const ours = entry.ours ?? entry.theirs
  const theirs = entry.theirs ?? entry.ours
  if (ours === undefined || theirs === undefined) return undefined
  const base = entry.base ?? { ...ours, lines: [], rest: [] }
  const lines = mergeBody({ base, ours, theirs })
  const like = lines[0] === ours.lines[0] ? ours : theirs
  return { ...like, lines }
}

/** An item that one side removed is kept if the other added nested lines to it. */
function hasAddition({ base, ours, theirs }: Sides<Entry | undefined>): boolean {
  return [ours, theirs].some((one) => isAddedTo(base?.rest ?? [], one?.rest ?? []))
}

/** Undefined for a side that does not count. */
function mergeBlank(blank: Sides<readonly string[] | undefined>): readonly string[] | undefined {
  const ours = blank.ours ?? blank.theirs
  const theirs = blank.theirs ?? blank.ours
  const isSame = (a: readonly string[] | undefined, b: readonly string[] | undefined) =>
    a?.join('\n') === b?.join('\n') && a?.length === b?.length
  const longer = (a: readonly string[] = [], b: readonly string[] = []) =>
    greatest([a, b], (lines) => `${String(lines.length).padStart(6, '0')}${lines.join('\n')}`)
  return threeWay({ base: blank.base, ours, theirs }, longer, isSame)
}

function placeNew(order: readonly string[], { first, last }: NewEntries): string[] {
  const front = new Set(first.map(({ id }) => id))
  const rest = order.filter((id) => !front.has(id))
  const placed = new Set(rest)
  const at = rest.findIndex((id) => !id.startsWith('text '))
  const cut = at === -1 ? rest.length : at
  const end = last.map(({ id }) => id).filter((id) => !placed.has(id))
  return [...rest.slice(0, cut), ...front, ...rest.slice(cut), ...end]
}

/** An entry moved from elsewhere has no gap. A blank line is added if two entries would otherwise become one. */
function withGaps(entries: readonly Entry[]): Entry[] {
  return entries.map((entry, i) => {
    const before = entries[i - 1]
    if (before === undefined) return { ...entry, gap: undefined }
    const { gap = [] } = entry
    return { ...entry, gap: gap.length === 0 && wouldMerge(before, entry) ? [''] : gap }
  })
}

function wouldMerge({ kind: before }: Entry, { kind }: Entry): boolean {
  if (kind === 'text') return before !== 'code' && before !== 'other'
  if (kind === 'keyed') return before === 'item'
  return kind !== 'item' && kind === before
}
