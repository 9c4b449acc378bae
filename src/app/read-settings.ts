/** Where the settings come from: the worktree's file, or the commit's in a bare repository. */

import type { Settings } from '../core/settings.ts'
import { DEFAULT_SETTINGS, parseSettings, SETTINGS_FILE } from '../core/settings.ts'
import type { RepositoryPort } from './ports.ts'

/** Throws `SETTINGS_INVALID`. */
export async function readSettings(repository: RepositoryPort): Promise<Settings> {
  if (repository.place.top === undefined) return settingsOfRevision(repository, 'HEAD')
  const bytes = await repository.worktree.read(SETTINGS_FILE)
  return bytes === undefined ? DEFAULT_SETTINGS : parseSettings(Buffer.from(bytes).toString('utf8'))
}

export async function settingsOfRevision(
  repository: RepositoryPort,
  revision: string,
): Promise<Settings> {
  const file = await repository.objects.find(`${revision}:${SETTINGS_FILE}`)
  if (file?.type !== 'blob') return DEFAULT_SETTINGS
  return parseSettings(Buffer.from(file.content).toString('utf8'))
}
