/**
 * The active ledger: `LEDGER.md`, one person's live session state. People, agents and commands all edit it,
 * so reading accepts any text and never throws. Missing values are null or empty.
 */

import { readDocument } from '../document/document.ts'
import type { Instant } from '../event/instant.ts'
import { instantToMillis, parseInstant } from '../event/instant.ts'
import type { EntryPath, EntryValue } from '../document/fields.ts'
import { readField } from '../document/fields.ts'
import { isPlaceholder, itemsIn } from './sections.ts'
import type { Row } from './tables.ts'
import { rowsIn } from './tables.ts'
import { filesUnder, labelled } from './working-set.ts'

export type Mode = 'SA' | 'MA'

/** Keys of the front matter whose values are texts. */
const FIELDS = [
  'updated',
  'session_id',
  'platform',
  'bound_track',
  'bound_bead',
  'mode',
  'tdd_phase',
  'heartbeat',
] as const

export type FieldName = (typeof FIELDS)[number]

export interface ActiveLedger extends Readonly<Record<FieldName, string | null>> {
  readonly validation: Validation
  readonly goal: string | null
  readonly done: readonly string[]
  readonly now: readonly string[]
  readonly next: readonly string[]
  readonly decisions: readonly Texts<'decision' | 'reasoning' | 'when'>[]
  readonly branch: string | null
  readonly test: string | null
  readonly modified: readonly string[]
  readonly read: readonly string[]
  readonly open_questions: readonly string[]
  readonly validation_history: readonly Texts<'gate' | 'status' | 'time' | 'notes'>[]
}

type Texts<Key extends string> = Readonly<Record<Key, string>>

export interface Validation {
  readonly gates_passed: readonly string[]
  readonly current_gate: string | null
  readonly retries: number
  readonly last_failure: string | null
}

/** Reads an active ledger from any text. Never throws. */
export function readActiveLedger(text: string): ActiveLedger {
  const document = readDocument(text)
  const entry = (...path: EntryPath) => readField(document, path)
  const word = (...path: EntryPath) => wordOf(entry(...path))
  const items = (name: 'Done' | 'Now' | 'Next' | 'Open Questions') =>
    itemsIn(text, name)
      .map((item) => item.text)
      .filter((item) => !isPlaceholder(item))
  const goal = itemsIn(text, 'Goal').map((item) => item.text)
  const gates = entry('validation', 'gates_passed')
  return {
    ...(Object.fromEntries(FIELDS.map((key) => [key, word(key)])) as Record<
      FieldName,
      string | null
    >),
    validation: {
      gates_passed: Array.isArray(gates) ? gates : [],
      current_gate: word('validation', 'current_gate'),
      retries: countOf(word('validation', 'retries')),
      last_failure: word('validation', 'last_failure'),
    },
    goal: goal.length === 0 ? null : goal.join(' '),
    done: items('Done'),
    now: items('Now'),
    next: items('Next'),
    decisions: rowsIn(text, 'Key Decisions').map((row) => ({
      decision: cell(row, 'Decision'),
      reasoning: cell(row, 'Reasoning'),
      when: cell(row, 'When'),
    })),
    branch: labelled(text, 'Branch') ?? null,
    test: labelled(text, 'Test') ?? null,
    modified: filesUnder(text, 'Modified'),
    read: filesUnder(text, 'Read'),
    open_questions: items('Open Questions'),
    validation_history: rowsIn(text, 'Validation History').map((row) => ({
      gate: cell(row, 'Gate'),
      status: cell(row, 'Status'),
      time: cell(row, 'Time'),
      notes: cell(row, 'Notes'),
    })),
  }
}

function wordOf(value: EntryValue): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value : null
}

function countOf(text: string | null): number {
  return text !== null && /^\d{1,6}$/.test(text) ? Number(text) : 0
}

/** The text of a cell; `-` means an empty cell. */
function cell(row: Row, column: string): string {
  const text = row[column] ?? ''
  return text === '-' ? '' : text
}

/** True when neither a person nor an agent's work has put anything into the ledger. */
export function saysNothing(ledger: ActiveLedger): boolean {
  const { goal, bound_track, bound_bead, done, now, next, decisions } = ledger
  const { modified, open_questions, validation_history } = ledger
  const lists = [done, now, next, decisions, modified, open_questions, validation_history]
  return (
    [goal, bound_track, bound_bead].every((one) => one === null) &&
    lists.every(({ length }) => length === 0)
  )
}

/** Milliseconds without an update after which a ledger is archived. */
const STALE_LEDGER = 24 * 60 * 60_000
/** Milliseconds without a heartbeat after which its session counts as stale. */
const STALE_SESSION = 10 * 60_000
/** Milliseconds between the heartbeats of an active session. */
const BEAT = 5 * 60_000

/** Judged by `updated`. A ledger that does not say when it was updated is never stale. */
export function isStaleLedger({ updated }: Pick<ActiveLedger, 'updated'>, now: Instant): boolean {
  return isOlder(updated, now, STALE_LEDGER)
}

/** Judged by `heartbeat`. A ledger without a readable heartbeat is never stale. */
export function isStaleSession(
  { heartbeat }: Pick<ActiveLedger, 'heartbeat'>,
  now: Instant,
): boolean {
  return isOlder(heartbeat, now, STALE_SESSION)
}

/** True if the heartbeat is missing, unreadable, or at least five minutes old. */
export function isBeatDue({ heartbeat }: Pick<ActiveLedger, 'heartbeat'>, now: Instant): boolean {
  return (
    heartbeat === null || parseInstant(heartbeat) === undefined || isOlder(heartbeat, now, BEAT - 1)
  )
}

/** Clocks jump: a time that lies as far in the future counts as just as old. */
function isOlder(text: string | null, now: Instant, millis: number): boolean {
  const then = text === null ? undefined : parseInstant(text)?.instant
  return then !== undefined && Math.abs(instantToMillis(now) - instantToMillis(then)) > millis
}
