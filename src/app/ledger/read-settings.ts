/** Where the settings come from: the worktree's file; the index's where a sparse checkout leaves it out; HEAD's if bare. */

import { LedgerError } from '../../core/errors/errors.ts'
import type { ParsedSettings } from '../../core/settings/parse-settings.ts'
import type { Settings } from '../../core/settings/settings.ts'
import { DEFAULT_SETTINGS, SETTINGS_FILE } from '../../core/settings/settings.ts'
import type { RepositoryPort } from '../ports.ts'

/** Throws `SETTINGS_INVALID`. */
export async function readSettings(repository: RepositoryPort): Promise<Settings> {
  return (await readSettingsFile(repository))?.settings ?? DEFAULT_SETTINGS
}

/** The settings with the line of each; undefined where there is no file. */
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

/** Without a revision: the index's. */
async function fileOfRevision(
  repository: RepositoryPort,
  revision: string,
): Promise<ParsedSettings | undefined> {
  const file = await repository.objects.find(`${revision}:${SETTINGS_FILE}`)
  if (file === undefined) return undefined
  if (file.type !== 'blob') throw noFile()
  return parse(file.content)
}

/** What cannot be read as settings is not as good as none. */
function noFile(): LedgerError {
  const what = `${SETTINGS_FILE} is no regular file (expected: no folder and no link)`
  return new LedgerError('SETTINGS_INVALID', what, `put a file in the place of ${SETTINGS_FILE}`)
}

/** The YAML library loads only where there is something to read. */
async function parse(bytes: Uint8Array): Promise<ParsedSettings> {
  const { parseSettings } = await import('../../core/settings/parse-settings.ts')
  return parseSettings(Buffer.from(bytes).toString('utf8'))
}
