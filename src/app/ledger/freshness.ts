/** Fresh or stale: does `current.md` equal the rendering of the `events/` tree beside it? */

import { LedgerError } from '../../core/errors/errors.ts'
import { formatOfOid, hashObject, isRegularFile } from '../../core/git/objects.ts'
import { isEventFileName } from '../../core/event/event.ts'
import { CURRENT_FORMAT, isRendered, parseProvenance } from '../../core/ledger/provenance.ts'
import type { Settings } from '../../core/settings/settings.ts'
import type { LedgerPlace } from './ledger-sources.ts'
import { renderTree } from './render-tree.ts'
import type { ObjectReader } from '../ports.ts'

export interface Freshness {
  readonly fresh: boolean
  /** For people; the wording is stable. */
  readonly reason: string
  /** What `current.md` must be; undefined when there is no ledger to render. */
  readonly expected: string | undefined
}

const FRESH = 'current.md is the rendering of events/'

/**
 * Compares a place's `current.md` with the rendering of its events. With `mode: untracked` the file may be
 * absent; if it exists, it must be right all the same. Pass `render` if the events are already joined.
 */
export async function freshnessOf(
  reader: ObjectReader,
  place: LedgerPlace,
  mode: Settings['mode'],
  render = (): Promise<string> => renderTree(reader, place),
): Promise<Freshness> {
  const { current, entries, eventsTree } = place
  if (current === undefined && entries === undefined) {
    return { fresh: true, reason: 'no ledger here', expected: undefined }
  }
  if (current === undefined && mode === 'untracked') {
    return { fresh: true, reason: 'current.md is kept out of git', expected: undefined }
  }
  const text = current === undefined ? undefined : await currentText(reader, place, current.oid)
  if (text !== undefined) refuseNewerFormat(text)
  if (text !== undefined && isUnmanaged(place, text)) {
    return { fresh: true, reason: 'current.md is kept by hand (no events/)', expected: undefined }
  }
  const expected = await render()
  if (current === undefined) return { fresh: false, reason: 'current.md is missing', expected }
  if (!isRegularFile(current.mode)) {
    return { fresh: false, reason: 'current.md is not a regular file', expected }
  }
  const oid = hashObject('blob', Buffer.from(expected), formatOfOid(eventsTree))
  if (oid === current.oid) return { fresh: true, reason: FRESH, expected }
  return { fresh: false, reason: staleReason(text, eventsTree), expected }
}

/** True if people keep `current.md` by hand: it is not a rendering, and there is no event to render. */
export function isUnmanaged({ entries }: Pick<LedgerPlace, 'entries'>, text: string): boolean {
  const hasEvents = entries?.some(({ name }) => isEventFileName(name)) ?? false
  return !hasEvents && !isRendered(text)
}

/** Throws `FORMAT_TOO_NEW` for a ledger that only a newer release can render. */
export function refuseNewerFormat(text: string): void {
  const formats = [...text.matchAll(/^ {2}format: (\d{1,9})\r?$/gm)].map((match) =>
    Number(match[1]),
  )
  // A file in conflict holds two formats.
  const format = Math.max(0, ...formats)
  if (!isRendered(text) || format <= CURRENT_FORMAT) return
  throw new LedgerError(
    'FORMAT_TOO_NEW',
    `current.md has format ${format}; this release of ledger-git renders up to ${CURRENT_FORMAT}`,
    'npm install ledger-git@latest',
  )
}

function staleReason(text: string | undefined, eventsTree: string): string {
  const provenance = text === undefined ? undefined : parseProvenance(text)
  if (provenance === undefined) return 'current.md was not written by ledger-git or is in conflict'
  return provenance.eventsTree === eventsTree
    ? 'current.md was edited by hand'
    : 'current.md was rendered from other events'
}

/** The text of `current.md`. A worktree copy may not be in the object database yet; the overlay has it then. */
export async function currentText(
  reader: ObjectReader,
  place: LedgerPlace,
  oid: string,
): Promise<string | undefined> {
  const bytes = place.overlay.get(oid) ?? (await reader.read(oid))?.content
  return bytes && Buffer.from(bytes).toString('utf8').replaceAll('\r\n', '\n')
}
