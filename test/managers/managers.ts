/** The hook managers as people use them: their own set-up, with jobs that record what they were given. */

import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Repo, Sandbox } from '../support/git-repo.ts'
import { must } from './work.ts'

/** Why a manager is not tested. */
export const NOT_HERE = 'it is not on this machine'

export interface Manager {
  readonly name: string
  readonly isHere: boolean
  /** Hooks for which the manager has a job. */
  readonly jobs: readonly string[]
  /** Where its files are, below the top of the worktree. */
  readonly folders: readonly string[]
  /** The first set-up, including settings and jobs; commits nothing. */
  setUp(repo: Repo): void
  /** What runs again in every clone, at every `npm install` and after every change of settings. */
  install(repo: Repo): void
  /** What `setUp` does to hooks of ours that are already there. */
  readonly onTop: 'keeps' | 'replaces'
  /** What `install` does to our part in the manager's files. */
  readonly again: 'keeps' | 'replaces'
  /** Set if its files are not in git, so that a new worktree has none until `install` runs there. */
  readonly isPerWorktree?: true
}

const MODULES = fileURLToPath(new URL('node_modules', import.meta.url))

const isModule = (name: string) => existsSync(join(MODULES, name, 'package.json'))
const isProgram = (name: string) => spawnSync(name, ['--version']).status === 0

/** One call of the recorder, in a shell script that git or a manager runs. */
const job = (hook: string) => `sh "$RECORDER" ${hook} "$@"`

const JOBS = ['pre-commit', 'commit-msg', 'post-commit', 'post-rewrite', 'post-merge', 'pre-push']

function node(repo: Repo, file: string, ...args: string[]): void {
  must(repo, process.execPath, join(MODULES, file), ...args)
}

export const husky8: Manager = {
  name: 'husky 8',
  isHere: isModule('husky8'),
  jobs: JOBS,
  folders: ['.git/hooks', '.husky'],
  setUp(repo) {
    node(repo, 'husky8/lib/bin.js', 'install')
    for (const hook of JOBS) node(repo, 'husky8/lib/bin.js', 'add', `.husky/${hook}`, job(hook))
  },
  install: (repo) => node(repo, 'husky8/lib/bin.js', 'install'),
  onTop: 'replaces',
  again: 'keeps',
  isPerWorktree: true,
}

function huskyIn(folder: string, name: string): Manager {
  return {
    name,
    isHere: isModule('husky9'),
    jobs: JOBS,
    folders: ['.git/hooks', folder],
    setUp(repo) {
      node(repo, 'husky9/bin.js', folder)
      for (const hook of JOBS) repo.write(`${folder}/${hook}`, `${job(hook)}\n`)
    },
    install: (repo) => node(repo, 'husky9/bin.js', folder),
    onTop: 'replaces',
    again: 'keeps',
    isPerWorktree: true,
  }
}

export const husky9 = huskyIn('.husky', 'husky 9')

/** The program itself: npm's entry in `.bin` would start Node first. */
const LEFTHOOK = join(
  MODULES,
  (existsSync(MODULES) ? readdirSync(MODULES) : []).find((name) => name.startsWith('lefthook-')) ??
    'lefthook-missing',
  'bin/lefthook',
)

export function runLefthook(repo: Repo, ...args: string[]): void {
  must(repo, LEFTHOOK, ...args)
}

export const LEFTHOOK_YML = JOBS.map(
  (hook) => `${hook}:
  jobs:
    - name: record
      run: sh "$RECORDER" ${hook} {0}
${hook === 'pre-push' || hook === 'post-rewrite' ? '      use_stdin: true\n' : ''}`,
).join('')

export const lefthook: Manager = {
  name: 'lefthook',
  isHere: existsSync(LEFTHOOK),
  jobs: JOBS,
  folders: ['.git/hooks'],
  setUp(repo) {
    repo.write('lefthook.yml', LEFTHOOK_YML)
    runLefthook(repo, 'install')
  },
  install: (repo) => runLefthook(repo, 'install', '-f'),
  onTop: 'replaces',
  again: 'replaces',
}

const PRE_COMMIT_JOBS = ['pre-commit', 'commit-msg', 'post-merge', 'pre-push']

export const preCommit: Manager = {
  name: 'pre-commit',
  isHere: isProgram('pre-commit'),
  jobs: PRE_COMMIT_JOBS,
  folders: ['.git/hooks'],
  setUp(repo) {
    const hooks = PRE_COMMIT_JOBS.map(
      (hook) => `      - id: record-${hook}
        name: record
        language: system
        entry: sh -c 'sh "$RECORDER" ${hook} "$@"' --
        stages: [${hook === 'pre-commit' || hook === 'pre-push' ? hook.slice('pre-'.length) : hook}]
        always_run: true
        pass_filenames: ${hook === 'commit-msg'}
`,
    )
    repo.write(
      '.pre-commit-config.yaml',
      `default_install_hook_types: [${PRE_COMMIT_JOBS.join(', ')}]\n` +
        `repos:\n  - repo: local\n    hooks:\n${hooks.join('')}`,
    )
    must(repo, 'pre-commit', 'install')
  },
  install: (repo) => must(repo, 'pre-commit', 'install'),
  onTop: 'keeps',
  again: 'keeps',
}

const simpleGitHooks: Manager = {
  name: 'simple-git-hooks',
  isHere: isModule('simple-git-hooks'),
  jobs: JOBS,
  folders: ['.git/hooks'],
  setUp(repo) {
    const hooks = Object.fromEntries(JOBS.map((hook) => [hook, job(hook)]))
    repo.write('package.json', JSON.stringify({ name: 'demo', 'simple-git-hooks': hooks }))
    node(repo, 'simple-git-hooks/cli.js')
  },
  install: (repo) => node(repo, 'simple-git-hooks/cli.js'),
  onTop: 'replaces',
  again: 'replaces',
}

const LFS_JOBS = ['post-commit', 'post-merge', 'pre-push']

export const gitLfs: Manager = {
  name: 'git-lfs',
  isHere: isProgram('git-lfs'),
  jobs: LFS_JOBS,
  folders: ['.git/hooks'],
  setUp(repo) {
    spyOnLfs(repo.sandbox)
    must(repo, 'git', 'lfs', 'install', '--local', '--skip-repo')
    // Plain `git lfs install` refuses to touch hooks that are not its own.
    must(repo, 'git', 'lfs', 'update', '--force')
  },
  install: (repo) => must(repo, 'git', 'lfs', 'update', '--force'),
  onTop: 'replaces',
  again: 'replaces',
}

/** Puts a `git-lfs` ahead of the real one: git-lfs has no jobs that could record what they were given. */
function spyOnLfs({ folder, env }: Sandbox): void {
  const real = (env['PATH'] ?? '')
    .split(':')
    .map((path) => join(path, 'git-lfs'))
    .find((path) => existsSync(path))
  const spy = join(folder, 'bin/git-lfs')
  if (real === spy) return
  writeFileSync(
    spy,
    `#!/bin/sh
case $1 in
  post-commit | post-merge) sh "$RECORDER" "$@" || exit $? ;;
  pre-push)
    input=$(cat)
    printf '%s' "\${input:+$input
}" | sh "$RECORDER" "$@" || exit $?
    printf '%s' "\${input:+$input
}" | exec ${real} "$@"
    exit ;;
esac
exec ${real} "$@"
`,
    { mode: 0o755 },
  )
  env['PATH'] = `${dirname(spy)}:${env['PATH']}`
}

export const MANAGERS: readonly Manager[] = [
  husky8,
  husky9,
  huskyIn('.config/husky', 'husky 9 in a folder of its own'),
  lefthook,
  preCommit,
  simpleGitHooks,
  gitLfs,
]
