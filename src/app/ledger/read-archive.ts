/** Archived events, as the archive's files hold them. */

import { LedgerError } from '../../core/errors/errors.ts'
import type { ByteName, TreeEntry } from '../../core/git/objects.ts'
import { isRegularFile, nameToText, textToName, TREE_MODE } from '../../core/git/objects.ts'
import type { ArchivedEvent } from '../../core/event/archive-file.ts'
import { archiveDay, parseArchived } from '../../core/event/archive-file.ts'
import { decodeEventText } from '../../core/event/event-bytes.ts'
import type { LedgerEvent } from '../../core/event/event.ts'
import { isEventFileName } from '../../core/event/event.ts'
import { oneLine } from '../../core/ledger/escape-markdown.ts'
import type { Settings } from '../../core/settings/settings.ts'
import { ledgerPaths } from './ledger-sources.ts'
import { readTree } from './ledger-tree.ts'
import type { RepositoryPort } from '../ports.ts'
import { settingsOfRevision } from './read-settings.ts'

/** Every archived event of the index, or of a revision; files that are none are named. */
export async function readArchive(
  repository: RepositoryPort,
  settings: Settings,
  revision: string | undefined,
): Promise<{ readonly events: LedgerEvent[]; readonly unreadable: string[] }> {
  const { parseEvent } = await import('../../core/event/parse-event.ts')
  const files = await archiveFiles(repository, settings, revision)
  const read = await Promise.all(
    files.map(async (one) => {
      const archived = await readArchived(repository, one)
      if (archived === undefined) return { path: nameToText(one.path), event: undefined }
      const { file, bytes } = archived
      const { event } = parseEvent({ file, id: '', text: decodeEventText(bytes) })
      return { path: nameToText(one.path), event }
    }),
  )
  return {
    events: read.flatMap(({ event }) => event ?? []),
    unreadable: read.flatMap(({ event, path }) => (event === undefined ? path : [])),
  }
}

/** Names of all archived events of the index, as they were in `events/`, and where their files are. */
export async function archivedFiles(
  repository: RepositoryPort,
  settings: Settings,
): Promise<{ readonly file: string; readonly path: ByteName }[]> {
  const folder = textToName(ledgerPaths(settings.root).archive)
  return (await archiveFiles(repository, settings, undefined)).map(({ path }) => ({
    file: nameToText(path)
      .replace(/^.*\//, '')
      .replace(/\.json$/, '.md'),
    path: `${folder}/${path}`,
  }))
}

/**
 * The bytes of an event that has left `events/`: from the archive, else from the commit that once
 * added it. `name`: its file name. Throws `EVENT_NOT_FOUND`.
 */
export async function findArchived(
  repository: RepositoryPort,
  settings: Settings,
  name: string,
): Promise<ArchivedEvent> {
  const stem = name.replace(/\.(?:md|json)$/, '')
  const file = `${stem}.md`
  if (!isEventFileName(file)) throw unknownEvent(name)
  const files = await archiveFiles(repository, settings, undefined)
  // The newest day first, where one name was given twice.
  for (const one of files
    .toReversed()
    .filter(({ path }) => path.endsWith(`/${textToName(stem)}.json`))) {
    const archived = await readArchived(repository, one)
    if (archived !== undefined) return archived
  }
  const path = `${ledgerPaths(settings.root).events}/${file}`
  const added = (await repository.history.additions(path)).get(path)
  const blob = added && (await repository.objects.find(`${added.oid}:${path}`))
  if (blob?.type === 'blob') return { file, bytes: blob.content }
  throw unknownEvent(file)
}

function unknownEvent(file: string): LedgerError {
  const name = oneLine(file, '')
  return new LedgerError(
    'EVENT_NOT_FOUND',
    `no archived event is named ${name}`,
    'ledger-git log --all',
  )
}

/** The file's name is what the path says: a file that claims another is none of ours. */
async function readArchived(
  repository: RepositoryPort,
  { path, oid }: ArchiveFile,
): Promise<ArchivedEvent | undefined> {
  const blob = await repository.objects.read(oid)
  const archived = blob && parseArchived(Buffer.from(blob.content).toString('utf8'))
  const stem = nameToText(path)
    .replace(/^.*\//, '')
    .replace(/\.json$/, '')
  return archived?.file === `${stem}.md` ? archived : undefined
}

interface ArchiveFile {
  /** Below the archive folder. */
  readonly path: ByteName
  readonly oid: string
}

/** Files of the archive: of the index, else (bare, or a revision is named) of a commit. */
async function archiveFiles(
  repository: RepositoryPort,
  settings: Settings,
  revision: string | undefined,
): Promise<ArchiveFile[]> {
  if (revision === undefined && repository.place.top !== undefined) {
    const folder = ledgerPaths(settings.root).archive
    const entries = await repository.index.list(folder)
    const depth = textToName(folder).length + 1
    return entries
      .filter(({ mode, stage }) => stage === 0 && isRegularFile(mode))
      .map(({ path, oid }) => ({ path: path.slice(depth), oid }))
      .filter(({ path }) => archiveDay(nameToText(path)) !== undefined)
  }
  const commit = await repository.history.resolve(revision ?? 'HEAD')
  const { root } = await settingsOfRevision(repository, commit)
  const folder = await repository.objects.find(`${commit}:${ledgerPaths(root).archive}`)
  if (folder?.type !== 'tree') return []
  const days = await readTree(repository.objects, folder.oid)
  const files = await Promise.all(
    days.filter(({ mode }) => mode === TREE_MODE).map((day) => filesOfDay(repository, day)),
  )
  return files.flat()
}

async function filesOfDay(repository: RepositoryPort, day: TreeEntry) {
  const entries = await readTree(repository.objects, day.oid)
  return entries
    .filter(({ mode, name }) => isRegularFile(mode) && archiveDay(`${day.name}/${name}`))
    .map(({ name, oid }) => ({ path: `${day.name}/${name}`, oid }))
}
