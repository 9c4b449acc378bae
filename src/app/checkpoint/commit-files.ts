/** Commits, and what is about to become one, as the rules of condensation see them. */

import type { TreeEntry } from '../../core/git/objects.ts'
import { decodeCommit, emptyTreeOid, textToName, TREE_MODE } from '../../core/git/objects.ts'
import type { CommitFiles, FileVersion } from '../../core/checkpoint/condensation.ts'
import type { RepositoryPort } from '../ports.ts'
import { entriesOf, readObject, treeOfCommit } from './branch-tree.ts'
import type { ChangesPort, FileChange } from '../shadow/git-ports.ts'

type Readable = Pick<RepositoryPort, 'objects' | 'place'>
type Indexed = Readable & Pick<RepositoryPort, 'history'>

/** The index against HEAD. */
export async function changesOfIndex(
  repository: Indexed,
  changes: ChangesPort,
): Promise<readonly FileChange[]> {
  return (await indexAndHead(repository, changes)).found
}

/** A commit against its first parent. */
export async function changesOf(
  repository: Readable,
  changes: ChangesPort,
  commit: string,
): Promise<readonly FileChange[]> {
  return (await commitAndParent(repository, changes, commit)).found
}

/** The first one; undefined of a first commit. */
export async function parentOf(repository: Readable, commit: string): Promise<string | undefined> {
  return decodeCommit(await readObject(repository, commit, 'commit')).parents[0]
}

/** What is known of a commit by its changes alone: of the parent only what is not there any more. */
export function filesOfChanges(changes: readonly FileChange[]): CommitFiles {
  const parent = changes.flatMap(({ path, before }) =>
    before === undefined ? [] : [{ path, blob: before }],
  )
  return { changed: changes.map(({ path, after }) => ({ path, blob: after })), parent }
}

/** The same; `paths`: of these the parent's version is told as well. */
export async function commitFilesOfIndex(
  repository: Indexed,
  changes: ChangesPort,
  paths: readonly string[],
): Promise<CommitFiles> {
  return withParent(repository, await indexAndHead(repository, changes), paths)
}

export async function commitFilesOf(
  repository: Readable,
  changes: ChangesPort,
  commit: string,
  paths: readonly string[],
): Promise<CommitFiles> {
  return withParent(repository, await commitAndParent(repository, changes, commit), paths)
}

interface Compared {
  readonly found: readonly FileChange[]
  /** The parent's. */
  readonly tree: string | undefined
}

async function indexAndHead(repository: Indexed, changes: ChangesPort): Promise<Compared> {
  const { oid } = await repository.history.head()
  const tree = oid === undefined ? undefined : await treeOfCommit(repository, oid)
  return { found: await changes.ofIndex(tree ?? emptyTreeOid(repository.place.format)), tree }
}

async function commitAndParent(
  repository: Readable,
  changes: ChangesPort,
  commit: string,
): Promise<Compared> {
  const { tree: after, parents } = decodeCommit(await readObject(repository, commit, 'commit'))
  const [parent] = parents
  const tree = parent === undefined ? undefined : await treeOfCommit(repository, parent)
  const before = tree ?? emptyTreeOid(repository.place.format)
  return { found: await changes.between(before, after), tree }
}

async function withParent(
  repository: Readable,
  { found, tree }: Compared,
  paths: readonly string[],
): Promise<CommitFiles> {
  const { changed, parent } = filesOfChanges(found)
  const known = new Set(changed.map(({ path }) => path))
  const others = [...new Set(paths)].filter((path) => !known.has(path))
  return { changed, parent: [...parent, ...(await versionsIn(repository, tree, others))] }
}

/** The versions that a tree holds of these paths; each folder on the way is read once. */
async function versionsIn(
  repository: Readable,
  tree: string | undefined,
  paths: readonly string[],
): Promise<FileVersion[]> {
  const folders = new Map<string, Promise<TreeEntry[]>>([['', entriesOf(repository, tree)]])
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
