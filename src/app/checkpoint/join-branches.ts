/**
 * Joins two states of the checkpoints branch: the result is the union of their trees.
 *
 * Only what both sides changed since they diverged is read. A checkpoint that both have is joined. A checkpoint that
 * one side removed (because of a secret or a court order) and the other did not touch stays removed.
 */

import { TREE_MODE } from '../../core/git/objects.ts'
import { checkpointOfFolder } from '../../core/checkpoint/checkpoint.ts'
import { mergeFolders, readFolder, uniteEntries } from '../../core/checkpoint/checkpoint-folder.ts'
import { mergeEntries } from '../../core/ledger/merge-entries.ts'
import { entriesOf, readCommit, writeTrees } from '../shadow/git-trees.ts'
import type { SessionContext } from '../shadow/session-context.ts'
import { filesOf } from './read-checkpoints.ts'
import { advanceBranch, writeFolder } from './write-checkpoint.ts'

/** Makes `theirs` part of the branch. Returns the new tip. */
export async function joinIntoBranch(context: SessionContext, theirs: string): Promise<string> {
  const { repository } = context
  return advanceBranch(context, async (ours) => {
    if (ours === undefined) return theirs
    const bases = await repository.mergeBases(ours, theirs)
    if (bases.includes(theirs)) return ours
    if (bases.includes(ours)) return theirs
    // With several bases, none of them knows all deletions, so nothing counts as deleted.
    const [only] = bases.length === 1 ? bases : []
    const [base, a, b] = await Promise.all(
      [only, ours, theirs].map(async (commit) =>
        commit === undefined ? undefined : (await readCommit(repository, commit)).tree,
      ),
    )
    const tree = await joinTrees(context, '', [base, a, b])
    return { tree, parents: [ours, theirs], message: 'Checkpoints of two clones\n' }
  })
}

type Three<T> = readonly [base: T | undefined, ours: T | undefined, theirs: T | undefined]

/** `path` is the path of the folder, with a trailing slash. */
async function joinTrees(
  context: SessionContext,
  path: string,
  trees: Three<string>,
): Promise<string> {
  const { repository } = context
  const sides = await Promise.all(trees.map((tree) => entriesOf(repository, tree)))
  const [base = [], ours = [], theirs = []] = sides
  const { entries, descend, conflicts } = mergeEntries(base, ours, theirs)
  const joined = [...entries]
  for (const { name, ...folders } of descend) {
    const { oid } = folders.ours
    const tree = await joinFolders(context, `${path}${name}`, [
      folders.base?.oid,
      oid,
      folders.theirs.oid,
    ])
    joined.push({ mode: TREE_MODE, name, oid: tree })
  }
  for (const name of conflicts) {
    const [mine, other] = [ours, theirs].map((side) => side.filter((entry) => entry.name === name))
    joined.push(...uniteEntries(mine ?? [], other ?? []))
  }
  return writeTrees(context, joined)
}

async function joinFolders(
  context: SessionContext,
  path: string,
  trees: Three<string>,
): Promise<string> {
  const id = checkpointOfFolder(path)
  if (id === undefined) return joinTrees(context, `${path}/`, trees)
  const [, ours, theirs] = trees
  const read = async (tree: string | undefined) =>
    readFolder(await filesOf(context.repository, tree))
  const merged = mergeFolders(id, await read(ours), await read(theirs))
  return writeFolder(context, merged) ?? ours ?? ''
}
