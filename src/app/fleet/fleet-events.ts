/** The newest events of all ledgers, chosen by the time in their names so that older ones need not be read. */

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

/** Other tools name events as they like, so all of those are read, up to this limit. */
const MAX_FOREIGN = 2000

/** `pending`: names of events that no commit of their worktree holds yet. */
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
    ...newest(entries.filter((entry) => !isOwn(entry))).slice(0, MAX_FOREIGN),
  ]
  const read = async (some: readonly TreeEntry[]) =>
    (await readEvents(objects, emptyTreeOid(format), some, overlay)).events
  // Read all at once; if one cannot be read, read them one by one.
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

/** Each file once; if a name has several contents, each of them. */
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
