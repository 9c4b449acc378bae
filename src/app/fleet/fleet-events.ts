/** The newest events of all ledgers: by the time in their names, so that the others need not be read. */

import { hasOwnShape } from '../../core/event/event-integrity.ts'
import { compareBytes, isEventFileName } from '../../core/event/event.ts'
import type { EventFact } from '../../core/fleet/fleet-facts.ts'
import type { TreeEntry } from '../../core/git/objects.ts'
import { emptyTreeOid, nameToText, TREE_MODE } from '../../core/git/objects.ts'
import type { LedgerPlace } from '../ledger/ledger-sources.ts'
import type { Overlay } from '../ledger/ledger-tree.ts'
import { readEvents } from '../ledger/ledger-tree.ts'
import type { RepositoryPort } from '../ports.ts'
import type { Errors } from './collect-errors.ts'

/** Others name events as they like: all of those are read, up to so many. */
const MOST_FOREIGN = 2000

/** `pending`: names of events that no commit of their worktree holds. */
export async function newestEvents(
  { objects, place: { format } }: Pick<RepositoryPort, 'objects' | 'place'>,
  places: readonly LedgerPlace[],
  pending: ReadonlySet<string>,
  most: number,
  errors: Errors,
): Promise<{ readonly events: EventFact[]; readonly leftOut: number }> {
  const [entries, overlay] = allEntries(places)
  const isOwn = ({ name }: TreeEntry) => hasOwnShape(nameToText(name))
  const newest = (some: TreeEntry[]) => some.sort((a, b) => compareBytes(b.name, a.name))
  const wanted = [
    ...newest(entries.filter(isOwn)).slice(0, most),
    ...newest(entries.filter((entry) => !isOwn(entry))).slice(0, MOST_FOREIGN),
  ]
  const read = async (some: readonly TreeEntry[]) =>
    (await readEvents(objects, emptyTreeOid(format), some, overlay)).events
  // All at once, unless one of them cannot be read.
  const events = await read(wanted).catch(async () => {
    const parts = wanted.map((entry) =>
      errors.attempt('timeline', nameToText(entry.name), () => read([entry])),
    )
    return (await Promise.all(parts)).flatMap((part) => part ?? [])
  })
  return {
    events: events.map((event) => ({ event, isPending: pending.has(event.file) })),
    leftOut: entries.length - wanted.length,
  }
}

/** Each file once; of one name with several contents, each of them. */
function allEntries(places: readonly LedgerPlace[]): [TreeEntry[], Overlay] {
  const byName = new Map<string, TreeEntry[]>()
  const overlay = new Map<string, Uint8Array>()
  for (const place of new Map(places.map((one) => [one.eventsTree, one])).values()) {
    for (const entry of place.entries ?? []) {
      const known = byName.get(entry.name)
      if (known === undefined) byName.set(entry.name, [entry])
      else if (known.every(({ oid }) => oid !== entry.oid)) known.push(entry)
    }
    for (const [oid, bytes] of place.overlay) overlay.set(oid, bytes)
  }
  const isEvent = ({ mode, name }: TreeEntry) =>
    mode !== TREE_MODE && isEventFileName(nameToText(name))
  return [[...byName.values()].flat().filter(isEvent), overlay]
}
