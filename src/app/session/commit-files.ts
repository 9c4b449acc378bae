/** Commits, and what is about to become one, as the rules of condensation see them. */

import type { TreeEntry } from '../../core/git-objects.ts'
import { decodeCommit, emptyTreeOid, textToName, TREE_MODE } from '../../core/git-objects.ts'
import type { CommitFiles, FileVersion } from '../../core/session/condensation.ts'
import type { RepositoryPort } from '../ports.ts'
import { entriesOf, readObject, treeOfCommit } from './branch-tree.ts'
import type { ChangesPort, FileChange } from './checkpoint-ports.ts'

type Readable = Pick<RepositoryPort, 'objects' | 'place'>

/** The index against HEAD. */
export async function changesOfIndex(
  repository: Readable & Pick<RepositoryPort, 'history'>,
  changes: ChangesPort,
): Promise<readonly FileChange[]> {
  const { oid } = await repository.history.head()
  const tree = oid === undefined ? undefined : await treeOfCommit(repository, oid)
  return changes.ofIndex(tree ?? emptyTreeOid(repository.place.format))
}

/** A commit against its first parent. */
export async function changesOf(
  repository: Readable,
  changes: ChangesPort,
  commit: string,
): Promise<readonly FileChange[]> {
  return (await commitAndParent(repository, changes, commit)).found
}

/** What is known of a commit by its changes alone: of the parent no more than what is not there any more. */
export function filesOfChanges(changes: readonly FileChange[]): CommitFiles {
  const parent = changes.flatMap(({ path, before }) =>
    before === undefined ? [] : [{ path, blob: before }],
  )
  return { changed: changes.map(({ path, after }) => ({ path, blob: after })), parent }
}

/** A commit against its first parent; `paths`: of these the parent's version is told as well. */
export async function commitFilesOf(
  repository: Readable,
  changes: ChangesPort,
  commit: string,
  paths: readonly string[],
): Promise<CommitFiles> {
  const { found, parentTree } = await commitAndParent(repository, changes, commit)
  const { changed, parent } = filesOfChanges(found)
  const known = new Set(changed.map(({ path }) => path))
  const others = [...new Set(paths)].filter((path) => !known.has(path))
  return { changed, parent: [...parent, ...(await versionsIn(repository, parentTree, others))] }
}

async function commitAndParent(repository: Readable, changes: ChangesPort, commit: string) {
  const { tree, parents } = decodeCommit(await readObject(repository, commit, 'commit'))
  const [parent] = parents
  const parentTree = parent === undefined ? undefined : await treeOfCommit(repository, parent)
  const found = await changes.between(parentTree ?? emptyTreeOid(repository.place.format), tree)
  return { found, parentTree }
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
