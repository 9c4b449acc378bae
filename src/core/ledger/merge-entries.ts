/**
 * Three-way merge of one folder's entries by name: the same rule git applies to files.
 *
 * An entry changed on one side only takes that side; deleted on one side and untouched on the other
 * is deleted. Two sub-folders that both changed are merged by their own entries (`descend`).
 */

import type { TreeEntry } from '../git-objects.ts'
import { TREE_MODE } from '../git-objects.ts'

export interface FolderMerge {
  readonly entries: readonly TreeEntry[]
  /** Sub-folders changed on both sides: merge each of them and add the result. */
  readonly descend: readonly {
    readonly name: string
    readonly base: TreeEntry | undefined
    readonly ours: TreeEntry
    readonly theirs: TreeEntry
  }[]
  /** Names with two different contents (or changed here and deleted there). */
  readonly conflicts: readonly string[]
}

export function mergeEntries(
  base: readonly TreeEntry[],
  ours: readonly TreeEntry[],
  theirs: readonly TreeEntry[],
): FolderMerge {
  const [o, a, b] = [byName(base), byName(ours), byName(theirs)]
  const entries: TreeEntry[] = []
  const descend: FolderMerge['descend'][number][] = []
  const conflicts: string[] = []
  for (const name of new Set([...a.keys(), ...b.keys()])) {
    const [was, mine, other] = [o.get(name), a.get(name), b.get(name)]
    if (same(mine, other) || same(other, was)) {
      if (mine !== undefined) entries.push(mine)
    } else if (same(mine, was)) {
      if (other !== undefined) entries.push(other)
    } else if (mine?.mode === TREE_MODE && other?.mode === TREE_MODE) {
      descend.push({
        name,
        base: was?.mode === TREE_MODE ? was : undefined,
        ours: mine,
        theirs: other,
      })
    } else conflicts.push(name)
  }
  return { entries, descend, conflicts }
}

function byName(entries: readonly TreeEntry[]): Map<string, TreeEntry> {
  return new Map(entries.map((entry) => [entry.name, entry]))
}

function same(a: TreeEntry | undefined, b: TreeEntry | undefined): boolean {
  return a?.oid === b?.oid && a?.mode === b?.mode
}
