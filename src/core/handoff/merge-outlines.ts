/** Merges three outlines: which segments there are, their order, and their contents. */

import { itemKey } from '../event/item-text.ts'
import { ADDED_SECTIONS, closeGaps, newSegment, placeAdded, segmentOf } from './added-sections.ts'
import type { Entry } from './merge-entries.ts'
import type { List, Lists, MergedItems } from './merge-items.ts'
import { LISTS, mergeItems, mergeNested } from './merge-items.ts'
import type { Outline, Segment } from './merge-outline.ts'
import { mergePhase, mergeValidation } from './merge-phases.ts'
import type { MergedRegisters } from './merge-registers.ts'
import { mergeRegisters, registerId } from './merge-registers.ts'
import type { Decide, NewEntries } from './merge-segment.ts'
import { headOf, mergeEntries, mergeMember } from './merge-segment.ts'
import type { Later, Sides } from './merge-sides.ts'
import {
  firstById,
  isKept,
  laterOf,
  mapSides,
  mergeOrder,
  mergeWords,
  threeWay,
} from './merge-sides.ts'

export interface TextMerged {
  readonly text: string
  readonly isConflict: boolean
}

/** Merges three versions of a text as git does, with conflict markers if both sides changed the same lines. */
export type TextMerge = (base: string, ours: string, theirs: string) => TextMerged

/** Sections that are not read without the Ledger's heading. */
const IN_LEDGER: readonly string[] = [...LISTS, 'decisions', 'openQuestions', 'workflow']

/** Number of entries kept in `#### Merged`. */
const MAX_MERGED = 5

export function mergeOutlines(
  read: Sides<Outline>,
  mergeText: TextMerge,
): { outline: Outline; isConflict: boolean } {
  const later = laterOf(read.ours.updated, read.theirs.updated)
  const registers = mergeRegisters(read, later)
  const { outlines } = registers
  const items = mergeItems(mapSides(outlines, listsOf), later)
  const replaced: string[] = []
  let isConflict = false

  const mergeOne = (segments: Sides<Segment | undefined>, id: string): Segment | undefined => {
    const isText = [segments.ours, segments.theirs].some((one) => one && one.entries === undefined)
    if (isText) {
      const merged = mergeSection(segments, mergeText)
      isConflict ||= merged?.isConflict === true
      return merged?.segment
    }
    const added = newEntries(id, items, registers, replaced)
    const isAdded = added.first.length + added.last.length > 0
    const from =
      isAdded && segments.ours === undefined && segments.theirs === undefined
        ? { ...segments, ours: newSegment(id, outlines) }
        : segments
    const merged = mergeEntries(from, decideIn(id, { items, registers, later, replaced }), added)
    if (id === 'now' && merged) return withArrows(merged)
    return id === 'merged' && merged ? newestFive(merged) : merged
  }

  const ids = mapSides(outlines, ({ segments }) => segments.map(({ id }) => id))
  const byId = mapSides(outlines, (one) => firstById(one.segments))
  const known = new Set([...ids.base, ...ids.ours, ...ids.theirs])
  const segments = new Map<string, Segment>()
  // These come last: what was replaced is known only after everything else is merged.
  const last = new Set(ADDED_SECTIONS)
  for (const id of [...[...known].filter((one) => !last.has(one)), ...last]) {
    const versions = mapSides(byId, (all) => all.get(id))
    const merged = mergeOne(versions, id)
    if (merged !== undefined) segments.set(id, merged)
  }
  if (!segments.has('ledger') && IN_LEDGER.some((id) => segments.has(id))) {
    const [former] = [outlines.ours, outlines.theirs].flatMap(
      (one) => segmentOf(one, 'ledger') ?? [],
    )
    const head = former ?? newSegment('ledger', outlines)
    segments.set('ledger', { ...head, entries: [], lead: [], tail: [''] })
  }
  const kept = mergeOrder(ids, (id) => segments.has(id))
  const order = placeAdded(kept, segments)
  const fronts = mapSides(outlines, (one) => one.front)
  return {
    outline: {
      ...outlines.ours,
      hasBom: isKept(mapSides(outlines, ({ hasBom }) => hasBom)),
      front: mergeOne(fronts, 'front'),
      segments: closeGaps(order.flatMap((id) => segments.get(id) ?? [])),
      breaks: threeWay(
        mapSides(outlines, ({ breaks }) => breaks),
        Math.max,
      ),
    },
    isConflict,
  }
}

interface Merged {
  readonly items: MergedItems
  readonly registers: MergedRegisters
  readonly later: Later
  /** Collects the texts of replaced phases and validations. */
  readonly replaced: string[]
}

/** Decides about an entry by its role, with which the id begins. */
function decideIn(place: string, { items, registers, later, replaced }: Merged): Decide {
  const stateOf = (state: ReturnType<typeof mergePhase>) => {
    if (state.replaced !== undefined) replaced.push(state.replaced)
    return state.entry
  }
  return (id, entry) => {
    switch (id.split(' ', 1)[0]) {
      case 'item':
        return items.lists[place as keyof Lists].get(id)
      case 'unconfirmed':
        return registers.questions.get(id)
      case 'phase':
        return stateOf(mergePhase(entry, later))
      case 'key':
        return place === 'validation'
          ? stateOf(mergeValidation(entry, later))
          : registers.values.get(registerId(place, { id }))
      case 'member':
        return mergeMember(entry, mergeNested)
      default:
        return mergeMember(entry, (lines) =>
          mergeWords(mapSides(lines, ({ lines }) => lines.join('\n'))).split('\n'),
        )
    }
  }
}

function listsOf(outline: Outline): Lists {
  const itemsIn = (list: List) =>
    new Map(
      (segmentOf(outline, list)?.entries ?? [])
        .filter(({ role }) => role === 'item')
        .map((entry) => [entry.id, entry]),
    )
  return { now: itemsIn('now'), thisSession: itemsIn('thisSession'), next: itemsIn('next') }
}

function newEntries(
  id: string,
  { lists, leading }: MergedItems,
  { questions }: MergedRegisters,
  replaced: readonly string[],
): NewEntries {
  switch (id) {
    case 'now':
      return { first: [], last: [...lists.now.values()] }
    case 'next':
      return { first: leading.flatMap((one) => lists.next.get(one) ?? []), last: [] }
    case 'openQuestions':
      return { first: [], last: [...questions.values()] }
    case 'merged':
      // They were found in the order of our side.
      return { first: [...new Set(replaced)].toSorted().map(mergedItem), last: [] }
    default:
      return { first: [], last: [] }
  }
}

function mergedItem(text: string): Entry {
  const id = `member ${itemKey(text)}`
  return { id, role: 'member', kind: 'item', lines: [`- ${text}`], words: text }
}

/** A plain line is the Now only if nothing else is in the section. Next to other entries it needs an arrow. */
function withArrows(segment: Segment): Segment {
  const { entries = [] } = segment
  if (entries.filter(({ kind }) => kind !== 'code').length < 2) return segment
  const marked = entries.map((entry): Entry => {
    if (entry.role !== 'item' || entry.kind !== 'text') return entry
    const [, ...rest] = entry.lines
    return { ...entry, kind: 'item', lines: [`[->] ${entry.words}`, ...rest] }
  })
  return { ...segment, entries: marked }
}

function newestFive(segment: Segment): Segment {
  const members = (segment.entries ?? []).filter(({ role }) => role === 'member')
  const old = new Set(members.slice(MAX_MERGED))
  return { ...segment, entries: (segment.entries ?? []).filter((entry) => !old.has(entry)) }
}

/** Text of an unknown section. Text that one side changed and the other removed is kept. */
function mergeSection(segments: Sides<Segment | undefined>, mergeText: TextMerge) {
  const head = headOf(segments)
  const { ours: mine, theirs: other } = segments
  const isRemoved = mine === undefined || other === undefined
  // If the headings differ, they are part of the text. If one side removed the section, a changed title counts.
  const isWhole = isRemoved || mine.heading !== other.heading
  const textIn = ({ heading, text }: Segment) =>
    linesOf(isWhole && heading !== undefined ? [heading, ...text] : text)
  const { base, ours, theirs } = mapSides(segments, (one) => one && textIn(one))
  if (head === undefined || (isRemoved && base === (ours ?? theirs))) return undefined
  const merged = mergePlain(
    { base: base ?? '', ours: ours ?? theirs ?? '', theirs: theirs ?? ours ?? '' },
    mergeText,
  )
  const text = merged.text === '' ? [] : merged.text.replace(/\n$/, '').split('\n')
  const heading = isWhole ? undefined : head.heading
  return { segment: { ...head, heading, text }, isConflict: merged.isConflict }
}

function mergePlain({ base, ours, theirs }: Sides<string>, mergeText: TextMerge): TextMerged {
  if (ours === theirs || theirs === base) return { text: ours, isConflict: false }
  if (ours === base) return { text: theirs, isConflict: false }
  return mergeText(base, ours, theirs)
}

function linesOf(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('')
}
