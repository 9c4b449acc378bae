/** Use cases on the real file system and real git, without starting Node for each call. */

import { readFileSync } from 'node:fs'
import { checkLedger } from '../../src/app/check.ts'
import type { InstallReport } from '../../src/app/install-record.ts'
import { install } from '../../src/app/install.ts'
import { uninstall } from '../../src/app/uninstall.ts'
import { readSettings } from '../../src/app/read-settings.ts'
import { HOOKS } from '../../src/app/run-hook.ts'
import { findHooksFolder } from '../../src/io/git/hooks-folder.ts'
import type { Repository } from '../../src/io/git/repository.ts'
import { openRepository } from '../../src/io/git/repository.ts'
import { nodeFiles } from '../../src/io/node-files.ts'
import type { Repo } from '../support/git-repo.ts'
import { CLI } from '../support/git-repo.ts'

const asset = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

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
        run: asset('githooks/run'),
        shims: Object.fromEntries(HOOKS.map((hook) => [hook, asset(`githooks/${hook}`)])),
        attributes: asset('gitattributes.template'),
      },
      version: '0.0.0-test',
      dryRun,
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
      hooksFolder: (await findHooksFolder(repository)).path,
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
