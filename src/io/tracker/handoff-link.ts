/** Where a handoff can be seen in a browser: in the newest commit that a remote is known to have. */

import { webLink } from '../../core/tracker/web-link.ts'
import type { Git } from '../process/exec.ts'
import { LOG } from '../process/exec.ts'

/** A commit's clock may be wrong by this many milliseconds. */
const SLACK = 24 * 60 * 60 * 1000

/** Undefined while no remote has it, or if its forge is not known. `since`: Unix time in milliseconds. */
export async function handoffLink(
  git: Git,
  path: string,
  since: number,
): Promise<string | undefined> {
  const remotes = await git.lines(['remote'])
  const after = `--max-age=${Math.floor(Math.max(since - SLACK, 0) / 1000)}`
  for (const remote of remotes) {
    // AM: not the commit that deleted it.
    const log = ['--literal-pathspecs', ...LOG, '-1', '--format=%H', '--diff-filter=AM']
    const where = ['--no-renames', after, `--remotes=${remote}`, '--', path]
    const found = await git.query([...log, ...where])
    if (found === undefined || found === '') continue
    const address = await git.query(['config', '--get', `remote.${remote}.url`])
    const link = address === undefined ? undefined : webLink(address, found, path)
    if (link !== undefined) return link
  }
  return undefined
}
