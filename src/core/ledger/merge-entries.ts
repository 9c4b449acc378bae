/**
 * Three-way merge of one folder's entries by name, with the rule that git applies to files.
 *
 * An entry changed on one side only takes that side's version; an entry deleted on one side and unchanged on the other
 * is deleted. Subfolders changed on both sides are merged by their own entries (`descend`).
 */

import type { ObjectFormat, TreeEntry } from '../git/objects.ts'
import { TREE_MODE } from '../git/objects.ts'
import { splitTrees } from '../git/split-trees.ts'

export interface FolderMerge {
  readonly entries: readonly TreeEntry[]
  /** Subfolders changed on both sides: merge each of them and add the result. */
  readonly descend: readonly {
    readonly name: string
    readonly base: TreeEntry | undefined
    readonly ours: TreeEntry
    readonly theirs: TreeEntry
  }[]
  /** Names with two different contents, or changed on one side and deleted on the other. */
  readonly conflicts: readonly string[]
}

export function mergeEntries(
  base: readonly TreeEntry[],
  ours: readonly TreeEntry[],
  theirs: readonly TreeEntry[],
): FolderMerge {
  const entries: TreeEntry[] = []
  const descend: FolderMerge['descend'][number][] = []
  const conflicts: string[] = []
  for (const [was, mine, other] of sideBySide(base, ours, theirs)) {
    if (isSame(mine, other) || isSame(other, was)) {
      if (mine !== undefined) entries.push(mine)
    } else if (isSame(mine, was)) {
      if (other !== undefined) entries.push(other)
    } else if (mine?.mode === TREE_MODE && other?.mode === TREE_MODE) {
      const base = was?.mode === TREE_MODE ? was : undefined
      descend.push({ name: mine.name, base, ours: mine, theirs: other })
    } else conflicts.push((mine ?? other ?? was)?.name ?? '')
  }
  return { entries, descend, conflicts }
}

/** The entries that the tree `to` adds to `from`; undefined if it also removes or changes some. */
export function addedEntries(
  from: Uint8Array,
  to: Uint8Array,
  format: ObjectFormat,
): TreeEntry[] | undefined {
  const added: TreeEntry[] = []
  for (const part of splitTrees([from, to], format)) {
    if ('shared' in part) continue
    const [was, is] = part.sides
    if (was !== undefined || is === undefined) return undefined
    added.push(is)
  }
  return added
}

type Sides = [was: TreeEntry | undefined, mine: TreeEntry | undefined, other: TreeEntry | undefined]

/** The entries of the three folders under each name. */
function sideBySide(...folders: readonly (readonly TreeEntry[])[]): Sides[] {
  const byName = new Map<string, Sides>()
  // In the order of ours, then of theirs.
  for (const side of [1, 2, 0]) {
    for (const entry of folders[side] ?? []) {
      const sides = byName.get(entry.name)
      if (sides === undefined) {
        const first: Sides = [undefined, undefined, undefined]
        first[side] = entry
        byName.set(entry.name, first)
      } else sides[side] = entry
    }
  }
  return [...byName.values()]
}

function isSame(a: TreeEntry | undefined, b: TreeEntry | undefined): boolean {
  return a?.oid === b?.oid && a?.mode === b?.mode
}
