/**
 * Puts sessions into a checkpoint on the branch, joining them with what the checkpoint already has.
 *
 * Secrets are removed first, so that nothing that is ever written holds one. The branch grows for years, so a
 * checkpoint costs only three trees above its own folder, however many others there are. A tree or blob that
 * already exists is not written again. Writing the same record twice makes no second commit. Any number of processes
 * may write at once.
 */

import { LedgerError } from '../../core/errors/errors.ts'
import type { CheckpointSession } from '../../core/checkpoint/checkpoint.ts'
import { checkpointFolder, CHECKPOINTS_REF } from '../../core/checkpoint/checkpoint.ts'
import type { MergedFolder } from '../../core/checkpoint/checkpoint-folder.ts'
import {
  folderOfSessions,
  mergeFolders,
  readFolder,
} from '../../core/checkpoint/checkpoint-folder.ts'
import type { TreeEntry } from '../../core/git/objects.ts'
import { TREE_MODE } from '../../core/git/objects.ts'
import type { CheckpointId } from '../../core/session/checkpoint-id.ts'
import { foldLine } from '../../core/text/markdown-to-text.ts'
import type { LoadSecretScanner } from '../secrets/find-secrets.ts'
import { linesWithoutSecrets, withoutSecrets } from '../secrets/find-secrets.ts'
import type { NextCommit } from '../shadow/advance-ref.ts'
import { advanceRef } from '../shadow/advance-ref.ts'
import { entriesOf, readCommit, writeTrees } from '../shadow/git-trees.ts'
import type { SessionContext } from '../shadow/session-context.ts'
import { findHold } from './held-branch.ts'
import { filesOf, folderIn } from './read-checkpoints.ts'

/** Returns the commit that holds them. */
export async function writeCheckpoint(
  context: SessionContext,
  id: CheckpointId,
  sessions: readonly CheckpointSession[],
): Promise<string> {
  const redacted = sessions.map((session) => redactSession(session, context.secrets))
  const incoming = folderOfSessions(await Promise.all(redacted))
  const [shardName = '', name = ''] = checkpointFolder(id).split('/')
  const { repository } = context
  return advanceBranch(context, async (tip) => {
    const top = tip === undefined ? undefined : (await readCommit(repository, tip)).tree
    const root = await entriesOf(repository, top)
    const shard = await entriesOf(repository, folderIn(root, shardName))
    const before = folderIn(shard, name)
    const there = readFolder(await filesOf(repository, before))
    const after = writeFolder(context, mergeFolders(id, there, incoming))
    if (tip !== undefined && after === before) return tip
    const shardTree = writeTrees(context, withFolder(shard, name, after))
    const tree = writeTrees(context, withFolder(root, shardName, shardTree))
    return { tree, parents: tip === undefined ? [] : [tip], message: messageOf(id, sessions) }
  })
}

/**
 * Moves the branch. `build` gets the present tip and returns either the next commit to create or the id of an existing
 * commit that becomes the tip. Returns the new tip.
 */
export async function advanceBranch(
  context: SessionContext,
  build: (tip: string | undefined) => Promise<NextCommit | string>,
): Promise<string> {
  // Before anything is built.
  const hold = await findHold(context)
  if (hold !== undefined) throw new LedgerError('CHECKPOINTS_BLOCKED', hold.message, hold.next)
  try {
    const { tip = '' } = await advanceRef(context, 'the checkpoints branch', async () => {
      const from = await context.refs.read(CHECKPOINTS_REF)
      return { ref: CHECKPOINTS_REF, from, to: await build(from) }
    })
    return tip
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'GIT_FAILED') throw error
    throw new LedgerError(
      'CHECKPOINTS_BLOCKED',
      'the checkpoints branch cannot be moved: there is a stale lock file, its ref file is damaged, or a branch is named like one of its folders',
      'ledger-git doctor; git branch --list ledger "ledger/checkpoints"',
    )
  }
}

/** Writes a checkpoint's folder; undefined if it has no files. Objects that already exist are not written again. */
export function writeFolder(
  context: SessionContext,
  { texts, rest }: MergedFolder,
): string | undefined {
  const blobs = context.objects.blobs(texts.map(({ text }) => text))
  const files = texts.map(({ path }, i) => ({ name: path, mode: '100644', oid: blobs[i] ?? '' }))
  const entries = [...files, ...rest]
  return entries.length === 0 ? undefined : writeTrees(context, entries)
}

/** The entries with one of them replaced, added or removed. */
function withFolder(
  entries: readonly TreeEntry[],
  name: string,
  tree: string | undefined,
): TreeEntry[] {
  const others = entries.filter((entry) => entry.name !== name)
  return tree === undefined ? others : [...others, { mode: TREE_MODE, name, oid: tree }]
}

function messageOf(id: CheckpointId, sessions: readonly CheckpointSession[]): string {
  const trailers = sessions.flatMap(({ session, agent }) => [
    `Ledger-Session: ${foldLine(session)}`,
    `Ledger-Agent: ${foldLine(agent)}`,
  ])
  return `Checkpoint: ${id}\n\n${trailers.join('\n')}\n`
}

/** File and branch names are not redacted: the commits hold them as well. */
async function redactSession(
  session: CheckpointSession,
  load: LoadSecretScanner,
): Promise<CheckpointSession> {
  const redactLines = async (text: string) =>
    (await linesWithoutSecrets(text.split('\n'), load)).join('\n')
  const redactTask = async (task: CheckpointSession['tasks'][number]) => ({
    ...task,
    transcript: await redactLines(task.transcript),
  })
  return {
    ...session,
    transcript: await redactLines(session.transcript),
    prompts: await withoutSecrets(session.prompts, load),
    context: await withoutSecrets(session.context, load),
    tasks: await Promise.all(session.tasks.map(redactTask)),
  }
}
