/** Finds the repository around a folder. */

import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import type { Place } from '../../app/ports.ts'
import type { ObjectFormat } from '../../core/git/objects.ts'
import { BrokenConfig, LedgerError } from '../../core/errors/errors.ts'
import type { Git } from '../process/exec.ts'

/** How many answers `discover` asks for. */
const ANSWERS = 7

/** Asks git where `cwd` is; relative answers start at the real path. Throws `NOT_A_REPOSITORY` with git's reason. */
export async function discover(git: Git): Promise<Place> {
  const args = [
    '--absolute-git-dir',
    '--git-common-dir',
    '--git-path',
    'hooks',
    '--show-object-format',
    '--is-bare-repository',
  ]
  // In a bare repository git prints the first answers and then fails on the last two.
  const asked = ['rev-parse', ...args, '--show-toplevel', '--show-prefix']
  const { stdout, stderr } = answersOfLauncher(git) ?? (await git.run(asked))
  const lines = String(stdout).split('\n')
  // There is one line more than answers, since the last answer also ends with a line break.
  if (lines.length > ANSWERS + 1) return discoverOneByOne(git)
  const [gitDir = '', commonDir = '', hooks = '', format, bare, top = '', prefix = ''] = lines
  if (bare === undefined) {
    throw brokenConfig(git.cwd, stderr) ?? notFound(git.cwd, stderr)
  }
  const cwd = realpathSync(git.cwd)
  const isWithoutTop = bare === 'true' || top === ''
  return {
    top: isWithoutTop ? undefined : top,
    isInGitDir: isWithoutTop && bare === 'false',
    gitDir,
    commonDir: resolve(cwd, commonDir),
    hooks: resolve(cwd, hooks),
    format: format as ObjectFormat,
    prefix,
  }
}

/**
 * The same answers, as the launcher (`githooks/run`) got them: the folder, all the answers, a dot. The launcher may be
 * of another release, so other questions need another variable.
 */
function answersOfLauncher({ cwd, env }: Git) {
  const [folder, ...answers] = env['LEDGER_GIT_PLACE']?.split('\n') ?? []
  const isWhole = folder === cwd && answers.length === ANSWERS + 1
  // A hook's children inherit the variable, and some of them are directed to another repository.
  const isRedirected = env['GIT_DIR'] !== undefined || env['GIT_WORK_TREE'] !== undefined
  return isWhole && !isRedirected ? { stdout: answers.join('\n'), stderr: '' } : undefined
}

function brokenConfig(cwd: string, said: string): BrokenConfig | undefined {
  const [, line = '', named = ''] = /^fatal: bad config line (\d+) in file (.+)$/m.exec(said) ?? []
  if (named === '') return undefined
  const file = located(named, cwd)
  const what = `git cannot read ${file} (line ${line}), and does nothing in this repository`
  const isOurs =
    /\/ledger-git\/config(?:-hooks)?$/.test(file) && existsSync(join(file, '../../HEAD'))
  return isOurs
    ? new BrokenConfig(what, 'ledger-git doctor --fix', file)
    : new BrokenConfig(what, `fix line ${line} of that file`, undefined)
}

/** git names the file relative to the top of the worktree, or to where it found the git folder. */
function located(named: string, cwd: string): string {
  for (let folder = cwd; ; folder = dirname(folder)) {
    const path = resolve(folder, named)
    if (existsSync(path)) return path
    if (folder === dirname(folder)) return named
  }
}

/** What macOS says in place of a git that it lacks: xcrun(1), xcode-select(1). In a sandbox, xcrun may also warn. */
const APPLE_LACKS =
  /^(?:xcrun: error: .*|xcode-select: (?:error|note): .*|You have not agreed to the Xcode.*)$/m

function notFound(cwd: string, said: string): LedgerError {
  const lacking = APPLE_LACKS.exec(said)?.[0]
  if (lacking !== undefined && !/^fatal: /m.test(said)) {
    const install = lacking.startsWith('You have')
      ? 'sudo xcodebuild -license'
      : 'xcode-select --install'
    return new LedgerError('GIT_MISSING', `git could not be started: ${lacking}`, install)
  }
  // Names of extensions follow on lines that begin with a tab; a warning may come first.
  const [, fatal = said] = /^fatal: ([^]*)/m.exec(said) ?? []
  const reason = fatal.replaceAll('\n\t', ' ').split('\n')[0] || `${cwd} is not in a git repository`
  const distrusted = /git config --global --add safe\.directory .*/.exec(said)?.[0]
  if (reason.endsWith(': Permission denied'))
    return new LedgerError('FILE_UNREADABLE', reason, 'check the permissions of that file')
  const isNewer = /^(?:unknown repository extension|Expected git repo version)/.test(reason)
  return new LedgerError(
    'NOT_A_REPOSITORY',
    reason,
    distrusted ??
      (isNewer
        ? 'put a newer git first on PATH; a repository of this kind needs it'
        : 'change into a repository, or run git init'),
  )
}

/** For a path that holds a line break: asks for each answer separately. */
async function discoverOneByOne(git: Git): Promise<Place> {
  const ask = (option: string) => git.text(['rev-parse', option])
  const isBare = (await ask('--is-bare-repository')) === 'true'
  return {
    top: isBare ? undefined : await ask('--show-toplevel'),
    gitDir: await ask('--absolute-git-dir'),
    commonDir: resolve(realpathSync(git.cwd), await ask('--git-common-dir')),
    format: (await ask('--show-object-format')) as ObjectFormat,
    prefix: await ask('--show-prefix'),
  }
}

/**
 * The git folders of a merge driver or hook, without starting git. Both run at the top of the worktree or in the git
 * folder, with `GIT_DIR` set unless that is plain `.git`.
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
