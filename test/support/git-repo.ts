/**
 * Real git repositories in temporary folders, isolated from the machine: own HOME, no system configuration, fixed
 * identity, UTC. They are removed when the test ends.
 */

import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { copyFolder } from './copy-folder.ts'
import { startHookServer } from './hook-server.ts'
import { removeFolder } from './remove-folder.ts'
import { needsOwnProcess, runTyped, withoutSigns } from './typed-command.ts'

/** The built command: tests run what users get. */
export const CLI = fileURLToPath(new URL('../../dist/main.js', import.meta.url))
/** The file that git and agents start. */
export const ENTRY = fileURLToPath(new URL('../../dist/git-entry.cjs', import.meta.url))
export const ROOT = 'thoughts/shared/handoffs'
export const CURRENT = `${ROOT}/current.md`
export const EVENTS = `${ROOT}/events`

export interface Ran {
  readonly status: number
  readonly stdout: string
  readonly stderr: string
}

/** Variables for another kind of repository, if the test run asks for one (docs/testing.md). */
const KINDS = ['GIT_DEFAULT_REF_FORMAT', 'GIT_DEFAULT_HASH'].flatMap((name) => {
  const kind = process.env[name]
  return kind === undefined ? [] : [[name, kind] as const]
})

/** A folder with its own environment; repositories and worktrees are created in it. */
export class Sandbox {
  readonly folder: string
  readonly env: NodeJS.ProcessEnv
  #seconds: number

  /** `seconds`: how far the sandbox's clock has advanced. */
  constructor(name = 'ledger', seconds = 0) {
    startHookServer()
    this.#seconds = seconds
    this.folder = realpathSync(mkdtempSync(join(tmpdir(), `${name}-`)))
    const home = join(this.folder, 'home')
    mkdirSync(home)
    this.env = {
      PATH: process.env['PATH'],
      // One cache of compiled code for all hooks of a run; otherwise each repository would fill its own.
      LEDGER_GIT_CACHE: join(tmpdir(), 'code'),
      HOME: home,
      XDG_CONFIG_HOME: join(home, '.config'),
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: join(home, '.gitconfig'),
      GIT_TERMINAL_PROMPT: '0',
      GIT_EDITOR: ':',
      GIT_AUTHOR_NAME: 'Ada',
      GIT_AUTHOR_EMAIL: 'ada@example.com',
      GIT_COMMITTER_NAME: 'Ada',
      GIT_COMMITTER_EMAIL: 'ada@example.com',
      TZ: 'UTC',
      LC_ALL: 'C',
      NO_COLOR: '1',
      npm_config_update_notifier: 'false',
      ...Object.fromEntries(KINDS),
    }
    writeFileSync(
      join(home, '.gitconfig'),
      '[user]\n\tname = Ada\n\temail = ada@example.com\n[init]\n\tdefaultBranch = main\n' +
        '[commit]\n\tgpgSign = false\n[maintenance]\n\tauto = false\n[protocol "file"]\n\tallow = always\n[advice]\n\tdetachedHead = false\n',
    )
    onTestFinished(() => removeFolder(this.folder))
  }

  get seconds(): number {
    return this.#seconds
  }

  /** A later fixed time for the next commit, so that histories are identical in every run. */
  tick(): Record<string, string> {
    this.#seconds += 1
    const date = new Date(Date.UTC(2026, 0, 1, 0, 0, this.#seconds)).toISOString()
    return { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date }
  }

  /** A fresh repository without ledger-git. */
  init(name = 'repo', ...args: string[]): Repo {
    this.at(this.folder).git('init', '-q', ...args, name)
    return this.at(join(this.folder, name))
  }

  at(folder: string): Repo {
    return new Repo(this, folder)
  }
}

/** One worktree (or bare repository). */
export class Repo {
  readonly sandbox: Sandbox
  readonly folder: string

  constructor(sandbox: Sandbox, folder: string) {
    this.sandbox = sandbox
    this.folder = folder
  }

  /** Runs git; throws an error with git's output if it fails. */
  git(...args: string[]): string {
    const ran = this.tryGit(...args)
    if (ran.status !== 0) {
      throw new Error(`git ${args.join(' ')} → ${ran.status}\n${ran.stdout}${ran.stderr}`)
    }
    return ran.stdout.replace(/\n$/, '')
  }

  tryGit(...args: string[]): Ran {
    return this.run('git', args)
  }

  /** Runs ledger-git; throws if it fails. Returns stdout. */
  ledger(...args: string[]): string {
    const ran = this.tryLedger(...args)
    if (ran.status !== 0) {
      throw new Error(`ledger-git ${args.join(' ')} → ${ran.status}\n${ran.stdout}${ran.stderr}`)
    }
    return ran.stdout.replace(/\n$/, '')
  }

  tryLedger(...args: string[]): Ran {
    return this.tryLedgerWith({}, ...args)
  }

  /** The same, with extra environment variables and standard input. */
  tryLedgerWith(
    { env, input = '' }: { env?: NodeJS.ProcessEnv; input?: string },
    ...args: string[]
  ): Ran {
    if (needsOwnProcess(args)) {
      return this.run(process.execPath, [CLI, ...args], { input, ...(env && { env }) })
    }
    const variables = { ...this.sandbox.env, ...this.sandbox.tick(), ...env }
    return runTyped(args, this.folder, { env: variables, input })
  }

  /** The same in a separate process, which also runs the start-up code and the shortcuts of `main.ts`. */
  runLedger(...args: string[]): Ran {
    return this.run(process.execPath, [CLI, ...args])
  }

  run(
    command: string,
    args: readonly string[],
    options: { input?: string | Buffer; env?: NodeJS.ProcessEnv; stdio?: 'pipe' } = {},
  ): Ran {
    const result = spawnSync(command, args, {
      cwd: this.folder,
      env: { ...this.sandbox.env, ...this.sandbox.tick(), ...options.env },
      encoding: 'utf8',
      input: options.input ?? '',
      maxBuffer: 256 * 1024 * 1024,
      ...(options.stdio && { stdio: options.stdio }),
    })
    if (result.error) throw result.error
    const { status, stdout, stderr } = result
    return { status: status ?? 128, stdout, stderr: withoutSigns(stderr) }
  }

  write(path: string, content: string | Buffer): void {
    const file = join(this.folder, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content)
  }

  read(path: string): string {
    return readFileSync(join(this.folder, path), 'utf8')
  }

  exists(path: string): boolean {
    return existsSync(join(this.folder, path))
  }

  chmod(path: string, mode: number): void {
    chmodSync(join(this.folder, path), mode)
  }

  /** Writes `files`, then commits everything with `message`. */
  commit(message: string, files: Record<string, string> = {}): string {
    for (const [path, content] of Object.entries(files)) this.write(path, content)
    this.git('add', '-A')
    this.git('commit', '-q', '--allow-empty', '-m', message)
    return this.git('rev-parse', 'HEAD')
  }

  /** Installs ledger-git and commits the files that it asks to commit. */
  install(): this {
    this.ledger('install')
    this.commit('chore: set up ledger-git')
    return this
  }

  /** Adds one event; returns its path. */
  event(...args: string[]): string {
    return this.ledger('event', 'add', ...args)
  }

  status(): string {
    return this.git('status', '--porcelain', '--untracked-files=all')
  }

  /** Paths that a commit changed. */
  changed(revision = 'HEAD'): string[] {
    return this.git('show', '--format=', '--name-only', '-m', revision).split('\n').filter(Boolean)
  }
}

const templates = new Map<string, { folder: string; seconds: number }>()

/** A repository that `make` creates once per worker and that is copied afterwards. `key` identifies its content. */
export function copyOf(key: string, make: () => Repo, name = 'repo'): Repo {
  const known = templates.get(key)
  if (known === undefined) {
    const repo = make()
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'ledger-template-')))
    copyFolder(repo.folder, folder)
    templates.set(key, { folder, seconds: repo.sandbox.seconds })
    return repo
  }
  const sandbox = new Sandbox('ledger', known.seconds)
  const repo = sandbox.at(join(sandbox.folder, name))
  copyFolder(known.folder, repo.folder)
  repo.git('update-index', '-q', '--refresh')
  return repo
}

/** A repository with one commit and ledger-git installed. */
export function ledgerRepo(name = 'repo', ...initArgs: string[]): Repo {
  const make = () => {
    const repo = new Sandbox().init(name, ...initArgs)
    repo.commit('init', { 'README.md': '# demo\n' })
    return repo.install()
  }
  return copyOf(`ledger ${initArgs.join(' ')}`, make, name)
}
