/**
 * Phases and the Validation State. If both sides changed one, one line is chosen, and the other goes to
 * `#### Merged`, which keeps the newest five.
 */

import type { Entry } from './merge-entries.ts'
import { fold } from './merge-entries.ts'
import type { Later, Sides } from './merge-sides.ts'
import { pickWinner, threeWay } from './merge-sides.ts'
import type { PhaseState } from './phases.ts'

/** Rank of each state, used if there are no times to compare. */
const RANK: Readonly<Record<PhaseState, number>> = {
  pending: 1,
  in_progress: 2,
  skipped: 3,
  validated: 4,
  failed: 5,
}

export interface MergedState {
  readonly entry: Entry | undefined
  /** The text that had to go, as an item. */
  readonly replaced: string | undefined
}

/** If time and state are equal, a named phase is preferred to a numbered one, because new handoffs use names. */
export function mergePhase(sides: Sides<Entry | undefined>, later: Later): MergedState {
  return mergeState(sides, '', (ours, theirs) => {
    const [mine, other] = [rankOf(ours, theirs), rankOf(theirs, ours)]
    if (mine !== other) return mine > other ? 'ours' : 'theirs'
    return hasName(ours) === hasName(theirs) ? later : hasName(ours) ? 'ours' : 'theirs'
  })
}

export function mergeValidation(sides: Sides<Entry | undefined>, later: Later): MergedState {
  return mergeState(sides, 'Validation State: ', () => later)
}

/** An entry that one side changed and the other removed is kept. */
function mergeState(
  sides: Sides<Entry | undefined>,
  label: string,
  decide: (ours: Entry, theirs: Entry) => Later,
): MergedState {
  let lost: Entry | undefined
  const choose = (ours: Entry | undefined, theirs: Entry | undefined) => {
    if (ours === undefined || theirs === undefined) return ours ?? theirs
    const chosen = pickWinner({ ours, theirs }, [], decide(ours, theirs), linesOf)
    lost = chosen === ours ? theirs : ours
    return chosen
  }
  const entry = threeWay(sides, choose, (a, b) => linesOf(a) === linesOf(b))
  const isLost = lost !== undefined && textOf(lost) !== textOf(entry)
  return { entry, replaced: isLost ? `${label}${textOf(lost)}` : undefined }
}

/** The time, if both phases have different ones; else the rank of the state. */
function rankOf(phase: Entry, other: Entry): string {
  const isTimed = phase.time !== undefined && other.time !== undefined && phase.time !== other.time
  return isTimed ? (phase.time ?? '') : `${RANK[phase.status ?? 'pending']}`
}

function hasName(phase: Entry): boolean {
  return !/^\W*phase\s+\d[\d.]*[a-z]?\**\s*:/i.test(textOf(phase))
}

/** The text without a bullet and without its fence. */
function textOf(entry: Entry | undefined): string {
  const lines = entry?.lines.filter((line) => !/^\s*(?:`{3,}|~{3,})\w*\s*$/.test(line)) ?? []
  return fold(lines.join('\n')).replace(/^[-*+] /, '')
}

function linesOf(entry: Entry | undefined): string {
  return entry?.lines.join('\n') ?? ''
}
