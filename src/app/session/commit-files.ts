/** Commits, and what is about to become one, as the rules of condensation see them. */

import type { TreeEntry } from '../../core/git-objects.ts'
import { decodeCommit, emptyTreeOid, textToName, TREE_MODE } from '../../core/git-objects.ts'
import type { CommitFiles, FileVersion } from '../../core/session/condensation.ts'
import type { RepositoryPort } from '../ports.ts'
import { entriesOf, readObject, treeOfCommit } from './branch-tree.ts'
import type { ChangesPort, FileChange } from './checkpoint-ports.ts'

type Readable = Pick<RepositoryPort, 'objects' | 'place'>

/** The index against HEAD; `paths`: those in question, of which the parent's version is told as well. */
export async function commitFilesOfIndex(
  repository: Readable & Pick<RepositoryPort, 'history'>,
  changes: ChangesPort,
  paths: readonly string[],
): Promise<CommitFiles> {
  const { oid } = await repository.history.head()
  const tree = oid === undefined ? undefined : await treeOfCommit(repository, oid)
  const empty = emptyTreeOid(repository.place.format)
  const found = await changes.ofIndex(tree ?? empty)
  return commitFiles(repository, found, tree, paths)
}

/** A commit against its first parent. */
export async function commitFilesOf(
  repository: Readable,
  changes: ChangesPort,
  commit: string,
  paths: readonly string[],
): Promise<CommitFiles> {
  const { tree, parents } = decodeCommit(await readObject(repository, commit, 'commit'))
  const [parent] = parents
  const before = parent === undefined ? undefined : await treeOfCommit(repository, parent)
  const found = await changes.between(before ?? emptyTreeOid(repository.place.format), tree)
  return commitFiles(repository, found, before, paths)
}

async function commitFiles(
  repository: Readable,
  changes: readonly FileChange[],
  parent: string | undefined,
  paths: readonly string[],
): Promise<CommitFiles> {
  const changed = changes.map(({ path, after }) => ({ path, blob: after }))
  const known = new Set(changes.map(({ path }) => path))
  const others = [...new Set(paths)].filter((path) => !known.has(path))
  const before = changes.flatMap(({ path, before }) =>
    before === undefined ? [] : [{ path, blob: before }],
  )
  return { changed, parent: [...before, ...(await versionsIn(repository, parent, others))] }
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
