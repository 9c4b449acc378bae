/** `install --ci`: files that make a hosting service check the ledger and merge the base. */

import type { RepositoryPort } from '../ports.ts'

export type CiHost = 'github' | 'gitlab'

export const CI_HOSTS: readonly CiHost[] = ['github', 'gitlab']

export interface TeamFile {
  /** From the top of the worktree. */
  readonly path: string
  readonly text: string
}

interface CiSources {
  readonly version: string
  /** The `.gitlab-ci.yml` of the repository. */
  readonly mainFile: string | undefined
  /** A text of the package's `templates/`. */
  template(name: string): string
}

const PATHS = { github: '.github/workflows/ledger-git.yml', gitlab: '.gitlab/ledger-git.yml' }

const UNKNOWN_BRANCH = 'DEFAULT-BRANCH'

/** The files, and what is left for the user to do. */
export async function ciFiles(
  hosts: readonly CiHost[],
  sources: CiSources,
  { repository }: { readonly repository: RepositoryPort },
): Promise<{ files: TeamFile[]; notes: string[] }> {
  if (hosts.length === 0) return { files: [], notes: [] }
  const branch = await repository.history.defaultBranch()
  const files = hosts.map((host) => ({
    path: PATHS[host],
    text: ciText(host, branch ?? UNKNOWN_BRANCH, sources),
  }))
  const notes: string[] = []
  if (hosts.includes('github') && branch === undefined) {
    notes.push(
      `nothing here says which branch is the default one: in ${PATHS.github}, ` +
        `write its name in place of ${UNKNOWN_BRANCH}`,
    )
  }
  if (hosts.includes('gitlab') && sources.mainFile?.includes(PATHS.gitlab) !== true) {
    notes.push(`add to .gitlab-ci.yml:\ninclude:\n  - local: ${PATHS.gitlab}`)
  }
  return { files, notes }
}

/** A template with its values; a line `<ci-NAME.sh>` stands for that script, as far to the right. */
function ciText(host: CiHost, branch: string, { version, template }: CiSources): string {
  return template(`${host}.yml`)
    .replace(/^( *)<(ci-[a-z]+\.sh)>$/gm, (_, indent: string, name: string) =>
      template(name)
        .trimEnd()
        .replace(/^(?=.)/gm, indent),
    )
    .replaceAll('<version>', version)
    .replaceAll('<branch>', () => JSON.stringify(branch))
}
