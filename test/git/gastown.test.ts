/**
 * A Gas Town rig with plain git: a shallow bare repository, refinery and polecat worktrees, and separate mayor and crew
 * clones. Polecats are merged in each of the refinery's two ways.
 */

import { appendFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CURRENT, ROOT, Sandbox } from '../support/git-repo.ts'
import type { Repo } from '../support/git-repo.ts'
import { changedPaths, snapshot } from '../support/snapshot.ts'
import { IS_LONG, longTest } from '../support/long.ts'

interface Rig {
  readonly folder: string
  /** Runs a command in a folder of the rig with an agent's environment; throws if it fails. */
  run(at: string, env: NodeJS.ProcessEnv, command: string, ...args: string[]): string
  at(path: string): Repo
}

/** The rig as `gt rig add` makes it; the repository may already have adopted ledger-git. */
function buildRig(sandbox: Sandbox, options: { adopted: boolean }): Rig {
  const seed = sandbox.init('seed')
  seed.commit('init', { 'README.md': '# demo\n' })
  if (options.adopted) seed.install()
  seed.git('init', '-q', '--bare', '-b', 'main', '../origin.git')
  seed.git('push', '-q', '../origin.git', 'main')
  const folder = join(sandbox.folder, 'town', 'rig')
  mkdirSync(join(folder, 'refinery'), { recursive: true })
  const origin = `file://${sandbox.folder}/origin.git`
  const shallow = ['--single-branch', '--depth', '1', '--branch', 'main', origin]
  const top = sandbox.at(folder)
  top.git('clone', '-q', '--bare', ...shallow, '.repo.git')
  const bare = sandbox.at(join(folder, '.repo.git'))
  bare.git('config', 'remote.origin.fetch', '+refs/heads/*:refs/remotes/origin/*')
  bare.git('fetch', '-q', '--depth', '1', 'origin', 'main:refs/remotes/origin/main')
  for (const clone of ['mayor/rig', 'crew/joe']) top.git('clone', '-q', ...shallow, clone)
  bare.git('worktree', 'add', '-q', '../refinery/rig', 'main')
  const at = (path: string) => sandbox.at(join(folder, path))
  const run = (path: string, env: NodeJS.ProcessEnv, command: string, ...args: string[]) => {
    const ran = at(path).run(command, args, { env })
    if (ran.status !== 0)
      throw new Error(`${command} ${args.join(' ')}\n${ran.stdout}${ran.stderr}`)
    return ran.stdout
  }
  return { folder, run, at }
}

/** Starts a polecat as `gt` does: a worktree with its own branch, then the setup hooks. */
function spawnPolecat(
  rig: Rig,
  name: string,
): { place: string; env: NodeJS.ProcessEnv; branch: string } {
  const branch = `polecat/${name}/gt-1@mk1`
  const place = `polecats/${name}/rig`
  const add = ['worktree', 'add', '-q', '-b', branch, `../${place}`, 'origin/main']
  rig.at('.repo.git').git('fetch', '-q', 'origin')
  rig.at('.repo.git').git(...add)
  appendFileSync(join(rig.folder, '.repo.git/info/exclude'), '.runtime/\n.claude/\nstate.json\n')
  const env = {
    GT_ROLE: `rig/polecats/${name}`,
    GT_RIG: 'rig',
    GT_POLECAT: name,
    BD_ACTOR: `rig/polecats/${name}`,
    GIT_AUTHOR_NAME: name,
    GT_BRANCH: branch,
    GT_RIG_PATH: rig.folder,
    GT_WORKTREE_PATH: join(rig.folder, place),
  }
  rig.run(place, env, join(rig.folder, '.runtime/setup-hooks/ledger-git'))
  return { place, env, branch }
}

/** The polecat's work: an event, a commit, `gt done`. */
function work(rig: Rig, name: string, push: 'worktree' | 'bare'): string {
  const { place, env, branch } = spawnPolecat(rig, name)
  const launcher = join(rig.folder, '.repo.git/ledger-git/run')
  rig.run(
    place,
    env,
    launcher,
    'event',
    'add',
    '--now',
    `${name} works`,
    '--done',
    `built by ${name}`,
  )
  rig.at(place).write(`${name}.txt`, 'x\n')
  rig.run(place, env, 'git', 'add', '-A', '.')
  rig.run(place, env, 'git', 'commit', '-qm', `feat: ${name}`)
  expect(rig.at(place).git('status', '--porcelain')).toBe('')
  if (push === 'worktree') rig.run(place, env, 'git', 'push', '-q', 'origin', `${branch}:${branch}`)
  else
    rig.run('.', env, 'git', '--git-dir=.repo.git', 'push', '-q', 'origin', `${branch}:${branch}`)
  return branch
}

const REFINERY = {
  GT_ROLE: 'rig/refinery',
  BD_ACTOR: 'rig/refinery',
  GT_RIG: 'rig',
  GIT_AUTHOR_NAME: 'rig/refinery',
}
const PLACE = 'refinery/rig'

/** Runs what the overlay tells the refinery to run, taken from the overlay itself. */
function synthesize(rig: Rig): void {
  const overlay = rig.at('.').read('formula-overlays/mol-refinery-patrol.toml')
  const command = /^ {2}("\$\(git rev-parse.*)$/m.exec(overlay)?.[1] ?? 'false'
  rig.run(PLACE, REFINERY, 'sh', '-c', command)
}

/** mol-refinery-patrol: rebase, then fast-forward only. */
function byFormula(rig: Rig, branch: string): void {
  const git = (...args: string[]) => rig.run(PLACE, REFINERY, 'git', ...args)
  git('fetch', '-q', '--prune', 'origin')
  git('checkout', '-q', '-b', 'temp', `origin/${branch}`)
  git('rebase', '-q', 'origin/main')
  synthesize(rig)
  git('checkout', '-q', 'main')
  git('merge', '-q', '--ff-only', 'temp')
  git('push', '-q', 'origin', 'main')
  git('push', '-q', 'origin', '--delete', branch)
  git('branch', '-q', '-D', 'temp')
}

/** The Go engineer: a trial merge, reset, squash. */
function byEngineer(rig: Rig, branch: string): void {
  const git = (...args: string[]) => rig.run(PLACE, REFINERY, 'git', ...args)
  git('checkout', '-q', 'main')
  git('pull', '-q', 'origin', 'main')
  git('merge', '-q', '--no-commit', '--no-ff', branch)
  git('reset', '-q', '--hard', 'HEAD')
  git('merge', '-q', '--squash', branch)
  git('commit', '-qm', `feat: ${branch}`)
  synthesize(rig)
  git('push', '-q', 'origin', 'main')
}

longTest('both ways of the refinery make a fresh ledger that names all polecats', () => {
  const sandbox = new Sandbox()
  const rig = buildRig(sandbox, { adopted: true })
  rig.at('.').ledger('install', '--gastown', '.')
  const names = IS_LONG ? ['nux', 'toast', 'slit'] : ['toast', 'slit']
  const branches = names.map((name) => work(rig, name, name === 'toast' ? 'bare' : 'worktree'))

  for (const branch of branches.slice(0, -1)) byFormula(rig, branch)
  byEngineer(rig, branches.at(-1) ?? '')

  const main = rig.at('mayor/rig')
  main.git('pull', '-q', 'origin', 'main')
  main.ledger('check', '--rev', 'origin/main')
  const text = main.read(CURRENT)
  for (const name of names) {
    expect(text).toContain(`- [x] built by ${name}\n`)
    expect(text).toContain(`| rig/polecats/${name} | polecat/${name}/gt-1@mk1 | ${name} works |`)
  }
  expect(rig.at(PLACE).git('status', '--porcelain')).toBe('')
  expect(rig.at(PLACE).git('show', '--stat', '--format=', 'main')).not.toContain('D  ')

  // A stale branch is also stopped when it is pushed from the bare repository.
  const { place, env } = spawnPolecat(rig, 'ace')
  rig.at(place).write(CURRENT, `${text}by hand\n`)
  rig.run(place, { ...env, LEDGER_GIT: '0' }, 'git', 'commit', '-qam', 'stale')
  const refspec = 'polecat/ace/gt-1@mk1:polecat/ace/gt-1@mk1'
  const pushed = rig.at('.').run('git', ['--git-dir=.repo.git', 'push', 'origin', refspec])
  expect(pushed.status).not.toBe(0)
  expect(pushed.stderr).toContain('push stopped: the ledger of polecat/ace/gt-1@mk1')
  // Separate clones are set up, too.
  for (const clone of ['mayor/rig', 'crew/joe']) {
    expect(JSON.parse(rig.at(clone).ledger('status', '--json'))).toMatchObject({
      driver: { active: true },
      hooks: { missing: [] },
    })
  }
  expect(rig.at(PLACE).tryLedger('doctor').status).toBe(0)
})

longTest('install --gastown writes what its dry run lists, and uninstall removes it all', () => {
  const sandbox = new Sandbox()
  const rig = buildRig(sandbox, { adopted: false })
  const town = join(sandbox.folder, 'town')
  const overlay = 'formula-overlays/mol-refinery-patrol.toml'
  sandbox.at(town).write(overlay, '# the town’s own\n[[step-overrides]]\nstep_id = "land"\n')
  const before = snapshot(town)
  const install = (...words: string[]) =>
    sandbox.at(town).tryLedger('install', '--gastown', 'rig', ...words)
  const dry = install('--dry-run')
  expect(dry.stdout).toMatch(/^create .*mol-refinery-patrol\.toml \(/m)
  expect(dry.stderr).toContain('the repository itself does not use ledger-git yet')
  const planned = JSON.parse(install('--dry-run', '--json').stdout) as object
  expect(changedPaths(before, snapshot(town))).toEqual([])

  const real = JSON.parse(install('--json').stdout) as object

  expect(real).toEqual({ ...planned, dryRun: false })
  expect(rig.at('.').read(overlay)).toMatch(/^# the town’s own\n[^]*step_id = "process-branch"/)
  expect(rig.at(PLACE).git('status', '--porcelain')).toBe('')
  expect(rig.at(PLACE).exists(ROOT)).toBe(false)
  const installed = snapshot(town)
  expect(rig.at('.').ledger('install', '--gastown', '.')).toBe(
    'already installed: nothing to change',
  )
  expect(changedPaths(installed, snapshot(town))).toEqual([])
  rig.at('.').ledger('uninstall', '--gastown', '.')
  expect(changedPaths(before, snapshot(town))).toEqual([])
})

test('install --gastown refuses a folder that is not a rig', () => {
  const repo = new Sandbox().init()
  const ran = repo.tryLedger('install', '--gastown', '.')
  expect(ran).toMatchObject({ status: 2, stdout: '' })
  expect(ran.stderr).toContain('is not a Gas Town rig')
})
