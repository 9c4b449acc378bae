/**
 * `.claude/checkpoint-state.json`: how full the context is, for scripts and status lines that read that file.
 * If another program keeps a file there, it is never touched.
 */

import type { CheckpointState } from '../../core/context/checkpoint-state.ts'
import { checkpointState, isCheckpointState } from '../../core/context/checkpoint-state.ts'
import { learntShift } from '../../core/context/learnt-shift.ts'
import { isContextHandoff, STATE_FILE } from '../../core/context/places.ts'
import type { ContextRecord } from '../../core/context/record.ts'
import { formatMillis } from '../../core/event/instant.ts'
import type { Settings } from '../../core/settings/settings.ts'
import { isLedgerPath } from '../../core/shadow/shadow-paths.ts'
import { parseJson, renderJson } from '../../core/text/json-values.ts'
import type { SessionContext } from '../shadow/session-context.ts'
import { isHere, quietly } from '../shadow/session-context.ts'
import { issueHere } from '../tracker/tracked-issue.ts'

/** What is at that path: nothing, our file and the session that it describes, or somebody else's file. */
export type StateFile =
  | { readonly kind: 'none' | 'foreign' }
  | { readonly kind: 'ours'; readonly session: string }

export async function lookAtStateFile({
  repository,
  personal,
}: Pick<SessionContext, 'repository' | 'personal'>): Promise<StateFile> {
  const bytes = await repository.worktree.read(STATE_FILE)
  const folder = STATE_FILE.slice(0, STATE_FILE.lastIndexOf('/'))
  // A link or folder with that name is not ours.
  const isThere = personal.list(folder).includes(STATE_FILE.slice(folder.length + 1))
  if (bytes === undefined) return { kind: isThere ? 'foreign' : 'none' }
  const value = parseJson(Buffer.from(bytes).toString('utf8'))
  if (!isCheckpointState(value)) return { kind: 'foreign' }
  return { kind: 'ours', session: (value as CheckpointState).sessionId }
}

export async function describeContext(
  context: SessionContext,
  record: ContextRecord,
  settings: Settings,
): Promise<CheckpointState> {
  const { root, contextLevels } = settings
  const files = (await context.changes.status()).map(({ path }) => path)
  return checkpointState(record, {
    issue: await issueHere(context),
    modifiedFiles: files.filter(
      (path) => !isLedgerPath(path, root) && !isContextHandoff(path, settings),
    ),
    formatTime: formatMillis,
    boundaries: contextLevels,
    shift: learntShift(context.contexts.list(), contextLevels),
  })
}

/** Updates the file, if it is ours. */
export async function keepCheckpointState(
  context: SessionContext,
  record: ContextRecord,
  settings: Settings,
): Promise<void> {
  await quietly(context, 'no state file of the context', async () => {
    const file = await lookAtStateFile(context)
    if (file.kind === 'foreign') return
    if (file.kind === 'ours' && isOlderActive(context, file.session, record)) return
    const state = await describeContext(context, record, settings)
    await context.repository.worktree.write(STATE_FILE, renderJson(state))
  })
}

/** If two sessions run in one worktree, the file belongs to the older one as long as that session is active. */
function isOlderActive(context: SessionContext, session: string, record: ContextRecord): boolean {
  if (session === record.session) return false
  const other = context.sessions.read(session)
  if (other === undefined || other.phase === 'ended' || !isHere(context, other)) return false
  return other.startedAt < record.startedAt
}
