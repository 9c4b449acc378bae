/**
 * Reads and writes trees for shadow data and checkpoints; reads only the folders on the way to a path.
 *
 * If the repository has lost an object, reading fails: anything written from half a tree would lose the other half for
 * good. Callers that only want what is left ask for that explicitly.
 */

import { LedgerError } from '../../core/errors/errors.ts'
import type { FileVersion } from '../../core/checkpoint/condensation.ts'
import type { TreeEntry } from '../../core/git/objects.ts'
import { decodeCommit, decodeTree, splitFolders, TREE_MODE } from '../../core/git/objects.ts'
import { nameOfPath } from '../../core/shadow/shadow-paths.ts'
import type { GitObject, RepositoryPort } from '../ports.ts'
import type { SessionContext } from './session-context.ts'

export type Readable = Pick<RepositoryPort, 'objects' | 'place'>

/** How a lost object is treated: reported as an error, or taken as empty. */
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
    `${type} ${oid} is needed, but the repository does not have it`,
    'git fsck; then fetch again from a complete repository',
  )
}

export async function readCommit(repository: Readable, commit: string) {
  return decodeCommit(await readObject(repository, commit, 'commit'))
}

/** The entries of a tree; empty for an absent tree. */
export async function entriesOf(
  repository: Readable,
  tree: string | undefined,
  lost?: Lost,
): Promise<TreeEntry[]> {
  if (tree === undefined) return []
  return decodeTree(await readObject(repository, tree, 'tree', lost), repository.place.format)
}

/** The text of a blob; empty for an absent blob. */
export async function textOf(
  repository: Readable,
  blob: string | undefined,
  lost?: Lost,
): Promise<string> {
  if (blob === undefined) return ''
  return Buffer.from(await readObject(repository, blob, 'blob', lost)).toString('utf8')
}

/** Every entry below a tree that is not a folder, named by its path. */
export async function entriesBelow(
  repository: Readable,
  tree: string | undefined,
  lost?: Lost,
  prefix = '',
): Promise<TreeEntry[]> {
  const below = (await entriesOf(repository, tree, lost)).map(async ({ mode, name, oid }) => {
    const path = `${prefix}${name}`
    if (mode !== TREE_MODE) return [{ mode, name: path, oid }]
    return entriesBelow(repository, oid, lost, `${path}/`)
  })
  return (await Promise.all(below)).flat()
}

/** The versions of these paths (`pathOfName`) in a tree; each folder on the way is read once. */
export async function versionsIn(
  repository: Readable,
  tree: string | undefined,
  paths: readonly string[],
): Promise<FileVersion[]> {
  const folders = new Map<string, Promise<TreeEntry[]>>()
  const found = paths.map(async (path): Promise<FileVersion[]> => {
    let at = tree === undefined ? undefined : { mode: TREE_MODE, oid: tree }
    for (const part of path.split('/')) {
      if (at?.mode !== TREE_MODE) return []
      const entries = folders.get(at.oid) ?? entriesOf(repository, at.oid)
      folders.set(at.oid, entries)
      at = (await entries).find(({ name }) => name === nameOfPath(part))
    }
    return at === undefined || at.mode === TREE_MODE ? [] : [{ path, blob: at.oid }]
  })
  return (await Promise.all(found)).flat()
}

/** Writes texts as the files of a tree; empty texts are left out. */
export function writeTexts(
  { objects }: Pick<SessionContext, 'objects'>,
  texts: Readonly<Record<string, string>>,
): TreeEntry[] {
  const files = Object.entries(texts).filter(([, text]) => text !== '')
  const blobs = objects.blobs(files.map(([, text]) => text))
  return files.map(([name], i) => ({ mode: '100644', name, oid: blobs[i] ?? '' }))
}

/** Writes entries, which are named by their paths, as nested trees. */
export function writeTrees(
  { objects }: Pick<SessionContext, 'objects'>,
  entries: readonly TreeEntry[],
): string {
  const { direct, below } = splitFolders(entries)
  // A folder replaces a file of the same name.
  const files = direct.filter(({ name }) => !below.has(name))
  const folders = [...below].map(([name, inner]) => {
    return { mode: TREE_MODE, name, oid: writeTrees({ objects }, inner) }
  })
  return objects.tree([...files, ...folders])
}
