/** Finds the repository around a folder. */

import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import type { Place } from '../../app/ports.ts'
import type { ObjectFormat } from '../../core/git-objects.ts'
import { LedgerError } from '../../core/errors.ts'
import type { Git } from './exec.ts'

/** Asks git where `cwd` is. Throws `NOT_A_REPOSITORY` with git's own reason. */
export async function discover(git: Git): Promise<Place> {
  const args = [
    '--absolute-git-dir',
    '--git-common-dir',
    '--show-object-format',
    '--is-bare-repository',
  ]
  // In a bare repository git prints the first answers and then fails on the last two.
  const result = await git.run(['rev-parse', ...args, '--show-toplevel', '--show-prefix'])
  const [gitDir, commonDir, format, bare, top, prefix] = result.stdout.toString('utf8').split('\n')
  if (
    gitDir === undefined ||
    commonDir === undefined ||
    format === undefined ||
    bare === undefined
  ) {
    throw new LedgerError(
      'NOT_A_REPOSITORY',
      result.stderr.replace(/^fatal: /, '') || `${git.cwd} is not in a git repository`,
      'change into a repository, or run git init',
    )
  }
  return {
    top: bare === 'true' || top === undefined || top === '' ? undefined : top,
    gitDir,
    commonDir: resolve(git.cwd, commonDir),
    format: format as ObjectFormat,
    prefix: prefix ?? '',
  }
}

/**
 * The git folders as a merge driver or hook finds them, without starting git: it runs at the top of
 * the worktree or in the git folder, with `GIT_DIR` set wherever that is not plain `.git`.
 */
export function gitDirsFromEnvironment(
  cwd: string,
  env: NodeJS.ProcessEnv,
): { gitDir: string; commonDir: string } {
  const gitDir = resolve(cwd, env['GIT_DIR'] ?? gitDirOf(cwd))
  const pointer = join(gitDir, 'commondir')
  if (!existsSync(pointer)) return { gitDir, commonDir: gitDir }
  const common = readFileSync(pointer, 'utf8').trim()
  return { gitDir, commonDir: isAbsolute(common) ? common : resolve(gitDir, common) }
}

function gitDirOf(cwd: string): string {
  const dotGit = join(cwd, '.git')
  if (!existsSync(dotGit)) return dirname(dotGit) // bare
  if (statSync(dotGit).isDirectory()) return dotGit
  const target = /^gitdir: (.*)$/m.exec(readFileSync(dotGit, 'utf8'))?.[1]
  return target === undefined ? dotGit : resolve(cwd, target)
}
