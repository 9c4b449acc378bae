/** Sections that a merge may have to add to a handoff: their headings and their places. */

import type { Outline, Segment } from './merge-outline.ts'
import type { Sides } from './merge-sides.ts'

/** The sections that each one follows, and its heading. */
const ADDED: Readonly<Record<string, { behind: readonly string[]; title: string; level: number }>> =
  {
    ledger: { behind: [], title: 'Ledger', level: 2 },
    now: { behind: ['ledger'], title: 'Now', level: 3 },
    next: { behind: ['thisSession', 'now', 'ledger'], title: 'Next', level: 3 },
    openQuestions: {
      behind: ['decisions', 'next', 'thisSession', 'now', 'ledger'],
      title: 'Open Questions',
      level: 3,
    },
    merged: { behind: ['validation', 'phases', 'checkpoints'], title: 'Merged', level: 4 },
  }

export const ADDED_SECTIONS: readonly string[] = Object.keys(ADDED)

export function segmentOf({ segments }: Outline, id: string): Segment | undefined {
  return segments.find((segment) => segment.id === id)
}

/** An empty section, at the heading level of its neighbours. */
export function newSegment(id: string, { ours, theirs }: Sides<Outline>): Segment {
  const { title = '', level: usual = 2, behind = [] } = ADDED[id] ?? {}
  const siblings = behind.filter((one) => one !== 'ledger' && one !== 'checkpoints')
  const found = siblings.flatMap((one) =>
    [ours, theirs].flatMap((side) => segmentOf(side, one)?.level ?? []),
  )
  const level = found.length === 0 ? usual : Math.max(...found)
  const heading = `${'#'.repeat(level)} ${title}`
  return { id, level, heading, lead: [], entries: [], text: [], tail: [''] }
}

/** Adds each new section after the sections that it follows, including their subsections. */
export function placeAdded(
  order: readonly string[],
  segments: ReadonlyMap<string, Segment>,
): string[] {
  const placed = [...order]
  for (const [id, { behind }] of Object.entries(ADDED)) {
    if (!segments.has(id) || placed.includes(id)) continue
    const before = behind.find((one) => placed.includes(one))
    const levelOf = (one: string) => segments.get(one)?.level ?? 0
    const at = before === undefined ? placed.length : placed.indexOf(before) + 1
    const within = before === undefined || before === 'ledger' ? Infinity : levelOf(before)
    const end = placed.findIndex((one, i) => i >= at && levelOf(one) <= within)
    placed.splice(end === -1 ? placed.length : end, 0, id)
  }
  return placed
}

/** Adds a blank line between sections if the first one was the end of its document. */
export function closeGaps(segments: readonly Segment[]): Segment[] {
  return segments.map((segment, i) => {
    const { tail = [''] } = segment
    if (i < segments.length - 1) return { ...segment, tail }
    return { ...segment, tail: tail.slice(0, tail.findLastIndex((line) => line !== '') + 1) }
  })
}
