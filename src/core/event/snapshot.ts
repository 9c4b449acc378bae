/**
 * Snapshots: the lasting content of archived events, in one event.
 *
 * A snapshot covers a set of events. For each it keeps everything from which sections other than This Session are
 * folded, with the event's own position in time. For done items it keeps hashes, so that they do not come back in
 * Next. Joining a snapshot with events that it covers, or with other snapshots, therefore changes nothing, and an old
 * event or a retraction that arrives late needs no special case. A snapshot is a pure function of what it covers.
 */

import type { Checkpoint, Decision, DecisionValue, LedgerEvent, NewEvent } from './event.ts'
import { compareEvents, TEXT_KEYS } from './event.ts'
import { formatInstant } from './instant.ts'
import { itemHash, itemKey } from './item-text.ts'
import { retractedFiles } from './event-set.ts'
import { quote } from './yaml-text.ts'

export const SNAPSHOT_TYPE = 'snapshot'
/** The author of snapshots, which no team member wrote. */
export const SNAPSHOT_AGENT = 'ledger-git'

/** The snapshot of `events` and the events that they cover; undefined if nothing is worth keeping. */
export function newSnapshot(events: readonly LedgerEvent[]): NewEvent | undefined {
  const covers = coverEvents(events)
  const newest = covers.at(-1)
  if (newest === undefined) return undefined
  return { ts: formatInstant(newest.ts), agent: SNAPSHOT_AGENT, type: SNAPSHOT_TYPE, covers }
}

/** All of `events` and the events that they cover, in the form that a snapshot keeps, in event order. */
function coverEvents(events: readonly LedgerEvent[]): LedgerEvent[] {
  const retracted = retractedFiles(events)
  const covered = new Map<string, LedgerEvent>()
  const add = (event: LedgerEvent): void => {
    event.covers.forEach(add)
    if (event.covers.length > 0) return // a snapshot has no content of its own
    // Of a retracted event only its own retractions count.
    const kept = { ...coverEvent(event), ...(retracted.has(event.file) ? SILENT : {}) }
    if (saysSomething(kept)) covered.set(`${event.id}/${event.file}`, kept)
  }
  events.forEach(add)
  return [...covered.values()].sort(compareEvents)
}

function coverEvent(event: LedgerEvent): LedgerEvent {
  const keys = event.thisSession.map(itemKey).filter((key) => key !== '')
  return {
    ...event,
    ...FORGOTTEN,
    done: event.done ?? [...new Set(keys.map(itemHash))],
  }
}

/** Fields that only the event's own file has; a snapshot does not keep them. */
export const FORGOTTEN = {
  reason: undefined,
  session: undefined,
  commit: undefined,
  thisSession: [],
  covers: [],
} satisfies Partial<LedgerEvent>

/** Fields that no longer count once the event is retracted. */
export const SILENT = {
  type: undefined,
  title: undefined,
  goal: undefined,
  test: undefined,
  now: undefined,
  next: undefined,
  decisions: [],
  checkpoints: [],
  openQuestions: [],
  resolvedQuestions: [],
  supersedes: [],
  done: [],
} satisfies Partial<LedgerEvent>

function saysSomething(event: LedgerEvent): boolean {
  const { title, goal, test, now, next, done, retracts, supersedes } = event
  const lists = [event.decisions, event.checkpoints, event.openQuestions, event.resolvedQuestions]
  return (
    [title, goal, test, now, next].some((field) => field !== undefined) ||
    [...lists, done ?? [], retracts, supersedes].some((list) => list.length > 0)
  )
}

/** The body lines of a snapshot: `covers:` and one flow map per event (JSON, which is valid YAML). */
export function snapshotLines(covered: readonly LedgerEvent[]): string[] {
  return ['covers:', ...covered.map((event) => `  - ${quote(coveredToJson(event))}`)]
}

/** The texts of a covered event, and the keys and fields of its lists, in the order in which they are written. */
export const COVERED_TEXTS = ['branch', 'type', 'stream', ...TEXT_KEYS] as const
export const COVERED_LISTS = [
  ['open_questions', 'openQuestions'],
  ['resolved_questions', 'resolvedQuestions'],
  ['retracts', 'retracts'],
  ['supersedes', 'supersedes'],
  ['done', 'done'],
] as const

/** The shortest form of one covered event; empty fields are left out. */
function coveredToJson(event: LedgerEvent): object {
  return {
    file: event.file,
    id: event.id,
    ts: formatInstant(event.ts),
    agent: event.agent,
    ...Object.fromEntries(COVERED_TEXTS.map((key) => [key, event[key]])),
    next: event.next,
    decisions: unlessEmpty(event.decisions.map(decisionToJson)),
    checkpoints: unlessEmpty(event.checkpoints.map(checkpointToJson)),
    ...Object.fromEntries(
      COVERED_LISTS.map(([key, field]) => [key, unlessEmpty(event[field] ?? [])]),
    ),
  }
}

/** The text is added only if it differs from the value: YAML reads `1.10` as 1.1. */
function decisionToJson({ key, value, text }: Decision): unknown[] {
  return text === valueText(value) ? [key, value] : [key, value, text]
}

export function valueText(value: DecisionValue): string {
  return value === null ? '' : String(value)
}

function checkpointToJson({ phase, status, updated }: Checkpoint): unknown[] {
  return updated === undefined ? [phase, status] : [phase, status, formatInstant(updated)]
}

function unlessEmpty<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length === 0 ? undefined : list
}
