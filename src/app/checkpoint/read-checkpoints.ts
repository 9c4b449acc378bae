/**
 * Reads checkpoints from this clone's branch and from what was fetched from `origin`.
 *
 * A fresh clone has only the latter. A checkpoint that both have is read from the local branch.
 */

import { LedgerError } from '../../core/errors/errors.ts'
import type { TreeEntry } from '../../core/git/objects.ts'
import { isRegularFile, nameToText, TREE_MODE } from '../../core/git/objects.ts'
import type { Checkpoint, CheckpointSession } from '../../core/checkpoint/checkpoint.ts'
import {
  checkpointFolder,
  checkpointOfFolder,
  CHECKPOINTS_BRANCH,
  CHECKPOINTS_REF,
  compareTimes,
  sorted,
} from '../../core/checkpoint/checkpoint.ts'
import type { StoredFile } from '../../core/checkpoint/checkpoint-folder.ts'
import { readFolder } from '../../core/checkpoint/checkpoint-folder.ts'
import { compareBytes } from '../../core/event/event.ts'
import type { CheckpointId } from '../../core/session/checkpoint-id.ts'
import type { Readable } from '../shadow/git-trees.ts'
import { entriesBelow, entriesOf, readCommit, textOf } from '../shadow/git-trees.ts'

export interface ReadCheckpoint extends Checkpoint {
  /** True if a newer release wrote part of it or files are damaged: there is more than is shown. */
  readonly isPartial: boolean
}

/** One line of a list: what is known without reading transcripts. */
export interface ListedCheckpoint {
  readonly id: CheckpointId
  /** When it was last written; undefined if that cannot be read. */
  readonly condensedAt: string | undefined
  readonly sessions: readonly Pick<CheckpointSession, 'session' | 'agent' | 'branch'>[]
  readonly commits: readonly string[]
  readonly files: readonly string[]
  readonly isPartial: boolean
}

/** Returns checkpoints oldest first. */
export async function listCheckpoints(repository: Readable): Promise<ListedCheckpoint[]> {
  const found = await Promise.all(
    [...(await folders(repository))].map(async ([id, tree]): Promise<ListedCheckpoint> => {
      const isWanted = (path: string) => /^(?:\d+\/)?metadata\.json$/.test(path)
      const { sessions, isWhole } = readFolder(await filesOf(repository, tree, isWanted))
      const times = sessions.map(({ condensedAt }) => condensedAt)
      return {
        id,
        condensedAt: times.sort(compareTimes).at(-1),
        sessions: sessions.map(({ session, agent, branch }) => ({ session, agent, branch })),
        commits: sorted(sessions.flatMap(({ commits }) => commits)),
        files: sorted(sessions.flatMap(({ files }) => files)),
        isPartial: !isWhole,
      }
    }),
  )
  return found.sort(
    (a, b) => compareTimes(a.condensedAt ?? '', b.condensedAt ?? '') || compareBytes(a.id, b.id),
  )
}

/** Undefined if there is no checkpoint with this id. */
export async function readCheckpointOf(
  repository: Readable,
  id: CheckpointId,
): Promise<ReadCheckpoint | undefined> {
  const [shardName = '', name = ''] = checkpointFolder(id).split('/')
  for (const root of await roots(repository)) {
    const shard = folderIn(await entriesOf(repository, root), shardName)
    const tree = folderIn(await entriesOf(repository, shard), name)
    if (tree === undefined) continue
    const { sessions, isWhole } = readFolder(await filesOf(repository, tree))
    return { id, sessions, isPartial: !isWhole }
  }
  return undefined
}

/** The ids that begin with these digits. */
export async function checkpointsBeginning(
  repository: Readable,
  beginning: string,
): Promise<CheckpointId[]> {
  return [...(await folders(repository)).keys()].filter((id) => id.startsWith(beginning))
}

async function folders(repository: Readable): Promise<Map<CheckpointId, string>> {
  const isFolder = ({ mode }: TreeEntry) => mode === TREE_MODE
  const found = new Map<CheckpointId, string>()
  for (const root of await roots(repository)) {
    const shards = (await entriesOf(repository, root)).filter(isFolder)
    const inner = await Promise.all(shards.map(({ oid }) => entriesOf(repository, oid)))
    for (const [i, shard] of shards.entries()) {
      for (const { name, oid } of inner[i]?.filter(isFolder) ?? []) {
        const id = checkpointOfFolder(`${shard.name}/${nameToText(name)}`)
        if (id !== undefined && !found.has(id)) found.set(id, oid)
      }
    }
  }
  return found
}

async function roots(repository: Readable): Promise<string[]> {
  const tips = await checkpointTips(repository)
  return Promise.all(tips.map(async (tip) => (await readCommit(repository, tip)).tree))
}

/** The commits of the local branch and of `origin`'s branch as last fetched; one if they agree. */
export async function checkpointTips({ objects }: Readable): Promise<string[]> {
  const names = [CHECKPOINTS_REF, `refs/remotes/origin/${CHECKPOINTS_BRANCH}`]
  const commits = await Promise.all(names.map((name) => objects.find(name)))
  return [...new Set(commits.flatMap((commit) => commit?.oid ?? []))]
}

/** The tree of a folder; undefined if there is nothing by that name. Throws if it is something else. */
export function folderIn(entries: readonly TreeEntry[], name: string): string | undefined {
  const entry = entries.find((one) => one.name === name)
  if (entry === undefined || entry.mode === TREE_MODE) return entry?.oid
  throw new LedgerError(
    'CHECKPOINTS_BLOCKED',
    `the checkpoints branch has a file where the folder ${name} belongs`,
    'git show ledger/checkpoints/v1, and remove it with a commit of your own',
  )
}

/** Every file of a checkpoint; the text is read only if `isWanted`. */
export async function filesOf(
  repository: Readable,
  tree: string | undefined,
  isWanted: (path: string) => boolean = () => true,
): Promise<StoredFile[]> {
  const entries = await entriesBelow(repository, tree)
  return Promise.all(
    entries.map(async (entry): Promise<StoredFile> => {
      const { mode, name, oid } = entry
      if (!isRegularFile(mode) || !isWanted(name)) return { ...entry, text: undefined }
      return { mode, name, oid, text: await textOf(repository, oid) }
    }),
  )
}
