/** A snapshot of the work, to tell later whether anything was done, committed or not. */

import type { FileChange } from '../checkpoint/condensation.ts'

export interface WorkMark {
  readonly head: string | undefined
  /** Object ids of the worktree's files that differ from HEAD, by path; undefined if the file was deleted. */
  readonly differing: ReadonlyMap<string, string | undefined>
}

/**
 * Paths whose contents have changed. Committing contents that were already there changes nothing. `committed`: the
 * changes between the two heads.
 */
export function changedWork(
  before: WorkMark,
  after: WorkMark,
  committed: readonly FileChange[],
): string[] {
  const commits = new Map(committed.map((one) => [one.path, one]))
  const paths = new Set([...before.differing.keys(), ...after.differing.keys(), ...commits.keys()])
  return [...paths].filter((path) => {
    const commit = commits.get(path)
    const was = contentOf(before, path, commit && { oid: commit.before })
    const is = contentOf(after, path, commit && { oid: commit.after })
    return was !== is
  })
}

/** Contents that equal both heads compare as equal to each other and as different from anything else. */
function contentOf({ differing }: WorkMark, path: string, head?: { oid: string | undefined }) {
  if (differing.has(path)) return differing.get(path) ?? GONE
  return head === undefined ? SAME_AS_HEADS : (head.oid ?? GONE)
}

const GONE = 'gone'
const SAME_AS_HEADS = 'as in both heads'
