/**
 * Events: the immutable facts from which everything else is projected.
 *
 * An event is one Markdown file in `events/`. Its identity is its file name and the id of its blob; its position in
 * the order of events is `(ts, agent, id)`. Unknown keys stay in the file and are not interpreted.
 */

import type { Instant } from './instant.ts'

/** A decision's value: any YAML scalar. `null` removes the decision. */
export type DecisionValue = string | number | boolean | null

export interface Decision {
  readonly key: string
  /** The value as parsed from YAML, for `--json`. */
  readonly value: DecisionValue
  /** The value as written (`1.10` stays `1.10`), for people. */
  readonly text: string
}

/** The value as people read it, so that `8080` and `"8080"` are the same; null if it removes the decision. */
export function saidOf({ value, text }: Decision): string | null {
  return value === null ? null : text
}

export interface Checkpoint {
  readonly phase: string
  readonly status: string
  readonly updated: Instant | undefined
}

export interface LedgerEvent {
  /** File name in `events/`. */
  readonly file: string
  /** Id of the file's blob in the repository's object format. */
  readonly id: string
  readonly ts: Instant
  readonly agent: string
  readonly branch: string | undefined
  /** `session_end`, `checkpoint`, `handoff`, `note`, `snapshot`, `retraction` or anything else. */
  readonly type: string | undefined
  readonly reason: string | undefined
  readonly session: string | undefined
  readonly commit: string | undefined
  /** The handoff that the event belongs to. */
  readonly stream: string | undefined
  readonly title: string | undefined
  readonly goal: string | undefined
  readonly test: string | undefined
  readonly now: string | undefined
  readonly thisSession: readonly string[]
  /** Undefined if the event says nothing about next steps; an empty list clears them. */
  readonly next: readonly string[] | undefined
  readonly decisions: readonly Decision[]
  readonly checkpoints: readonly Checkpoint[]
  readonly openQuestions: readonly string[]
  readonly resolvedQuestions: readonly string[]
  /** File names of events that no longer count. */
  readonly retracts: readonly string[]
  /** Agents whose earlier Next lists and Agents rows on this event's branch no longer count. */
  readonly supersedes: readonly string[]
  /** Of a snapshot: the archived events that it covers. */
  readonly covers: readonly LedgerEvent[]
  /**
   * Of an event that a snapshot covers: hashes (`itemHash`) of its This Session items, whose texts are in the archive.
   * Undefined for an event that was read from its own file.
   */
  readonly done: readonly string[] | undefined
}

/** Fields that are written exactly as they are read. */
type Written = Omit<
  LedgerEvent,
  'file' | 'id' | 'ts' | 'agent' | 'decisions' | 'checkpoints' | 'covers' | 'done'
>

/** An event to be written. Without a branch, a stream is read back only from an event of type `handoff`. */
export interface NewEvent extends Partial<Written> {
  /** ISO 8601, stored as given. */
  readonly ts: string
  readonly agent: string
  /** The body as YAML lines in canonical form (`canonical-body.ts`). If given, the content fields are ignored. */
  readonly body?: string | undefined
  readonly decisions?: readonly { key: string; value: string | null }[]
  readonly checkpoints?: readonly NewCheckpoint[]
  /** Only for a snapshot. */
  readonly covers?: readonly LedgerEvent[] | undefined
}

export interface NewCheckpoint {
  readonly phase?: string | undefined
  readonly status?: string | undefined
  readonly updated?: string | undefined
}

/** Sections of a body that are one text (`TEXT_KEYS`) or a list of texts (`LIST_KEYS`). */
export const TEXT_KEYS = ['title', 'goal', 'test', 'now'] as const
export const LIST_KEYS = [
  'this_session',
  'next',
  'open_questions',
  'resolved_questions',
  'retracts',
  'supersedes',
] as const

/** All sections of a body that the ledger reads. */
export const BODY_KEYS = [...TEXT_KEYS, ...LIST_KEYS, 'decisions', 'checkpoints'] as const

/** True for types of events that ledger-git generates by itself from what it observed. */
export function isMadeByItself(type: string | undefined): boolean {
  return type === 'session_end' || type === 'checkpoint'
}

/** The position of an event in the order over which every section is folded. */
export type Stamp = Pick<LedgerEvent, 'ts' | 'agent' | 'id'>

/** Orders by instant, then agent (byte order), then blob id, equally on every machine. */
export function compareStamps(a: Stamp, b: Stamp): number {
  if (a.ts !== b.ts) return a.ts < b.ts ? -1 : 1
  return compareBytes(a.agent, b.agent) || compareBytes(a.id, b.id)
}

type Named = Stamp & Pick<LedgerEvent, 'file'>

/** `compareStamps`, then the file name: two files may have the same bytes. */
export function compareEvents(a: Named, b: Named): number {
  return compareStamps(a, b) || compareBytes(a.file, b.file)
}

/** Compares the UTF-8 bytes of two texts (JavaScript's `<` compares UTF-16 units instead). */
export function compareBytes(a: string, b: string): number {
  if (a === b) return 0
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const [x, y] = [a.charCodeAt(i), b.charCodeAt(i)]
    if (x !== y) {
      // A surrogate belongs to a code point above all those of single UTF-16 units.
      const [sx, sy] = [isSurrogate(x), isSurrogate(y)]
      if (sx !== sy) return sx ? 1 : -1
      return x < y ? -1 : 1
    }
  }
  return a.length < b.length ? -1 : 1
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff
}

/**
 * The branch and the stream of an event. Before there were handoffs, `stream:` meant the branch; it still does if the
 * event has no branch and is not a handoff.
 */
export function branchAndStream(
  type: string | undefined,
  branch: string | undefined,
  stream: string | undefined,
): Pick<LedgerEvent, 'branch' | 'stream'> {
  if (branch !== undefined || type === 'handoff') return { branch, stream }
  return { branch: stream, stream: undefined }
}

/** `toast on main`, unescaped. */
export function whoOf({ agent, branch }: { agent: string; branch?: string | undefined }): string {
  return branch === undefined ? agent : `${agent} on ${branch}`
}

/** True for the file names that are read as events: visible `*.md`. */
export function isEventFileName(name: string): boolean {
  return name.endsWith('.md') && !name.startsWith('.')
}
