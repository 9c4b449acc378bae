/** The events of all worktrees together, including pending ones: what everybody would know after merging everything. */

import type { ErrorFact } from '../../core/fleet/fleet-facts.ts'
import type { TreeEntry } from '../../core/git/objects.ts'
import { encodeTree, hashObject } from '../../core/git/objects.ts'
import type { EventSet } from '../ledger/ledger-tree.ts'
import { readEvents } from '../ledger/ledger-tree.ts'
import { collectErrors } from './collect-errors.ts'
import type { FleetContext } from './fleet-context.ts'
import { listPlaces } from './list-places.ts'

/** Leaves out and reports what cannot be read; in a damaged worktree, that is its pending events. */
export async function eventsOfAllWorktrees(
  context: FleetContext,
): Promise<{ readonly set: EventSet; readonly leftOut: readonly ErrorFact[] }> {
  const errors = collectErrors()
  const { worktrees } = await listPlaces(context, errors, 0)
  const { objects, place } = context.repository
  const entries = new Map<string, TreeEntry>()
  const overlay = new Map<string, Uint8Array>()
  for (const { at, places } of worktrees) {
    const shown = places?.place ?? at?.place
    for (const entry of shown?.entries ?? []) entries.set(entry.name, entry)
    for (const [oid, bytes] of shown?.overlay ?? []) overlay.set(oid, bytes)
  }
  const all = [...entries.values()]
  const eventsTree = hashObject('tree', encodeTree(all), place.format)
  const set = await readEvents(objects, eventsTree, all, overlay)
  return { set, leftOut: errors.found.filter(({ part }) => part === 'worktrees') }
}
