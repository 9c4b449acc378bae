/**
 * Removes text from an event for good: writes a new event under a new name and a retraction of the old event,
 * and deletes the old file and our copies of it. Git's history is not ours to rewrite, so it still holds the
 * old text.
 */

import { LedgerError } from '../../core/errors/errors.ts'
import { decodeEventText } from '../../core/event/event-bytes.ts'
import { integrityOf, isEmptied } from '../../core/event/event-integrity.ts'
import { saysTheSame } from '../../core/event/formatter-equal.ts'
import { problemText } from '../../core/event/problem.ts'
import { withOwnGuard, withoutGuard } from '../../core/event/rename-guard.ts'
import { eventFileName } from '../../core/event/write-event.ts'
import type { ByteName } from '../../core/git/objects.ts'
import { nameToText, textToName } from '../../core/git/objects.ts'
import { oneLine } from '../../core/text/escape-markdown.ts'
import { MARKER } from '../../core/secrets/secret.ts'
import type { AddEventContext, AddEventRequest } from '../commit/add-event.ts'
import { addEvent } from '../commit/add-event.ts'
import { commitLedger, notDone, requireSafe } from '../commit/commit-ledger.ts'
import { createEvent } from '../commit/event-copies.ts'
import { stageFresh } from '../commit/refresh-current.ts'
import type { EventFile } from '../ledger/event-files.ts'
import { findEventFile } from '../ledger/event-files.ts'
import { ledgerPaths } from '../ledger/ledger-sources.ts'
import { archivedFiles, requireArchived } from '../ledger/read-archive.ts'
import type { LoadSecretScanner } from '../secrets/find-secrets.ts'
import { findSecrets } from '../secrets/find-secrets.ts'

export interface RedactRequest extends Pick<AddEventRequest, 'agent' | 'afterwards'> {
  /** A path, a name or the beginning of a name. */
  readonly word: string
  readonly reason: string | undefined
  readonly secrets: LoadSecretScanner
  /** The user says that what still looks like a secret is not one. */
  readonly isAllowed: boolean
}

export interface RedactedEvent {
  readonly file: string
  /** Path of the new event, relative to the top of the repository; undefined if nothing is left to say. */
  readonly path: string | undefined
  /** Path of the retraction; undefined if no commit ever held the event. */
  readonly retraction: string | undefined
  /** Paths of deleted files. */
  readonly removed: readonly string[]
  /** Blob of the old text, which git's history still holds. */
  readonly held: string | undefined
  readonly commit: string | undefined
}

/** Throws `EVENT_NOT_FOUND`, `EVENT_INVALID`, `SECRET_FOUND`, `COMMIT_SKIPPED`. */
export async function redactEvent(
  context: AddEventContext,
  request: RedactRequest,
): Promise<RedactedEvent> {
  const { repository, settings } = context
  const { agent, afterwards, reason } = request
  const event = await findEventFile(repository, settings, request.word)
  const { file } = event
  const archived = (await archivedFiles(repository, settings)).filter((one) => one.file === file)
  const text = await textToKeep(context, event, request)
  const created = text === undefined ? undefined : await newEvent(text, file)
  if (afterwards === 'commit') {
    await requireSafe(repository, settings, notDone('nothing was redacted'))
  }
  const path = created && `${ledgerPaths(settings.root).events}/${created.file}`
  if (created !== undefined && path !== undefined) {
    await createEvent(repository, path, created.text)
  }
  const removed = await removeOld(
    context,
    event,
    archived.map((one) => one.path),
  )
  // Even if the event has left `events/` and the archive, or is only on another branch, a clone may bring it back.
  const isKnown =
    event.committed !== undefined ||
    archived.length > 0 ||
    (await repository.history.additions(event.path)).has(event.path)
  if (afterwards === 'stage') {
    await stageFresh(context, (index) =>
      index.addFiles(path === undefined ? [] : [textToName(path)]),
    )
  }
  let retraction: string | undefined
  if (isKnown) {
    const fields = { type: 'retraction', reason, retracts: [file] }
    const next = afterwards === 'stage' ? 'stage' : 'leave'
    retraction = (await addEvent(context, { fields, agent, afterwards: next })).path
  }
  const commit =
    afterwards === 'commit'
      ? await commitLedger(context, 'redact an event', { added: [], removed })
      : undefined
  repository.marks.dropCopy(event.path)
  repository.objects.cache?.clear()
  const held = isKnown ? (event.committed?.oid ?? event.entry?.oid) : undefined
  return { file, path, retraction, removed: removed.map(nameToText), held, commit }
}

/** The event's text without what must go; undefined if nothing of it is to stay. */
async function textToKeep(
  { repository, settings }: AddEventContext,
  { file, committed, staged, here }: EventFile,
  { secrets, isAllowed }: RedactRequest,
): Promise<string | undefined> {
  const stored = committed?.content ?? staged
  const bytes = here ?? stored ?? (await requireArchived(repository, settings, file)).bytes
  if (isEmptied(bytes)) return undefined
  const text = withoutGuard(`${decodeEventText(bytes).trimEnd()}\n`)
  const isEdited =
    stored === undefined || here === undefined
      ? integrityOf(file, bytes) === 'damaged'
      : !saysTheSame(decodeEventText(stored), text)
  const kept = isEdited ? text : await withoutSecrets(file, text, secrets)
  const found = isAllowed ? [] : await findSecrets(kept, secrets)
  if (found.length === 0) return kept
  const places = found.map(({ line, kind }) => `line ${line} (${kind})`)
  throw new LedgerError(
    'SECRET_FOUND',
    `${oneLine(file, '')} still seems to hold a secret: ${places.join(', ')}; nothing was written`,
    'remove it from the file; if it is not a secret, run the command again with --allow-secret',
  )
}

async function withoutSecrets(
  file: string,
  text: string,
  load: LoadSecretScanner,
): Promise<string> {
  const redacted = (await load()).redact(text)
  // In YAML, a bracket or a colon would turn a plain value into something other than text.
  if (redacted !== text)
    return redacted.replace(MARKER, (m) => `(${m.slice(1, -1).replace(':', '')})`)
  const name = oneLine(file, '')
  throw new LedgerError(
    'EVENT_INVALID',
    `nothing in ${name} looks like a secret`,
    `remove the text from the file with an editor, then run ledger-git event redact ${name} again` +
      ' (an archived one: ledger-git event restore first)',
  )
}

async function newEvent(text: string, old: string): Promise<{ file: string; text: string }> {
  const { parseEvent } = await import('../../core/event/parse-event.ts')
  const guarded = withOwnGuard(text)
  const source = { file: old, id: '', text: decodeEventText(Buffer.from(guarded)) }
  const { event, problems } = parseEvent(source)
  const [problem] = problems
  if (event === undefined || problem !== undefined) {
    throw new LedgerError(
      'EVENT_INVALID',
      `${oneLine(old, '')} cannot be read as it is: ${problem === undefined ? 'no event' : problemText(problem)}`,
      'fix the file with an editor, or empty it: then nothing of it is kept',
    )
  }
  return { file: eventFileName(event.ts, event.agent, guarded), text: guarded }
}

/** Removes the event's own file and its files in the archive; returns the paths that existed. */
async function removeOld(
  { repository }: AddEventContext,
  { path, entry, here }: EventFile,
  archived: readonly ByteName[],
): Promise<ByteName[]> {
  const { index, worktree } = repository
  const name = textToName(path)
  const tracked = entry === undefined ? archived : [name, ...archived]
  await index.change(tracked.map((one) => ({ path: one, after: undefined })))
  for (const one of here === undefined ? archived : [name, ...archived]) await worktree.remove(one)
  return entry === undefined && here === undefined ? [...archived] : [name, ...archived]
}
