/**
 * Provenance: the `events/` tree that a `current.md` claims to be rendered from.
 *
 * The footer is a claim, not a proof. It is read only if it occurs exactly once in a text without conflict markers: a
 * blended or half-merged file has no provenance.
 */

/** The newest rendering format that this release writes and understands. */
export const CURRENT_FORMAT = 1

export interface Provenance {
  readonly format: number
  /** Object id of the git tree of `events/`. */
  readonly eventsTree: string
}

const MARKERS = /^(?:<{7,}|\|{7,}|={7,}|>{7,})(?:\s|$)/m
const TREE = /^ {2}events_tree: ([0-9a-f]{40}|[0-9a-f]{64})$/gm
const FORMAT = /^ {2}format: (\d{1,9})$/gm
const FOOTER = /^_synthesized:$/gm

/** Reads the footer of a rendered ledger; undefined if it cannot be trusted. */
export function parseProvenance(text: string): Provenance | undefined {
  const unix = text.replaceAll('\r\n', '\n')
  const trees = [...unix.matchAll(TREE)]
  const formats = [...unix.matchAll(FORMAT)]
  const footers = [...unix.matchAll(FOOTER)]
  if (trees.length !== 1 || formats.length !== 1 || footers.length !== 1) return undefined
  if (hasConflictMarkers(unix)) return undefined
  return { format: Number(formats[0]?.[1]), eventsTree: trees[0]?.[1] ?? '' }
}

/** True for a `current.md` that ledger-git wrote, even if it was edited or is in conflict. */
export function isRendered(text: string): boolean {
  return /^_synthesized:\r?$/m.test(text)
}

/** True if a line of the text is one of git's conflict markers. */
export function hasConflictMarkers(text: string): boolean {
  return MARKERS.test(text)
}
