/** A setting of git's configuration that names a command or an address, with the place where it is set. */

import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import type { PersonalValue } from '../../core/settings/personal-value.ts'
import { personalValue } from '../../core/settings/personal-value.ts'
import { attempt } from '../files/files.ts'
import type { Git } from '../process/exec.ts'
import { listWorktrees } from './list-worktrees.ts'

/** Undefined if it is not set. Of several values, the last one counts, as for git. */
export async function readPersonalConfig(
  git: Git,
  commonDir: string,
  key: string,
): Promise<PersonalValue | undefined> {
  // What decides is where it is set.
  const words = ['config', '--show-origin', '-z', '--get-all', key]
  const found = await git.run(words)
  if (found.status !== 0) return undefined
  const [value, origin] = found.stdout.toString('utf8').split('\0').slice(0, -1).toReversed()
  if (value === undefined || value === '' || origin === undefined) return undefined
  const worktrees = await listWorktrees(git)
  const real = (path: string) => attempt(() => realpathSync(path))
  // git names files relative to the top of the worktree.
  const top = (await git.query(['rev-parse', '--show-toplevel'])) ?? git.cwd
  const file = /^file:(.*)$/s.exec(origin)?.[1]
  const path = file === undefined ? undefined : real(resolve(top, file))
  const place = file === undefined ? origin : path && `file:${path}`
  return personalValue(place, value, {
    gitFolders: [real(commonDir) ?? commonDir],
    worktrees: worktrees.map(({ path }) => real(path) ?? path),
  })
}
