/** Brings an event back as it was written: one that was changed, torn, archived or lost. */

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
  /** From the top of the repository. */
  readonly path: string
  /** True when it was as it should be already. */
  readonly existed: boolean
}

/** `word`: a path, a name, or the beginning of one. Throws `EVENT_NOT_FOUND`, `EVENT_LOST`. */
export async function restoreEvent(
  repository: RepositoryPort,
  settings: Settings,
  word: string,
): Promise<RestoredEvent> {
  const names = await eventFileNames(repository, settings)
  // A purged one is in no place that could be listed, and found by its whole name only.
  const file =
    filesMeant(word, names).length === 0
      ? (await requireArchived(repository, settings, word.replace(/^.*\//, ''))).file
      : fileMeant(word, names)
  const event = await readEventFile(repository, settings, file)
  return putBack(repository, event, await textOf(repository, settings, event))
}

/** The text it was written with, from the nearest place that has it. */
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
  // What a formatter changed, and the name still proves.
  for (const bytes of [staged, here]) {
    const original = bytes && (await originalOf(file, bytes))
    if (original !== undefined) return original
  }
  const old = (await findArchived(repository, settings, file))?.bytes
  if (isWhole(old)) return old
  // What history holds is damaged, too: at least what was changed since then comes back.
  const isChanged = staged === undefined || !isSameText(here, staged)
  if (committed !== undefined && (isChanged || entry?.oid !== committed.oid)) {
    return committed.content
  }
  const name = oneLine(file, '')
  const next =
    committed === undefined
      ? `ledger-git event redact ${name} keeps it as it stands, ledger-git event drop ${name} deletes it`
      : `ledger-git event accept ${name} takes it as it is`
  throw new LedgerError('EVENT_LOST', `nothing here has the first text of ${name}`, next)
}

/** Into the worktree; into the index only where git has the event already. */
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
