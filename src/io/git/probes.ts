/** Tries out what `doctor` asks for, on the real repository, without leaving anything behind. */

import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Place, RepositoryPort } from '../../app/ports.ts'
import type { Answer, Env, Probes, WorktreeInfo } from '../../app/setup/setup.ts'
import { findLeftBehind, removeLeftBehind } from '../files/left-behind.ts'
import { lockState, removeDeadLock } from '../files/lock.ts'
import { openInProcess } from '../objects/isomorphic-reader.ts'
import { elsewhere, Git } from '../process/exec.ts'
import { openNamelessFile, takeBytes } from '../process/nameless-file.ts'
import type { Repository } from './repository.ts'
import { openRepository } from './repository.ts'
import { removeStaleRefLocks, staleRefLocks } from './ref-files.ts'
import { takesEvent } from './kept-trial.ts'
import type { WorktreeRecord } from './list-worktrees.ts'
import { listWorktrees } from './list-worktrees.ts'
import { commitEvent } from './trial-commit.ts'
import { worktreeDamage } from './worktree-damage.ts'
import { attempt, temporaryFolder } from '../files/files.ts'

/** Milliseconds a probe may take: a hook that waits for input must not hang doctor. */
const PROBE_TIMEOUT_MS = 20_000

/** The identity that commits in a trial. */
const TRIAL_USER = {
  GIT_AUTHOR_NAME: 'ledger-git',
  GIT_AUTHOR_EMAIL: 'doctor@localhost',
  GIT_COMMITTER_NAME: 'ledger-git',
  GIT_COMMITTER_EMAIL: 'doctor@localhost',
}

export function openProbes(repository: Repository, env: NodeJS.ProcessEnv): Probes {
  const { git, place } = repository
  const { commonDir, top, gitDir } = place
  const clean = elsewhere(env)
  const trialEnv = { ...clean, ...TRIAL_USER }
  // The current worktree may be named by variables alone (GIT_DIR and GIT_WORK_TREE).
  const gitIn = (worktree: WorktreeInfo) =>
    worktree.gitDir === gitDir ? git : new Git(worktree.path, clean)
  const deadLocks = (locks: readonly string[]) =>
    locks.filter((path) => lockState(path) === 'stale')
  return {
    env: clean,
    run: (program, args, withEnv) => run(program, args, top ?? gitDir, withEnv),
    worktrees: () => worktreesOf(repository, clean),
    damagedWorktrees: async () =>
      (await listWorktrees(git)).flatMap((one, i) => damageOf(one, i, place) ?? []),
    mergeIn: async (worktree, paths) => {
      const said = await gitIn(worktree).text(['check-attr', '-z', 'merge', '--', ...paths])
      const words = said.split('\0')
      return paths.map((_, i) => words[3 * i + 2] ?? '')
    },
    attributesBy: (texts, names, paths) => attributesBy(texts, names, paths, clean),
    hooksFolderIn: (worktree) => gitIn(worktree).pathOf('hooks'),
    isTracked: async (path) => {
      const isHere = top !== undefined && path.startsWith(`${top}/`)
      const there = isHere ? git : new Git(dirname(path), clean)
      return (await there.query(['ls-files', '--error-unmatch', '--', path])) !== undefined
    },
    commitEvent: (root) => commitEvent(place, root, trialEnv, PROBE_TIMEOUT_MS),
    takesEvent: (root) => takesEvent(place, root, trialEnv, PROBE_TIMEOUT_MS),
    ignoredBy: async (paths) => {
      const options = ['-v', '--non-matching', '-z', '--no-index', '--stdin']
      const { stdout } = await git.run(['check-ignore', ...options], { input: paths.join('\0') })
      const words = stdout.toString('utf8').split('\0')
      return paths.map((_, i) => {
        const [file, line, pattern] = words.slice(4 * i)
        // git names the last rule that matches, even if it negates an earlier one.
        const isRule = pattern !== undefined && pattern !== '' && !pattern.startsWith('!')
        return isRule ? `${file}:${line}:${pattern}` : undefined
      })
    },
    leftBehind: (locks, folders) => [
      ...deadLocks(locks),
      ...staleRefLocks(commonDir),
      ...findLeftBehind(commonDir, folders),
    ],
    removeLeftBehind: (locks, folders) => [
      // A lock that only another user can remove stays: the next check names it.
      ...deadLocks(locks).filter((lock) => {
        attempt(() => removeDeadLock(lock))
        return lockState(lock) === 'absent'
      }),
      ...removeStaleRefLocks(commonDir),
      ...removeLeftBehind(commonDir, folders),
    ],
    inProcess: openInProcess(place, clean),
    withScratchObjects: (action) => withScratchObjects(repository, action),
  }
}

/** Output goes into files: in an agent's sandbox, Node writes nothing into the socket of a parent's pipe. */
function run(program: string, args: readonly string[], cwd: string, env: Env): Promise<Answer> {
  const outputs = [0, 1].map(() => openNamelessFile() ?? ('ignore' as const))
  return new Promise((done) => {
    const child = spawn(program, args, {
      cwd,
      env: { ...env },
      stdio: ['ignore', ...outputs],
      timeout: PROBE_TIMEOUT_MS,
      killSignal: 'SIGKILL',
    })
    const end = (status: number | null) => {
      const texts = outputs.map((file) =>
        file === 'ignore' ? '' : takeBytes(file).toString('utf8'),
      )
      const said = texts.map((text) => text.trim()).filter((text) => text !== '')
      done({ status: status ?? 127, said: said.join('\n') })
    }
    child.once('error', () => end(null))
    child.once('exit', end)
  })
}

async function worktreesOf({ git, place }: Repository, env: Env): Promise<WorktreeInfo[]> {
  const current = { path: place.top ?? place.gitDir, gitDir: place.gitDir, isBare: !place.top }
  const found: WorktreeInfo[] = [current]
  for (const [i, record] of (await listWorktrees(git)).entries()) {
    const { path } = record
    if (!existsSync(path) || damageOf(record, i, place) !== undefined) continue
    // If the git folder is elsewhere, git lists that folder instead of the worktree.
    const asked = ['rev-parse', '--is-inside-work-tree', '--is-bare-repository']
    const answer = await new Git(path, env).run([...asked, '--absolute-git-dir'])
    const [isInside, isBare, gitDir] = answer.stdout.toString('utf8').split('\n')
    if (gitDir === undefined || gitDir === '' || gitDir === place.gitDir) continue
    if (isInside === 'true' || isBare === 'true') {
      found.push({ path, gitDir, isBare: isBare === 'true' })
    }
  }
  return found
}

function damageOf({ path, isBare }: WorktreeRecord, at: number, place: Place) {
  return isBare ? undefined : worktreeDamage(path, at === 0, place)
}

/** In a new repository: before git 2.40 `check-attr` reads no commit, and `info/attributes` overrides what it reads. */
async function attributesBy(
  texts: ReadonlyMap<string, Uint8Array>,
  names: readonly string[],
  paths: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<Record<string, string>[]> {
  const folder = temporaryFolder(`ledger-git-doctor-${process.pid}-`)
  const git = new Git(folder, { ...env, GIT_ATTR_NOSYSTEM: '1', GIT_ATTR_SOURCE: undefined })
  try {
    for (const [path, text] of texts) {
      mkdirSync(join(folder, dirname(path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    }
    // A template may bring an `info/attributes`.
    await git.text(['init', '-q', '--template='])
    const asked = ['check-attr', '-z', ...names, '--', ...paths]
    const words = (await git.text(['-c', 'core.attributesFile=', ...asked])).split('\0')
    const valueOf = (at: number) => words[3 * at + 2] ?? ''
    return paths.map((_, i) =>
      Object.fromEntries(names.map((name, j) => [name, valueOf(i * names.length + j)])),
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function withScratchObjects<T>(
  { git, place }: Repository,
  action: (repository: RepositoryPort) => Promise<T>,
): Promise<T> {
  const folder = temporaryFolder(`ledger-git-doctor-${process.pid}-`)
  const objects = await git.pathOf('objects')
  const repository = await openRepository(place.top ?? place.gitDir, {
    ...git.env,
    ...TRIAL_USER,
    GIT_OBJECT_DIRECTORY: folder,
    // A path with a colon or a quote needs git's quoting.
    GIT_ALTERNATE_OBJECT_DIRECTORIES: JSON.stringify(objects),
  })
  try {
    return await action(repository)
  } finally {
    repository.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
