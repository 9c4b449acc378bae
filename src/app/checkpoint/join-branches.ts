/**
 * Two states of the checkpoints branch made one: the union of their trees.
 *
 * Only what both changed since they parted is read. A checkpoint that both have is joined; one that was
 * taken out on one side (a secret, an order of a court) and not touched on the other stays out.
 */

import type { TreeEntry } from '../../core/git/objects.ts'
import { TREE_MODE } from '../../core/git/objects.ts'
import { checkpointOfFolder } from '../../core/checkpoint/checkpoint.ts'
import { mergeFolders, readFolder, uniteEntries } from '../../core/checkpoint/checkpoint-folder.ts'
import { entriesOf, readCommit, writeTrees } from '../shadow/git-trees.ts'
import type { SessionContext } from '../shadow/session-context.ts'
import { filesOf } from './read-checkpoints.ts'
import { advanceBranch, writeFolder } from './write-checkpoint.ts'

/** Makes `theirs` part of the branch. Returns the new tip. */
export async function joinIntoBranch(context: SessionContext, theirs: string): Promise<string> {
  const { repository } = context
  const known = new Set<string>()
  return advanceBranch(context, async (ours) => {
    if (ours === undefined) return theirs
    const bases = await repository.mergeBases(ours, theirs)
    if (bases.includes(theirs)) return ours
    if (bases.includes(ours)) return theirs
    // Where there are several, none knows of all deletions: then nothing counts as one.
    const [only] = bases.length === 1 ? bases : []
    const [base, a, b] = await Promise.all(
      [only, ours, theirs].map(async (commit) =>
        commit === undefined ? undefined : (await readCommit(repository, commit)).tree,
      ),
    )
    const tree = await joinTrees({ context, known }, '', [base, a, b])
    return { tree, parents: [ours, theirs], message: 'Checkpoints of two clones\n' }
  })
}

interface Join {
  readonly context: SessionContext
  readonly known: Set<string>
}

type Three<T> = readonly [base: T | undefined, ours: T | undefined, theirs: T | undefined]

/** `path`: of the folder, with a final slash. */
async function joinTrees(join: Join, path: string, trees: Three<string>): Promise<string> {
  const { repository } = join.context
  const [base, ours, theirs] = await Promise.all(trees.map((tree) => entriesOf(repository, tree)))
  const names = new Set([...(ours ?? []), ...(theirs ?? [])].map(({ name }) => name))
  const find = (entries: readonly TreeEntry[] | undefined, name: string) =>
    entries?.find((entry) => entry.name === name)
  const joined: TreeEntry[] = []
  for (const name of names) {
    const three = [find(base, name), find(ours, name), find(theirs, name)] as const
    joined.push(...(await joinEntries(join, `${path}${name}`, three)))
  }
  return writeTrees(join.context, joined)
}

async function joinEntries(
  join: Join,
  path: string,
  [base, ours, theirs]: Three<TreeEntry>,
): Promise<TreeEntry[]> {
  const isSame = (a: TreeEntry | undefined, b: TreeEntry | undefined) =>
    a?.oid === b?.oid && a?.mode === b?.mode
  const listed = (entry: TreeEntry | undefined) => (entry === undefined ? [] : [entry])
  if (isSame(ours, theirs) || isSame(theirs, base)) return listed(ours)
  if (isSame(ours, base)) return listed(theirs)
  if (ours === undefined || theirs === undefined) return listed(ours ?? theirs)
  if (ours.mode !== TREE_MODE || theirs.mode !== TREE_MODE) return uniteEntries([ours], [theirs])
  const id = checkpointOfFolder(path)
  if (id === undefined) {
    const before = base?.mode === TREE_MODE ? base.oid : undefined
    const oid = await joinTrees(join, `${path}/`, [before, ours.oid, theirs.oid])
    return [{ ...ours, oid }]
  }
  const { context, known: seen } = join
  const read = (tree: string) => filesOf(context.repository, tree, { seen })
  const [a, b] = await Promise.all([read(ours.oid), read(theirs.oid)])
  const merged = mergeFolders(id, readFolder(a), readFolder(b))
  return [{ ...ours, oid: (await writeFolder(context, merged, seen)) ?? ours.oid }]
}
