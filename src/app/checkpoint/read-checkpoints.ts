/**
 * Checkpoints as readers see them: of this clone's branch, and of what was fetched from `origin`.
 *
 * A fresh clone has only the latter. A checkpoint that both have is read from here.
 */

import { nameToText } from '../../core/git/objects.ts'
import type { TreeEntry } from '../../core/git/objects.ts'
import type { Checkpoint, CheckpointSession } from '../../core/checkpoint/checkpoint.ts'
import {
  checkpointFolder,
  checkpointOfFolder,
  CHECKPOINTS_REF,
  compareTimes,
} from '../../core/checkpoint/checkpoint.ts'
import type { CheckpointId } from '../../core/session/checkpoint-id.ts'
import { readFolder } from '../../core/checkpoint/checkpoint-folder.ts'
import { compareBytes } from '../../core/event/event.ts'
import type { RepositoryPort } from '../ports.ts'
import { entriesOf, filesBelow, folderIn, readObject, treeOfCommit } from './branch-tree.ts'

type Readable = Pick<RepositoryPort, 'objects' | 'place'>

export interface ReadCheckpoint extends Checkpoint {
  /** True when a newer release wrote part of it, or files are damaged: there is more than is shown. */
  readonly isPartial: boolean
}

/** One line of a list: what can be told without reading transcripts. */
export interface ListedCheckpoint {
  readonly id: CheckpointId
  /** When it was last written; undefined where that cannot be read. */
  readonly condensedAt: string | undefined
  readonly sessions: readonly Pick<CheckpointSession, 'session' | 'agent' | 'branch'>[]
  readonly commits: readonly string[]
  readonly files: readonly string[]
  readonly isPartial: boolean
}

/** Oldest first. */
export async function listCheckpoints(repository: Readable): Promise<ListedCheckpoint[]> {
  const found = await Promise.all(
    [...(await folders(repository))].map(([id, tree]) => listOne(repository, id, tree)),
  )
  return found.sort(
    (a, b) => compareTimes(a.condensedAt ?? '', b.condensedAt ?? '') || compareBytes(a.id, b.id),
  )
}

/** Undefined when there is none of this id. */
export async function readCheckpointOf(
  repository: Readable,
  id: CheckpointId,
): Promise<ReadCheckpoint | undefined> {
  const [shardName = '', name = ''] = checkpointFolder(id).split('/')
  for (const root of await roots(repository)) {
    const shard = folderIn(await entriesOf(repository, root), shardName)
    const tree = folderIn(await entriesOf(repository, shard), name)
    if (tree === undefined) continue
    const { sessions, isWhole } = readFolder(id, await filesBelow(repository, tree))
    return { id, sessions, isPartial: !isWhole }
  }
  return undefined
}

/** Ids that begin with these digits. */
export async function checkpointsBeginning(
  repository: Readable,
  beginning: string,
): Promise<CheckpointId[]> {
  return [...(await folders(repository)).keys()].filter((id) => id.startsWith(beginning))
}

async function folders(repository: Readable): Promise<Map<CheckpointId, string>> {
  const found = new Map<CheckpointId, string>()
  for (const root of await roots(repository)) {
    const shards = foldersOf(await entriesOf(repository, root))
    const inner = await Promise.all(shards.map(({ oid }) => entriesOf(repository, oid)))
    for (const [i, shard] of shards.entries()) {
      for (const entry of foldersOf(inner[i] ?? [])) {
        const id = checkpointOfFolder(`${shard.name}/${nameToText(entry.name)}`)
        if (id !== undefined && !found.has(id)) found.set(id, entry.oid)
      }
    }
  }
  return found
}

function foldersOf(entries: readonly TreeEntry[]): TreeEntry[] {
  return entries.filter(({ mode }) => mode === '40000')
}

/** The trees of the branch here and of `origin`'s as it was fetched. */
async function roots(repository: Readable & Pick<RepositoryPort, 'objects'>): Promise<string[]> {
  const short = CHECKPOINTS_REF.slice('refs/heads/'.length)
  const names = [CHECKPOINTS_REF, `refs/remotes/origin/${short}`]
  const commits = await Promise.all(names.map((name) => repository.objects.find(name)))
  const oids = new Set(commits.flatMap((commit) => (commit === undefined ? [] : [commit.oid])))
  return Promise.all([...oids].map((oid) => treeOfCommit(repository, oid)))
}

async function listOne(
  repository: Readable,
  id: CheckpointId,
  tree: string,
): Promise<ListedCheckpoint> {
  const entries = await entriesOf(repository, tree)
  const numbered = foldersOf(entries).filter(({ name }) => /^\d+$/.test(name))
  const files = await Promise.all(
    numbered.map(async ({ name, oid }) => {
      const about = (await entriesOf(repository, oid)).find((one) => one.name === 'metadata.json')
      if (about === undefined) return []
      const text = Buffer.from(await readObject(repository, about.oid, 'blob')).toString('utf8')
      return [{ ...about, name: `${name}/metadata.json`, text }]
    }),
  )
  const top = entries.filter(({ name, mode }) => name === 'metadata.json' && mode !== '40000')
  const texts = await Promise.all(
    top.map(async (entry) => ({
      ...entry,
      text: Buffer.from(await readObject(repository, entry.oid, 'blob')).toString('utf8'),
    })),
  )
  const { sessions, isWhole } = readFolder(id, [...files.flat(), ...texts])
  const readable = files.filter((one) => one.length > 0).length
  return {
    id,
    condensedAt: sessions
      .map((one) => one.condensedAt)
      .sort(compareTimes)
      .at(-1),
    sessions: sessions.map(({ session, agent, branch }) => ({ session, agent, branch })),
    commits: unique(sessions.flatMap(({ commits }) => commits)),
    files: unique(sessions.flatMap((one) => one.files)),
    isPartial: !isWhole || readable < numbered.length,
  }
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)].sort(compareBytes)
}
