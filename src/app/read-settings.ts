/** Where the settings come from: the worktree's file, or the commit's in a bare repository. */

import type { Settings } from '../core/settings.ts'
import { DEFAULT_SETTINGS, SETTINGS_FILE } from '../core/settings.ts'
import type { RepositoryPort } from './ports.ts'

/** Throws `SETTINGS_INVALID`. */
export async function readSettings(repository: RepositoryPort): Promise<Settings> {
  if (repository.place.top === undefined) return settingsOfRevision(repository, 'HEAD')
  const bytes = await repository.worktree.read(SETTINGS_FILE)
  return bytes === undefined ? DEFAULT_SETTINGS : parse(bytes)
}

export async function settingsOfRevision(
  repository: RepositoryPort,
  revision: string,
): Promise<Settings> {
  const file = await repository.objects.find(`${revision}:${SETTINGS_FILE}`)
  if (file?.type !== 'blob') return DEFAULT_SETTINGS
  return parse(file.content)
}

/** The YAML library loads only where there is something to read. */
async function parse(bytes: Uint8Array): Promise<Settings> {
  const { parseSettings } = await import('../core/parse-settings.ts')
  return parseSettings(Buffer.from(bytes).toString('utf8'))
}
