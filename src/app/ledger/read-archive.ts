/** Reads archived events from the files of the archive. */

import { LedgerError } from '../../core/errors/errors.ts'
import type { ArchivedEvent } from '../../core/event/archive-file.ts'
import { archiveDay, parseArchived } from '../../core/event/archive-file.ts'
import { decodeEventText } from '../../core/event/event-bytes.ts'
import type { LedgerEvent } from '../../core/event/event.ts'
import { isEventFileName } from '../../core/event/event.ts'
import type { ByteName } from '../../core/git/objects.ts'
import { isRegularFile, nameToText, textToName } from '../../core/git/objects.ts'
import { oneLine } from '../../core/text/escape-markdown.ts'
import type { Settings } from '../../core/settings/settings.ts'
import type { RepositoryPort } from '../ports.ts'
import { ledgerPaths } from './ledger-sources.ts'
import { settingsOfRevision } from './read-settings.ts'

export interface ArchiveFile {
  /** Relative to the top of the repository. */
  readonly path: ByteName
  readonly oid: string
  /** The day folder that holds the file. */
  readonly day: string
  /** The event's name as it was in `events/`. */
  readonly file: string
}

/** The archive's files: from the index, or from a commit if a revision is given or the repository is bare. */
export async function archivedFiles(
  repository: RepositoryPort,
  settings: Pick<Settings, 'root'>,
  revision?: string,
): Promise<ArchiveFile[]> {
  const { history, index, place } = repository
  const isIndex = revision === undefined && place.top !== undefined
  const commit = isIndex ? '' : await history.resolve(revision ?? 'HEAD')
  const { root } = isIndex ? settings : await settingsOfRevision(repository, commit)
  const folder = ledgerPaths(root).archive
  const blobs = isIndex ? await index.blobs(folder) : await history.blobsAt(commit, [folder])
  const depth = textToName(folder).length + 1
  return [...blobs].flatMap(([path, { mode, oid }]) => {
    const below = nameToText(path.slice(depth))
    const day = archiveDay(below)
    if (day === undefined || !isRegularFile(mode)) return []
    return [{ path, oid, day, file: below.replace(/^.*\//, '').replace(/\.json$/, '.md') }]
  })
}

/** Every archived event of the index or of a revision; `unreadable` names the files that hold no event. */
export async function readArchive(
  repository: RepositoryPort,
  settings: Settings,
  revision: string | undefined,
): Promise<{ readonly events: LedgerEvent[]; readonly unreadable: string[] }> {
  const { parseEvent } = await import('../../core/event/parse-event.ts')
  const files = await archivedFiles(repository, settings, revision)
  const read = files.map(async (one) => {
    const archived = await readArchived(repository, one)
    if (archived === undefined) return undefined
    const { file, bytes } = archived
    return parseEvent({ file, id: '', text: decodeEventText(bytes) }).event
  })
  const events = await Promise.all(read)
  return {
    events: events.filter((event) => event !== undefined),
    unreadable: files.filter((_, i) => events[i] === undefined).map(({ path }) => nameToText(path)),
  }
}

/** The text of every archived event by file name; unlike `readArchive`, this includes events that cannot be parsed. */
export async function archivedTexts(
  repository: RepositoryPort,
  settings: Pick<Settings, 'root'>,
  revision?: string,
): Promise<Map<string, string>> {
  const files = await archivedFiles(repository, settings, revision)
  const read = await Promise.all(files.map((file) => readArchived(repository, file)))
  return new Map(
    read.flatMap((one) => (one === undefined ? [] : [[one.file, decodeEventText(one.bytes)]])),
  )
}

/**
 * The bytes of an event that has left `events/`: from the archive, otherwise from the commit that once
 * added it. `name` is its file name.
 */
export async function findArchived(
  repository: RepositoryPort,
  settings: Settings,
  name: string,
): Promise<ArchivedEvent | undefined> {
  const file = `${name.replace(/\.(?:md|json)$/, '')}.md`
  if (!isEventFileName(file)) return undefined
  // If two days have the same name, the newest day wins.
  for (const one of (await archivedFiles(repository, settings)).toReversed()) {
    const archived = one.file === file ? await readArchived(repository, one) : undefined
    if (archived !== undefined) return archived
  }
  const path = `${ledgerPaths(settings.root).events}/${file}`
  const added = (await repository.history.additions(path)).get(path)
  const blob = added && (await repository.objects.find(`${added.oid}:${path}`))
  return blob?.type === 'blob' ? { file, bytes: blob.content } : undefined
}

/** Like `findArchived`, but throws `EVENT_NOT_FOUND`. */
export async function requireArchived(
  repository: RepositoryPort,
  settings: Settings,
  name: string,
): Promise<ArchivedEvent> {
  const archived = await findArchived(repository, settings, name)
  if (archived !== undefined) return archived
  const message = `no archived event is named ${oneLine(name, '')}`
  throw new LedgerError('EVENT_NOT_FOUND', message, 'ledger-git log --all')
}

/** Undefined if the name inside the file differs from the name in its path: we did not write such a file. */
async function readArchived(
  { objects }: RepositoryPort,
  { file, oid }: ArchiveFile,
): Promise<ArchivedEvent | undefined> {
  const blob = await objects.read(oid)
  const archived = blob && parseArchived(Buffer.from(blob.content).toString('utf8'))
  return archived?.file === file ? archived : undefined
}
