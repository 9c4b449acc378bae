/** The events of one session, without reading the events of all others. */

import type { LedgerEvent } from '../../core/event/event.ts'
import { textToName } from '../../core/git/objects.ts'
import type { RepositoryPort } from '../ports.ts'
import type { WorktreePlace } from '../ledger/ledger-sources.ts'
import { ledgerPaths } from '../ledger/ledger-sources.ts'
import { readEvents } from '../ledger/ledger-tree.ts'

/** Git searches the events while it lists the files of the place. */
export async function eventsOfSession(
  repository: RepositoryPort,
  place: Promise<WorktreePlace>,
  { root, session }: { readonly root: string; readonly session: string },
): Promise<LedgerEvent[]> {
  const { events: folder } = ledgerPaths(root)
  const { objects, index } = repository
  // In a partial clone, git would fetch each text that it searches, one by one.
  const mayName = objects.prefetch === undefined ? index.saying(session, folder) : undefined
  const [{ eventsTree, entries = [], overlay }, named] = await Promise.all([place, mayName])
  const pathOf = (name: string) => `${textToName(folder)}/${name}`
  // Pending events are not in the index.
  const asked = named
    ? entries.filter(({ name, oid }) => named.has(pathOf(name)) || overlay.has(oid))
    : entries
  const { events } = await readEvents(objects, eventsTree, asked, overlay)
  return events.filter((event) => event.session === session)
}
