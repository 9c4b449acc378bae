/** What the work stands at, to tell afterwards whether anything was done, committed or not. */

import type { FileChange } from '../checkpoint/condensation.ts'

export interface WorkMark {
  readonly head: string | undefined
  /** Object ids of the worktree's files that differ from HEAD, by path; undefined where one is gone. */
  readonly differing: ReadonlyMap<string, string | undefined>
}

/**
 * Paths whose contents are not what they were. A commit of what lay there already changes none.
 * `committed`: between the two heads.
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

/** What both heads have is equal to itself, and to nothing that differs from it. */
function contentOf({ differing }: WorkMark, path: string, head?: { oid: string | undefined }) {
  if (differing.has(path)) return differing.get(path) ?? GONE
  return head === undefined ? HEADS : (head.oid ?? GONE)
}

const GONE = 'gone'
const HEADS = 'as in both heads'
