/** Restores an event as it was written, after it was changed, torn, archived or lost. */

import { LedgerError } from '../../core/errors/errors.ts'
import { integrityOf } from '../../core/event/event-integrity.ts'
import { fileMeant, filesMeant } from '../../core/event/file-word.ts'
import { textToName } from '../../core/git/objects.ts'
import { oneLine } from '../../core/text/escape-markdown.ts'
import type { Settings } from '../../core/settings/settings.ts'
import { originalOf } from '../commit/changed-events.ts'
import type { EventFile } from '../ledger/event-files.ts'
import { copyOf, eventFileNames, isSameText, readEventFile } from '../ledger/event-files.ts'
import { findArchived, requireArchived } from '../ledger/read-archive.ts'
import type { RepositoryPort } from '../ports.ts'

export interface RestoredEvent {
  /** Relative to the top of the repository. */
  readonly path: string
  /** True if the event was already as it should be. */
  readonly existed: boolean
}

/** `word`: a path, a name or the beginning of a name. Throws `EVENT_NOT_FOUND`, `EVENT_LOST`. */
export async function restoreEvent(
  repository: RepositoryPort,
  settings: Settings,
  word: string,
): Promise<RestoredEvent> {
  const names = await eventFileNames(repository, settings)
  // A purged event is in no place that can be listed, so it is found only by its whole name.
  const file =
    filesMeant(word, names).length === 0
      ? (await requireArchived(repository, settings, word.replace(/^.*\//, ''))).file
      : fileMeant(word, names)
  const event = await readEventFile(repository, settings, file)
  return putBack(repository, event, await textOf(repository, settings, event))
}

/** The event's original text, from the nearest place that has it. */
async function textOf(
  repository: RepositoryPort,
  settings: Settings,
  event: EventFile,
): Promise<Uint8Array> {
  const { file, committed, entry, staged, here } = event
  const isWhole = (bytes: Uint8Array | undefined): bytes is Uint8Array =>
    bytes !== undefined && integrityOf(file, bytes) !== 'damaged'
  const near = committed === undefined ? [staged, here] : [committed.content, staged]
  const whole = [...near, copyOf(repository, event)].find(isWhole)
  if (whole !== undefined) return whole
  // Undo a formatter's changes; the hash in the name proves the result.
  for (const bytes of [staged, here]) {
    const original = bytes && (await originalOf(file, bytes))
    if (original !== undefined) return original
  }
  const old = (await findArchived(repository, settings, file))?.bytes
  if (isWhole(old)) return old
  // The version in history is damaged, too: at least undo what was changed since then.
  const isChanged = staged === undefined || !isSameText(here, staged)
  if (committed !== undefined && (isChanged || entry?.oid !== committed.oid)) {
    return committed.content
  }
  const name = oneLine(file, '')
  const next =
    committed === undefined
      ? `ledger-git event redact ${name} keeps it as it is, ledger-git event drop ${name} deletes it`
      : `ledger-git event accept ${name} accepts it as it is`
  throw new LedgerError('EVENT_LOST', `nothing here has the original text of ${name}`, next)
}

/** Writes the text to the worktree, and to the index only if git already has the event. */
async function putBack(
  repository: RepositoryPort,
  { path, committed, entry, here }: EventFile,
  bytes: Uint8Array,
): Promise<RestoredEvent> {
  const { index, worktree } = repository
  const isTracked = committed !== undefined || entry !== undefined
  const skipWorktree = entry?.skipWorktree === true
  let existed = true
  if (isTracked) {
    const oid = await repository.writeBlob(bytes)
    if (entry?.oid !== oid) {
      await index.change([{ path: textToName(path), after: { mode: '100644', oid, skipWorktree } }])
      existed = false
    }
  }
  if (!skipWorktree && !isSameText(here, bytes)) {
    await worktree.write(path, bytes)
    existed = false
  }
  if (isTracked) await index.refresh(path)
  return { path, existed }
}
