/**
 * Trees as shadow data and checkpoints read and write them: only the folders on the way.
 *
 * An object that the repository has lost ends the reading: what is written from half a tree would lose the
 * other half for good. Whoever only wants what is left says so.
 */

import { LedgerError } from '../../core/errors/errors.ts'
import type { FileVersion } from '../../core/checkpoint/condensation.ts'
import type { TreeEntry } from '../../core/git/objects.ts'
import {
  decodeCommit,
  decodeTree,
  encodeTree,
  hashObject,
  textToName,
  TREE_MODE,
} from '../../core/git/objects.ts'
import type { GitObject, RepositoryPort } from '../ports.ts'
import type { SessionContext } from './session-context.ts'

export type Readable = Pick<RepositoryPort, 'objects' | 'place'>

/** What becomes of a lost object: it is told with an error, or counts as empty. */
export type Lost = 'told' | 'empty'

export async function readObject(
  { objects }: Readable,
  oid: string,
  type: GitObject['type'],
  lost: Lost = 'told',
): Promise<Uint8Array> {
  const object = await objects.read(oid)
  if (object?.type === type) return object.content
  if (lost === 'empty') return new Uint8Array()
  throw new LedgerError(
    'OBJECT_MISSING',
    `${type} ${oid} is needed, and the repository does not have it`,
    'git fsck; then fetch again from where it is whole',
  )
}

export async function readCommit(repository: Readable, commit: string) {
  return decodeCommit(await readObject(repository, commit, 'commit'))
}

/** None of an absent tree. */
export async function entriesOf(
  repository: Readable,
  tree: string | undefined,
  lost?: Lost,
): Promise<TreeEntry[]> {
  if (tree === undefined) return []
  return decodeTree(await readObject(repository, tree, 'tree', lost), repository.place.format)
}

/** Empty for an absent blob. */
export async function textOf(
  repository: Readable,
  blob: string | undefined,
  lost?: Lost,
): Promise<string> {
  if (blob === undefined) return ''
  return Buffer.from(await readObject(repository, blob, 'blob', lost)).toString('utf8')
}

/** Every entry below a tree that is no folder, named by its path; `seen` gets the ids of the trees. */
export async function entriesBelow(
  repository: Readable,
  tree: string | undefined,
  {
    lost,
    seen,
  }: { readonly lost?: Lost | undefined; readonly seen?: Set<string> | undefined } = {},
  prefix = '',
): Promise<TreeEntry[]> {
  if (tree !== undefined) seen?.add(tree)
  const entries = await entriesOf(repository, tree, lost)
  const below = entries.map(async ({ mode, name, oid }) => {
    const path = `${prefix}${name}`
    if (mode !== TREE_MODE) return [{ mode, name: path, oid }]
    return entriesBelow(repository, oid, { lost, seen }, `${path}/`)
  })
  return (await Promise.all(below)).flat()
}

/** The versions that a tree holds of these paths; each folder on the way is read once. */
export async function versionsIn(
  repository: Readable,
  tree: string | undefined,
  paths: readonly string[],
): Promise<FileVersion[]> {
  if (paths.length === 0) return []
  const folders = new Map([['', entriesOf(repository, tree)]])
  const folder = (path: string): Promise<TreeEntry[]> => {
    const known = folders.get(path)
    if (known !== undefined) return known
    const read = entryAt(path).then((entry) =>
      entriesOf(repository, entry?.mode === TREE_MODE ? entry.oid : undefined),
    )
    folders.set(path, read)
    return read
  }
  const entryAt = async (path: string): Promise<TreeEntry | undefined> => {
    const slash = path.lastIndexOf('/')
    const name = textToName(path.slice(slash + 1))
    const entries = await folder(path.slice(0, Math.max(0, slash)))
    return entries.find((entry) => entry.name === name)
  }
  const found = await Promise.all(paths.map(async (path) => ({ path, entry: await entryAt(path) })))
  return found.flatMap(({ path, entry }) =>
    entry === undefined || entry.mode === TREE_MODE ? [] : [{ path, blob: entry.oid }],
  )
}

/** Writes entries, named by their paths, as trees. `known`: objects that are there already. */
export async function writeTrees(
  context: SessionContext,
  entries: readonly TreeEntry[],
  known: Set<string>,
): Promise<string> {
  const folders = new Map<string, TreeEntry[]>()
  const direct: TreeEntry[] = []
  for (const entry of entries) {
    const slash = entry.name.indexOf('/')
    if (slash === -1) direct.push(entry)
    else {
      const name = entry.name.slice(0, slash)
      const inner = { ...entry, name: entry.name.slice(slash + 1) }
      folders.set(name, [...(folders.get(name) ?? []), inner])
    }
  }
  for (const [name, inner] of folders) {
    direct.push({ mode: TREE_MODE, name, oid: await writeTrees(context, inner, known) })
  }
  const oid = hashObject('tree', encodeTree(direct), context.repository.place.format)
  if (!known.has(oid)) known.add(await context.objects.tree(direct))
  return oid
}
