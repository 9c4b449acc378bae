/**
 * Parsed events as short JSON records, for the cache.
 *
 * Arrays without names: a third smaller than objects, and twice as fast to read. The shape may change
 * with every release: the cache is thrown away when any line of the core does.
 */

import type { Checkpoint, Decision, LedgerEvent } from './event.ts'
import type { ParsedEvent } from './parse-event.ts'

/** One parsed file: blob id, what was read, what could not be. */
export type EventRecord = readonly [
  id: string,
  event: readonly unknown[] | null,
  findings?: Pick<ParsedEvent, 'problems' | 'warnings'>,
]

export function toRecord(id: string, { event, problems, warnings }: ParsedEvent): EventRecord {
  const fields = event === undefined ? null : toFields(event)
  const isClean = problems.length === 0 && warnings.length === 0
  return isClean ? [id, fields] : [id, fields, { problems, warnings }]
}

export function fromRecord([id, fields, findings]: EventRecord): ParsedEvent {
  const event = fields === null ? undefined : fromFields(id, fields)
  return { event, problems: findings?.problems ?? [], warnings: findings?.warnings ?? [] }
}

function toFields(event: LedgerEvent): unknown[] {
  return [
    event.file,
    event.ts,
    event.agent,
    event.branch,
    event.type,
    event.reason,
    event.session,
    event.commit,
    event.title,
    event.goal,
    event.test,
    event.now,
    event.thisSession,
    event.next,
    event.decisions.map(({ key, value, text }) => [key, value, text]),
    event.checkpoints.map(({ phase, status, updated }) => [phase, status, updated]),
    event.openQuestions,
    event.resolvedQuestions,
    event.retracts,
    event.covers.map((covered) => [covered.id, toFields(covered)]),
    event.done,
  ]
}

function fromFields(id: string, fields: readonly unknown[]): LedgerEvent {
  const f = fields as Fields
  return {
    file: f[0],
    id,
    ts: f[1],
    agent: f[2],
    branch: f[3] ?? undefined,
    type: f[4] ?? undefined,
    reason: f[5] ?? undefined,
    session: f[6] ?? undefined,
    commit: f[7] ?? undefined,
    title: f[8] ?? undefined,
    goal: f[9] ?? undefined,
    test: f[10] ?? undefined,
    now: f[11] ?? undefined,
    thisSession: f[12],
    next: f[13] ?? undefined,
    decisions: f[14].map(([key, value, text]): Decision => ({ key, value, text })),
    checkpoints: f[15].map(([phase, status, updated]): Checkpoint => ({
      phase,
      status,
      updated: updated ?? undefined,
    })),
    openQuestions: f[16],
    resolvedQuestions: f[17],
    retracts: f[18],
    covers: f[19].map(([covered, inner]) => fromFields(covered, inner)),
    done: f[20] ?? undefined,
  }
}

/** JSON has null where the event has undefined. */
type Fields = readonly [
  ...[file: string, ts: LedgerEvent['ts'], agent: string],
  ...[branch: Maybe, type: Maybe, reason: Maybe, session: Maybe, commit: Maybe],
  ...[title: Maybe, goal: Maybe, test: Maybe, now: Maybe],
  ...[thisSession: string[], next: string[] | null],
  ...[decisions: [string, Decision['value'], string][]],
  ...[checkpoints: [string, string, Checkpoint['updated'] | null][]],
  ...[openQuestions: string[], resolvedQuestions: string[], retracts: string[]],
  ...[covers: [string, unknown[]][], done: string[] | null],
]
type Maybe = string | null
