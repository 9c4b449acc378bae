/** Two readers that share no code read the ledger's objects: git, and isomorphic-git in this process. */

import type { TreeEntry } from '../../core/git/objects.ts'
import { decodeTree, nameToText, textToName } from '../../core/git/objects.ts'
import { shellWord } from '../../core/text/shell-word.ts'
import { ledgerPaths } from '../ledger/ledger-sources.ts'
import type { GitObject, ObjectReader } from '../ports.ts'
import type { Setup } from '../setup/setup.ts'
import type { Finding } from './finding.ts'
import { broken, ok } from './finding.ts'

/** Objects that are compared: enough to meet loose and packed ones. */
const COMPARED = 50

export async function checkObjects(setup: Setup): Promise<Finding[]> {
  const { repository, settings, probes } = setup
  const name = 'objects'
  const { events } = ledgerPaths(settings.root)
  const tree = await repository.objects.find(`HEAD:${events}`)
  if (tree?.type !== 'tree') return [ok(name, 'no commit holds events yet')]
  if (probes.inProcess === undefined) {
    return [ok(name, 'read by git alone: packs are large, or only git knows how they are stored')]
  }
  const blobs = decodeTree(tree.content, repository.place.format).slice(-COMPARED)
  for (const blob of blobs) {
    const mine = await readWhole(repository.objects, blob.oid)
    const other = await readWhole(probes.inProcess, blob.oid)
    if (mine === undefined || other === undefined) return [await damaged(blob, setup)]
    if (mine.type === other.type && Buffer.from(mine.content).equals(other.content)) continue
    return [broken(name, `git and isomorphic-git read ${blob.oid} differently`, REFETCH)]
  }
  return [ok(name, `git and isomorphic-git read the same ${blobs.length} objects`)]
}

const REFETCH = 'git fetch --refetch'

/** Undefined for an object that is not there, or is not what its name says. */
async function readWhole(reader: ObjectReader, oid: string): Promise<GitObject | undefined> {
  try {
    return await reader.read(oid)
  } catch {
    return undefined // each reader has words of its own for it
  }
}

/** The worktree has the same bytes, as a rule; else another clone has. */
async function damaged(
  { name, oid }: TreeEntry,
  { repository, settings }: Setup,
): Promise<Finding> {
  const { top, commonDir } = repository.place
  const path = `${ledgerPaths(settings.root).events}/${nameToText(name)}`
  const what = `${path} cannot be read from the repository: object ${oid} is damaged or missing`
  const isHere = top !== undefined && (await repository.worktree.read(path)) !== undefined
  const [here] = isHere ? await repository.worktree.hashFiles([textToName(path)], false) : []
  if (here !== oid) return broken('objects', what, REFETCH)
  const file = shellWord(`${commonDir}/objects/${oid.slice(0, 2)}/${oid.slice(2)}`)
  // git writes no object that it believes to have.
  return broken(
    'objects',
    what,
    `rm -f ${file} && git hash-object -w ${shellWord(`${top}/${path}`)}`,
  )
}
