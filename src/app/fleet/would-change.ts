/** What merging a commit into the main branch would change in the ledger: like `preview`, for many branches. */

import { emptyTreeOid } from '../../core/git/objects.ts'
import { diffLedgers } from '../../core/ledger/diff-ledgers.ts'
import type { LedgerChange } from '../../core/ledger/diff-ledgers.ts'
import { foldState } from '../../core/ledger/join.ts'
import type { LedgerPlace } from '../ledger/ledger-sources.ts'
import { placeOfRevision } from '../ledger/ledger-sources.ts'
import { settingsOfRevision } from '../ledger/read-settings.ts'
import { mergeEventTrees } from '../merge/merge-ledger.ts'
import type { RepositoryPort } from '../ports.ts'
import type { StateOf } from './held-ledgers.ts'

export interface Side {
  readonly commit: string
  readonly place: LedgerPlace
  /** The other side has nothing that this side lacks. */
  readonly isAhead: boolean
}

/** Empty if the branch adds nothing. Throws `EVENTS_CONFLICT`. */
export async function wouldChange(
  repository: RepositoryPort,
  main: Omit<Side, 'isAhead'>,
  branch: Side,
  stateOf: StateOf,
  known: (
    key: string,
    make: () => Promise<readonly LedgerChange[]>,
  ) => Promise<readonly LedgerChange[]>,
): Promise<readonly LedgerChange[]> {
  const { objects } = repository
  if (main.place.eventsTree === branch.place.eventsTree) return []
  const base = branch.isAhead
    ? main.place.eventsTree
    : await commonTree(repository, await repository.mergeBases(main.commit, branch.commit))
  if (base === branch.place.eventsTree) return []
  const trees = { base, ours: main.place.eventsTree, theirs: branch.place.eventsTree }
  return known(Object.values(trees).join(' '), async () => {
    const { tree } = await mergeEventTrees({ objects, writeTree: undefined }, trees)
    const after = { ...tree, current: undefined, overlay: new Map() }
    const [before, then] = [await stateOf(main.place), await stateOf(after)]
    return diffLedgers(foldState(before), foldState(then))
  })
}

/** The common tree; with several best common ancestors (a criss-cross merge), the union of what they have. */
async function commonTree(repository: RepositoryPort, bases: readonly string[]): Promise<string> {
  const { objects, place } = repository
  const empty = emptyTreeOid(place.format)
  let common = empty
  for (const commit of bases) {
    const { root } = await settingsOfRevision(repository, commit)
    const { eventsTree } = await placeOfRevision(repository, commit, root)
    const trees = { base: empty, ours: common, theirs: eventsTree }
    if (common === empty) common = eventsTree
    else common = (await mergeEventTrees({ objects, writeTree: undefined }, trees)).tree.eventsTree
  }
  return common
}
