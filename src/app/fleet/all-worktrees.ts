/** The events of all worktrees together, pending ones included: what everybody would know after merging all. */

import { LedgerError } from '../../core/errors/errors.ts'
import type { TreeEntry } from '../../core/git/objects.ts'
import { encodeTree, hashObject } from '../../core/git/objects.ts'
import type { EventSet } from '../ledger/ledger-tree.ts'
import { readEvents } from '../ledger/ledger-tree.ts'
import { collectErrors } from './collect-errors.ts'
import type { FleetContext } from './fleet-context.ts'
import { listPlaces } from './list-places.ts'

/** Throws `OBJECT_MISSING` where one cannot be read: what is shown is whole. */
export async function eventsOfAllWorktrees(context: FleetContext): Promise<EventSet> {
  const errors = collectErrors()
  const { worktrees } = await listPlaces(context, errors, { most: 0, withMerged: false })
  const error = errors.found.find(({ part }) => part === 'worktrees')
  if (error !== undefined) {
    const what = `${error.subject}: ${error.message}`
    throw new LedgerError('OBJECT_MISSING', what, error.command ?? 'git ledger fleet')
  }
  const { objects, place } = context.repository
  const entries = new Map<string, TreeEntry>()
  const overlay = new Map<string, Uint8Array>()
  for (const { places } of worktrees) {
    for (const entry of places?.place.entries ?? []) entries.set(entry.name, entry)
    for (const [oid, bytes] of places?.place.overlay ?? []) overlay.set(oid, bytes)
  }
  const all = [...entries.values()]
  const eventsTree = hashObject('tree', encodeTree(all), place.format)
  return readEvents(objects, eventsTree, all, overlay)
}
