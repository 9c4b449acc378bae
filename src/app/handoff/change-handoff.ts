/** Changes a handoff in place, and reports the change as one event of its stream. */

import { LedgerError } from '../../core/errors/errors.ts'
import type { NewEvent } from '../../core/event/event.ts'
import type { Instant } from '../../core/event/instant.ts'
import { formatInstant } from '../../core/event/instant.ts'
import type { Edit } from '../../core/handoff/edit-lines.ts'
import { applyEdits } from '../../core/handoff/edit-lines.ts'
import { setUpdated } from '../../core/handoff/edits.ts'
import { foldEvents } from '../../core/handoff/fold-events.ts'
import type { Handoff } from '../../core/handoff/handoff.ts'
import { readHandoff } from '../../core/handoff/handoff.ts'
import { conflictLine } from '../../core/handoff/lint.ts'
import type { NewHandoff } from '../../core/handoff/template.ts'
import { renderHandoff } from '../../core/handoff/template.ts'
import { textToName } from '../../core/git/objects.ts'
import { oneLine } from '../../core/text/escape-markdown.ts'
import { shellWord } from '../../core/text/shell-word.ts'
import type { AddedEvent, AddEventContext } from '../commit/add-event.ts'
import { addEvent } from '../commit/add-event.ts'
import { nextInstant } from '../commit/next-instant.ts'
import type { CommitContext } from '../commit/commit-ledger.ts'
import { CommitSkipped, commitLedger } from '../commit/commit-ledger.ts'
import { isOutOfReach } from '../ledger/event-files.ts'
import type { LoadSecretScanner } from '../secrets/find-secrets.ts'
import { refuseSecretTexts } from '../secrets/find-secrets.ts'
import { alreadyThere, requireNew } from './handoff-files.ts'
import type { HandoffFile } from './read-handoffs.ts'
import { readStreams } from './stream-events.ts'

type Fields = Omit<NewEvent, 'ts' | 'agent'>

export interface WriteRequest {
  readonly agent: string | undefined
  readonly commit: boolean
  /** The secret scanner; if set, a text that holds a secret is refused. */
  readonly secrets: LoadSecretScanner | undefined
}

export interface ChangeRequest extends WriteRequest {
  /** `before` already includes what newer events say. */
  edits(time: Instant, before: Handoff): readonly Edit[]
  /** What the event says; undefined if no event is to be written. */
  said(before: Handoff, after: Handoff): Fields | undefined
  /** Texts given on the command line, by option. */
  readonly given: Readonly<Record<string, readonly string[]>>
}

export interface ChangedHandoff {
  readonly path: string
  readonly time: Instant
  readonly handoff: Handoff
  readonly event: AddedEvent | undefined
  readonly commit: string | undefined
  /** Why no commit was made although one was requested. */
  readonly obstacle: LedgerError | undefined
}

/** Throws `HANDOFF_UNREADABLE`, `SECRET_FOUND`; the file is then left unchanged. */
export async function changeHandoff(
  context: AddEventContext,
  file: HandoffFile,
  request: ChangeRequest,
): Promise<ChangedHandoff> {
  const { name, path } = file
  await refuseChange(context, file, request)
  // Write what readers saw of newer events into the file: after its new date, those events are no longer joined in.
  const { handoff: before } = foldEvents(file.handoff, (await readStreams(context))(name))
  const time = await nextInstant(context)
  const text = applyEdits(before.text, [...request.edits(time, before), setUpdated(time)])
  const after = readHandoff(text)
  await context.repository.worktree.write(path, text)
  const fields = request.said(before, after)
  return {
    path,
    time,
    handoff: after,
    ...(await writeEventAndCommit(context, path, name, time, fields, request)),
  }
}

/** Refuses a change before anything is done for it. Throws `HANDOFF_UNREADABLE`, `SECRET_FOUND`. */
export async function refuseChange(
  { repository }: Pick<AddEventContext, 'repository'>,
  { name, path, isUtf8, handoff }: HandoffFile,
  { secrets, given }: Pick<ChangeRequest, 'secrets' | 'given'>,
): Promise<void> {
  if (!isUtf8) {
    const next = 'convert the file first: iconv -t UTF-8'
    throw new LedgerError(
      'HANDOFF_UNREADABLE',
      `${path} is not UTF-8: it is read, never written`,
      next,
    )
  }
  const listed = await repository.index.list(path)
  if (listed.some(({ stage }) => stage !== 0)) {
    // Text between conflict markers is lost once the conflict is resolved.
    throw new LedgerError(
      'HANDOFF_UNREADABLE',
      `${path} is in conflict: resolve that first`,
      'ledger-git resolve',
    )
  }
  const line = conflictLine(handoff)
  if (line !== undefined) {
    // An item that moves could leave its side of the conflict.
    throw new LedgerError(
      'HANDOFF_UNREADABLE',
      `${path} has conflict markers at line ${line}`,
      `settle them in an editor, then ledger-git handoff check ${shellWord(name)}`,
    )
  }
  if (secrets !== undefined) await refuseSecretTexts(given, secrets, 'the change')
}

/** Throws `HANDOFF_EXISTS`, `SECRET_FOUND`. */
export async function createHandoff(
  context: AddEventContext,
  fields: Omit<NewHandoff, 'time'>,
  request: WriteRequest & Pick<ChangeRequest, 'given'> & { readonly withEvent: boolean },
): Promise<ChangedHandoff> {
  const path = await requireNew(context, fields.name)
  if (request.secrets !== undefined)
    await refuseSecretTexts(request.given, request.secrets, 'the handoff')
  const time = await nextInstant(context)
  const text = renderHandoff({ ...fields, time })
  if (!(await context.repository.worktree.create(path, text))) throw alreadyThere(path, fields.name)
  const { goal, test, next } = fields
  const said = { reason: 'handoff created', goal, test, next: next.length === 0 ? undefined : next }
  const event = request.withEvent ? said : undefined
  const told = await writeEventAndCommit(context, path, fields.name, time, event, request)
  return { path, time, handoff: readHandoff(text), ...told }
}

/** Writes the event, and on request commits file and event. A file that git ignores is not committed. */
async function writeEventAndCommit(
  context: AddEventContext,
  path: string,
  stream: string,
  time: Instant,
  fields: Fields | undefined,
  { agent, commit, secrets }: WriteRequest,
): Promise<Pick<ChangedHandoff, 'event' | 'commit' | 'obstacle'>> {
  const also = { added: [textToName(path)], removed: [] }
  const ignored =
    commit && (await isOutOfReach(path, context.repository)) ? ignoredFile(path) : undefined
  const isCommitted = commit && ignored === undefined
  if (fields === undefined) {
    const told = { event: undefined, commit: undefined, obstacle: ignored }
    if (!isCommitted) return told
    try {
      return { ...told, commit: await commitLedger(context, `handoff ${stream}`, also) }
    } catch (error) {
      if (error instanceof CommitSkipped)
        return { ...told, obstacle: leftFile(path, error, context) }
      throw error
    }
  }
  const adding = addEvent(context, {
    fields: { type: 'handoff', stream, ...fields },
    ts: formatInstant(time),
    agent,
    secrets,
    afterwards: isCommitted ? 'commit' : 'leave',
    also,
  })
  const event = await adding.catch((error: unknown) => {
    if (!(error instanceof LedgerError)) throw error
    const what = `${oneLine(path, '')} was written, but its event was not: ${error.message}`
    throw new LedgerError(error.code, what, error.next)
  })
  const { commit: made, obstacle } = event
  const left = obstacle instanceof CommitSkipped ? leftFile(path, obstacle, context) : obstacle
  return { event, commit: made, obstacle: ignored ?? left }
}

/** Unlike the event, the file is not included in the next commit automatically. */
function leftFile(
  path: string,
  { code, message }: CommitSkipped,
  { untaken }: CommitContext,
): LedgerError {
  const commit = `git add ${shellWord(path)} && git commit`
  const next =
    untaken === undefined
      ? `${commit}, which takes pending events along`
      : `${untaken.next}, then ${commit}`
  return new LedgerError(code, message, next)
}

function ignoredFile(path: string): LedgerError {
  return new LedgerError(
    'COMMIT_SKIPPED',
    `${oneLine(path, '')} is written but not committed: git ignores it`,
    `git add -f ${shellWord(path)} and git commit, to commit it anyway`,
  )
}
