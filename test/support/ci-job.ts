/**
 * Runs jobs of the workflows as their hosts do: the steps in order, each in its own shell with the variables of its
 * `env`, and a checkout that stores its token unless it is told not to.
 */

import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { parse } from 'yaml'
import type { CiHost } from './ci-host.ts'
import { JOB_TOKEN, PROJECT, WRITE_TOKEN } from './ci-host.ts'
import type { Ran, Repo, Sandbox } from './git-repo.ts'

interface Step {
  readonly name?: string
  readonly uses?: string
  readonly with?: Record<string, unknown>
  readonly run?: string
  readonly env?: Record<string, string>
  readonly 'working-directory'?: string
}

interface GithubJob {
  readonly permissions?: Record<string, string>
  readonly env?: Record<string, string>
  readonly steps: readonly Step[]
}

export interface GithubWorkflow {
  readonly on: { push: { branches: string[] } }
  readonly permissions: Record<string, string>
  readonly jobs: Record<string, GithubJob>
}

export type GitlabFile = Record<
  string,
  { readonly script: string[]; readonly variables?: Record<string, string | number> }
>

export const GITHUB_FILE = '.github/workflows/ledger-git.yml'
export const GITLAB_FILE = '.gitlab/ledger-git.yml'

/** The input of a job: the commit that is checked out, and the base of a request. */
export interface JobOf {
  readonly name: string
  readonly head: string
  readonly base?: string
  readonly hasSecret?: boolean
}

/** One machine of the host, with its home, its temporary folder, and the worktree of an earlier job. */
export class CiMachine {
  readonly sandbox: Sandbox
  readonly folder: string
  readonly workspace: string
  /** Folder of recorders that comes before the machine's programs in PATH. */
  readonly bin: string
  readonly #host: CiHost

  constructor(repo: Repo, host: CiHost) {
    this.sandbox = repo.sandbox
    this.#host = host
    this.folder = join(repo.sandbox.folder, 'machine')
    this.workspace = join(this.folder, 'work')
    this.bin = join(this.folder, 'bin')
    for (const name of ['work', 'temp', 'bin', 'home']) {
      mkdirSync(join(this.folder, name), { recursive: true })
    }
    const npm = { registry: `${host.url}/npm/`, cache: `${this.folder}/npm`, audit: false }
    const lines = Object.entries({ ...npm, fund: false }).map(([key, value]) => `${key}=${value}`)
    writeFileSync(join(this.folder, 'home/.npmrc'), `${lines.join('\n')}\n`)
    this.#watch(['git', 'node', 'npm', 'npx', 'curl', 'gh', 'sh'])
  }

  /** The started programs, one per line: `name words`, with `+token` if the environment contains the token. */
  get started(): string[] {
    const log = join(this.folder, 'started')
    return existsSync(log) ? readFileSync(log, 'utf8').split('\n') : []
  }

  /** Puts a recorder in front of each program that the machine has. */
  #watch(names: readonly string[]): void {
    for (const name of names) {
      const real = findProgram(name)
      if (real === undefined) continue
      const file = join(this.bin, name)
      const log = `${this.folder}/started`
      writeFileSync(
        file,
        `#!/bin/sh
token=; case $(export -p) in *${WRITE_TOKEN}*) token=+token ;; esac
printf '%s\\n' "$token ${name} $*" >>'${log}'
exec '${real}' "$@"
`,
      )
      chmodSync(file, 0o755)
    }
  }

  /** Runs a job of a GitHub workflow. Stops at the first step that fails. */
  async github(workflow: GithubWorkflow, job: JobOf): Promise<Ran> {
    const said = { status: 0, stdout: '', stderr: '' }
    const { steps = [], env: shared = {} } = workflow.jobs[job.name] ?? {}
    for (const step of steps) {
      if (step.uses?.startsWith('actions/checkout@')) this.#githubCheckout(step, job)
      if (step.run === undefined) continue
      const env = mapValues({ ...shared, ...step.env }, (value) => this.#value(value, job))
      const folder = this.#value(step['working-directory'] ?? this.workspace, job)
      const ran = await this.#run(['-e', '-c', step.run], folder, {
        GITHUB_API_URL: `${this.#host.url}/api/v3`,
        GITHUB_SERVER_URL: this.#host.url,
        GITHUB_REPOSITORY: PROJECT,
        GITHUB_REF_NAME: 'main',
        GITHUB_WORKSPACE: this.workspace,
        RUNNER_TEMP: join(this.folder, 'temp'),
        ...env,
      })
      said.stdout += ran.stdout
      said.stderr += ran.stderr
      said.status = ran.status
      if (ran.status !== 0) break
    }
    return said
  }

  /** Runs a GitLab job: one shell for the whole script, in the tree that it checks out. */
  async gitlab(file: GitlabFile, job: JobOf): Promise<Ran> {
    const { script = [], variables = {} } = file[`ledger-git:${job.name}`] ?? {}
    this.#checkout(job.head, `http://gitlab-ci-token:${JOB_TOKEN}@${this.#host.url.slice(7)}`)
    const url = new URL(this.#host.url)
    const known: Record<string, string> = {
      CI_SERVER_URL: this.#host.url,
      CI_SERVER_PROTOCOL: 'http',
      CI_SERVER_HOST: url.hostname,
      CI_SERVER_PORT: url.port,
      CI_API_V4_URL: `${this.#host.url}/api/v4`,
      CI_PROJECT_ID: '7',
      CI_PROJECT_PATH: PROJECT,
      CI_PROJECT_URL: `${this.#host.url}/${PROJECT}`,
      CI_PROJECT_DIR: this.workspace,
      CI_COMMIT_BRANCH: 'main',
      CI_DEFAULT_BRANCH: 'main',
      CI_COMMIT_SHA: job.head,
      CI_MERGE_REQUEST_DIFF_BASE_SHA: job.base ?? '',
      CI_JOB_TOKEN: JOB_TOKEN,
      ...(job.hasSecret === false ? {} : { LEDGER_GIT_TOKEN: WRITE_TOKEN }),
    }
    const own = mapValues(variables, (value) =>
      value.replace(/\$([A-Z_]+)/g, (all, name: string) => known[name] ?? all),
    )
    const env = { ...known, ...own }
    return this.#run(['-eo', 'pipefail', '-c', script.join('\n')], this.workspace, env)
  }

  #githubCheckout({ with: options = {} }: Step, job: JobOf): void {
    this.#checkout(job.head, this.#host.url, ['+refs/heads/*:refs/remotes/origin/*'])
    const work = this.sandbox.at(this.workspace)
    // A job for a push or a schedule has its branch checked out.
    if (options['ref'] === undefined) work.git('switch', '-q', '-C', 'main')
    if (options['persist-credentials'] === false) return
    const token = this.#value(String(options['token'] ?? '${{ github.token }}'), job)
    const kept = Buffer.from(`x-access-token:${token}`).toString('base64')
    work.git('config', 'http.extraheader', `AUTHORIZATION: basic ${kept} ${token}`)
  }

  /** A fresh checkout: files of an earlier job are removed. */
  #checkout(head: string, url: string, refs: readonly string[] = []): void {
    rmSync(this.workspace, { recursive: true, force: true })
    mkdirSync(this.workspace)
    const work = this.sandbox.at(this.workspace)
    work.git('init', '-q', '-b', 'none')
    work.git('remote', 'add', 'origin', `${url}/${PROJECT}.git`)
    work.git('fetch', '-q', '../../remote.git', head, ...refs)
    work.git('checkout', '-q', '--detach', head)
  }

  /** Evaluates `${{ a || b }}`, to the extent that the workflows use it. */
  #value(value: string, job: JobOf): string {
    const known: Record<string, string | undefined> = {
      'github.token': JOB_TOKEN,
      'github.ref_name': 'main',
      'runner.temp': join(this.folder, 'temp'),
      'secrets.LEDGER_GIT_TOKEN': job.hasSecret === false ? undefined : WRITE_TOKEN,
      'github.event.pull_request.base.sha': job.base,
      'github.event.pull_request.head.sha': job.head,
    }
    return value.replace(/\$\{\{ *(.*?) *\}\}/g, (_, words: string) => {
      const found = words.split(' || ').find((word) => known[word] !== undefined)
      if (found === undefined) throw new Error(`nobody knows ${words}`)
      return known[found] ?? ''
    })
  }

  async #run(words: string[], cwd: string, env: Record<string, string>): Promise<Ran> {
    const home = join(this.folder, 'home')
    const all = {
      PATH: `${this.bin}${delimiter}${this.sandbox.env['PATH']}`,
      HOME: home,
      XDG_CONFIG_HOME: join(home, '.config'),
      XDG_CACHE_HOME: join(home, '.cache'),
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_TERMINAL_PROMPT: '0',
      LC_ALL: 'C',
      ...env,
    }
    const bash = findProgram('bash') ?? 'bash'
    const child = spawn(bash, words, { cwd, env: all, stdio: ['ignore', 'pipe', 'pipe'] })
    const ended = new Promise<number>((done) => child.on('close', (code) => done(code ?? 128)))
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
    return { status: await ended, stdout, stderr }
  }
}

export function readGithub(repo: Repo): GithubWorkflow {
  return parse(repo.read(GITHUB_FILE)) as GithubWorkflow
}

export function readGitlab(repo: Repo): GitlabFile {
  return parse(repo.read(GITLAB_FILE)) as GitlabFile
}

function findProgram(name: string): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path))
}

function mapValues(
  values: Record<string, string | number>,
  change: (value: string) => string,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [key, change(String(value))]),
  )
}
