/**
 * Where the settings come from: the file in the worktree, in the index if a sparse checkout leaves the file out, or in
 * HEAD if the repository is bare.
 */

import { LedgerError } from '../../core/errors/errors.ts'
import type { ParsedSettings } from '../../core/settings/parse-settings.ts'
import type { Settings } from '../../core/settings/settings.ts'
import { DEFAULT_SETTINGS, SETTINGS_FILE } from '../../core/settings/settings.ts'
import type { RepositoryPort } from '../ports.ts'

/** Throws `SETTINGS_INVALID`. */
export async function readSettings(repository: RepositoryPort): Promise<Settings> {
  return (await readSettingsFile(repository))?.settings ?? DEFAULT_SETTINGS
}

/** The settings with the line of each; undefined if there is no file. */
export async function readSettingsFile(
  repository: RepositoryPort,
): Promise<ParsedSettings | undefined> {
  if (repository.place.top === undefined) return fileOfRevision(repository, 'HEAD')
  const bytes = await repository.worktree.read(SETTINGS_FILE)
  if (bytes !== undefined) return parse(bytes)
  if (repository.worktree.isThere(SETTINGS_FILE)) throw noFile()
  return repository.isSparse ? fileOfRevision(repository, '') : undefined
}

export async function settingsOfRevision(
  repository: RepositoryPort,
  revision: string,
): Promise<Settings> {
  return (await fileOfRevision(repository, revision))?.settings ?? DEFAULT_SETTINGS
}

/** An empty revision means the index. */
async function fileOfRevision(
  repository: RepositoryPort,
  revision: string,
): Promise<ParsedSettings | undefined> {
  const file = await repository.objects.find(`${revision}:${SETTINGS_FILE}`)
  if (file === undefined) return undefined
  if (file.type !== 'blob') throw noFile()
  return parse(file.content)
}

/** Something that cannot be read as settings is an error; it must not count as "no settings". */
function noFile(): LedgerError {
  const what = `${SETTINGS_FILE} is not a regular file (expected a file, not a folder or a link)`
  return new LedgerError('SETTINGS_INVALID', what, `put a file at ${SETTINGS_FILE}`)
}

/** Loads the YAML library only if there is something to parse. */
async function parse(bytes: Uint8Array): Promise<ParsedSettings> {
  const { parseSettings } = await import('../../core/settings/parse-settings.ts')
  return parseSettings(Buffer.from(bytes).toString('utf8'))
}
