/** `install --ci`: CI files with which a hosting service checks the ledger and merges the base. */

import type { CiHost, InstallPlan } from './install-plan.ts'
import type { Setup } from './setup.ts'

export const CI_HOSTS: readonly CiHost[] = ['github', 'gitlab']

const PATHS = { github: '.github/workflows/ledger-git.yml', gitlab: '.gitlab/ledger-git.yml' }

const UNKNOWN_BRANCH = 'DEFAULT-BRANCH'

export async function planCiFiles(
  hosts: readonly CiHost[],
  top: string,
  plan: InstallPlan,
): Promise<void> {
  if (hosts.length === 0) return
  const { files, repository, version } = plan.setup
  const branch = await repository.history.defaultBranch()
  for (const host of hosts) {
    // Once written, the file belongs to the team: it is regenerated only if nobody has changed it since.
    const path = `${top}/${PATHS[host]}`
    const content = ciText(host, branch ?? UNKNOWN_BRANCH, plan.setup)
    const before = files.read(path)
    const old = plan.recorded(path)
    if (before === undefined || before === content || before === old?.inserted) {
      plan.put({ path, kind: 'team', content, what: 'for your CI' })
      plan.commit.push(PATHS[host])
    } else {
      // Without a record, another release or another clone may have written it.
      const why =
        old === undefined ? `is not what ledger-git ${version} writes here,` : 'was changed'
      plan.notes.push(`${PATHS[host]} ${why} and stays; to have it regenerated, delete it first`)
    }
  }
  if (hosts.includes('github') && branch === undefined) {
    plan.notes.push(
      `the name of the default branch is not known here: in ${PATHS.github}, ` +
        `replace ${UNKNOWN_BRANCH} with it`,
    )
  }
  const isIncluded = files.read(`${top}/.gitlab-ci.yml`)?.includes(PATHS.gitlab) === true
  if (hosts.includes('gitlab') && !isIncluded) {
    plan.notes.push(`add to .gitlab-ci.yml:\ninclude:\n  - local: ${PATHS.gitlab}`)
  }
}

/** Fills in a template; a line `<ci-NAME.sh>` is replaced with that script, indented as the line is. */
function ciText(host: CiHost, branch: string, { asset, version }: Setup): string {
  return asset(`templates/${host}.yml`)
    .replace(/^( *)<(ci-[a-z]+\.sh)>$/gm, (_, indent: string, name: string) =>
      asset(`templates/${name}`)
        .trimEnd()
        .replace(/^(?=.)/gm, indent),
    )
    .replaceAll('<version>', version)
    .replaceAll('<branch>', () => JSON.stringify(branch))
}
