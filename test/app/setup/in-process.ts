/** Use cases on the real file system and real git, without starting Node for each call. */

import { readFileSync } from 'node:fs'
import { checkLedger } from '../../../src/app/check.ts'
import type { InstallReport } from '../../../src/app/setup/install-record.ts'
import { install, SCRIPTS } from '../../../src/app/setup/install.ts'
import { uninstall } from '../../../src/app/setup/uninstall.ts'
import { readSettings } from '../../../src/app/read-settings.ts'
import { findGitVersions } from '../../../src/io/git/git-versions.ts'
import { findHooksFolder } from '../../../src/io/git/hooks-folder.ts'
import type { Repository } from '../../../src/io/git/repository.ts'
import { openRepository } from '../../../src/io/git/repository.ts'
import { nodeFiles } from '../../../src/io/node-files.ts'
import type { Repo } from '../../support/git-repo.ts'
import { CLI } from '../../support/git-repo.ts'

const asset = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')

async function withRepository<T>(
  { folder, sandbox }: Repo,
  use: (repository: Repository) => Promise<T>,
): Promise<T> {
  const repository = await openRepository(folder, sandbox.env)
  try {
    return await use(repository)
  } finally {
    repository.close()
  }
}

export function installIn(repo: Repo, dryRun = false): Promise<InstallReport> {
  return withRepository(repo, async (repository) =>
    install({
      repository,
      settings: await readSettings(repository),
      files: nodeFiles,
      hooks: await findHooksFolder(repository),
      launch: { node: process.execPath, cli: CLI },
      assets: {
        scripts: Object.fromEntries(SCRIPTS.map((name) => [name, asset(`githooks/${name}`)])),
        attributes: asset('gitattributes.template'),
      },
      gits: await findGitVersions(repository.git),
      version: '0.0.0-test',
      dryRun,
      local: false,
    }),
  )
}

export function uninstallIn(repo: Repo, dryRun = false): Promise<InstallReport> {
  return withRepository(repo, async (repository) =>
    uninstall({
      files: nodeFiles,
      commonDir: repository.place.commonDir,
      gitDir: repository.place.gitDir,
      top: repository.place.top,
      hooks: await findHooksFolder(repository),
      isTracked: async (path) =>
        (await repository.git.query(['ls-files', '--error-unmatch', '--', path])) !== undefined,
      dryRun,
    }),
  )
}

/** Is the ledger of HEAD fresh? */
export function isHeadFresh(repo: Repo): Promise<boolean> {
  return withRepository(repo, async (repository) => {
    const settings = await readSettings(repository)
    return (await checkLedger(repository, settings, { kind: 'rev', rev: 'HEAD' })).fresh
  })
}
