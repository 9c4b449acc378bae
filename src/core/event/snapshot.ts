/**
 * Snapshots: what archived events decided, in one event.
 *
 * A snapshot stands for a set of events. Of each it keeps all that sections other than This Session
 * are folded from, at the event's own place in time; of the items that were done, it keeps hashes, so
 * that they stay off the lists of what is next. Joining a snapshot with events it stands for, or with
 * other snapshots, therefore changes nothing, and an old event that arrives late, or a late
 * retraction, needs no special case. A pure function of what it stands for.
 */

import type { Checkpoint, Decision, DecisionValue, LedgerEvent, NewEvent } from './event.ts'
import { compareEvents, TEXT_KEYS } from './event.ts'
import { formatInstant } from './instant.ts'
import { itemHash, itemKey } from './item-text.ts'
import { retractedFiles } from './event-set.ts'
import { quote } from './yaml-text.ts'

export const SNAPSHOT_TYPE = 'snapshot'
/** Who a snapshot is by: nobody of the team. */
export const SNAPSHOT_AGENT = 'ledger-git'

/** The snapshot of what `events` hold and stand for; undefined when none of it lasts. */
export function newSnapshot(events: readonly LedgerEvent[]): NewEvent | undefined {
  const covers = coverEvents(events)
  if (covers.length === 0) return undefined
  const newest = covers.map(({ ts }) => ts).reduce((a, b) => (a > b ? a : b))
  return { ts: formatInstant(newest), agent: SNAPSHOT_AGENT, type: SNAPSHOT_TYPE, covers }
}

/** Every event that `events` hold or stand for, as a snapshot keeps it, in event order. */
function coverEvents(events: readonly LedgerEvent[]): LedgerEvent[] {
  const retracted = retractedFiles(events)
  const covered = new Map<string, LedgerEvent>()
  const add = (event: LedgerEvent): void => {
    event.covers.forEach(add)
    if (event.covers.length > 0) return // a snapshot says nothing itself
    // A retracted event counts for nothing but what it retracts itself.
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

/** What only the event's own file tells: its covered form has none of it. */
export const FORGOTTEN = {
  reason: undefined,
  session: undefined,
  commit: undefined,
  thisSession: [],
  covers: [],
} satisfies Partial<LedgerEvent>

/** What only counts while the event does. */
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

/** The body lines of a snapshot: `covers:` and one flow map (JSON, which is YAML) an event. */
export function snapshotLines(covered: readonly LedgerEvent[]): string[] {
  return ['covers:', ...covered.map((event) => `  - ${quote(coveredToJson(event))}`)]
}

/** The texts of a covered event, and its lists by their keys, in the order in which they are written. */
export const COVERED_TEXTS = ['branch', 'type', 'stream', ...TEXT_KEYS] as const
export const COVERED_LISTS = [
  ['open_questions', 'openQuestions'],
  ['resolved_questions', 'resolvedQuestions'],
  ['retracts', 'retracts'],
  ['supersedes', 'supersedes'],
  ['done', 'done'],
] as const

/** Shortest form of one covered event; what says nothing is left out. */
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

/** The text only where it is not the value itself: `1.10` is 1.1 to YAML. */
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
