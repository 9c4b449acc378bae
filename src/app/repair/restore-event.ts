/** Brings an event back as it was written: one that was changed, torn, archived or lost. */

import { LedgerError } from '../../core/errors/errors.ts'
import { integrityOf } from '../../core/event/event-integrity.ts'
import { fileMeant, filesMeant } from '../../core/event/file-word.ts'
import { oneLine } from '../../core/ledger/escape-markdown.ts'
import type { Settings } from '../../core/settings/settings.ts'
import { findArchived } from '../ledger/read-archive.ts'
import { originalOf } from '../commit/changed-events.ts'
import type { EventFile } from './event-files.ts'
import { copiesOfEvents, eventFileNames, isSameText, readEventFile } from './event-files.ts'
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
      ? (await findArchived(repository, settings, word.replace(/^.*\//, ''))).file
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
  const { file, committed, staged, here } = event
  const isWhole = (bytes: Uint8Array | undefined): bytes is Uint8Array =>
    bytes !== undefined && integrityOf(file, bytes) !== 'damaged'
  const near = [committed?.content, staged, ...(committed === undefined ? [here] : [])]
  const whole = near.find(isWhole)
  if (whole !== undefined) return whole
  const copy = (await copiesOfEvents(repository, settings)).find((one) => one.file === file)?.text
  if (isWhole(copy)) return copy
  const undone = await undoneText(file, [staged, here])
  if (undone !== undefined) return undone
  const old = await archivedText(repository, settings, file)
  if (isWhole(old)) return old
  // What history holds is damaged, too: at least what was changed since then comes back.
  const isChanged = staged === undefined || !isSameText(here, staged)
  if (committed !== undefined && (isChanged || event.entry?.oid !== committed.oid)) {
    return committed.content
  }
  throw lost(event)
}

/** What a formatter changed, and the name still proves. */
async function undoneText(
  file: string,
  texts: readonly (Uint8Array | undefined)[],
): Promise<Uint8Array | undefined> {
  for (const bytes of texts) {
    const original = bytes && (await originalOf(file, bytes))
    if (original !== undefined) return original
  }
  return undefined
}

async function archivedText(
  repository: RepositoryPort,
  settings: Settings,
  file: string,
): Promise<Uint8Array | undefined> {
  try {
    return (await findArchived(repository, settings, file)).bytes
  } catch (error) {
    if (error instanceof LedgerError && error.code === 'EVENT_NOT_FOUND') return undefined
    throw error
  }
}

function lost({ file, committed }: EventFile): LedgerError {
  const name = oneLine(file, '')
  const next =
    committed === undefined
      ? `ledger-git event redact ${name} keeps it as it stands, ledger-git event drop ${name} deletes it`
      : `ledger-git event accept ${name} takes it as it is`
  return new LedgerError('EVENT_LOST', `nothing here has the first text of ${name}`, next)
}

/** Into the worktree; into the index only where git has the event already. */
async function putBack(
  repository: RepositoryPort,
  { path, committed, entry, here }: EventFile,
  bytes: Uint8Array,
): Promise<RestoredEvent> {
  const { index, worktree } = repository
  let existed = true
  if (committed !== undefined || entry !== undefined) {
    const oid = await repository.writeBlob(bytes)
    if (entry?.oid !== oid) {
      await index.put(path, oid, entry?.skipWorktree)
      existed = false
    }
  }
  if (entry?.skipWorktree !== true && !isSameText(here, bytes)) {
    await worktree.write(path, bytes)
    existed = false
  }
  if (entry !== undefined || committed !== undefined) await index.refresh(path)
  return { path, existed }
}
