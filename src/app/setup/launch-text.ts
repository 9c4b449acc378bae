/** The text of `<common-dir>/ledger-git/launch`: which Node and which command the launcher starts. */

import { isObject, parseJson } from '../../core/text/json-values.ts'
import type { FilesPort } from '../ports.ts'
import type { Setup } from './setup.ts'

/**
 * What is recorded is kept while it works: each worktree may have its own copy of this version, and they must not take
 * the launcher from each other. If the recorded copy is removed later, the launcher finds another (githooks/run). A
 * dry run does not start the copy.
 */
export async function launchText(setup: Setup, dryRun: boolean): Promise<string> {
  const { files, launch, probes, repository, version } = setup
  const own = `${launch.node}\n${launch.cli}\n`
  const recorded = files.read(`${repository.place.commonDir}/ledger-git/launch`) ?? ''
  const [node = '', cli = ''] = recorded.split('\n')
  if (recorded === own || files.kind(node) === 'absent' || isPassing(cli)) return own
  if (versionOf(cli, files) !== version) return own
  const isStarted = async () =>
    (await probes.run(node, [cli, '--version'], probes.env)).said === version
  return dryRun || (await isStarted()) ? recorded : own
}

/** True for a copy in the cache of npx, `pnpm dlx` or bunx, which may be emptied at any time. */
export function isPassing(cli: string): boolean {
  return /\/(?:_npx|dlx|dlx-[^/]*|bunx-[^/]*)\//.test(cli)
}

/** The version of the package whose command this is; undefined if it is not there. */
function versionOf(cli: string, files: FilesPort): unknown {
  const [, root] = /^(.*)\/dist\/main\.js$/.exec(cli) ?? []
  if (root === undefined || files.kind(cli) !== 'file') return undefined
  const manifest = parseJson(files.read(`${root}/package.json`))
  return isObject(manifest) && manifest['name'] === 'ledger-git' ? manifest['version'] : undefined
}
