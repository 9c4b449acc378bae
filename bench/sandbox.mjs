/** A temporary folder with its own environment: the machine's configuration has no effect. */

import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const MEMORY = '/dev/shm'
const ENOUGH = 4 * 1024 ** 3

/** Repositories are in memory if there is plenty, because a disk would add noise to every line. */
function parentFolder() {
  try {
    const { bavail, bsize } = statfsSync(MEMORY)
    return bavail * bsize >= ENOUGH ? MEMORY : tmpdir()
  } catch {
    return tmpdir() // not on this system
  }
}

const GIT_CONFIG = `[user]
\tname = Bench
\temail = bench@example.com
[init]
\tdefaultBranch = main
[gc]
\tauto = 0
[maintenance]
\tauto = false
[fastimport]
\tunpackLimit = 1
[advice]
\tdetachedHead = false
`

export class Sandbox {
  /** @param {string} cli the built command that is measured */
  constructor(cli) {
    this.cli = realpathSync(cli)
    const entry = join(dirname(this.cli), 'git-entry.cjs')
    /** What the launcher starts for git: the smaller bundle that loads faster, or else the command. */
    this.gitCli = existsSync(entry) ? entry : this.cli
    const parent = parentFolder()
    this.inMemory = parent === MEMORY
    this.folder = realpathSync(mkdtempSync(join(parent, 'ledger-git-bench-')))
    this.emptyFolder = join(this.folder, 'empty')
    const home = join(this.folder, 'home')
    mkdirSync(home)
    mkdirSync(this.emptyFolder)
    writeFileSync(join(home, '.gitconfig'), GIT_CONFIG)
    this.env = environment(home)
  }

  /** Runs a program and returns its output. Throws if the program fails. */
  run(cwd, program, args, { input, env } = {}) {
    const ran = spawnSync(program, args, {
      cwd,
      env: { ...this.env, ...env },
      input: input ?? '',
      maxBuffer: 1024 ** 3,
    })
    if (ran.error) throw ran.error
    if (ran.status === 0) return ran.stdout.toString('utf8').trimEnd()
    const words = [program, ...args].join(' ')
    throw new Error(`${words} → ${ran.status ?? ran.signal}\n${ran.stdout}${ran.stderr}`)
  }

  /** Runs git without hooks, because building a repository is not measured. */
  git(cwd, ...args) {
    return this.run(cwd, 'git', ['-c', `core.hooksPath=${this.emptyFolder}`, ...args])
  }

  ledger(cwd, ...args) {
    return this.run(cwd, process.execPath, [this.cli, ...args])
  }

  remove() {
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 3 })
  }
}

/** Like the launcher's environment, without NODE_OPTIONS and NODE_EXTRA_CA_CERTS, both for ours and for floors. */
function environment(home) {
  return {
    PATH: process.env.PATH,
    HOME: home,
    XDG_CONFIG_HOME: join(home, '.config'),
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: join(home, '.gitconfig'),
    GIT_TERMINAL_PROMPT: '0',
    GIT_EDITOR: ':',
    GIT_AUTHOR_DATE: '2026-01-01T00:00:00Z',
    GIT_COMMITTER_DATE: '2026-01-01T00:00:00Z',
    TZ: 'UTC',
    LC_ALL: 'C.UTF-8',
    NO_COLOR: '1',
  }
}
