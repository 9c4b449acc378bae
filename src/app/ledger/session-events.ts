/** The events of one session, without reading those of all the others. */

import type { LedgerEvent } from '../../core/event/event.ts'
import { textToName } from '../../core/git/objects.ts'
import type { RepositoryPort } from '../ports.ts'
import type { WorktreePlace } from './ledger-sources.ts'
import { ledgerPaths } from './ledger-sources.ts'
import { readEvents } from './ledger-tree.ts'

/** So many are read sooner than git has looked through them. */
const FEW = 50

export async function eventsOfSession(
  repository: RepositoryPort,
  { eventsTree, entries = [], overlay }: WorktreePlace,
  { root, session }: { readonly root: string; readonly session: string },
): Promise<LedgerEvent[]> {
  const { events: folder } = ledgerPaths(root)
  const { objects, index } = repository
  // In a partial clone git would fetch what it looks through, text after text.
  const isMany = entries.length > FEW && objects.prefetch === undefined
  const mayName = isMany && (await index.saying(session, folder))
  const pathOf = (name: string) => `${textToName(folder)}/${name}`
  // What is pending is not in the index.
  const asked = mayName
    ? entries.filter(({ name, oid }) => mayName.has(pathOf(name)) || overlay.has(oid))
    : entries
  const { events } = await readEvents(objects, eventsTree, asked, overlay)
  return events.filter((event) => event.session === session)
}
