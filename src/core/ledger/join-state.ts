/**
 * The join state: the result of joining a set of events, with everything needed to add more events to it.
 *
 * For every register, key, list, and item, it records which event decided it. Later additions, from whatever time, are
 * compared with those events. The state of many events extended by a few more is thus the state of all of them
 * (`test/core/ledger/join-state.test.ts`). Only retracting events requires the events themselves. Pure.
 */

import type { Checkpoint, Decision, LedgerEvent, Stamp } from '../event/event.ts'
import { compareEvents, isMadeByItself } from '../event/event.ts'
import { joinEvents, retractedFiles } from '../event/event-set.ts'
import type { Instant } from '../event/instant.ts'
import { itemHash, itemKey, itemText } from '../event/item-text.ts'
import type { Problem } from '../event/problem.ts'

/** The event that a value comes from. */
export interface Origin extends Stamp, Pick<LedgerEvent, 'file' | 'branch' | 'type' | 'stream'> {
  /** The event is known from a snapshot only. */
  readonly isArchived: boolean
}

/** A value together with the event it comes from. */
export interface Attributed<T> {
  readonly value: T
  readonly by: Origin
}

/** An item of This Session, with the first event that reported it done. */
export interface DoneItem extends Attributed<string> {
  /** The last event that reported it done. */
  readonly last: Origin
}

/** The newest value of every key, but the oldest of each item and checkpoint. */
export interface Sections {
  /** `title`, `goal` and `test`. Values that somebody wrote take precedence over automatic ones. */
  readonly registers: Map<string, Attributed<string>>
  /** By lane: agent, branch, and stream. */
  readonly now: Map<string, Attributed<string>>
  readonly next: Map<string, Attributed<readonly string[]>>
  /** By agent and branch (`laneOwner`): the newest event that supersedes the older lanes. */
  readonly superseded: Map<string, Attributed<null>>
  readonly items: Map<string, DoneItem>
  /** Hashes of the items that archived events reported done. */
  readonly archivedItems: Map<string, Attributed<null>>
  readonly decisions: Map<string, Attributed<Decision>>
  readonly checkpoints: Map<string, Attributed<Checkpoint & { readonly updated: Instant }>>
  /** By text; null if the question is resolved. */
  readonly questions: Map<string, Attributed<string | null>>
}

export interface JoinState {
  readonly sections: Sections
  /** Number of events that count: without retracted events, archived events, and snapshots. */
  readonly eventCount: number
  /** The newest event's instant. */
  readonly latest: Instant | undefined
  /** Files that some event retracts. */
  readonly retracted: ReadonlySet<string>
  /** Files of the events that are known from a snapshot. */
  readonly archived: ReadonlySet<string>
  /** Problems of all files, including the retracted ones. */
  readonly problems: readonly Problem[]
}

export function stateOf(
  events: readonly LedgerEvent[],
  problems: readonly Problem[] = [],
): JoinState {
  const joined = joinEvents(events)
  const archived = joined.filter(isArchived).map(({ file }) => file)
  const retracted = retractedFiles(events)
  const empty = { sections: copySections(), eventCount: 0, latest: undefined, problems: [] }
  return extended({ ...empty, retracted, archived: new Set(archived) }, joined, problems)
}

/** The state extended by new events. Undefined if the result can only be computed from all events together. */
export function extendState(
  state: JoinState,
  events: readonly LedgerEvent[],
  problems: readonly Problem[] = [],
): JoinState | undefined {
  const isPlain = events.every(
    ({ retracts, covers, file }) =>
      retracts.length === 0 && covers.length === 0 && !state.archived.has(file),
  )
  if (!isPlain) return undefined
  const counted = events.filter(({ file }) => !state.retracted.has(file))
  return extended({ ...state, sections: copySections(state.sections) }, counted, problems)
}

/** The state extended by events. Its maps are changed in place. */
export function extended(
  state: JoinState,
  events: readonly LedgerEvent[],
  problems: readonly Problem[],
): JoinState {
  let { eventCount, latest } = state
  for (const event of events) {
    addEvent(state.sections, event)
    if (event.type !== 'snapshot' && !isArchived(event)) eventCount += 1
    if (latest === undefined || event.ts > latest) latest = event.ts
  }
  return { ...state, eventCount, latest, problems: [...state.problems, ...problems] }
}

/** True for an event that is known from a snapshot only. */
export function isArchived(event: LedgerEvent): boolean {
  return event.done !== undefined
}

function copySections(sections?: Sections): Sections {
  return {
    registers: new Map(sections?.registers),
    now: new Map(sections?.now),
    next: new Map(sections?.next),
    superseded: new Map(sections?.superseded),
    items: new Map(sections?.items),
    archivedItems: new Map(sections?.archivedItems),
    decisions: new Map(sections?.decisions),
    checkpoints: new Map(sections?.checkpoints),
    questions: new Map(sections?.questions),
  }
}

function addEvent(sections: Sections, event: LedgerEvent): void {
  const { file, id, ts, agent, branch, type, stream } = event
  const by: Origin = { file, id, ts, agent, branch, type, stream, isArchived: isArchived(event) }
  const lane = JSON.stringify([agent, branch, stream])
  for (const name of ['title', 'goal', 'test'] as const) {
    if (event[name] !== undefined)
      setPreferred(sections.registers, name, { value: event[name], by })
  }
  if (event.now !== undefined) setNewest(sections.now, lane, { value: event.now, by })
  if (event.next !== undefined) setNewest(sections.next, lane, { value: event.next, by })
  for (const other of event.supersedes)
    setNewest(sections.superseded, laneOwner({ agent: other, branch }), { value: null, by })
  for (const text of event.thisSession) addItem(sections.items, text, by)
  for (const hash of event.done ?? []) setNewest(sections.archivedItems, hash, { value: null, by })
  for (const value of event.decisions) setNewest(sections.decisions, value.key, { value, by })
  for (const checkpoint of event.checkpoints) {
    const value = { ...checkpoint, updated: checkpoint.updated ?? ts }
    const key = JSON.stringify([value.phase, value.status, value.updated])
    const known = sections.checkpoints.get(key)
    if (known === undefined || compareEvents(by, known.by) < 0)
      replace(sections.checkpoints, key, { value, by })
  }
  // An event that both resolves and asks a question leaves it open.
  for (const text of event.resolvedQuestions)
    setNewest(sections.questions, itemKey(text), { value: null, by })
  for (const text of event.openQuestions) {
    const value = itemText(text)
    if (value !== '') setNewest(sections.questions, itemKey(text), { value, by })
  }
}

function addItem(items: Sections['items'], text: string, by: Origin): void {
  const [key, value] = [itemKey(text), itemText(text)]
  if (value === '') return
  const known = items.get(key)
  if (known === undefined || compareEvents(by, known.by) < 0)
    replace(items, key, { value, by, last: known?.last ?? by })
  else if (compareEvents(by, known.last) > 0) items.set(key, { ...known, last: by })
}

/** Precedence: values that somebody wrote, then values that belong to no single handoff, then the newest. */
function setPreferred(map: Map<string, Attributed<string>>, key: string, said: Attributed<string>) {
  const known = map.get(key)
  const rank = known === undefined ? 1 : preference(said.by) - preference(known.by)
  if (rank > 0) replace(map, key, said)
  if (rank === 0) setNewest(map, key, said)
}

function preference({ type, stream }: Origin): number {
  return (isMadeByItself(type) ? 0 : 2) + (stream === undefined ? 1 : 0)
}

/** Within one event, the last value counts. */
function setNewest<T extends Attributed<unknown>>(map: Map<string, T>, key: string, said: T): void {
  const known = map.get(key)
  if (known === undefined || compareEvents(said.by, known.by) >= 0) replace(map, key, said)
}

/** Sets the entry and moves it to the end, so that entries of one event keep their order. */
function replace<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key)
  map.set(key, value)
}

/** The key of all lanes that an event supersedes: those of an agent on a branch, in every stream. */
export function laneOwner({ agent, branch }: Pick<Origin, 'agent' | 'branch'>): string {
  return JSON.stringify([agent, branch])
}

/** True for an item of an event if this or a later event reported it done. */
export function isDone({ items, archivedItems }: Sections, key: string, by: Origin): boolean {
  const archived = archivedItems.size === 0 ? undefined : archivedItems.get(itemHash(key))?.by
  const dones = [items.get(key)?.last, archived]
  return dones.some((done) => done !== undefined && compareEvents(done, by) >= 0)
}

/** In event order; entries of one event are in the order in which it lists them. */
export function inOrder<T extends Attributed<unknown>>(map: ReadonlyMap<string, T>): T[] {
  return [...map.values()].sort((a, b) => compareEvents(a.by, b.by))
}
