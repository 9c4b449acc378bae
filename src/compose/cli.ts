/** Connects typed commands to the outside world: the terminal, files, git and processes. */

import { basename, dirname, join } from 'node:path'
import type { Place } from '../app/ports.ts'
import { readSettings } from '../app/ledger/read-settings.ts'
import { settleMarks } from '../app/commit/settle-marks.ts'
import type { SessionContext } from '../app/shadow/session-context.ts'
import { fixConfig } from '../app/setup/fix-config.ts'
import type { CliContext, OpenRepository } from '../cli/command/context.ts'
import { writtenFolders } from '../app/setup/install-record.ts'
import { asset, createSetup, packageVersion } from './setup.ts'
import { LedgerError } from '../core/errors/errors.ts'
import { DEFAULT_SETTINGS } from '../core/settings/settings.ts'
import { asTyped } from '../core/text/as-typed.ts'
import { inOwnName } from '../core/text/own-name.ts'
import { shellWord } from '../core/text/shell-word.ts'
import { stripControlChars } from '../core/text/strip-control-chars.ts'
import { removeLeftBehind } from '../io/files/left-behind.ts'
import { ask, askOnTerminal } from '../io/terminal/question.ts'
import { isBelowAgent } from '../io/process/is-below-agent.ts'
import { runCommand } from '../io/process/run-command.ts'
import { readText } from '../io/terminal/stdin.ts'
import { ownName } from '../io/terminal/talk.ts'
import { gitMigrationSources } from '../io/git/migration-sources.ts'
import type { Repository } from '../io/git/repository.ts'
import { openRepository } from '../io/git/repository.ts'
import { heirOf, tryLock, withLock } from '../io/files/lock.ts'
import { nodeFiles } from '../io/files/node-files.ts'
import type { OpenSession } from '../io/sessions/session-context.ts'

/** Where a command runs. */
export interface Host extends Pick<
  CliContext,
  'cwd' | 'isStdoutTty' | 'canAsk' | 'stdin' | 'stdout' | 'stderr'
> {
  readonly env: NodeJS.ProcessEnv
  readonly columns?: number | undefined
  readonly isStderrTty?: boolean
  /** The name by which commands can be typed; `ledger-git` by default. */
  readonly name?: string
}

export function processHost(): Host {
  return {
    cwd: process.cwd(),
    env: process.env,
    isStdoutTty: process.stdout.isTTY,
    columns: process.stdout.isTTY ? process.stdout.columns : undefined,
    isStderrTty: process.stderr.isTTY,
    canAsk: process.stdin.isTTY && process.stderr.isTTY,
    name: ownName(process.env, process.argv[1] ?? ''),
    stdin: readText,
    stdout: (text) => void process.stdout.write(text),
    stderr: (text) => void process.stderr.write(text),
  }
}

/** Opens what commands need on first use; `close` ends git's child processes. */
export function createCliContext(packageRoot: string, host: Host): CliContext & { close(): void } {
  const { cwd, env } = host
  let opening: Promise<Repository> | undefined
  let opened: Repository | undefined
  let openedSession: OpenSession | undefined
  const clock = { now: () => Date.now() }
  const secrets = async () => (await import('../io/secrets/secret-scanner.ts')).secretScanner
  const name = host.name ?? 'ledger-git'
  const named = (text: string) => inOwnName(text, name)
  const stderr = (text: string) => host.stderr(named(stripControlChars(text)))
  const say = (message: string) => stderr(`${message}\n`)
  const repository = () =>
    (opening ??= openRepository(cwd, env).then(
      async (found) => {
        opened = found
        refuseGitDir(found)
        await settleMarks(found, say)
        return found
      },
      (error: unknown) => {
        opening = undefined
        throw error
      },
    ))
  const open = async (): Promise<OpenRepository> => {
    const found = await repository()
    return { repository: found, settings: await readSettings(found), say }
  }
  const tracker = async () => {
    const { trackerContext } = await import('../io/tracker/tracker-context.ts')
    const { sessionLog } = await import('../io/sessions/session-log.ts')
    const open = await repository()
    const log = sessionLog(open.place.commonDir, clock.now)
    return trackerContext(open, { env, clock, secrets, log, say })
  }
  const sessions = async (): Promise<SessionContext> => {
    const { openSessionContext } = await import('../io/sessions/session-context.ts')
    return (openedSession ??= { ...(await openSessionContext(cwd, env, opened)), say, tracker })
  }
  return {
    ...host,
    version: packageVersion(packageRoot),
    clock,
    files: nodeFiles,
    stderr,
    named,
    typed: (command) => asTyped(command, name),
    columns: host.columns,
    draw:
      host.isStderrTty === true
        ? (line) => host.stderr(`\r\u001b[K${stripControlChars(line)}`)
        : undefined,
    page: async (text) => {
      const { page, pagerOf } = await import('../io/terminal/pager.ts')
      const pager = host.isStdoutTty ? pagerOf(env) : undefined
      return pager !== undefined && page(text, pager, env)
    },
    watch: async (frame, interval) => {
      const { watchScreen } = await import('../io/terminal/watch-screen.ts')
      return watchScreen(frame, interval)
    },
    ask: (question) => ask(question),
    askOnTerminal,
    isBelowAgent: () => isBelowAgent(env),
    runCommand: (command, folder) => runCommand(command, folder, env),
    runAgent: async (words, input, vars, more) => {
      const { runAgent } = await import('../io/process/run-agent.ts')
      return runAgent({ words, folder: cwd, env: { ...env, ...vars }, input, ...more })
    },
    loopLock: async () => {
      const { gitDir, commonDir } = (await repository()).place
      const worktree = gitDir === commonDir ? '' : `-${basename(gitDir)}`
      const path = join(commonDir, 'ledger-git', `loop${worktree}.lock`)
      return tryLock(path) ?? { heldBy: heirOf(path) }
    },
    open,
    migrationSources: async () => gitMigrationSources((await repository()).git),
    fixConfig: () => fixConfig(repository, nodeFiles),
    setup: async () => createSetup(await repository(), env, packageRoot),
    withSetup: async (folder, action) => {
      const found = await openRepository(folder, env)
      try {
        return await action(await createSetup(found, env, packageRoot))
      } finally {
        found.close()
      }
    },
    asset: (path) => asset(packageRoot, path),
    secrets,
    sessions,
    fleet: async () => {
      const { openFleet } = await import('./fleet.ts')
      return openFleet(await repository(), await sessions())
    },
    tracker,
    dashboard: async () => {
      const { openDashboard } = await import('./dashboard.ts')
      return openDashboard({ cwd, env, packageRoot, isTerminal: host.canAsk, program: name, say })
    },
    expandGlob: (pattern) => expand(pattern, cwd),
    sweep: async () => (opening === undefined ? undefined : sweep((await opening).place)),
    withLock: async (path, action) => {
      const { place } = await repository()
      return withLock(join(place.top ?? place.gitDir, path), action)
    },
    close: () => {
      openedSession?.close()
      opened?.close()
    },
  }
}

async function sweep(place: Place): Promise<void> {
  const { commonDir } = place
  const root = nodeFiles.read(`${commonDir}/ledger-git/root`)?.trimEnd() ?? DEFAULT_SETTINGS.root
  removeLeftBehind(commonDir, writtenFolders(nodeFiles, place, root))
}

/** Refuses to run inside a git folder, which is not the same as a bare repository. */
function refuseGitDir({ place: { gitDir, isInGitDir } }: Repository): void {
  if (isInGitDir !== true) return
  const worktree = basename(gitDir) === '.git' ? dirname(gitDir) : 'its worktree'
  throw new LedgerError(
    'NO_WORKTREE',
    `${gitDir} is the git folder of a repository: ledger-git runs in the worktree`,
    `cd ${shellWord(worktree)}`,
  )
}

async function expand(pattern: string, cwd: string): Promise<string[]> {
  const { glob } = await import('tinyglobby')
  return (await glob(pattern, { cwd, absolute: true, onlyFiles: true, dot: false })).sort()
}
