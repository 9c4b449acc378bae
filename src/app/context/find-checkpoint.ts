/** Finds the newest context checkpoint document for a branch or an issue, and remembers who was shown it. */

import type { ReadHandoff } from '../../core/context/handoff-document.ts'
import { readContextHandoff } from '../../core/context/handoff-document.ts'
import { newestFirst } from '../../core/context/places.ts'
import { newRecord, withShown } from '../../core/context/record.ts'
import { millisOf } from '../../core/event/instant.ts'
import type { KnownIssues } from '../../core/tracker/known-issues.ts'
import type { SessionState } from '../../core/session/session-state.ts'
import { readSettings } from '../ledger/read-settings.ts'
import type { SessionContext } from '../shadow/session-context.ts'

export interface FoundCheckpoint {
  /** Relative to the top of the worktree. */
  readonly path: string
  readonly handoff: ReadHandoff
}

/** How many milliseconds the local time in a name may be behind UTC at most. */
const MAX_BEHIND_UTC = 12 * 3_600_000

/**
 * The newest matching document by creation time, whatever the time zone. Undefined if there is none. If `issue`
 * is given, the branch does not matter.
 */
export async function findCheckpoint(
  { repository, personal }: Pick<SessionContext, 'repository' | 'personal'>,
  { branch, issue }: { readonly branch: string | undefined; readonly issue: string | undefined },
): Promise<FoundCheckpoint | undefined> {
  const { handoffs } = await readSettings(repository)
  let found: FoundCheckpoint | undefined
  for (const name of newestFirst(personal.list(handoffs))) {
    if (found !== undefined && isOlder(name, found.handoff)) break
    const path = `${handoffs}/${name}`
    const bytes = await repository.worktree.read(path)
    const text = bytes && Buffer.from(bytes).toString('utf8')
    const handoff = text === undefined ? undefined : readContextHandoff(text)
    if (handoff === undefined) continue
    const isMeant = issue === undefined ? handoff.branch === branch : handoff.issues.includes(issue)
    if (!isMeant) continue
    if (found === undefined || madeAt(handoff) > madeAt(found.handoff)) found = { path, handoff }
  }
  return found
}

/** A document without an instant is dated by the local time that it names. */
function madeAt({ created, when }: ReadHandoff): number {
  return millisOf(created) ?? millisOf(when) ?? 0
}

/** True if a name's local time is before the document in every time zone; then so are all names after it. */
function isOlder(name: string, than: ReadHandoff): boolean {
  const [, day = '', hour = '', minute = ''] = /^(\d{4}-\d\d-\d\d)-(\d\d)(\d\d)/.exec(name) ?? []
  const local = millisOf(`${day}T${hour}:${minute}:59Z`)
  return local !== undefined && local < madeAt(than) - MAX_BEHIND_UTC
}

type Reader = Pick<SessionState, 'id' | 'agent' | 'startedAt'>

/** Remembers that a session was shown a document, so that `context metrics` knows which documents were used. */
export async function noteShown(
  context: Pick<SessionContext, 'sessions' | 'contexts'>,
  reader: Reader,
  path: string,
): Promise<void> {
  await context.sessions.change(reader.id, async (state) => {
    writeShown(context, state ?? reader, path.slice(path.lastIndexOf('/') + 1))
    return { state, result: undefined }
  })
}

/** Runs under the session's lock. `name` is the document's file name. */
export function writeShown(
  { contexts }: Pick<SessionContext, 'contexts'>,
  { id: session, agent, startedAt }: Reader,
  name: string,
): void {
  const record = contexts.read(session) ?? newRecord({ session, agent, startedAt })
  if (!record.shown.includes(name)) contexts.write(withShown(record, name))
}

/** What is known about the issues of a checkpoint: read from the outbox, never from the network. */
export async function knownIssues(
  context: Pick<SessionContext, 'tracker'>,
  { issues }: Pick<ReadHandoff, 'issues'>,
): Promise<KnownIssues> {
  if (issues.length === 0) return new Map()
  const known = (await context.tracker()).outbox.readIssues()
  return new Map([...known].filter(([key]) => issues.includes(key)))
}
