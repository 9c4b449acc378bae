/** `install --ci`: files that make a hosting service check the ledger and merge the base. */

import type { Settings } from '../../core/settings.ts'
import { ledgerPaths } from '../ledger-places.ts'
import type { RepositoryPort } from '../ports.ts'

export type CiHost = 'github' | 'gitlab'

export const CI_HOSTS: readonly CiHost[] = ['github', 'gitlab']

export interface TeamFile {
  /** From the top of the worktree. */
  readonly path: string
  readonly text: string
}

const PATHS = { github: '.github/workflows/ledger-git.yml', gitlab: '.gitlab/ledger-git.yml' }

export async function ciFile(
  host: CiHost,
  template: string,
  version: string,
  { repository, settings }: { repository: RepositoryPort; settings: Settings },
): Promise<TeamFile> {
  const values: Record<string, string> = {
    version,
    branch: JSON.stringify(await repository.history.defaultBranch()),
    current: ledgerPaths(settings.root).current.replace(/["$`\\]/g, (c) => `\\${c}`),
  }
  const text = template.replace(
    /<(version|branch|current)>/g,
    (all, key: string) => values[key] ?? all,
  )
  return { path: PATHS[host], text }
}

/** What is left for the user to do. */
export function ciNote(host: CiHost, mainFile: string | undefined): string | undefined {
  if (host === 'github' || mainFile?.includes(PATHS.gitlab)) return undefined
  return `add to .gitlab-ci.yml:\ninclude:\n  - local: ${PATHS.gitlab}`
}
