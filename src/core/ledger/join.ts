/**
 * The join: any pile of events in, one ledger out.
 *
 * Events form a set, so the order, grouping and repetition of the inputs cannot matter. Every section
 * is a fold over that set in event order; keyed sections list their entries in the order of the
 * events that won. No fs, git, clock or locale.
 */

import type { Checkpoint, DecisionValue, LedgerEvent } from '../event/event.ts'
import { compareBytes, compareEvents } from '../event/event.ts'
import type { Instant } from '../event/instant.ts'
import { itemHash, itemKey, itemText } from '../event/item-text.ts'
import type { Problem } from '../event/problem.ts'

/** A value together with the event that said it. */
export interface Said<T> {
  readonly value: T
  readonly by: LedgerEvent
}

export interface Ledger {
  readonly title: Said<string> | undefined
  readonly goal: Said<string> | undefined
  readonly test: Said<string> | undefined
  readonly now: Said<string> | undefined
  readonly thisSession: readonly Said<string>[]
  /** Items of This Session before those, where they are only counted (`digest.ts`). */
  readonly earlierItems: number
  readonly next: readonly Said<string>[]
  readonly decisions: readonly Said<{ key: string; value: DecisionValue; text: string }>[]
  readonly checkpoints: readonly Said<Checkpoint & { updated: Instant }>[]
  readonly openQuestions: readonly Said<string>[]
  readonly agents: readonly Said<string>[]
  /** Events joined: not the skipped, the retracted and the snapshots. */
  readonly eventCount: number
  /** The newest event's instant. */
  readonly latest: Instant | undefined
  readonly skipped: readonly Problem[]
}

/**
 * The union of `sides` in event order, less what any of them retracts. Events that a snapshot stands
 * for take part like all others; where an event's own file is there too, that one counts. The sides
 * are whole sets: a list that was joined before has lost its retracted retractions.
 */
export function joinEvents(...sides: readonly (readonly LedgerEvent[])[]): LedgerEvent[] {
  const byFile = new Map<string, LedgerEvent>()
  const retracted = new Set<string>()
  const add = (event: LedgerEvent): void => {
    const key = `${event.id}/${event.file}`
    const known = byFile.get(key)
    if (known === undefined || overrides(event, known)) byFile.set(key, event)
    for (const file of event.retracts) retracted.add(file)
    event.covers.forEach(add)
  }
  for (const side of sides) side.forEach(add)
  return [...byFile.values()].filter((event) => !retracted.has(event.file)).sort(compareEvents)
}

/** Its own file before a snapshot; of two snapshots that disagree (one is forged), always the same. */
function overrides(event: LedgerEvent, known: LedgerEvent): boolean {
  if (event.done === undefined || known.done === undefined) return event.done === undefined
  return compareBytes(JSON.stringify(event), JSON.stringify(known)) > 0
}

/** True for an event that is known from a snapshot only. */
export function isArchived(event: LedgerEvent): boolean {
  return event.done !== undefined
}

/** True for an event that the footer's count includes. */
export function isCounted(event: LedgerEvent): boolean {
  return event.type !== 'snapshot' && !isArchived(event)
}

/** File names that any of the events, or of those they stand for, retracts. */
export function retractedFiles(events: readonly LedgerEvent[]): Set<string> {
  const files = new Set<string>()
  const add = ({ retracts, covers }: LedgerEvent): void => {
    for (const file of retracts) files.add(file)
    covers.forEach(add)
  }
  events.forEach(add)
  return files
}

/**
 * Folds events into the ledger that people read. `problems` are named in its footer; `earlier`: keys of
 * items that were done before all of these.
 */
export function foldLedger(
  events: readonly LedgerEvent[],
  problems: readonly Problem[] = [],
  earlier: Pick<ReadonlySet<string>, 'size' | 'has'> = new Set(),
): Ledger {
  const joined = joinEvents(events)
  const retracted = retractedFiles(events)
  return {
    title: newest(joined, (event) => event.title),
    goal: newest(joined, (event) => event.goal),
    test: newest(joined, (event) => event.test),
    now: newest(joined, (event) => event.now),
    thisSession: foldThisSession(joined, earlier),
    earlierItems: earlier.size,
    next: foldNext(joined),
    decisions: foldDecisions(joined),
    checkpoints: foldCheckpoints(joined),
    openQuestions: foldQuestions(joined),
    // Who has said nothing since the cut is not at work any more.
    agents: newestByLane(joined, (event) => event.now).filter(({ by }) => !isArchived(by)),
    eventCount: joined.filter(isCounted).length,
    latest: joined.at(-1)?.ts,
    skipped: problems.filter((problem) => !retracted.has(problem.file)).sort(compareProblems),
  }
}

/** LWW register: the newest event that has the field; one without it never blanks it. */
function newest(
  events: readonly LedgerEvent[],
  field: (event: LedgerEvent) => string | undefined,
): Said<string> | undefined {
  const by = events.findLast((event) => field(event) !== undefined)
  const value = by && field(by)
  return by === undefined || value === undefined ? undefined : { value, by }
}

/** A text for each pair of agent and branch. */
export function laneOf({ agent, branch }: LedgerEvent): string {
  const own = `${agent.length}:${agent}`
  return branch === undefined ? own : `${own}/${branch}`
}

/** LWW map by (agent, branch), in the order of the winning events. */
function newestByLane<T>(
  events: readonly LedgerEvent[],
  field: (event: LedgerEvent) => T | undefined,
): Said<T>[] {
  const lanes = new Map<string, Said<T>>()
  for (const by of events) {
    const value = field(by)
    if (value !== undefined) replace(lanes, laneOf(by), { value, by })
  }
  return [...lanes.values()]
}

/** Grow-only set of texts; the first occurrence keeps its place. */
function foldThisSession(
  events: readonly LedgerEvent[],
  earlier: Pick<ReadonlySet<string>, 'has'>,
): Said<string>[] {
  const items = new Map<string, Said<string>>()
  for (const by of events) {
    for (const text of by.thisSession) addFirst(items, text, by)
  }
  return [...items].filter(([key]) => !earlier.has(key)).map(([, said]) => said)
}

/** The newest list of each (agent, branch), less what its own or a later event did. */
function foldNext(events: readonly LedgerEvent[]): Said<string>[] {
  const isDone = doneSince(events)
  const items = new Map<string, Said<string>>()
  for (const { value: list, by } of newestByLane(events, (event) => event.next)) {
    for (const text of list) {
      if (!isDone(text, by)) addFirst(items, text, by)
    }
  }
  return [...items.values()]
}

/** Tells of an item of one of these events whether that or a later one did it. */
export function doneSince(
  events: readonly LedgerEvent[],
): (text: string, by: LedgerEvent) => boolean {
  const position = new Map(events.map((event, i) => [event, i]))
  const lastDone = new Map<string, number>()
  const lastArchived = new Map<string, number>()
  events.forEach((event, i) => {
    for (const text of event.thisSession) lastDone.set(itemKey(text), i)
    for (const hash of event.done ?? []) lastArchived.set(hash, i)
  })
  return (text, by) => {
    const key = itemKey(text)
    const archived = lastArchived.size === 0 ? undefined : lastArchived.get(itemHash(key))
    return Math.max(lastDone.get(key) ?? -1, archived ?? -1) >= (position.get(by) ?? 0)
  }
}

/** LWW map by key; `null` removes, and a later value restores. */
function foldDecisions(events: readonly LedgerEvent[]): Ledger['decisions'][number][] {
  const decisions = new Map<string, Ledger['decisions'][number]>()
  for (const by of events) {
    for (const decision of by.decisions) replace(decisions, decision.key, { value: decision, by })
  }
  return [...decisions.values()].filter(({ value }) => value.value !== null)
}

/** Grow-only list sorted by `updated`, then phase, then event order; exact duplicates once. */
function foldCheckpoints(events: readonly LedgerEvent[]): Ledger['checkpoints'][number][] {
  const checkpoints = new Map<string, Ledger['checkpoints'][number]>()
  for (const by of events) {
    for (const checkpoint of by.checkpoints) {
      const value = { ...checkpoint, updated: checkpoint.updated ?? by.ts }
      const key = checkpointKey(checkpoint, by)
      if (!checkpoints.has(key)) checkpoints.set(key, { value, by })
    }
  }
  return [...checkpoints.values()].sort(
    ({ value: a }, { value: b }) =>
      compareBytes(a.updated, b.updated) || comparePhases(a.phase, b.phase),
  )
}

/** A text for each pair of phase and status at one time. */
export function checkpointKey({ phase, status, updated }: Checkpoint, by: LedgerEvent): string {
  return JSON.stringify([phase, status, updated ?? by.ts])
}

/** LWW element set: open while the newest asking event is not before the newest resolving one. */
function foldQuestions(events: readonly LedgerEvent[]): Said<string>[] {
  const open = new Map<string, Said<string>>()
  for (const by of events) {
    for (const text of by.resolvedQuestions) open.delete(itemKey(text))
    for (const text of by.openQuestions) {
      const value = itemText(text)
      if (value !== '') replace(open, itemKey(text), { value, by })
    }
  }
  return [...open.values()]
}

function addFirst(items: Map<string, Said<string>>, text: string, by: LedgerEvent): void {
  const [key, value] = [itemKey(text), itemText(text)]
  if (value !== '' && !items.has(key)) items.set(key, { value, by })
}

/** Sets the entry and moves it to the end: a map then lists its entries in event order. */
function replace<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key)
  map.set(key, value)
}

/** Numbers by value and before words; words by bytes. */
function comparePhases(a: string, b: string): number {
  const [x, y] = [phaseNumber(a), phaseNumber(b)]
  if (x !== undefined && y !== undefined && x !== y) return x - y
  if ((x === undefined) !== (y === undefined)) return x === undefined ? 1 : -1
  return compareBytes(a, b)
}

function phaseNumber(phase: string): number | undefined {
  return /^[+-]?\d+(?:\.\d+)?$/.test(phase) ? Number(phase) : undefined
}

function compareProblems(a: Problem, b: Problem): number {
  return (
    compareBytes(a.file, b.file) ||
    (a.line ?? 0) - (b.line ?? 0) ||
    compareBytes(a.section ?? '', b.section ?? '') ||
    compareBytes(a.code, b.code)
  )
}
