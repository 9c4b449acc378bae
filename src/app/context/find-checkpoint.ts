/** The newest document of a context checkpoint for a branch or an issue, and who was shown it. */

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
  /** From the top of the worktree. */
  readonly path: string
  readonly handoff: ReadHandoff
}

/** Milliseconds that a name's local time is at most behind UTC. */
const BEHIND_UTC = 12 * 3_600_000

/** By when they were made, whatever the time zone. Undefined where there is none. `issue`: then the branch does not matter. */
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

/** Who wrote no instant is taken by the local time that is named. */
function madeAt({ created, when }: ReadHandoff): number {
  return millisOf(created) ?? millisOf(when) ?? 0
}

/** True where a name's local time is before the document in every time zone: so are all names behind it. */
function isOlder(name: string, than: ReadHandoff): boolean {
  const [, day = '', hour = '', minute = ''] = /^(\d{4}-\d\d-\d\d)-(\d\d)(\d\d)/.exec(name) ?? []
  const local = millisOf(`${day}T${hour}:${minute}:59Z`)
  return local !== undefined && local < madeAt(than) - BEHIND_UTC
}

type Reader = Pick<SessionState, 'id' | 'agent' | 'startedAt'>

/** Remembers that a session was shown a document: by it `context metrics` knows what was gone on from. */
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

/** Runs under the session's lock. `name`: of the document. */
export function writeShown(
  { contexts }: Pick<SessionContext, 'contexts'>,
  { id: session, agent, startedAt }: Reader,
  name: string,
): void {
  const record = contexts.read(session) ?? newRecord({ session, agent, startedAt })
  if (!record.shown.includes(name)) contexts.write(withShown(record, name))
}

/** What is known of the issues of a checkpoint: asked of the outbox, never of the network. */
export async function knownIssues(
  context: Pick<SessionContext, 'tracker'>,
  { issues }: Pick<ReadHandoff, 'issues'>,
): Promise<KnownIssues> {
  if (issues.length === 0) return new Map()
  const known = (await context.tracker()).outbox.readIssues()
  return new Map([...known].filter(([key]) => issues.includes(key)))
}
