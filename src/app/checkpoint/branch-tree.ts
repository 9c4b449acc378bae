/**
 * Trees of the checkpoints branch: only the folders on the way are read and written.
 *
 * The branch grows for years. A checkpoint costs three trees above its own folder, whatever is beside
 * it; a tree or blob that is there already is not written again.
 */

import { LedgerError } from '../../core/errors/errors.ts'
import type { TreeEntry } from '../../core/git/objects.ts'
import {
  decodeCommit,
  decodeTree,
  encodeTree,
  hashObject,
  isRegularFile,
  TREE_MODE,
} from '../../core/git/objects.ts'
import type { MergedFolder, StoredFile } from '../../core/checkpoint/checkpoint-folder.ts'
import type { GitObject, RepositoryPort } from '../ports.ts'
import type { SessionContext } from '../shadow/session-context.ts'

type Readable = Pick<RepositoryPort, 'objects' | 'place'>

export async function readObject(
  { objects }: Readable,
  oid: string,
  type: GitObject['type'],
): Promise<Uint8Array> {
  const object = await objects.read(oid)
  if (object?.type === type) return object.content
  throw new LedgerError(
    'OBJECT_MISSING',
    `${type} ${oid} is needed, and the repository does not have it`,
    'git fsck; then fetch again from where it is whole',
  )
}

export async function treeOfCommit(repository: Readable, commit: string): Promise<string> {
  return decodeCommit(await readObject(repository, commit, 'commit')).tree
}

/** None of an absent tree. */
export async function entriesOf(
  repository: Readable,
  tree: string | undefined,
): Promise<TreeEntry[]> {
  if (tree === undefined) return []
  return decodeTree(await readObject(repository, tree, 'tree'), repository.place.format)
}

/** The tree of a folder; undefined where there is nothing. Throws where there is something else. */
export function folderIn(entries: readonly TreeEntry[], name: string): string | undefined {
  const entry = entries.find((one) => one.name === name)
  if (entry === undefined || entry.mode === TREE_MODE) return entry?.oid
  throw new LedgerError(
    'CHECKPOINTS_BLOCKED',
    `the checkpoints branch has a file where the folder ${name} belongs`,
    'git show ledger/checkpoints/v1, and take it out with a commit of your own',
  )
}

/** Every file below a tree, with its text; `seen` gets the ids of what was read. */
export async function filesBelow(
  repository: Readable,
  tree: string | undefined,
  seen: Set<string> = new Set(),
  prefix = '',
): Promise<StoredFile[]> {
  if (tree !== undefined) seen.add(tree)
  const entries = await entriesOf(repository, tree)
  const read = async ({ mode, name, oid }: TreeEntry): Promise<StoredFile[]> => {
    const path = `${prefix}${name}`
    if (mode === TREE_MODE) return filesBelow(repository, oid, seen, `${path}/`)
    if (!isRegularFile(mode)) return [{ mode, name: path, oid, text: undefined }]
    seen.add(oid)
    const text = Buffer.from(await readObject(repository, oid, 'blob')).toString('utf8')
    return [{ mode, name: path, oid, text }]
  }
  return (await Promise.all(entries.map(read))).flat()
}

/** Writes a folder; undefined for one without files. `known`: objects that are there. */
export async function writeFolder(
  context: SessionContext,
  { texts, rest }: MergedFolder,
  known: Set<string>,
): Promise<string | undefined> {
  const { format } = context.repository.place
  const blobs = texts.map(({ path, text }) => {
    const content = Buffer.from(text)
    return { name: path, mode: '100644', content, oid: hashObject('blob', content, format) }
  })
  const absent = blobs.filter(({ oid }) => !known.has(oid))
  if (absent.length > 0) await context.objects.blobs(absent.map(({ content }) => content))
  for (const { oid } of absent) known.add(oid)
  const entries = [...blobs.map(({ name, mode, oid }) => ({ name, mode, oid })), ...rest]
  return entries.length === 0 ? undefined : writeNested(context, entries, known)
}

async function writeNested(
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
    direct.push({ mode: TREE_MODE, name, oid: await writeNested(context, inner, known) })
  }
  return writeTree(context, direct, known)
}

export async function writeTree(
  context: SessionContext,
  entries: readonly TreeEntry[],
  known: Set<string>,
): Promise<string> {
  const oid = hashObject('tree', encodeTree(entries), context.repository.place.format)
  if (known.has(oid)) return oid
  known.add(await context.objects.tree(entries))
  return oid
}

/** The entries with one of them replaced, added, or taken out. */
export function withFolder(
  entries: readonly TreeEntry[],
  name: string,
  tree: string | undefined,
): TreeEntry[] {
  const others = entries.filter((entry) => entry.name !== name)
  return tree === undefined ? others : [...others, { mode: TREE_MODE, name, oid: tree }]
}
