/** The notes of events: free text that belongs to no field, read only on request. */

import { decodeEventText } from '../../core/event/event-bytes.ts'
import type { EventNote } from '../../core/event/event-note.ts'
import { readNote } from '../../core/event/event-note.ts'
import type { LedgerEvent } from '../../core/event/event.ts'
import { retractedFiles } from '../../core/event/event-set.ts'
import type { Settings } from '../../core/settings/settings.ts'
import type { RepositoryPort } from '../ports.ts'
import type { LedgerPlace } from './ledger-sources.ts'
import { eventsOf } from './ledger-sources.ts'
import { archivedTexts } from './read-archive.ts'
import type { EventFilter } from './view-ledger.ts'
import { filterEvents, placeToRead } from './view-ledger.ts'

export interface NotedEvent extends EventNote {
  readonly event: LedgerEvent
}

interface NotesRequest {
  readonly revision: string | undefined
  readonly filter: EventFilter
  /** Include the notes of archived events. */
  readonly withArchive: boolean
}

/** Notes of the matching events that are not retracted, oldest first. */
export async function readNotes(
  repository: RepositoryPort,
  settings: Settings,
  { revision, filter, withArchive }: NotesRequest,
): Promise<NotedEvent[]> {
  const place = await placeToRead(repository, settings, revision)
  const { events } = await eventsOf(repository.objects, place)
  const texts = withArchive
    ? await archivedTexts(repository, settings, revision)
    : new Map<string, string>()
  const { parseEvent } = await import('../../core/event/parse-event.ts')
  const known = new Set(events.map(({ file }) => file))
  const old = [...texts].flatMap(([file, text]) =>
    known.has(file) ? [] : (parseEvent({ file, id: '', text }).event ?? []),
  )
  // Snapshots are not expanded: the events that they stand for are read from their archive files.
  const retracted = retractedFiles(events)
  const counting = [...old, ...events].filter(({ file }) => !retracted.has(file))
  const noted = filterEvents(counting, filter).map(async (event) => {
    const text = texts.get(event.file) ?? (await textIn(repository, place, event))
    const note = readNote(text)
    return note && { ...note, event }
  })
  return (await Promise.all(noted)).filter((note) => note !== undefined)
}

async function textIn(
  { objects }: RepositoryPort,
  { overlay }: LedgerPlace,
  { id }: LedgerEvent,
): Promise<string> {
  const bytes = overlay.get(id) ?? (await objects.read(id))?.content
  return decodeEventText(bytes ?? new Uint8Array())
}

/** The note of one event in the worktree or the revision. */
export async function noteOfEvent(
  repository: RepositoryPort,
  settings: Settings,
  revision: string | undefined,
  event: LedgerEvent,
): Promise<EventNote | undefined> {
  const place = await placeToRead(repository, settings, revision)
  return readNote(await textIn(repository, place, event))
}
