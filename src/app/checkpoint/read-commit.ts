/** Reads what commits, and the index that is about to become one, change and say. */

import type { FileChange } from '../../core/checkpoint/condensation.ts'
import { emptyTreeOid } from '../../core/git/objects.ts'
import type { RepositoryPort } from '../ports.ts'
import { readCommit } from '../shadow/git-trees.ts'
import type { SessionContext } from '../shadow/session-context.ts'

type Comparing = Pick<SessionContext, 'repository' | 'changes'>

/** Differences between the index and HEAD. */
export async function changesOfIndex({
  repository,
  changes,
}: Comparing): Promise<readonly FileChange[]> {
  const tree = await treeOfHead(repository)
  return changes.ofIndex(tree ?? emptyTreeOid(repository.place.format))
}

/** Undefined before the first commit. */
export async function treeOfHead(repository: RepositoryPort): Promise<string | undefined> {
  const { oid } = await repository.history.head()
  return oid === undefined ? undefined : (await readCommit(repository, oid)).tree
}

/** Differences between a commit and its first parent, if it has one. */
export async function changesOf(
  { repository, changes }: Comparing,
  commit: string,
): Promise<{ readonly changes: readonly FileChange[]; readonly parent: string | undefined }> {
  const { tree, parents } = await readCommit(repository, commit)
  const [parent] = parents
  const before =
    parent === undefined
      ? emptyTreeOid(repository.place.format)
      : (await readCommit(repository, parent)).tree
  return { changes: await changes.between(before, tree), parent }
}

/** A commit's message; empty if the repository does not have the commit. */
export async function messageOf(
  { objects }: Pick<RepositoryPort, 'objects'>,
  commit: string,
): Promise<string> {
  const object = await objects.read(commit)
  if (object?.type !== 'commit') return ''
  const text = Buffer.from(object.content).toString('utf8')
  const head = text.indexOf('\n\n')
  return head === -1 ? '' : text.slice(head + 2)
}

export async function subjectOf(
  repository: Pick<RepositoryPort, 'objects'>,
  commit: string,
): Promise<string> {
  const [subject = ''] = (await messageOf(repository, commit)).trimStart().split('\n')
  return subject
}
