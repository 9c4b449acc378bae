/** The same work beside every hook manager, and what can be observed of it from outside. */

import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { IS_CONFIG_GIT } from '../support/not-run.ts'
import { isHeadFresh } from '../app/setup/in-process.ts'
import { note } from '../git/scene.ts'
import type { Ran, Repo } from '../support/git-repo.ts'
import { CLI, CURRENT, Sandbox } from '../support/git-repo.ts'
import type { Snapshot } from '../support/snapshot.ts'
import { snapshot } from '../support/snapshot.ts'
import type { Manager } from './managers.ts'

/** Records one job: its hook, its arguments, pre-commit's variables and its input. */
const RECORDER = `hook=$1
shift
{
  printf '%s' "$hook"
  [ $# = 0 ] || printf ' <%s>' "$@"
  echo
  env | grep -E '^PRE_COMMIT_(FROM|TO|REMOTE|LOCAL|IS)' | sort
  case $hook in pre-push | post-rewrite) sed 's/^/  /' ;; esac
} >>"$SEEN"
[ "\${FAIL-}" != "$hook" ]
`

/** Stands in for the command that our hooks start, and counts the starts. */
const counter = () => `#!/bin/sh
echo "$1 $2" >>"$STARTS"
case $1 in
  hook | merge-driver) exec '${process.execPath}' '${join(CLI, '../git-entry.cjs')}' "$@" ;;
  *) exec '${process.execPath}' '${CLI}' "$@" ;;
esac
`

/** A sandbox that records the jobs of managers and the starts of ours. */
export function watchedSandbox(): Sandbox {
  const sandbox = new Sandbox()
  const place = (name: string) => join(sandbox.folder, name)
  mkdirSync(place('bin'))
  writeFileSync(place('recorder.sh'), RECORDER)
  writeFileSync(place('counter'), counter(), { mode: 0o755 })
  Object.assign(sandbox.env, {
    RECORDER: place('recorder.sh'),
    SEEN: place('seen.txt'),
    STARTS: place('starts.txt'),
    LEDGER_GIT_BIN: place('counter'),
    PRE_COMMIT_HOME: place('pre-commit'),
  })
  return sandbox
}

/** A repository with a commit that contains a file to work on. */
export function workplace(sandbox: Sandbox, name = 'repo'): Repo {
  const repo = sandbox.init(name)
  repo.commit('init', { 'work.txt': '0\n' })
  return repo
}

/** Runs a command. With some broken hooks git itself waits for ever: then it is ended. */
export function run(
  repo: Repo,
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Ran {
  const result = spawnSync(command, args, {
    cwd: repo.folder,
    env: { ...repo.sandbox.env, ...repo.sandbox.tick(), ...env },
    encoding: 'utf8',
    input: '',
    timeout: 60_000,
  })
  if (result.error) throw result.error
  return { status: result.status ?? 128, stdout: result.stdout, stderr: result.stderr }
}

export function must(repo: Repo, command: string, ...args: string[]): void {
  const ran = run(repo, command, args)
  if (ran.status !== 0) {
    throw new Error(`${command} ${args.join(' ')} → ${ran.status}\n${ran.stdout}${ran.stderr}`)
  }
}

/** Commits everything, bypassing all hooks: settings of managers, blocks of ours. */
export function commitSetUp(repo: Repo): void {
  repo.git('add', '-A')
  const args = ['-c', 'core.hooksPath=/dev/null', 'commit', '-q', '--allow-empty', '-m', 'set up']
  const ran = run(repo, 'git', args, { LEDGER_GIT: '0' })
  if (ran.status !== 0) throw new Error(ran.stderr)
}

export interface Outcome {
  /** Exit statuses of git. */
  readonly status: Readonly<Record<string, number>>
  /** What the manager's jobs were given, in the order in which they ran. */
  readonly seen: string
  /** Every start of our command from a hook, by what git was doing. */
  readonly starts: Readonly<Record<string, readonly string[]>>
}

function readAndRemove(path: string): string {
  const text = existsSync(path) ? readFileSync(path, 'utf8') : ''
  rmSync(path, { force: true })
  return text
}

let round = 0

/** Commits, rewrites, merges and pushes, with jobs that succeed and jobs that fail. */
export function work(repo: Repo): Outcome {
  const { env, folder } = repo.sandbox
  const remote = `${folder}/remote.git`
  rmSync(remote, { recursive: true, force: true })
  execFileSync('git', ['init', '-q', '--bare', remote], { env })
  takeSeen(repo)
  takeStarts(repo)
  const status: Record<string, number> = {}
  const starts: Record<string, readonly string[]> = {}
  const git = (name: string, fail: string, ...args: string[]) => {
    status[name] = run(repo, 'git', args, { FAIL: fail }).status
    const started = takeStarts(repo)
    if (started.length > 0) starts[name] = started
  }
  const edit = () => repo.write('work.txt', `${(round += 1)}\n`)

  edit()
  git('commit that pre-commit stops', 'pre-commit', 'commit', '-qam', 'stopped')
  edit()
  git('commit that commit-msg stops', 'commit-msg', 'commit', '-qam', 'stopped')
  edit()
  git('commit -a', '', 'commit', '-qam', 'work')
  edit()
  git('commit --amend', '', 'commit', '-q', '--amend', '-am', 'amended')
  const side = repo.git('commit-tree', '-p', 'HEAD', '-m', 'side', 'HEAD^{tree}')
  git('merge', '', 'merge', '-q', '--no-ff', '-m', 'merged', side)
  git('push', '', 'push', '-q', '../remote.git', 'HEAD:refs/heads/a', 'HEAD:refs/heads/b')
  git('push of nothing new', '', 'push', '-q', '../remote.git', 'HEAD:refs/heads/a')
  git('push that pre-push stops', 'pre-push', 'push', '-q', '../remote.git', 'HEAD:refs/heads/c')
  return { status, seen: takeSeen(repo), starts }
}

function takeStarts({ sandbox }: Repo): string[] {
  return readAndRemove(sandbox.env['STARTS'] ?? '')
    .split('\n')
    .filter(Boolean)
}

/** Names commits by their subjects: their ids differ from run to run. */
function takeSeen(repo: Repo): string {
  const text = readAndRemove(repo.sandbox.env['SEEN'] ?? '')
  const names = new Set(text.match(/\b(?!0{40})[0-9a-f]{40}\b/g))
  let named = text.replaceAll(repo.sandbox.folder, '<sandbox>')
  for (const name of names) {
    named = named.replaceAll(name, `{${repo.git('log', '-1', '--format=%s', name)}}`)
  }
  return named
}

/** The manager alone does what the tests take for granted. */
export function expectJobs(manager: Manager, { status, seen, starts }: Outcome): void {
  for (const hook of manager.jobs) expect(seen).toMatch(new RegExp(`^${hook}\\b`, 'm'))
  const stopped = Object.entries(status)
    .filter(([, value]) => value !== 0)
    .map(([name]) => name)
  const stoppable = ['pre-commit', 'commit-msg', 'pre-push'].filter((hook) =>
    manager.jobs.includes(hook),
  )
  expect(stopped.map((name) => / that (\S+) stops/.exec(name)?.[1])).toEqual(stoppable)
  expect(starts).toEqual({})
}

/** The jobs ran as in `before`; our part ran once where it has something to do, and it works. */
export async function expectHolds(
  repo: Repo,
  before: Outcome,
  when: string,
  { isLast } = { isLast: true },
): Promise<void> {
  const event = note(repo, 'works')
  const { status, seen, starts } = work(repo)
  expect
    .soft({ status, seen }, `jobs ${when}`)
    .toEqual({ status: before.status, seen: before.seen })
  expect.soft(starts, `starts ${when}`).toEqual(expectedStarts(status, isLast))
  expect.soft(repo.git('ls-tree', '-r', '--name-only', 'HEAD'), when).toContain(event)
  await expectFreshAndClean(repo, when)
  expectStaleStopped(repo, when)
}

/** Our starts for a commit with an event, in order. */
const COMMITTING = ['hook pre-commit', 'hook prepare-commit-msg', 'hook post-commit']

/**
 * Three starts for the commit that includes the event, and one for each push. A commit that the user's own pre-commit
 * refuses starts nothing of ours (`isLast`); a commit that is given up after it is not followed.
 */
function expectedStarts(status: Outcome['status'], isLast: boolean): Outcome['starts'] {
  const steps = Object.keys(status)
  const commits = steps.filter((step) => step.startsWith('commit'))
  const tries = commits.slice(0, commits.findIndex((step) => status[step] === 0) + 1)
  const pushes = steps.filter((step) => step.startsWith('push'))
  const started = (step: string) => {
    if (status[step] === 0) return COMMITTING
    if (!step.includes('pre-commit')) return COMMITTING.slice(0, 2)
    return isLast ? [] : COMMITTING.slice(0, 1)
  }
  return Object.fromEntries([
    ...tries.filter((step) => started(step).length > 0).map((step) => [step, started(step)]),
    ...pushes.map((step) => [step, ['hook pre-push']]),
  ])
}

async function expectFreshAndClean(repo: Repo, when: string): Promise<void> {
  expect.soft(await isHeadFresh(repo), `fresh ${when}`).toBe(true)
  expect.soft(repo.status(), `clean ${when}`).toBe('')
}

/** `git commit -- path`: git builds the commit in an index of its own. */
export async function expectPathCommit(repo: Repo): Promise<void> {
  takeStarts(repo)
  const event = note(repo, 'alone')
  repo.git('add', event)
  must(repo, 'git', 'commit', '-q', '-m', 'path', '--', event)
  const starts = takeStarts(repo)
  expect.soft(starts, 'git commit -- path').toEqual(COMMITTING)
  await expectFreshAndClean(repo, 'after git commit -- path')
}

/** A `current.md` that no event explains is not pushed. */
function expectStaleStopped(repo: Repo, when: string): void {
  const before = repo.git('rev-parse', 'HEAD')
  repo.write(CURRENT, `${repo.read(CURRENT)}by hand\n`)
  commitSetUp(repo)
  const { status, stdout, stderr } = run(repo, 'git', ['push', '../remote.git', 'HEAD:stale'])
  expect.soft(status, `stale push ${when}`).not.toBe(0)
  expect.soft(stdout + stderr, `stale push ${when}`).toContain('push stopped: the ledger of')
  repo.git('reset', '-q', '--hard', before)
}

export interface Round {
  readonly jobs: readonly string[]
  readonly starts: readonly string[]
  /** The event is in the commit, with a fresh `current.md`. */
  readonly isTaken: boolean
}

/** One commit with a pending event, and one push. */
export async function commitAndPush(
  repo: Repo,
  remote = `${repo.sandbox.folder}/remote.git`,
): Promise<Round> {
  takeSeen(repo)
  takeStarts(repo)
  const event = note(repo, 'one')
  repo.write('work.txt', `${(round += 1)}\n`)
  must(repo, 'git', 'add', 'work.txt')
  must(repo, 'git', 'commit', '-q', '-m', 'work')
  must(repo, 'git', 'push', '-q', remote, `HEAD:refs/heads/round-${round}`)
  const isIn = repo.git('ls-tree', '-r', '--name-only', 'HEAD').includes(event)
  const jobs = takeSeen(repo).match(/^[a-z-]+/gm) ?? []
  return { jobs, starts: takeStarts(repo), isTaken: isIn && (await isHeadFresh(repo)) }
}

const ROUND = ['pre-commit', 'commit-msg', 'post-commit', 'pre-push']

/** What `commitAndPush` returns when all is well. */
export function held({ jobs }: Manager): Round {
  const ran = ROUND.filter((hook) => jobs.includes(hook))
  return { jobs: ran, starts: [...COMMITTING, 'hook pre-push'], isTaken: true }
}

/** The same after a manager has removed us from its hooks, unless a newer git runs us anyway. */
export function lost(manager: Manager): Round {
  const all = held(manager)
  if (IS_CONFIG_GIT) return all
  // Without pre-commit nothing is marked, and the hooks after it have nothing to do.
  const isLost = (start: string) =>
    manager.jobs.includes(start.replace('hook ', '')) ||
    (manager.jobs.includes('pre-commit') && COMMITTING.includes(start))
  const starts = all.starts.filter((start) => !isLost(start))
  return { ...all, starts, isTaken: starts.includes('hook pre-commit') }
}

/** The same without ledger-git: the manager works alone. */
export function alone(manager: Manager): Round {
  return { ...held(manager), starts: [], isTaken: false }
}

/** All files of the manager, without git's samples. */
export function filesOf(repo: Repo, { folders }: Manager): Snapshot {
  const files = folders
    .filter((folder) => repo.exists(folder))
    .flatMap((folder) =>
      Object.entries(snapshot(join(repo.folder, folder))).map(([path, content]) => [
        `${folder}/${path}`,
        content,
      ]),
    )
  return Object.fromEntries(files.filter(([path]) => !path?.endsWith('.sample')))
}
