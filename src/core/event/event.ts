/**
 * Events: the immutable facts everything else is a projection of.
 *
 * An event is one Markdown file in `events/`. Its identity is its file name and the id of its blob;
 * its place in time is `(ts, agent, id)`. Unknown keys stay in the file and are not interpreted.
 */

import type { Instant } from './instant.ts'

/** A decision's value: any YAML scalar. `null` takes the decision back. */
export type DecisionValue = string | number | boolean | null

export interface Decision {
  readonly key: string
  /** The value as parsed from YAML, for `--json`. */
  readonly value: DecisionValue
  /** The value as it was written (`1.10` stays `1.10`), for people. */
  readonly text: string
}

/** What people read of it, null where it takes a decision back: `8080` and `"8080"` decide the same. */
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
  /** The handoff that it belongs to. */
  readonly stream: string | undefined
  readonly title: string | undefined
  readonly goal: string | undefined
  readonly test: string | undefined
  readonly now: string | undefined
  readonly thisSession: readonly string[]
  /** Undefined when the event says nothing about what is next; an empty list clears it. */
  readonly next: readonly string[] | undefined
  readonly decisions: readonly Decision[]
  readonly checkpoints: readonly Checkpoint[]
  readonly openQuestions: readonly string[]
  readonly resolvedQuestions: readonly string[]
  /** File names of events that no longer count. */
  readonly retracts: readonly string[]
  /** Agents whose lists and rows on this event's branch, as they were before it, are over. */
  readonly supersedes: readonly string[]
  /** Of a snapshot: the archived events it stands for. */
  readonly covers: readonly LedgerEvent[]
  /**
   * Of an event that a snapshot stands for: hashes of the items it did (`itemHash`), whose texts are in
   * the archive. Undefined for an event that was read from its own file.
   */
  readonly done: readonly string[] | undefined
}

/** What is written as it is read. */
type Written = Omit<
  LedgerEvent,
  'file' | 'id' | 'ts' | 'agent' | 'decisions' | 'checkpoints' | 'covers' | 'done'
>

/** An event that is to be written. Without a branch, of streams only a handoff's own is read back. */
export interface NewEvent extends Partial<Written> {
  /** ISO 8601, stored as given. */
  readonly ts: string
  readonly agent: string
  /** Lines of YAML in canonical form (`canonical-body.ts`); excludes what an event says besides. */
  readonly body?: string | undefined
  readonly decisions?: readonly { key: string; value: string | null }[]
  readonly checkpoints?: readonly NewCheckpoint[]
  /** Only of a snapshot. */
  readonly covers?: readonly LedgerEvent[] | undefined
}

export interface NewCheckpoint {
  readonly phase?: string | undefined
  readonly status?: string | undefined
  readonly updated?: string | undefined
}

/** The sections of a body that are one text, and those that are lists of texts. */
export const TEXT_KEYS = ['title', 'goal', 'test', 'now'] as const
export const LIST_KEYS = [
  'this_session',
  'next',
  'open_questions',
  'resolved_questions',
  'retracts',
  'supersedes',
] as const

/** The sections of a body that say something. */
export const BODY_KEYS = [...TEXT_KEYS, ...LIST_KEYS, 'decisions', 'checkpoints'] as const

/** True for the types of events that nobody wrote: the tool made them of what it saw. */
export function isMadeByItself(type: string | undefined): boolean {
  return type === 'session_end' || type === 'checkpoint'
}

/** The place of an event in the one order that every section folds over. */
export type Stamp = Pick<LedgerEvent, 'ts' | 'agent' | 'id'>

/** Orders by instant, then agent (byte order), then blob id. The same on every machine. */
export function compareStamps(a: Stamp, b: Stamp): number {
  if (a.ts !== b.ts) return a.ts < b.ts ? -1 : 1
  return compareBytes(a.agent, b.agent) || compareBytes(a.id, b.id)
}

type Named = Stamp & Pick<LedgerEvent, 'file'>

/** `compareStamps`, then the file name: two names may hold the same bytes. */
export function compareEvents(a: Named, b: Named): number {
  return compareStamps(a, b) || compareBytes(a.file, b.file)
}

/** The order of the texts' UTF-8 bytes (JavaScript's `<` orders UTF-16 units instead). */
export function compareBytes(a: string, b: string): number {
  if (a === b) return 0
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const [x, y] = [a.charCodeAt(i), b.charCodeAt(i)]
    if (x !== y) {
      // A surrogate stands for a code point above every other UTF-16 unit.
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
 * What an event says of its branch and stream. `stream:` was a name for the branch before there were
 * handoffs: it still is where no branch stands beside it.
 */
export function branchAndStream(
  type: string | undefined,
  branch: string | undefined,
  stream: string | undefined,
): Pick<LedgerEvent, 'branch' | 'stream'> {
  if (branch !== undefined || type === 'handoff') return { branch, stream }
  return { branch: stream, stream: undefined }
}

/** `toast on main`, as it is. */
export function whoOf({ agent, branch }: { agent: string; branch?: string | undefined }): string {
  return branch === undefined ? agent : `${agent} on ${branch}`
}

/** True for the file names that are read as events: visible `*.md`. */
export function isEventFileName(name: string): boolean {
  return name.endsWith('.md') && !name.startsWith('.')
}
