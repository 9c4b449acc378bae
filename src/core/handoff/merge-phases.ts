/**
 * Phases and the Validation State. Where both sides changed one, the line that says more stays and the
 * other goes to `#### Merged`, where the newest five are kept.
 */

import type { Entry } from './merge-entries.ts'
import { fold } from './merge-entries.ts'
import type { Later, Sides } from './merge-sides.ts'
import { contest, threeWay } from './merge-sides.ts'
import type { PhaseState } from './phases.ts'

/** Without times to compare. */
const RANK: Readonly<Record<PhaseState, number>> = {
  pending: 1,
  in_progress: 2,
  skipped: 3,
  validated: 4,
  failed: 5,
}

export interface MergedState {
  readonly entry: Entry | undefined
  /** What had to go, as the text of an item. */
  readonly replaced: string | undefined
}

/** Where time and state are alike a name stays before a number alone, as new handoffs have it. */
export function mergePhase(sides: Sides<Entry | undefined>, later: Later): MergedState {
  return mergeState(sides, '', (ours, theirs) => {
    const [mine, other] = [placeOf(ours, theirs), placeOf(theirs, ours)]
    if (mine !== other) return mine > other ? 'ours' : 'theirs'
    return isNamed(ours) === isNamed(theirs) ? later : isNamed(ours) ? 'ours' : 'theirs'
  })
}

export function mergeValidation(sides: Sides<Entry | undefined>, later: Later): MergedState {
  return mergeState(sides, 'Validation State: ', () => later)
}

/** What one side changed and the other took out stays. */
function mergeState(
  sides: Sides<Entry | undefined>,
  label: string,
  decide: (ours: Entry, theirs: Entry) => Later,
): MergedState {
  let lost: Entry | undefined
  const entry = threeWay(
    sides,
    (a, b) => linesOf(a) === linesOf(b),
    (ours, theirs) => {
      if (ours === undefined || theirs === undefined) return ours ?? theirs
      const chosen = contest({ ours, theirs }, [], decide(ours, theirs), linesOf)
      lost = chosen === ours ? theirs : ours
      return chosen
    },
  )
  const isLost = lost !== undefined && textOf(lost) !== textOf(entry)
  return { entry, replaced: isLost ? `${label}${textOf(lost)}` : undefined }
}

/** The time, where both have one; else the state. */
function placeOf(phase: Entry, other: Entry): string {
  const isTimed = phase.time !== undefined && other.time !== undefined && phase.time !== other.time
  return isTimed ? (phase.time ?? '') : `${RANK[phase.status ?? 'pending']}`
}

function isNamed(phase: Entry): boolean {
  return !/^\W*phase\s+\d[\d.]*[a-z]?\**\s*:/i.test(textOf(phase))
}

/** Without a bullet, and without the fence around it. */
function textOf(entry: Entry | undefined): string {
  const lines = entry?.lines.filter((line) => !/^\s*(?:`{3,}|~{3,})\w*\s*$/.test(line)) ?? []
  return fold(lines.join('\n')).replace(/^[-*+] /, '')
}

function linesOf(entry: Entry | undefined): string {
  return entry?.lines.join('\n') ?? ''
}
