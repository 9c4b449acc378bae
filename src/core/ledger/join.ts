/**
 * The join: turns any set of events into one ledger.
 *
 * Events form a set, so the order, grouping, and repetition of the inputs cannot matter. Keyed sections list their
 * entries in the order of the winning events. No file system, git, clock, or locale is used.
 */

import type { Checkpoint, Decision, LedgerEvent } from '../event/event.ts'
import { compareBytes } from '../event/event.ts'
import type { Instant } from '../event/instant.ts'
import type { Problem } from '../event/problem.ts'
import type { Attributed, JoinState } from './join-state.ts'
import { inOrder, stateOf } from './join-state.ts'
import type { InLane } from './lanes.ts'
import { foldAgents, foldNext, streamsAtRest } from './lanes.ts'

export interface Ledger {
  readonly title: Attributed<string> | undefined
  readonly goal: Attributed<string> | undefined
  readonly test: Attributed<string> | undefined
  readonly now: Attributed<string> | undefined
  /** Grow-only set of texts; the first occurrence determines the place. */
  readonly thisSession: readonly Attributed<string>[]
  /** The newest list of each lane, without items that its own or a later event reported done. */
  readonly next: readonly InLane[]
  readonly decisions: readonly Attributed<Decision>[]
  /** Sorted by `updated`, then phase, then event; without exact duplicates. */
  readonly checkpoints: readonly Attributed<Checkpoint & { updated: Instant }>[]
  readonly openQuestions: readonly Attributed<string>[]
  /** The newest `now` of each lane. */
  readonly agents: readonly InLane[]
  /** Streams that nobody has continued for a long time. */
  readonly restingStreams: ReadonlySet<string>
  /** Number of joined events: without skipped events, retracted events, and snapshots. */
  readonly eventCount: number
  /** The newest event's instant. */
  readonly latest: Instant | undefined
  readonly skipped: readonly Problem[]
}

/** Folds events into the ledger that people read. Its footer lists `problems`. */
export function foldLedger(
  events: readonly LedgerEvent[],
  problems: readonly Problem[] = [],
): Ledger {
  return foldState(stateOf(events, problems))
}

export function foldState(state: JoinState): Ledger {
  const { sections, eventCount, latest, problems, retracted } = state
  return {
    title: sections.registers.get('title'),
    goal: sections.registers.get('goal'),
    test: sections.registers.get('test'),
    now: inOrder(sections.now).at(-1),
    thisSession: inOrder(sections.items),
    next: foldNext(sections),
    decisions: inOrder(sections.decisions).filter(({ value }) => value.value !== null),
    checkpoints: inOrder(sections.checkpoints).sort(
      ({ value: a }, { value: b }) =>
        compareBytes(a.updated, b.updated) || comparePhases(a.phase, b.phase),
    ),
    openQuestions: inOrder(sections.questions).flatMap(({ value, by }) =>
      value === null ? [] : { value, by },
    ),
    agents: foldAgents(sections),
    restingStreams: streamsAtRest(sections),
    eventCount,
    latest,
    skipped: problems.filter(({ file }) => !retracted.has(file)).sort(compareProblems),
  }
}

/** Numbers are compared by value and come before words; words are compared by bytes. */
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
