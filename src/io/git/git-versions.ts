/** The gits of this machine: a repository is often used by two, since GUI clients bring their own. */

import { execFile } from 'node:child_process'
import { realpathSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { GitVersions } from '../../app/setup/setup.ts'
import type { Git } from '../process/exec.ts'
import { attempt } from '../files/files.ts'

/** Where gits live that may not be in PATH: the system's, package managers', GUI clients'. */
const PLACES = [
  '/usr/bin',
  '/usr/local/bin',
  '/opt/homebrew/bin',
  '/Library/Developer/CommandLineTools/usr/bin',
  '/Applications/Xcode.app/Contents/Developer/usr/bin',
  '/Applications/GitHub Desktop.app/Contents/Resources/app/git/bin',
  '/Applications/Sourcetree.app/Contents/Resources/git_local/bin',
  '/Applications/Fork.app/Contents/Resources/git-instance/git/bin',
  '/usr/lib/github-desktop/resources/app/git/bin',
]

/** Milliseconds that a git may take to print its version. */
const TIMEOUT_MS = 5000

/**
 * On macOS, this one only starts the git of the developer tools (xcode-select(1)). If they are not installed, it opens a
 * window that offers to install them.
 */
const APPLE_STARTER = '/usr/bin/git'

export async function findGitVersions(
  git: Git,
  platform: string = process.platform,
): Promise<GitVersions> {
  const running = await runningVersion(git)
  const folders = (git.env['PATH'] ?? '').split(delimiter)
  const absolute = folders.filter((folder) => folder.startsWith('/'))
  const programs = new Set(
    [...absolute, ...PLACES].flatMap(
      (folder) => attempt(() => realpathSync(join(folder, 'git'))) ?? [],
    ),
  )
  // If no folder is relative, the first program is the git that runs.
  const others = [...programs].slice(absolute.length === folders.length ? 1 : 0)
  const asked = others.filter((path) => platform !== 'darwin' || path !== APPLE_STARTER)
  const found = await Promise.all(asked.map((path) => versionOf(path, git)))
  return { running, others: found.filter((version) => version !== undefined) }
}

/** The version of the git that this process calls. */
export async function runningVersion(git: Git): Promise<string> {
  return versionIn(await git.text(['--version'])) ?? '0'
}

function versionOf(path: string, { env }: Git): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile(path, ['--version'], { env, timeout: TIMEOUT_MS }, (error, stdout) =>
      resolve(error === null ? versionIn(stdout) : undefined),
    )
  })
}

function versionIn(text: string): string | undefined {
  return /^git version (\d+(?:\.\d+)*)/.exec(text)?.[1]
}
