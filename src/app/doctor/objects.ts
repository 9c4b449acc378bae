/** Two readers that share no code read the ledger's objects: git, and isomorphic-git in this process. */

import type { GitObject, ObjectReader } from '../ports.ts'
import { ledgerPaths } from '../ledger-places.ts'
import { decodeTree } from '../../core/git-objects.ts'
import type { DoctorContext } from './context.ts'
import type { Finding } from './finding.ts'
import { broken, ok } from './finding.ts'

/** Objects that are compared: enough to meet loose and packed ones. */
const COMPARED = 50

export async function checkObjects({
  repository,
  settings,
  probes,
}: DoctorContext): Promise<Finding[]> {
  const { events } = ledgerPaths(settings.root)
  const tree = await repository.objects.find(`HEAD:${events}`)
  if (tree?.type !== 'tree') return [ok('objects', 'no commit holds events yet')]
  if (probes.inProcess === undefined) {
    return [
      ok('objects', 'read by git alone: packs are large, or only git knows how they are stored'),
    ]
  }
  const blobs = decodeTree(tree.content, repository.place.format).map(({ oid }) => oid)
  const asked = [tree.oid, ...blobs.slice(-COMPARED)]
  const differing = await firstDifference(asked, repository.objects, probes.inProcess)
  return [
    differing === undefined
      ? ok('objects', `git and isomorphic-git read the same ${asked.length} objects`)
      : broken('objects', `git and isomorphic-git read ${differing} differently`, 'git fsck'),
  ]
}

async function firstDifference(
  oids: readonly string[],
  ...readers: readonly [ObjectReader, ObjectReader]
): Promise<string | undefined> {
  const [mine, other] = await Promise.all(
    readers.map((reader) => Promise.all(oids.map((oid) => reader.read(oid)))),
  )
  return oids.find((_, i) => !isSame(mine?.[i], other?.[i]))
}

function isSame(a: GitObject | undefined, b: GitObject | undefined): boolean {
  if (a === undefined || b === undefined) return a === b
  return a.type === b.type && Buffer.from(a.content).equals(b.content)
}
