/** Connects `install`, `uninstall`, `status` and `doctor` to the outside world. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readSettings } from '../app/ledger/read-settings.ts'
import { installLock } from '../app/setup/install-record.ts'
import type { GitVersions, Setup } from '../app/setup/setup.ts'
import { LedgerError } from '../core/errors/errors.ts'
import { DEFAULT_SETTINGS } from '../core/settings/settings.ts'
import { lastingPath } from '../io/files/lasting-path.ts'
import { withLock } from '../io/files/lock.ts'
import { nodeFiles } from '../io/files/node-files.ts'
import { findGitVersions } from '../io/git/git-versions.ts'
import { findHooksFolder } from '../io/git/hooks-folder.ts'
import { openProbes } from '../io/git/probes.ts'
import type { Repository } from '../io/git/repository.ts'
import { outboxFiles } from '../io/tracker/outbox-files.ts'
import { sessionUpkeep } from './session-upkeep.ts'

/** `knownGits`: taken as the git versions of this machine, instead of looking for them. */
export async function createSetup(
  repository: Repository,
  env: NodeJS.ProcessEnv,
  packageRoot: string,
  knownGits?: GitVersions,
): Promise<Setup> {
  const [hooks, gits, read] = await Promise.all([
    findHooksFolder(repository),
    knownGits ?? findGitVersions(repository.git),
    readSettingsAnyway(repository),
  ])
  const { top, prefix } = repository.place
  const installed = lastingPath(packageRoot, top === undefined ? [] : [top, join(top, prefix)])
  return {
    repository,
    ...read,
    hooks,
    gits,
    probes: openProbes(repository, env),
    sessions: sessionUpkeep(repository, env),
    outbox: outboxFiles(repository.place.commonDir),
    files: nodeFiles,
    clock: { now: () => Date.now() },
    env,
    version: packageVersion(packageRoot),
    nodeVersion: process.versions.node,
    launch: { node: process.execPath, cli: join(installed, 'dist', 'main.js') },
    asset: (path) => asset(packageRoot, path),
    locked: (action) => withLock(installLock(repository.place.commonDir), action),
  }
}

/** The settings; if the file cannot be read, the defaults, and the error. */
export async function readSettingsAnyway(repository: Repository) {
  try {
    return { settings: await readSettings(repository), settingsError: undefined }
  } catch (error) {
    if (!(error instanceof LedgerError)) throw error
    return { settings: DEFAULT_SETTINGS, settingsError: error }
  }
}

/** The text of a file in the package. */
export function asset(packageRoot: string, path: string): string {
  return readFileSync(join(packageRoot, path), 'utf8')
}

export function packageVersion(packageRoot: string): string {
  return (JSON.parse(asset(packageRoot, 'package.json')) as { version: string }).version
}
