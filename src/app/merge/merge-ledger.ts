/**
 * The merge driver: `current.md` of a merge is the rendering of the merged `events/`.
 *
 * Both texts are discarded. The three `events/` trees are found by provenance, merged by name as git
 * merges them, and rendered. Apart from the cache, the driver writes only the result and, if git has not
 * written it, the merged tree object (a later merge may need it as its base). If an exact result is not
 * possible, the driver throws.
 */

import { LedgerError } from '../../core/errors/errors.ts'
import type { TreeEntry } from '../../core/git/objects.ts'
import {
  emptyTreeOid,
  encodeTree,
  formatOfOid,
  hashObject,
  nameToText,
  sortName,
  textToName,
  TREE_MODE,
} from '../../core/git/objects.ts'
import { splitTrees } from '../../core/git/split-trees.ts'
import { oneLine } from '../../core/text/escape-markdown.ts'
import type { DecidedTwice } from '../../core/ledger/decided-twice.ts'
import { decidedTwice, decisionsOf, differing } from '../../core/ledger/decided-twice.ts'
import { foldState } from '../../core/ledger/join.ts'
import { renderLedger } from '../../core/ledger/render.ts'
import type { LedgerEvent } from '../../core/event/event.ts'
import { mergeEntries } from '../../core/ledger/merge-entries.ts'
import { refuseNewerFormat } from '../ledger/freshness.ts'
import { ledgerPaths } from '../ledger/ledger-sources.ts'
import { readEvents, readTreeContent } from '../ledger/ledger-tree.ts'
import type { JoinedTree, WholeTree } from '../ledger/render-tree.ts'
import { joinTree, treeOf } from '../ledger/render-tree.ts'
import type { MergeSides, SideFinder } from './merge-sides.ts'
import { findSides } from './merge-sides.ts'
import type { ObjectReader } from '../ports.ts'
import type { MergeTexts } from '../ports/merge-text.ts'

export interface MergeDependencies extends SideFinder {
  writeTree(entries: readonly TreeEntry[]): Promise<string>
  /** Remembers a ledger as fresh. `listing` is the blob id of its `git ls-files -s -z` output. */
  keepFresh?(listing: string): void
}

export interface MergedLedger {
  /** The merged `current.md`. */
  readonly text: string
  /** Keys that both sides independently decided differently; empty unless the merge is into a worktree. */
  decidedTwice(): Promise<DecidedTwice[]>
}

/** Throws a `LedgerError` if an exact result is not possible. */
export async function mergeLedger(
  deps: MergeDependencies,
  texts: MergeTexts,
): Promise<MergedLedger> {
  for (const text of Object.values(texts)) refuseNewerFormat(Buffer.from(text).toString('utf8'))
  // `joinTree` will read this tree: requesting it together with the sides saves a separate git call.
  const [kept = ''] = deps.objects.cache?.states() ?? []
  const [sides] = await Promise.all([findSides(deps, texts), kept && deps.objects.read(kept)])
  // Git writes no tree for a merge of two ancestors, nor for `cherry-pick -n` or a stash, which stop at the index.
  const writeTree = sides.isWritten ? undefined : deps.writeTree
  const { objects } = deps
  const { tree, added } = await mergeEventTrees({ objects, writeTree }, requireSides(sides))
  const joined = await joinTree(objects, tree)
  const text = renderLedger(foldState(joined.state), tree.eventsTree)
  // During a rebase or similar, a hook checks freshness before each commit; a plain merge has no such hook.
  if (!sides.isPlain) deps.keepFresh?.(listingOf(deps, tree.entries, text))
  return {
    text,
    decidedTwice: async () => {
      if (deps.index === undefined || !sides.isHere) return []
      const read = async (some: readonly TreeEntry[]) =>
        (await readEvents(objects, tree.eventsTree, some)).events
      const [ours, theirs] = added()
      return (
        (await differingFromKept(joined, [ours, theirs], read)) ??
        decidedTwice(await read(ours), await read(theirs))
      )
    },
  }
}

/**
 * What both sides decided, if that can be found without reading every event that they added. There may be
 * thousands, most of them already in the cached state that the merge was built on.
 *
 * If all events of one side are new to that state, then of any two competing decisions at least one is new, and the
 * other is either new as well or in the state. The new events retract nothing: otherwise the state could not have
 * been extended by them.
 */
async function differingFromKept(
  { nearest }: JoinedTree,
  sides: readonly (readonly TreeEntry[])[],
  read: (some: readonly TreeEntry[]) => Promise<readonly LedgerEvent[]>,
): Promise<DecidedTwice[] | undefined> {
  if (nearest === undefined) return undefined
  const { state, added } = nearest
  const names = new Set(added.map(({ name }) => name))
  if (!sides.some((side) => side.every(({ name }) => names.has(name)))) return undefined
  const events = (await read(added)).filter(({ file }) => !state.retracted.has(file))
  const decided = events.flatMap(decisionsOf)
  const keys = new Set(decided.map(({ decision }) => decision.key))
  for (const key of keys) {
    const kept = state.sections.decisions.get(key)
    if (kept !== undefined) decided.push({ decision: kept.value, by: kept.by })
  }
  const [ours = [], theirs = []] = sides.map((side) => {
    const files = new Set(side.map(({ name }) => nameToText(name)))
    return decided.filter(({ by }) => files.has(by.file))
  })
  return differing(ours, theirs)
}

/** Matches git's listing only if `events/` has no sub-folder: git also lists the files below one, so the id differs. */
function listingOf(
  { root, format }: SideFinder,
  entries: readonly TreeEntry[],
  text: string,
): string {
  const { current, events } = ledgerPaths(root)
  const list = [
    `100644 ${hashObject('blob', Buffer.from(text), format)} 0\t${textToName(current)}\0`,
    ...entries.map(({ mode, oid, name }) => `${mode} ${oid} 0\t${textToName(events)}/${name}\0`),
  ]
  return hashObject('blob', Buffer.from(list.join(''), 'latin1'), format)
}

interface ThreeTrees {
  readonly base: string
  readonly ours: string
  readonly theirs: string
}

interface MergedTree {
  readonly tree: WholeTree
  /** Entries of each side that the common ancestor does not have. */
  added(): readonly [ours: readonly TreeEntry[], theirs: readonly TreeEntry[]]
}

/** Merges three `events/` trees by name, sub-folders included, and makes sure the result exists. */
export async function mergeEventTrees(
  deps: { objects: ObjectReader; writeTree: MergeDependencies['writeTree'] | undefined },
  trees: ThreeTrees,
): Promise<MergedTree> {
  const format = formatOfOid(trees.ours)
  const contents = await Promise.all(
    [trees.base, trees.ours, trees.theirs].map((tree) => readTreeContent(deps.objects, tree)),
  )
  const parts = [...splitTrees(contents, format)]
  const [base = [], ours = [], theirs = []] = contents.map((_, side) =>
    parts.flatMap((part) => ('sides' in part && part.sides[side]) || []),
  )
  const merged = mergeEntries(base, ours, theirs)
  if (merged.conflicts.length > 0) throw conflict(merged.conflicts)
  const changed = [...merged.entries]
  for (const { name, base: was, ours: mine, theirs: other } of merged.descend) {
    const inner = { base: was?.oid ?? emptyTreeOid(format), ours: mine.oid, theirs: other.oid }
    const { tree } = await mergeEventTrees(deps, inner)
    changed.push({ mode: TREE_MODE, name, oid: tree.eventsTree })
  }
  const byOrder = new Map(changed.map((entry) => [sortName(entry), encodeTree([entry])]))
  const content = Buffer.concat(
    parts.flatMap((part) => ('shared' in part ? part.shared : (byOrder.get(part.order) ?? []))),
  )
  const tree = treeOf(hashObject('tree', content, format), content)
  const known = Object.values(trees).includes(tree.eventsTree) || content.length === 0
  if (!known) await deps.writeTree?.(tree.entries)
  const added = () => {
    const before = new Set(base.map(({ name }) => name))
    const isNew = ({ name }: TreeEntry) => !before.has(name)
    return [ours.filter(isNew), theirs.filter(isNew)] as const
  }
  return { tree, added }
}

function requireSides(sides: MergeSides): ThreeTrees {
  const { base, ours, theirs } = sides
  if (base !== undefined && ours !== undefined && theirs !== undefined)
    return { base, ours, theirs }
  const unknown = Object.entries({ base, ours, theirs })
    .filter(([, tree]) => tree === undefined)
    .map(([side]) => side)
  throw new LedgerError(
    'EVENTS_UNKNOWN',
    `the events/ tree of ${unknown.join(' and ')} is not in this repository`,
    'ledger-git resolve',
  )
}

function conflict(names: readonly string[]): LedgerError {
  const list = names.map((name) => oneLine(nameToText(name), '')).join(', ')
  return new LedgerError(
    'EVENTS_CONFLICT',
    `both sides changed ${list} in events/; event files are only ever added`,
    'settle the event file, git add it, then ledger-git resolve',
  )
}
