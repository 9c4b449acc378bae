/** Which folder git takes this repository's hooks from. */

import { existsSync, lstatSync, realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { HooksFolder } from '../../app/setup/setup.ts'
import type { Repository } from './repository.ts'

export async function findHooksFolder({ git, place }: Repository): Promise<HooksFolder> {
  const named = await git.pathOf('hooks')
  const isLink = lstatSync(named, { throwIfNoEntry: false })?.isSymbolicLink() === true
  const effective = isLink ? real(named) : named
  // A link may lead to a folder that other repositories share.
  const isInside = [place.top, place.commonDir].some(
    (folder) => folder !== undefined && `${real(effective)}/`.startsWith(`${real(folder)}/`),
  )
  const configured = await git.query(['config', '--show-scope', '--get', 'core.hooksPath'])
  if (configured === undefined) {
    return { effective, path: effective, owner: isInside ? 'git' : 'foreign' }
  }
  const [scope, value] = configured.split('\t')
  // With an empty value, git looks for `/pre-commit`, but `rev-parse` names the current folder.
  if (value === '') return { effective: '(nowhere)', path: '(nowhere)', owner: 'foreign', scope }
  if (scope !== 'local' && scope !== 'worktree') {
    return { effective, path: effective, owner: 'foreign', scope }
  }
  if (isHusky9(effective)) return { effective, path: dirname(effective), owner: 'husky', scope }
  return { effective, path: effective, owner: isInside ? 'local' : 'foreign', scope }
}

/** The real path; parts that do not exist stay as they are. */
function real(path: string): string {
  if (existsSync(path)) return realpathSync(path)
  const parent = dirname(path)
  return parent === path ? path : join(real(parent), basename(path))
}

/** husky 9 sets `<folder>/_`, whose files run `<folder>/<hook>`; in a fresh worktree it is missing. */
function isHusky9(effective: string): boolean {
  if (basename(effective) !== '_') return false
  return existsSync(join(effective, 'h')) || !existsSync(effective)
}
