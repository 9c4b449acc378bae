/**
 * A digest: what of many events can still show.
 *
 * Most of what events say has been overtaken: an older `now`, a goal that was set again. Of older events,
 * what was done is only counted. A digest keeps the rest, so that joining it with newer events gives the
 * ledger that joining all of them gives. Only taking back, and events from before its window, need what
 * was dropped: they cannot extend it (`canExtendDigest`). Pure; `test/core/ledger/digest.test.ts` holds
 * it to the join.
 */

import type { LedgerEvent, Stamp } from '../event/event.ts'
import { compareStamps } from '../event/event.ts'
import { itemKey } from '../event/item-text.ts'
import type { Ledger } from './join.ts'
import { checkpointKey, doneSince, foldLedger, isCounted, joinEvents, laneOf } from './join.ts'
import type { Problem } from '../event/problem.ts'
import { SHOWN_ITEMS } from './render.ts'
import { FORGOTTEN, SILENT } from '../event/snapshot.ts'

export interface Digest {
  /** In event order, with what has been overtaken left out. */
  readonly events: readonly LedgerEvent[]
  /** Events that count and are not among them. */
  readonly dropped: number
  readonly problems: readonly Problem[]
  /** The newest event before the window; undefined where the window holds all. */
  readonly since: Stamp | undefined
  /** Keys of the items that were first done before the window. */
  readonly earlier: ItemKeys
  /** Those of them that the events do again. */
  readonly repeated: readonly string[]
}

/** A set of item keys, in memory or not. */
export interface ItemKeys extends Iterable<string> {
  readonly size: number
  has(key: string): boolean
}

/** What is added to a digest, or makes up a first one. */
export type Addition = Pick<Digest, 'events' | 'problems'>

/** How much a window holds at least. */
export interface WindowSize {
  /** What branches that are merged soon began after. */
  readonly events: number
  /** Items of This Session that may be shown. */
  readonly items: number
}

const WINDOW: WindowSize = { events: 256, items: SHOWN_ITEMS }

/** The digest of all events of a ledger. */
export function digestEvents({ events, problems }: Addition, window = WINDOW): Digest {
  const nothing = { dropped: 0, since: undefined, earlier: new Set<string>(), repeated: [] }
  return shrink({ events, problems, ...nothing }, window)
}

/** The digest with events that extend it; what they have overtaken is still in it. */
export function extendDigest(digest: Digest, { events, problems }: Addition): Digest {
  return {
    ...digest,
    events: [...digest.events, ...events],
    problems: [...digest.problems, ...problems],
    repeated: [...digest.repeated, ...itemKeys(events).filter((key) => digest.earlier.has(key))],
  }
}

function itemKeys(events: readonly LedgerEvent[]): string[] {
  return events.flatMap(({ thisSession }) => thisSession.map(itemKey))
}

/** The same digest without what extending it has overtaken. */
export function condenseDigest(digest: Digest, window = WINDOW): Digest {
  return shrink(digest, window)
}

/** The ledger of all that the digest stands for. */
export function foldDigest(digest: Digest): Ledger {
  const { events, dropped, problems, earlier } = digest
  // What is not done again needs not be looked for.
  const repeated = new Set(digest.repeated)
  const ledger = foldLedger(events, problems, {
    size: earlier.size,
    has: (key) => repeated.has(key),
  })
  return { ...ledger, eventCount: ledger.eventCount + dropped }
}

/** False with events that take others back, stand for others, or are older than the window. */
export function canExtendDigest({ since }: Digest, events: readonly LedgerEvent[]): boolean {
  return events.every(
    (event) =>
      event.retracts.length === 0 &&
      event.covers.length === 0 &&
      (since === undefined || compareStamps(event, since) > 0),
  )
}

function shrink(digest: Digest, window: WindowSize): Digest {
  const { events, problems } = digest
  const joined = joinEvents(events)
  const places = findPlaces(joined)
  const earlier = new Set(digest.earlier)
  const start = startOfWindow(joined, places, earlier, window)
  const isDone = doneSince(joined)
  const shown = joined.map((event, i) => {
    const kept = whatShows(event, places)
    if (i >= start) return kept
    for (const text of event.thisSession) earlier.add(itemKey(text))
    const next = kept.next?.filter((text) => !isDone(text, event))
    return { ...kept, next, thisSession: [], done: kept.done && [] }
  })
  earlier.delete('')
  const kept = shown.filter((event) => event === shown.at(-1) || saysSomething(event))
  const dropped = joined.filter(isCounted).length - kept.filter(isCounted).length
  return {
    events: [...kept, ...silenced(events, new Set(joined))],
    dropped: digest.dropped + dropped,
    problems,
    since: later(digest.since, joined[start - 1]),
    earlier,
    repeated: [...new Set(itemKeys(kept).filter((key) => earlier.has(key)))],
  }
}

/** Index of its first event. */
function startOfWindow(
  joined: readonly LedgerEvent[],
  { first }: Places,
  earlier: ReadonlySet<string>,
  window: WindowSize,
): number {
  const items = new Set<string>()
  let start = joined.length
  while (start > 0 && (joined.length - start < window.events || items.size < window.items)) {
    const event = joined[(start -= 1)] as LedgerEvent
    for (const text of event.thisSession) {
      const key = itemKey(text)
      if (first.get(doneKey(text)) === event && key !== '' && !earlier.has(key)) items.add(key)
    }
  }
  return start
}

function later(a: Stamp | undefined, b: Stamp | undefined): Stamp | undefined {
  if (b === undefined) return a
  if (a !== undefined && compareStamps(a, b) > 0) return a
  return { ts: b.ts, agent: b.agent, id: b.id }
}

/** For everything that events of a ledger say, who said it last, and where that counts, first. */
interface Places {
  readonly first: ReadonlyMap<string, LedgerEvent>
  readonly last: ReadonlyMap<string, LedgerEvent>
}

/** `events`: joined, in event order. */
function findPlaces(events: readonly LedgerEvent[]): Places {
  const first = new Map<string, LedgerEvent>()
  const last = new Map<string, LedgerEvent>()
  for (const event of events) {
    for (const key of keysOf(event)) {
      if (!first.has(key)) first.set(key, event)
      last.set(key, event)
    }
  }
  return { first, last }
}

/** A text for each register, map key and set element that the event has a say in. */
function keysOf(event: LedgerEvent): string[] {
  const lane = laneOf(event)
  return [
    ...(event.title === undefined ? [] : ['title']),
    ...(event.goal === undefined ? [] : ['goal']),
    ...(event.test === undefined ? [] : ['test']),
    ...(event.now === undefined ? [] : [`now ${lane}`]),
    ...(event.next === undefined ? [] : [`next ${lane}`]),
    ...event.thisSession.map(doneKey),
    ...(event.done ?? []).map(archivedKey),
    ...event.decisions.map(({ key }) => decisionKey(key)),
    ...event.checkpoints.map((checkpoint) => checkpointKey(checkpoint, event)),
    ...event.openQuestions.map(questionKey),
    ...event.resolvedQuestions.map(questionKey),
  ]
}

const doneKey = (text: string) => `done ${itemKey(text)}`
const archivedKey = (hash: string) => `archived ${hash}`
const decisionKey = (key: string) => `decision ${key}`
const questionKey = (text: string) => `question ${itemKey(text)}`

/** The event, less what a later one has overtaken. */
function whatShows(event: LedgerEvent, { first, last }: Places): LedgerEvent {
  const isFirst = (key: string) => first.get(key) === event
  const isLast = (key: string) => last.get(key) === event
  const lane = laneOf(event)
  return {
    ...event,
    ...FORGOTTEN,
    type: isCounted(event) ? undefined : event.type,
    title: isLast('title') ? event.title : undefined,
    goal: isLast('goal') ? event.goal : undefined,
    test: isLast('test') ? event.test : undefined,
    now: isLast(`now ${lane}`) ? event.now : undefined,
    next: isLast(`next ${lane}`) ? event.next : undefined,
    // The first gives an item its place; the last keeps it off the lists of what is next.
    thisSession: event.thisSession.filter((text) => {
      const key = doneKey(text)
      return isFirst(key) || isLast(key)
    }),
    done: event.done?.filter((hash) => isLast(archivedKey(hash))),
    decisions: event.decisions.filter(({ key }) => isLast(decisionKey(key))),
    checkpoints: event.checkpoints.filter((one) => isFirst(checkpointKey(one, event))),
    openQuestions: event.openQuestions.filter((text) => isLast(questionKey(text))),
    resolvedQuestions: event.resolvedQuestions.filter((text) => isLast(questionKey(text))),
  }
}

function saysSomething(event: LedgerEvent): boolean {
  const { title, goal, test, now, next, done = [], thisSession, retracts } = event
  const { decisions, checkpoints, openQuestions, resolvedQuestions } = event
  const lists = [thisSession, done, decisions, checkpoints, openQuestions, resolvedQuestions]
  return (
    [title, goal, test, now, next].some((field) => field !== undefined) ||
    [...lists, retracts].some((list) => list.length > 0)
  )
}

/** Retracted events that retract others: of them, only that still counts. */
function silenced(events: readonly LedgerEvent[], joined: ReadonlySet<LedgerEvent>): LedgerEvent[] {
  const found: LedgerEvent[] = []
  const add = (event: LedgerEvent): void => {
    event.covers.forEach(add)
    if (event.retracts.length === 0 || joined.has(event)) return
    found.push({ ...event, ...FORGOTTEN, ...SILENT })
  }
  events.forEach(add)
  return found
}
