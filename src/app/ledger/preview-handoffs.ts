/** What a merge would do to the handoffs: which ones change, and which end in conflict. */

import type { ByteName } from '../../core/git/objects.ts'
import { nameToText } from '../../core/git/objects.ts'
import { handoffName } from './ledger-sources.ts'
import type { RepositoryPort } from '../ports.ts'
import type { MergeAnswer } from '../ports/history.ts'

export interface HandoffChange {
  readonly name: string
  /** Relative to the top of the repository. */
  readonly path: string
  readonly change: 'added' | 'changed' | 'removed' | 'conflict'
}

/** Returns the changes in path order. */
export async function previewHandoffs(
  { history }: RepositoryPort,
  root: string,
  ours: string,
  { tree, conflicts }: Pick<MergeAnswer, 'tree' | 'conflicts'>,
): Promise<HandoffChange[]> {
  const handoffsIn = async (revision: string) => {
    const blobs = await history.blobsAt(revision, [root])
    return new Map(
      [...blobs].flatMap(([path, { oid }]) =>
        handoffName(path, root) === undefined ? [] : [[path, oid] as const],
      ),
    )
  }
  const [before, after] = [await handoffsIn(ours), await handoffsIn(tree ?? ours)]
  const changeOf = (path: ByteName): HandoffChange['change'] | undefined => {
    if (conflicts.includes(path)) return 'conflict'
    if (before.get(path) === after.get(path)) return undefined
    if (!before.has(path)) return 'added'
    return after.has(path) ? 'changed' : 'removed'
  }
  const paths = new Set([...before.keys(), ...after.keys(), ...conflicts])
  return [...paths].toSorted().flatMap((path) => {
    const [name, change] = [handoffName(path, root), changeOf(path)]
    return name === undefined || change === undefined
      ? []
      : [{ name, path: nameToText(path), change }]
  })
}
