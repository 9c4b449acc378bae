/**
 * The merge driver: `current.md` of a merge is the rendering of the merged `events/`.
 *
 * Both texts are discarded. The three `events/` trees are found by provenance, merged by name as git
 * merges them, and rendered. Nothing is written but the result and, where git has not, the merged tree
 * object (a later merge may need it as its base). When this cannot be exact, it says so.
 */

import { LedgerError } from '../core/errors.ts'
import type { TreeEntry } from '../core/git-objects.ts'
import { emptyTreeOid, encodeTree, hashObject, nameToText, TREE_MODE } from '../core/git-objects.ts'
import { oneLine } from '../core/ledger/one-line.ts'
import { mergeEntries } from '../core/ledger/merge-entries.ts'
import { refuseNewerFormat } from './freshness.ts'
import { readTree, renderTree } from './ledger-tree.ts'
import type { MergeSides, MergeTexts, SideFinder } from './merge-sides.ts'
import { findSides } from './merge-sides.ts'
import type { ObjectReader } from './ports.ts'

export interface MergeDependencies extends SideFinder {
  writeTree(entries: readonly TreeEntry[]): Promise<string>
}

/** Returns the merged `current.md`. Throws a `LedgerError` when it cannot be exact. */
export async function mergeLedger(deps: MergeDependencies, texts: MergeTexts): Promise<string> {
  for (const text of Object.values(texts)) refuseNewerFormat(Buffer.from(text).toString('utf8'))
  const sides = await findSides(deps, texts)
  // Git writes the tree of a plain merge; others may be ancestors that nobody else writes.
  const writeTree = sides.isPlain ? async () => '' : deps.writeTree
  const { objects } = deps
  const trees = requireSides(sides)
  const { eventsTree, entries } = await mergeEventTrees({ objects, writeTree }, trees)
  return renderTree(deps.objects, eventsTree, () => entries)
}

export interface ThreeTrees {
  readonly base: string
  readonly ours: string
  readonly theirs: string
}

/** Merges three `events/` trees by name, sub-folders included, and makes sure the result exists. */
export async function mergeEventTrees(
  deps: { objects: ObjectReader; writeTree: MergeDependencies['writeTree'] },
  trees: ThreeTrees,
): Promise<{ eventsTree: string; entries: readonly TreeEntry[] }> {
  const [base, ours, theirs] = await Promise.all([
    readTree(deps.objects, trees.base),
    readTree(deps.objects, trees.ours),
    readTree(deps.objects, trees.theirs),
  ])
  const merged = mergeEntries(base, ours, theirs)
  if (merged.conflicts.length > 0) throw conflict(merged.conflicts)
  const entries = [...merged.entries]
  for (const { name, base: was, ours: mine, theirs: other } of merged.descend) {
    const empty = emptyTreeOid(mine.oid.length === 64 ? 'sha256' : 'sha1')
    const inner = { base: was?.oid ?? empty, ours: mine.oid, theirs: other.oid }
    const { eventsTree } = await mergeEventTrees(deps, inner)
    entries.push({ mode: TREE_MODE, name, oid: eventsTree })
  }
  const format = trees.ours.length === 64 ? 'sha256' : 'sha1'
  const eventsTree = hashObject('tree', encodeTree(entries), format)
  const known = Object.values(trees).includes(eventsTree) || entries.length === 0
  if (!known) await deps.writeTree(entries)
  return { eventsTree, entries }
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
