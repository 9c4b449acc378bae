/**
 * The ledgers of many commits and worktrees at once. Most of their events are the same: those are joined once, and each
 * ledger adds its own.
 */

import type { TreeEntry } from '../../core/git/objects.ts'
import { encodeTree, hashObject, nameToText } from '../../core/git/objects.ts'
import { isEventFileName } from '../../core/event/event.ts'
import type { HeldLedger } from '../../core/fleet/fleet-facts.ts'
import type { JoinState } from '../../core/ledger/join-state.ts'
import { extendState, stateOf } from '../../core/ledger/join-state.ts'
import type { LedgerPlace } from '../ledger/ledger-sources.ts'
import { readEvents } from '../ledger/ledger-tree.ts'
import { stateOfTree } from '../ledger/render-tree.ts'
import type { RepositoryPort } from '../ports.ts'

/** Returns the state of a place; a place that cannot be read fails without affecting the others. */
export type StateOf = (place: LedgerPlace) => Promise<JoinState>

/** `places`: all places that will be asked for. */
export function statesOf(
  { objects, place: { format } }: Pick<RepositoryPort, 'objects' | 'place'>,
  places: readonly LedgerPlace[],
): StateOf {
  const common = commonEntries(places)
  const commonNames = byName(common)
  const eventsTree = hashObject('tree', encodeTree(common), format)
  // Cached between runs like the state of any other tree, although no commit may have this tree.
  const base = lazily(() => stateOfTree(objects, { eventsTree, entries: common }))
  const known = new Map<string, Promise<JoinState>>()
  const read = async ({ eventsTree, entries = [], overlay }: LedgerPlace): Promise<JoinState> => {
    const own = entries.filter((entry) => !isSame(commonNames.get(entry.name), entry))
    // The result of a merge may lack some of the common events.
    if (entries.length - own.length === common.length) {
      const more = await readEvents(objects, eventsTree, own, overlay)
      const grown = extendState(await base(), more.events, more.problems)
      if (grown !== undefined) return grown
    }
    const all = await readEvents(objects, eventsTree, entries, overlay)
    return stateOf(all.events, all.problems)
  }
  return (place) => {
    const state = known.get(place.eventsTree) ?? read(place)
    known.set(place.eventsTree, state)
    return state
  }
}

export function heldLedger({ entries = [] }: LedgerPlace, state: JoinState): HeldLedger {
  const files = lazily(() => new Set(entries.map(({ name }) => nameToText(name))))
  return {
    state,
    // Computed lazily: there are many names, but few ledgers are asked.
    get files() {
      return files()
    },
  }
}

/** Event files that all places have. */
function commonEntries(places: readonly LedgerPlace[]): TreeEntry[] {
  const [first, ...others] = new Map(places.map((place) => [place.eventsTree, place])).values()
  let common = (first?.entries ?? []).filter(({ name }) => isEventFileName(nameToText(name)))
  for (const { entries = [] } of others) {
    const names = byName(entries)
    common = common.filter((entry) => isSame(names.get(entry.name), entry))
  }
  return common
}

function byName(entries: readonly TreeEntry[]): ReadonlyMap<string, TreeEntry> {
  return new Map(entries.map((entry) => [entry.name, entry]))
}

function isSame(a: TreeEntry | undefined, b: TreeEntry): boolean {
  return a?.oid === b.oid && a.mode === b.mode
}

function lazily<T extends object>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}
