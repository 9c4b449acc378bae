/** The events of all worktrees together, pending ones included: what everybody would know after merging all. */

import type { ErrorFact } from '../../core/fleet/fleet-facts.ts'
import type { TreeEntry } from '../../core/git/objects.ts'
import { encodeTree, hashObject } from '../../core/git/objects.ts'
import type { EventSet } from '../ledger/ledger-tree.ts'
import { readEvents } from '../ledger/ledger-tree.ts'
import { collectErrors } from './collect-errors.ts'
import type { FleetContext } from './fleet-context.ts'
import { listPlaces } from './list-places.ts'

/** What of a worktree cannot be read is left out, and told: of a damaged one that is what is pending. */
export async function eventsOfAllWorktrees(
  context: FleetContext,
): Promise<{ readonly set: EventSet; readonly leftOut: readonly ErrorFact[] }> {
  const errors = collectErrors()
  const { worktrees } = await listPlaces(context, errors, { most: 0, withMerged: false })
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
