/**
 * Runs the git binary.
 *
 * Buffers in, buffers out, an explicit environment and folder: a hook's `GIT_DIR` must reach git
 * unchanged, and nothing else may be guessed.
 */

import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { LedgerError } from '../../core/errors/errors.ts'
import { closeChildInput, openChildInput } from './child-input.ts'
import { findProgram } from './find-program.ts'
import { openNamelessFile, takeBytes } from './nameless-file.ts'

export interface GitResult {
  readonly status: number
  readonly stdout: Buffer
  readonly stderr: string
}

export interface RunOptions {
  readonly input?: string | Uint8Array | undefined
  /** Added to the environment of this one call. */
  readonly env?: Readonly<Record<string, string>> | undefined
  /** Milliseconds after which the call is ended; the status is then non-zero. */
  readonly timeout?: number
  /** Open files that git gets as `/dev/fd/3` and so on. */
  readonly files?: readonly number[]
}

/** Each contradicts `--literal-pathspecs`, and git then refuses to run. */
const PATHSPECS = {
  GIT_GLOB_PATHSPECS: undefined,
  GIT_NOGLOB_PATHSPECS: undefined,
  GIT_ICASE_PATHSPECS: undefined,
}

/** With `log.showSignature`, git would mix its judgement of signatures into the output. */
export const LOG = ['log', '--no-show-signature']

/** Variables that git sets for hooks and drivers, about the one repository that they run in. */
const REPOSITORY_VARIABLES = {
  GIT_DIR: undefined,
  GIT_WORK_TREE: undefined,
  GIT_INDEX_FILE: undefined,
  GIT_PREFIX: undefined,
  GIT_COMMON_DIR: undefined,
  GIT_OBJECT_DIRECTORY: undefined,
  GIT_ALTERNATE_OBJECT_DIRECTORIES: undefined,
}

/** The environment for git in another worktree or repository. */
export function elsewhere(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { ...env, ...REPOSITORY_VARIABLES }
}

/** Runs git in one folder with one environment. */
export class Git {
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv

  constructor(cwd: string, env: NodeJS.ProcessEnv) {
    this.cwd = cwd
    // Messages are shown among ours, and some are parsed: keep them in English.
    this.env = { ...env, ...PATHSPECS, LC_ALL: 'C' }
  }

  /** Runs git and returns its result, whatever it is. Throws only when git cannot be started. */
  async run(args: readonly string[], options: RunOptions = {}): Promise<GitResult> {
    return this.runNow(args, options)
  }

  /**
   * The same, synchronously: setting up an asynchronous child costs Node more than most git calls take.
   */
  runNow(args: readonly string[], options: RunOptions = {}): GitResult {
    // Loaded when git is needed: a merge whose objects are already known needs none.
    const { spawnSync } = process.getBuiltinModule('node:child_process')
    const input = openChildInput(options.input ?? '')
    const env = options.env === undefined ? this.env : { ...this.env, ...options.env }
    try {
      const { status, stdout, stderr, error, pid } = spawnSync(findProgram('git', env), args, {
        cwd: this.cwd,
        env,
        stdio: [input, 'pipe', 'pipe', ...(options.files ?? [])],
        ...(input === 'pipe' ? { input: options.input } : {}),
        timeout: options.timeout,
        maxBuffer: Infinity,
      })
      // Without a pid, git never ran. Other errors do not count, such as an answer before all input was read.
      if (error !== undefined && pid === 0) throw startError(error, this.cwd)
      return { status: status ?? 128, stdout, stderr: stderr.toString('utf8').trim() }
    } finally {
      closeChildInput(input)
    }
  }

  /**
   * The same, while this process does other work: for a call that takes longer than setting up such a child. git's
   * output goes into a file, so that git need not wait until it is read; of an error, only the status is returned.
   */
  async runInParallel(args: readonly string[]): Promise<Omit<GitResult, 'stderr'>> {
    const { spawn } = process.getBuiltinModule('node:child_process')
    const output = openNamelessFile()
    if (output === undefined) return this.runNow(args)
    const { cwd, env } = this
    const git = findProgram('git', env)
    const child = spawn(git, args, { cwd, env, stdio: ['ignore', output, 'ignore'] })
    const status = await new Promise<number | null>((resolve) => {
      child.once('error', () => resolve(null))
      child.once('exit', resolve)
    })
    return { status: status ?? 128, stdout: takeBytes(output) }
  }

  /** Runs git and returns its output. Throws `GIT_FAILED` with git's own message. */
  async output(args: readonly string[], options: RunOptions = {}): Promise<Buffer> {
    return this.outputNow(args, options)
  }

  outputNow(args: readonly string[], options: RunOptions = {}): Buffer {
    const result = this.runNow(args, options)
    if (result.status === 0) return result.stdout
    const command = args.find((arg, i) => !arg.startsWith('-') && args[i - 1] !== '-c') ?? ''
    throw new LedgerError('GIT_FAILED', `git ${command} failed: ${result.stderr || result.status}`)
  }

  /** The same, alongside other work. If it fails, perhaps for lack of space, it is tried again as usual. */
  async outputInParallel(args: readonly string[]): Promise<Buffer> {
    const { status, stdout } = await this.runInParallel(args)
    return status === 0 ? stdout : this.outputNow(args)
  }

  /** `output` as text without the final line break. */
  async text(args: readonly string[], options: RunOptions = {}): Promise<string> {
    return (await this.output(args, options)).toString('utf8').replace(/\n$/, '')
  }

  /** The lines of the output that are not empty; none if git fails. */
  async lines(args: readonly string[]): Promise<string[]> {
    const { status, stdout } = await this.run(args)
    return status === 0 ? stdout.toString('utf8').split('\n').filter(Boolean) : []
  }

  /** The absolute path of a file in the git folder, wherever git keeps it. */
  async pathOf(name: string): Promise<string> {
    return resolve(this.cwd, await this.text(['rev-parse', '--git-path', name]))
  }

  /** The first line of the output, or undefined if git fails. */
  async query(args: readonly string[]): Promise<string | undefined> {
    const result = await this.run(args)
    if (result.status !== 0) return undefined
    return result.stdout.toString('utf8').split('\n')[0]
  }
}

/** The error if git cannot be started. The system reports a missing folder and a missing program in the same way. */
export function startError(error: Error, cwd: string): LedgerError {
  const missing = (error as NodeJS.ErrnoException).code === 'ENOENT'
  if (missing && !existsSync(cwd)) {
    return new LedgerError('NOT_A_REPOSITORY', `${cwd} does not exist`, 'change into a repository')
  }
  return missing
    ? new LedgerError('GIT_MISSING', 'git could not be started', 'install git 2.34 or newer')
    : new LedgerError('GIT_FAILED', `git could not be started: ${error.message}`)
}

/** Splits `-z` output into byte strings (see `ByteName`). */
export function splitNul(output: Buffer): string[] {
  return output
    .toString('latin1')
    .split('\0')
    .filter((part) => part !== '')
}
