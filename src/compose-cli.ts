/** The real outside world for commands typed by people. */

import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { readSettings } from './app/read-settings.ts'
import { SCRIPTS } from './app/setup/install.ts'
import type { CliContext, OpenRepository } from './cli/context.ts'
import { LedgerError } from './core/errors.ts'
import { DEFAULT_SETTINGS } from './core/settings.ts'
import { withoutControls } from './core/without-controls.ts'
import { readStdin } from './io/stdin.ts'
import { findGitVersions } from './io/git/git-versions.ts'
import { findHooksFolder } from './io/git/hooks-folder.ts'
import { openProbes } from './io/git/probes.ts'
import type { Repository } from './io/git/repository.ts'
import { openRepository } from './io/git/repository.ts'
import { withLock } from './io/lock.ts'
import { nodeFiles } from './io/node-files.ts'

/** Opens what commands need on first use; `close` ends git's children. */
export function createCliContext(packageRoot: string): CliContext & { close(): void } {
  const cwd = process.cwd()
  let opened: Promise<Repository> | undefined
  let closing: Repository | undefined
  let hot = false
  const repository = () =>
    (opened ??= openRepository(cwd, process.env, hot).then((found) => (closing = found)))
  const open = async (): Promise<OpenRepository> => {
    const found = await repository()
    return { repository: found, settings: await readSettings(found) }
  }
  return {
    cwd,
    env: process.env,
    version: (JSON.parse(asset(packageRoot, 'package.json')) as { version: string }).version,
    nodeVersion: process.versions.node,
    clock: { now: () => Date.now() },
    files: nodeFiles,
    stdout: (text) => void process.stdout.write(text),
    stderr: (text) => void process.stderr.write(withoutControls(text)),
    isStdoutTty: process.stdout.isTTY,
    canAsk: process.stdin.isTTY && process.stderr.isTTY,
    ask,
    stdin: readStdin,
    open,
    openAnyway: async () => {
      const found = await repository()
      try {
        return { ...(await open()), settingsError: undefined }
      } catch (error) {
        if (!(error instanceof LedgerError)) throw error
        return { repository: found, settings: DEFAULT_SETTINGS, settingsError: error }
      }
    },
    preferGit: () => {
      hot = true
    },
    hooksFolder: async () => findHooksFolder(await repository()),
    probes: async () => openProbes(await repository(), process.env),
    gitVersions: async () => findGitVersions((await repository()).git),
    installAssets: () => ({
      scripts: Object.fromEntries(
        SCRIPTS.map((name) => [name, asset(packageRoot, 'githooks', name)]),
      ),
      attributes: asset(packageRoot, 'gitattributes.template'),
    }),
    template: (name) => asset(packageRoot, 'templates', name),
    installLaunch: () => ({ node: process.execPath, cli: join(packageRoot, 'dist', 'main.js') }),
    isTracked: async (path) => {
      const { git } = await repository()
      return (await git.query(['ls-files', '--error-unmatch', '--', path])) !== undefined
    },
    expandGlob: (pattern) => expand(pattern, cwd),
    withLock: async (path, action) => {
      const { place } = await repository()
      return withLock(resolve(place.top ?? place.gitDir, path), action)
    },
    close: () => closing?.close(),
  }
}

function asset(...path: string[]): string {
  return readFileSync(join(...path), 'utf8')
}

async function ask(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return /^y(?:es)?$/i.test((await terminal.question(`${question} [y/N] `)).trim())
  } finally {
    terminal.close()
  }
}

async function expand(pattern: string, cwd: string): Promise<string[]> {
  const { glob } = await import('tinyglobby')
  return (await glob(pattern, { cwd, absolute: true, onlyFiles: true, dot: false })).sort()
}
