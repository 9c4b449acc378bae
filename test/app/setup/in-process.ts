/** Use cases on the real file system and real git, without starting Node for each call. */

import { fileURLToPath } from 'node:url'
import { checkLedger } from '../../../src/app/ledger/check.ts'
import { install } from '../../../src/app/setup/install.ts'
import type { InstallOptions } from '../../../src/app/setup/install-plan.ts'
import type { InstallReport } from '../../../src/app/setup/install-record.ts'
import type { GitVersions, Setup } from '../../../src/app/setup/setup.ts'
import { uninstall } from '../../../src/app/setup/uninstall.ts'
import { createSetup } from '../../../src/compose/setup.ts'
import { readSettings } from '../../../src/app/ledger/read-settings.ts'
import { nodeFiles } from '../../../src/io/files/node-files.ts'
import type { Repository } from '../../../src/io/git/repository.ts'
import { openRepository } from '../../../src/io/git/repository.ts'
import type { AgentName } from '../../../src/core/agents/agents.ts'
import type { Repo } from '../../support/git-repo.ts'

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

const packageRoot = fileURLToPath(new URL('../../..', import.meta.url))

/** `gits` stands for the git versions on the machine. */
export function installIn(
  repo: Repo,
  dryRun = false,
  gits?: GitVersions,
  more: Pick<Partial<InstallOptions>, 'agents' | 'context' | 'local' | 'user'> = {},
  { files = nodeFiles, ...others }: Partial<Pick<Setup, 'files' | 'launch'>> = {},
): Promise<InstallReport> {
  return withRepository(repo, async (repository) =>
    install(
      { ...(await createSetup(repository, repo.sandbox.env, packageRoot, gits)), files, ...others },
      {
        local: false,
        ...more,
        dryRun,
      },
    ),
  )
}

/** `agents` limits it to these agents. */
export function uninstallIn(
  repo: Repo,
  dryRun = false,
  agents: readonly AgentName[] = [],
): Promise<InstallReport> {
  return withRepository(repo, async (repository) =>
    uninstall(await createSetup(repository, repo.sandbox.env, packageRoot), { dryRun, agents }),
  )
}

/** Whether the ledger of HEAD is fresh. */
export function isHeadFresh(repo: Repo): Promise<boolean> {
  return withRepository(repo, async (repository) => {
    const settings = await readSettings(repository)
    return (await checkLedger(repository, settings, { kind: 'rev', rev: 'HEAD' })).fresh
  })
}
