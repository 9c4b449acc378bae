/** The real outside world for `install`, `uninstall` and `doctor`. */

import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readSettings } from '../app/ledger/read-settings.ts'
import { install, SCRIPTS } from '../app/setup/install.ts'
import { installLock } from '../app/setup/install-record.ts'
import type { GitVersions } from '../app/ports.ts'
import type { Setup } from '../app/setup/setup.ts'
import { uninstall, uninstallAgents } from '../app/setup/uninstall.ts'
import { LedgerError } from '../core/errors/errors.ts'
import { DEFAULT_SETTINGS } from '../core/settings/settings.ts'
import { Git } from '../io/git/exec.ts'
import { findGitVersions } from '../io/git/git-versions.ts'
import { findHooksFolder } from '../io/git/hooks-folder.ts'
import { openProbes } from '../io/git/probes.ts'
import type { Repository } from '../io/git/repository.ts'
import { withLock } from '../io/files/lock.ts'
import { nodeFiles } from '../io/files/node-files.ts'

export async function createSetup(
  repository: Repository,
  env: NodeJS.ProcessEnv,
  packageRoot: string,
  knownGits?: GitVersions,
): Promise<Setup> {
  const { commonDir, gitDir, top } = repository.place
  const [hooks, gits, read] = await Promise.all([
    findHooksFolder(repository),
    knownGits ?? findGitVersions(repository.git),
    readSettingsAnyway(repository),
  ])
  const alone = <T>(dryRun: boolean, action: () => Promise<T>) =>
    dryRun ? action() : withLock(installLock(commonDir), action)
  const probes = openProbes(repository, env)
  return {
    repository,
    ...read,
    hooks,
    gits,
    probes,
    install: (options) =>
      alone(options.dryRun, () =>
        install(
          {
            repository,
            settings: read.settings,
            files: nodeFiles,
            hooks,
            gits,
            launch: { node: process.execPath, cli: join(packageRoot, 'dist', 'main.js') },
            assets: {
              scripts: Object.fromEntries(
                SCRIPTS.map((name) => [name, asset(packageRoot, 'githooks', name)]),
              ),
              attributes: asset(packageRoot, 'gitattributes.template'),
            },
            version: packageVersion(packageRoot),
          },
          options,
        ),
      ),
    uninstall: ({ dryRun, agents = [] }) => {
      const context = {
        files: nodeFiles,
        commonDir,
        gitDir,
        top,
        hooks,
        isTracked: (path: string) => isTracked(path, repository, probes.env),
        dryRun,
      }
      return alone(dryRun, () =>
        agents.length > 0 ? uninstallAgents(agents, context) : uninstall(context),
      )
    },
  }
}

/** Asked where the file is: git knows nothing of another worktree's. */
async function isTracked(
  path: string,
  { git, place: { top } }: Repository,
  env: NodeJS.ProcessEnv,
): Promise<boolean> {
  const isHere = top !== undefined && path.startsWith(`${top}/`)
  const there = isHere ? git : new Git(dirname(path), env)
  return (await there.query(['ls-files', '--error-unmatch', '--', path])) !== undefined
}

async function readSettingsAnyway(repository: Repository) {
  try {
    return { settings: await readSettings(repository), settingsError: undefined }
  } catch (error) {
    if (!(error instanceof LedgerError)) throw error
    return { settings: DEFAULT_SETTINGS, settingsError: error }
  }
}

/** A text of the package. */
export function asset(...path: string[]): string {
  return readFileSync(join(...path), 'utf8')
}

export function packageVersion(packageRoot: string): string {
  return (JSON.parse(asset(packageRoot, 'package.json')) as { version: string }).version
}
