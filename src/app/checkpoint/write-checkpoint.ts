/**
 * Puts sessions into a checkpoint on the branch.
 *
 * Secrets are taken out first, so that nothing that is ever written holds one. The same record twice
 * makes no commit; any number of processes may write at once.
 */

import type { CheckpointSession } from '../../core/checkpoint/checkpoint.ts'
import { checkpointFolder } from '../../core/checkpoint/checkpoint.ts'
import {
  folderOfSessions,
  mergeFolders,
  readFolder,
} from '../../core/checkpoint/checkpoint-folder.ts'
import type { CheckpointId } from '../../core/session/checkpoint-id.ts'
import { foldLine } from '../../core/text/markdown-to-text.ts'
import type { SecretScanner } from '../secrets/find-secrets.ts'
import type { NextCommit } from './advance-branch.ts'
import { advanceBranch, refuseHeld } from './advance-branch.ts'
import {
  entriesOf,
  filesBelow,
  folderIn,
  treeOfCommit,
  withFolder,
  writeFolder,
  writeTree,
} from './branch-tree.ts'
import type { SessionContext } from '../shadow/session-context.ts'

/** Returns the commit that holds them. */
export async function writeCheckpoint(
  context: SessionContext,
  id: CheckpointId,
  sessions: readonly CheckpointSession[],
): Promise<string> {
  if (sessions.length === 0) throw new RangeError('a checkpoint is of at least one session')
  await refuseHeld(context)
  const scanner = await context.secrets()
  const redacted = sessions.map((session) => redactSession(session, scanner))
  const known = new Set<string>()
  return advanceBranch(context, (tip) => nextCommit(context, id, redacted, { tip, known }))
}

async function nextCommit(
  context: SessionContext,
  id: CheckpointId,
  sessions: readonly CheckpointSession[],
  { tip, known }: { readonly tip: string | undefined; readonly known: Set<string> },
): Promise<NextCommit | string> {
  const { repository } = context
  const [shardName = '', name = ''] = checkpointFolder(id).split('/')
  const top = tip === undefined ? undefined : await treeOfCommit(repository, tip)
  const root = await entriesOf(repository, top)
  const shard = await entriesOf(repository, folderIn(root, shardName))
  const before = folderIn(shard, name)
  const files = await filesBelow(repository, before, known)
  const merged = mergeFolders(id, readFolder(id, files), folderOfSessions(id, sessions))
  const after = await writeFolder(context, merged, known)
  if (tip !== undefined && after === before) return tip
  const shardTree = await writeTree(context, withFolder(shard, name, after), known)
  const tree = await writeTree(context, withFolder(root, shardName, shardTree), known)
  return { tree, parents: tip === undefined ? [] : [tip], message: messageOf(id, sessions) }
}

function messageOf(id: CheckpointId, sessions: readonly CheckpointSession[]): string {
  const trailers = sessions.flatMap(({ session, agent }) => [
    `Ledger-Session: ${foldLine(session)}`,
    `Ledger-Agent: ${foldLine(agent)}`,
  ])
  return `Checkpoint: ${id}\n\n${trailers.join('\n')}\n`
}

/** Names of files and branches stay: the commits that they are of hold them as well. */
function redactSession(session: CheckpointSession, scanner: SecretScanner): CheckpointSession {
  return {
    ...session,
    transcript: redactLines(session.transcript, scanner),
    prompts: session.prompts.map((prompt) => scanner.redact(prompt)),
    context: scanner.redact(session.context),
    tasks: session.tasks.map((task) => ({
      ...task,
      transcript: redactLines(task.transcript, scanner),
    })),
  }
}

function redactLines(text: string, scanner: SecretScanner): string {
  const redact = scanner.lineRedactor()
  return text
    .split('\n')
    .map((line) => redact(line))
    .join('\n')
}
