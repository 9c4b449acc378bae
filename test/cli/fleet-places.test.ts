/** Worktrees and branches in unusual states: `fleet` says what state they are in, and still shows the others. */

import {
  chmodSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Finding } from '../../src/app/doctor/finding.ts'
import type { Fleet } from '../../src/core/fleet/fleet.ts'
import { builtFrom } from '../support/built-from.ts'
import type { Repo } from '../support/git-repo.ts'
import { CLI, CURRENT, ledgerRepo, Sandbox } from '../support/git-repo.ts'
import { IS_LONG, longTest } from '../support/long.ts'
import { asOther, IS_ROOT, needsOther } from '../support/other-user.ts'

builtFrom(
  () => import('../../src/cli/fleet/fleet.ts'),
  () => import('../../src/io/git/git-fleet.ts'),
)

const fleetOf = (repo: Repo, ...words: string[]): Fleet =>
  JSON.parse(repo.ledger('fleet', '--json', ...words)) as Fleet

function addWorktree(repo: Repo, name: string): Repo {
  const folder = join(repo.sandbox.folder, name)
  repo.git('worktree', 'add', '-q', '-b', name, folder)
  return repo.sandbox.at(folder)
}

type Doctor = Readonly<{ findings: readonly Finding[] }>
type Status = Readonly<{ fresh: boolean; pending: string[] }>

const find = ({ worktrees }: Fleet, folder: string) =>
  worktrees.find(({ path }) => path.endsWith(`/${folder}`))

test('during a rebase, merge, bisect or cherry-pick, names the branch and the operation', () => {
  const repo = new Sandbox().init()
  repo.commit('first', { 'a.txt': 'a' })
  const [rebased, picks, merges] = ['rebased', 'picks', 'merges'].map((name) => {
    const side = addWorktree(repo, name)
    side.commit(name, { 'a.txt': name })
    return side
  })
  const bisected = addWorktree(repo, 'bisected')
  repo.commit('main goes on', { 'a.txt': 'main' })
  expect(rebased?.tryGit('rebase', 'main').status).not.toBe(0)
  expect(picks?.tryGit('cherry-pick', 'main').status).not.toBe(0)
  expect(merges?.tryGit('merge', 'main').status).not.toBe(0)
  bisected.git('bisect', 'start', '-q', 'main', 'main~1')
  bisected.tryGit('checkout', '-q', '--detach', 'main~1')
  const fleet = fleetOf(repo)
  expect(find(fleet, 'rebased')).toMatchObject({ branch: 'rebased', note: 'rebasing' })
  expect(find(fleet, 'picks')).toMatchObject({ branch: 'picks', note: 'cherry-picking' })
  expect(find(fleet, 'merges')).toMatchObject({ branch: 'merges', note: 'merging' })
  expect(find(fleet, 'bisected')).toMatchObject({ branch: 'bisected', note: 'bisecting' })
  expect(fleet.errors).toEqual([])
  rebased?.git('rebase', '--abort')
  expect(find(fleetOf(repo), 'rebased')).toMatchObject({ branch: 'rebased', note: null })
  // A rebase without a branch to return to.
  rebased?.git('checkout', '-q', '--detach')
  expect(rebased?.tryGit('rebase', 'main').status).not.toBe(0)
  expect(find(fleetOf(repo), 'rebased')).toMatchObject({ branch: null, note: 'rebasing' })
})

test('shows a worktree replaced by a file, one on an absent disk, and one without a ledger', () => {
  const repo = ledgerRepo()
  const file = addWorktree(repo, 'file')
  rmSync(file.folder, { recursive: true })
  writeFileSync(file.folder, '')
  const stick = addWorktree(repo, 'stick')
  repo.git('worktree', 'lock', '--reason', 'on a stick', stick.folder)
  rmSync(stick.folder, { recursive: true })
  const without = addWorktree(repo, 'without')
  without.git('rm', '-rq', '.')
  without.git('commit', '-qnm', 'Nothing is left')
  const fleet = fleetOf(repo)
  expect(find(fleet, 'file')).toMatchObject({ note: 'its folder is gone', pending: null })
  expect(find(fleet, 'stick')).toMatchObject({ note: 'its folder is gone, locked: on a stick' })
  expect(find(fleet, 'without')).toMatchObject({ note: null, pending: 0, agents: [] })
  // The lock says that the worktree will come back, and git prunes no locked worktree.
  expect(fleet.attention).toMatchObject([{ kind: 'left_behind', subject: 'file' }])
  expect(fleet.errors).toEqual([])
})

test('a worktree moved by hand is repaired by the named command, not pruned', () => {
  const repo = ledgerRepo()
  const before = addWorktree(repo, 'before')
  before.event('--agent', 'toast', '--now', 'in it')
  const after = repo.sandbox.at(join(repo.sandbox.folder, 'a fter'))
  renameSync(before.folder, after.folder)
  // From another worktree, nobody knows where it is.
  const { attention } = fleetOf(repo)
  const gone = { kind: 'left_behind', command: 'git worktree repair FOLDER' }
  expect(attention).toMatchObject([gone])
  expect(attention[0]?.message).toBe('its folder is gone; if it was deleted: git worktree prune')
  const seen = fleetOf(after)
  const command = `git worktree repair '${after.folder}'`
  expect(seen.attention).toMatchObject([{ kind: 'broken', subject: 'before', command }])
  expect(find(seen, 'a fter')).toMatchObject({ branch: 'before', note: null })
  const { findings } = JSON.parse(after.tryLedger('doctor', '--json').stdout) as Doctor
  expect(findings.filter(({ status }) => status === 'broken')).toMatchObject([
    { name: 'worktrees', message: seen.attention[0]?.message, fix: command },
  ])
  expect(after.run('sh', ['-c', command]).status).toBe(0)
  expect(fleetOf(repo).attention).toEqual([])
  expect(find(fleetOf(after), 'a fter')).toMatchObject({ pending: 1 })
})

test('a worktree without .git file or with an empty HEAD is broken, and the named command repairs it', () => {
  const repo = ledgerRepo()
  const [bare, cut, never] = ['bare', 'cut', 'never'].map((name) => addWorktree(repo, name))
  for (const one of [bare, cut, never]) {
    one?.write('staged.txt', 'staged\n')
    one?.git('add', 'staged.txt')
  }
  rmSync(join(bare?.folder ?? '', '.git'))
  for (const name of ['cut', 'never']) repo.write(`.git/worktrees/${name}/HEAD`, '')
  rmSync(join(repo.folder, '.git/worktrees/never/logs'), { recursive: true })
  const { attention, worktrees } = fleetOf(repo)
  expect(attention.map(({ kind, subject }) => `${kind} ${subject}`)).toEqual([
    'broken bare',
    'broken cut',
    'broken never',
  ])
  expect(worktrees.map(({ note }) => note)).toEqual([null, null, null, null])
  const [missing, empty, unknown] = attention
  expect(missing).toMatchObject({
    message: 'git cannot work in bare: its .git file is missing',
    command: 'git worktree repair',
  })
  expect(empty?.message).toMatch(/^git cannot work in cut: its HEAD names nothing/)
  const { findings } = JSON.parse(repo.tryLedger('doctor', '--json').stdout) as Doctor
  const amiss = findings.filter(({ status }) => status === 'broken')
  expect(amiss.map(({ name }) => name)).toEqual(['worktrees'])
  // Nothing recorded the branch, so a person fills it in.
  expect(unknown?.command).toContain("'ref: refs/heads/BRANCH'")
  const commands = [missing?.command, empty?.command, unknown?.command?.replace('BRANCH', 'never')]
  for (const command of commands) repo.run('sh', ['-c', command ?? 'false'])
  for (const one of [bare, cut, never]) expect(one?.git('status', '-s')).toBe('A  staged.txt')
  cut?.git('switch', '-q', 'cut')
  expect(cut?.git('status', '-s')).toBe('A  staged.txt')
  expect(fleetOf(repo).attention).toEqual([])
})

test('counts events that HEAD lacks as pending, as status does, but no archive snapshot', () => {
  const repo = ledgerRepo()
  repo.event('--agent', 'lead', '--now', 'Plan')
  repo.commit('planned')
  const pendingIn = () => {
    const { pending } = JSON.parse(repo.ledger('status', '--json')) as Status
    return [pending.length, find(fleetOf(repo), 'repo')?.pending]
  }
  repo.ledger('archive', '--retention', '0s', '--no-confirm')
  repo.git('reset', '-q')
  expect(pendingIn()).toEqual([0, 0])
  const event = repo.event('--agent', 'lead', '--now', 'Build')
  repo.git('add', '-A')
  expect(pendingIn()).toEqual([1, 1])
  // A link is no event, whatever its name.
  renameSync(join(repo.folder, event), join(repo.folder, 'elsewhere'))
  symlinkSync(join(repo.folder, 'elsewhere'), join(repo.folder, event))
  repo.git('add', event)
  expect(pendingIn()).toEqual([0, 0])
})

longTest(
  'before the first commit, counts staged events as pending and wants current.md with them',
  () => {
    const repo = new Sandbox().init()
    repo.event('--agent', 'lead', '--now', 'Plan')
    for (const fresh of [true, false]) {
      const seen = JSON.parse(repo.ledger('status', '--json')) as Status
      expect([seen.fresh, seen.pending.length]).toEqual([fresh, 1])
      expect(find(fleetOf(repo), 'repo')).toMatchObject({ fresh, pending: 1 })
      repo.git('add', '-A')
    }
    // A new ledger shows no event yet, and the next commit renders it.
    const other = new Sandbox().init()
    other.ledger('install')
    other.event('--agent', 'lead', '--now', 'Plan')
    other.git('add', '-A')
    expect(JSON.parse(other.ledger('status', '--json'))).toMatchObject({ fresh: true })
    expect(find(fleetOf(other), 'repo')).toMatchObject({ fresh: true, pending: 1 })
  },
)

test.skipIf(!IS_LONG || needsOther('an unreadable worktree'))(
  'reports a folder that it may not read',
  () => {
    const repo = ledgerRepo()
    const shut = addWorktree(repo, 'shut')
    const { sandbox } = repo
    for (const folder of IS_ROOT ? [sandbox.folder] : []) repo.run('chmod', ['-R', 'a+rX', folder])
    chmodSync(shut.folder, 0)
    const [program, ...words] = asOther('main.js')
    const env = {
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'safe.directory',
      GIT_CONFIG_VALUE_0: '*',
    }
    const ran = repo.run(program, [...words, 'fleet', '--json'], { env })
    chmodSync(shut.folder, 0o755)
    const fleet = JSON.parse(ran.stdout) as Fleet
    expect(find(fleet, 'repo')).toMatchObject({ fresh: true, pending: 0 })
    expect(find(fleet, 'shut')).toMatchObject({ note: null, fresh: null, pending: null })
    const message = 'its files cannot be read (EACCES: permission denied)'
    expect(fleet.errors).toEqual([{ part: 'worktrees', subject: 'shut', message }])
    expect(fleet.attention).toMatchObject([{ kind: 'broken', subject: 'shut', message }])
  },
)

test('reports damaged session states and those of another release, and shows everything else', () => {
  const repo = ledgerRepo()
  repo.event('--agent', 'lead', '--now', 'Plan')
  repo.write('.git/ledger-git/sessions/newer.json', '{"format":99,"id":"newer"}')
  repo.write('.git/ledger-git/sessions/cut.json', '{"format":')
  repo.write('.git/ledger-git/context/cut.json', '{')
  const fleet = fleetOf(repo)
  expect(fleet.worktrees[0]?.agents).toMatchObject([{ agent: 'lead', now: 'Plan' }])
  expect(fleet.errors.map(({ subject }) => subject).sort()).toEqual(['cut.json', 'newer.json'])
  expect(fleet.attention.map(({ kind }) => kind)).toEqual(['broken', 'broken'])
  // Reading changes nothing.
  expect(repo.read('.git/ledger-git/sessions/cut.json')).toBe('{"format":')
  // A state that was set aside is reported until somebody removes it with the named command.
  expect(commandFor('cut.json')).toBe('git ledger session list')
  repo.tryLedger('session', 'list')
  const command = commandFor('cut.json')
  expect(command).toMatch(/^rm .*cut\.json\.damaged-1$/)
  expect(repo.run('sh', ['-c', command ?? 'false']).status).toBe(0)
  expect(commandFor('cut.json')).toBeUndefined()

  function commandFor(file: string): string | null | undefined {
    return fleetOf(repo).attention.find(({ subject }) => subject.startsWith(file))?.command
  }
})

test('shows hostile branch names, quotes them in commands, and never runs them', () => {
  const repo = ledgerRepo()
  repo.event('--agent', 'lead', '--now', 'Plan')
  repo.write(CURRENT, 'by hand')
  repo.git('add', '.')
  const stale = repo.git('commit-tree', repo.git('write-tree'), '-p', 'HEAD', '-m', 'stale')
  repo.git('reset', '-q', '--hard')
  const names = ['$(touch${IFS}hacked)', "it's;rm", 'a\u202eb', '-x', 'HEAD', 'x&y|z']
  for (const name of names) repo.git('update-ref', `refs/heads/${name}`, stale)
  const { branches, attention, errors } = fleetOf(repo)
  expect(branches.map(({ name }) => name).sort()).toEqual([...names, 'main'].sort())
  expect(errors).toEqual([])
  const switched = attention.map(({ command }) => {
    const script = `git() { test "$1" != switch || printf %s "$2"; }; ${command ?? ''}`
    return repo.run('sh', ['-c', script]).stdout
  })
  expect(switched.sort()).toEqual(names.map((name) => (name.includes('\u202e') ? '' : name)).sort())
  expect(repo.ledger('fleet')).not.toContain('\u202e')
  expect(repo.exists('hacked')).toBe(false)
})

longTest(
  'shows 200 branches in a SHA-256 repository with less than one git call per branch',
  () => {
    const sandbox = new Sandbox()
    const repo = sandbox.init('repo', '--object-format=sha256')
    repo.commit('first')
    repo.install()
    for (let i = 0; i < 100; i++) {
      const tree = repo.git('write-tree')
      const commit = repo.git('commit-tree', tree, '-p', 'HEAD', '-m', `own ${i}`)
      repo.git('update-ref', `refs/heads/own-${i}`, commit)
      repo.git('branch', `merged-${i}`)
    }
    const log = join(sandbox.folder, 'trace')
    const words = [CLI, 'fleet', '--json', '--all-branches']
    const ran = repo.run(process.execPath, words, { env: { GIT_TRACE: log } })
    const { branches, more, errors } = JSON.parse(ran.stdout) as Fleet
    expect([branches.length, more.branches, errors]).toEqual([201, 0, []])
    expect(branches.find(({ name }) => name === 'own-7')).toMatchObject({ ahead: 1, behind: 0 })
    // One call for each branch with commits of its own, and a few for all.
    expect(readFileSync(log, 'utf8').match(/built-in: git/g)?.length).toBeLessThan(130)
  },
)

test('shows a worktree whose .git is a pipe, without waiting for a writer', () => {
  const repo = ledgerRepo()
  const pipe = addWorktree(repo, 'pipe')
  rmSync(join(pipe.folder, '.git'))
  repo.run('mkfifo', [join(pipe.folder, '.git')])
  const ran = repo.run('timeout', ['20', 'node', CLI, 'fleet', '--json'])
  expect(find(JSON.parse(ran.stdout) as Fleet, 'pipe')).toMatchObject({
    branch: 'pipe',
    note: null,
  })
})

longTest(
  'a worktree that git cannot read is reported alike everywhere, and the named command repairs it',
  () => {
    const repo = ledgerRepo()
    const all = ['link', 'index', 'cut', 'whole'].map((name) => addWorktree(repo, name))
    const [link, index, cut, whole] = all
    for (const one of all) one.event('--agent', 'toast', '--now', `in ${one.folder}`)
    link?.write('.git', 'no link\n')
    repo.write('.git/worktrees/index/index', 'no index')
    // Git reads zeros past the end of the file without an error.
    truncateSync(join(repo.folder, '.git/worktrees/cut/index'), 100)
    // This setting omits the hash at the end of the index.
    whole?.git('config', 'index.skipHash', 'true')
    whole?.git('update-index', '--force-write-index')
    for (const from of [repo, whole]) {
      const shown = from?.tryLedger('show', '--all-worktrees')
      expect(shown?.status).toBe(1)
      expect(shown?.stdout).toContain('[->] in ')
      const named = ['cut', 'index', 'link'].map((name) =>
        expect.stringMatching(`^left out: ${name}: git cannot work in ${name}: its .*; next: .`),
      )
      const lines = shown?.stderr.trimEnd().split('\n') ?? []
      expect(lines.filter((line) => line.startsWith('left out')).toSorted()).toEqual(named)
    }
    const { attention, worktrees } = fleetOf(repo)
    const told = attention.filter(({ kind }) => kind === 'broken')
    expect(told.map(({ subject }) => subject).toSorted()).toEqual(['cut', 'index', 'link'])
    const { findings } = JSON.parse(repo.tryLedger('doctor', '--json').stdout) as Doctor
    const amiss = findings.filter(({ status }) => status === 'broken')
    expect(amiss.map(({ name, fix }) => ({ name, fix }))).toEqual([
      { name: 'worktrees', fix: told.map(({ command }) => command).join(' && ') },
    ])
    for (const { message } of told) expect(amiss[0]?.message).toContain(message)
    for (const { command } of told) {
      expect(repo.run('sh', ['-c', command ?? 'false']).status).toBe(0)
    }
    expect(worktrees.map(({ fresh }) => fresh).toSorted()).toEqual([null, null, null, true, true])
    for (const one of [link, index, cut]) {
      expect(one?.git('status', '--porcelain')).toMatch(/^\?\? .*\.md$/)
    }
    expect(fleetOf(repo).attention).toEqual([])
    expect(repo.tryLedger('doctor').status).toBe(0)
    // Damage to the main worktree is reported from the others.
    truncateSync(join(repo.folder, '.git/index'), 100)
    expect(whole && fleetOf(whole).attention).toMatchObject([{ kind: 'broken', subject: 'main' }])
  },
)
