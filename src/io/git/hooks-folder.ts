/** Which folder git takes this repository's hooks from. */

import { dirname, resolve } from 'node:path'
import type { HooksFolder } from '../../app/ports.ts'
import type { Repository } from './repository.ts'

export async function findHooksFolder({ git, place }: Repository): Promise<HooksFolder> {
  const effective = resolve(git.cwd, await git.text(['rev-parse', '--git-path', 'hooks']))
  const configured = await git.query(['config', '--show-scope', '--get', 'core.hooksPath'])
  if (configured === undefined) return { path: effective, owner: 'git' }
  const [scope] = configured.split('\t')
  if (scope !== 'local' && scope !== 'worktree') return { path: effective, owner: 'foreign' }
  // husky 9 sets `.husky/_`, whose files call `.husky/<hook>`; husky 8 sets `.husky`.
  if (effective.endsWith('/.husky/_')) return { path: dirname(effective), owner: 'husky' }
  const isInside = [place.top, place.commonDir].some(
    (folder) => folder !== undefined && `${effective}/`.startsWith(`${folder}/`),
  )
  return { path: effective, owner: isInside ? 'local' : 'foreign' }
}
