/** `install` and `uninstall` over a repository's life: clones, worktrees, commits, changed settings. */

import { cpSync, mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { HOOKS } from '../../../src/app/hooks/hook-context.ts'
import { IS_CONFIG_GIT } from '../../support/not-run.ts'
import type { Repo } from '../../support/git-repo.ts'
import { nodeFiles } from '../../../src/io/files/node-files.ts'
import { CURRENT, EVENTS, ledgerRepo, ROOT, Sandbox } from '../../support/git-repo.ts'
import { changedPaths, snapshot } from '../../support/snapshot.ts'
import { CONFIGURATIONS } from './configurations.ts'
import { installIn, isHeadFresh, uninstallIn } from './in-process.ts'
import { longTest, sampleOf } from '../../support/long.ts'

describe('the command', () => {
  test('lists its changes, every path in a dry run, and the next command; --json prints data only', () => {
    const repo = new Sandbox().init()
    const dry = repo.tryLedger('install', '--dry-run')
    const real = repo.tryLedger('install')
    const hooks = HOOKS.join(', ')
    expect(real.stdout).toContain(`create .git/ledger-git/hooks/ (${hooks}, start)\n`)
    expect(real.stdout).toMatch(/^create \.gitattributes \(.+\)$/m)
    expect(real.stdout).toMatch(/^create \.git\/ledger-git\/config \(merge\.ledger\.driver, /m)
    expect(real.stdout.split('\n').length).toBeLessThan(12)
    for (const hook of HOOKS) expect(dry.stdout).toContain(`create .git/ledger-git/hooks/${hook} (`)
    expect(dry.stderr).toBe('')
    expect(real.stderr).toMatch(
      /^next: git add \.gitattributes thoughts\/shared\/handoffs && git commit/,
    )
    expect(real.stdout).toMatch(/^create \.git\/ledger-git\/ \(run, .+\)$/m)
    expect(repo.ledger('install')).toBe('already installed: nothing to change')
    repo.ledger('uninstall')
    repo.write('src/a.js', '')
    const below = repo.sandbox.at(join(repo.folder, 'src')).tryLedger('install')
    expect(below.stderr).toMatch(/^next: git add \.\.\/\.gitattributes \.\.\/thoughts/)
    expect(below.stdout).toContain(`create ${repo.folder}/.git/ledger-git/ (run, `)
    expect(JSON.parse(repo.ledger('install', '--json'))).toEqual({
      changes: [],
      notes: [],
      commit: expect.any(Array),
      dryRun: false,
    })
    expect(JSON.parse(repo.ledger('uninstall', '--json', '--dry-run'))).toMatchObject({
      dryRun: true,
    })
    expect(repo.ledger('uninstall')).toMatch(/^remove .*\/ledger-git\/ \(.*\brun\b/m)
    expect(repo.ledger('uninstall')).toBe('not installed: nothing to change')
    const changes = (...words: string[]) =>
      (JSON.parse(repo.ledger('install', '--json', ...words)) as { changes: unknown[] }).changes
    const planned = changes('--dry-run')
    expect(changes()).toEqual(planned)
    // Uninstall leaves the ledger's folder; everything else is written again.
    expect(planned.length).toBeGreaterThan(HOOKS.length * 2)
  })

  test('names a next command that works, even with spaces in the root', () => {
    const repo = new Sandbox().init()
    repo.write('.ledger-git.yaml', `ledger:\n  root: "it's my/ledger"\n`)
    const { stderr } = repo.tryLedger('install')
    const next = /^next: (.*)$/m.exec(stderr)?.[1] ?? 'false'
    expect(repo.run('sh', ['-c', next])).toMatchObject({ status: 0 })
    expect(repo.git('ls-files')).toContain('my/ledger/current.md')
  })
})

test('a global core.hooksPath is not written to, and a note says so', async () => {
  const sandbox = new Sandbox()
  const repo = sandbox.init()
  mkdirSync(join(sandbox.folder, 'hooks'))
  repo.git('config', '--global', 'core.hooksPath', join(sandbox.folder, 'hooks'))
  const home = snapshot(join(sandbox.folder, 'home'))
  const { notes } = await installIn(repo)
  expect(notes.join('\n')).toMatch(/hooks were not installed: git takes them from /)
  expect(changedPaths(home, snapshot(join(sandbox.folder, 'home')))).toEqual([])
  expect(Object.keys(snapshot(join(sandbox.folder, 'hooks')))).toEqual(['.'])
  expect(JSON.parse(repo.ledger('status', '--json'))).toMatchObject({
    hooks: IS_CONFIG_GIT ? { missing: [] } : { active: [] },
    next: IS_CONFIG_GIT ? null : 'ledger-git doctor',
  })
})

test("our merge attribute for current.md wins while installed, and the user's comes back", async () => {
  const repo = new Sandbox().init()
  repo.write('.gitattributes', 'thoughts/** merge=ours -text\n')
  await installIn(repo)
  expect(repo.git('check-attr', 'merge', '--', CURRENT)).toBe(`${CURRENT}: merge: ledger`)
  expect(repo.git('check-attr', 'merge', '--', 'thoughts/other.md')).toContain('merge: ours')
  await uninstallIn(repo)
  expect(repo.read('.gitattributes')).toBe('thoughts/** merge=ours -text\n')
})

test('a package inside a Yarn archive is refused before anything is written', async () => {
  const repo = new Sandbox().init()
  const before = snapshot(repo.folder)
  const cli = '/home/ada/.yarn/cache/ledger-git-npm-1.0.0.zip/node_modules/ledger-git/dist/main.js'
  const launch = { node: process.execPath, cli }
  await expect(installIn(repo, false, undefined, {}, { launch })).rejects.toMatchObject({
    code: 'PACKAGE_IN_ARCHIVE',
    next: expect.stringContaining('nodeLinker: node-modules'),
  })
  expect(changedPaths(before, snapshot(repo.folder))).toEqual([])
})

test('uninstall keeps events and a committed ledger', async () => {
  const repo = ledgerRepo()
  const path = repo.event('--now', 'kept')
  repo.commit('feat', { 'a.txt': 'a\n' })
  const pending = repo.event('--now', 'pending')
  await uninstallIn(repo)
  for (const kept of [path, pending, CURRENT, `${EVENTS}/.gitkeep`])
    expect(repo.exists(kept)).toBe(true)
  expect(repo.exists('.gitattributes')).toBe(false)
  expect(repo.exists('.git/ledger-git')).toBe(false)
  expect(repo.tryGit('commit', '-q', '--allow-empty', '-m', 'x')).toMatchObject({
    status: 0,
    stderr: '',
  })
})

test('uninstall keeps and names the copy of an event that was deleted before it was committed', async () => {
  const repo = ledgerRepo()
  const [gone, pending] = [repo.event('--now', 'gone'), repo.event('--now', 'pending')]
  repo.run('rm', [gone])
  repo.write('.git/ledger-git/wip-staged', 'x\n')
  const { notes } = await uninstallIn(repo)
  expect(notes.join('\n')).toMatch(
    new RegExp(`copies of events that were deleted stay in .*/ledger-git/kept: ${gone}$`, 'm'),
  )
  expect(repo.read(pending)).toContain('now: pending')
  expect(repo.run('find', ['.git/ledger-git', '-type', 'f']).stdout.trim().split('\n')).toEqual([
    expect.stringContaining(`kept/${gone.replace(/^.*\//, '')}`),
  ])
})

test('uninstall names what stays, and a script that would install everything again', async () => {
  const repo = ledgerRepo()
  const prepare = 'husky && ledger-git install || exit 0'
  repo.write('package.json', JSON.stringify({ scripts: { prepare, x: 'ledger-git show' } }))
  await installIn(repo, false, undefined, { agents: ['codex'] })
  repo.commit('chore: set up ledger-git')
  const skills = ['continuity', 'ledger-handoff', 'ledger'].map(
    (name) => `.agents/skills/${name}/SKILL.md`,
  )
  expect((await uninstallIn(repo)).notes).toEqual([
    `these are yours and stay: ${skills.join(', ')}`,
    '"prepare" in package.json installs it again: remove ledger-git from that script',
  ])
  expect((await uninstallIn(repo)).notes).toEqual([])
})

test('uninstall names texts that stayed when their agent was disconnected', async () => {
  const repo = ledgerRepo()
  await installIn(repo, false, undefined, { agents: ['codex'] })
  repo.commit('chore: connect')
  const [first, second] = [await uninstallIn(repo, false, ['codex']), await uninstallIn(repo)]
  expect(first.notes).toEqual([
    expect.stringMatching(/^these are yours and stay: \.agents\/skills/),
  ])
  expect(second.notes).toEqual(first.notes)
})

longTest(
  'uninstall in a linked worktree keeps what is committed in the main worktree',
  async () => {
    const repo = new Sandbox().init()
    await installIn(repo)
    repo.commit('chore: set up ledger-git')
    repo.git('worktree', 'add', '-q', '--detach', '../linked')
    await uninstallIn(repo.sandbox.at(join(repo.sandbox.folder, 'linked')))
    expect(repo.exists(CURRENT)).toBe(true)
    // The block is removed from every worktree, because the whole installation is.
    expect(repo.git('status', '--porcelain')).toBe(' D .gitattributes')
  },
)

test('what others write into .git/config during an install stays, even if the install is rolled back', async () => {
  const repo = new Sandbox().init()
  const others = (key: string) => repo.git('config', key, 'mine')
  const whileAt = (name: string, isFailing = false) => {
    const write = (path: string, content: string, mode?: number) => {
      if (path.endsWith(name)) others(`user.at-${name}`)
      if (path.endsWith(name) && isFailing) throw new Error('full')
      nodeFiles.write(path, content, mode)
    }
    return { files: { ...nodeFiles, write } }
  }
  await expect(installIn(repo, false, undefined, {}, whileAt('attributes', true))).rejects.toThrow(
    'full',
  )
  expect(repo.git('config', 'user.at-attributes')).toBe('mine')
  expect(repo.tryGit('config', 'include.path').status).toBe(1)
  await installIn(repo, false, undefined, {}, whileAt('launch'))
  expect(repo.git('config', 'user.at-launch')).toBe('mine')
  expect(repo.git('config', 'merge.ledger.name')).toContain('ledger-git')
})

test('lines that the user added after install survive uninstall', async () => {
  const repo = ledgerRepo()
  repo.write('.gitattributes', `${repo.read('.gitattributes')}*.png binary\n`)
  repo.write('.git/hooks/pre-push', `${repo.read('.git/hooks/pre-push')}echo mine\n`)
  repo.write('.git/info/exclude', `${repo.read('.git/info/exclude')}*.mine\n`)
  repo.git('config', 'user.nickname', 'mine')
  await uninstallIn(repo)
  expect(repo.read('.gitattributes')).toBe('*.png binary\n')
  expect(repo.read('.git/hooks/pre-push')).toBe('#!/bin/sh\necho mine\n')
  expect(repo.read('.git/info/exclude')).toMatch(/\*\.mine\n$/)
  expect(repo.git('config', 'user.nickname')).toBe('mine')
})

test('install repairs a block that somebody edited, and uninstall removes it completely', async () => {
  const repo = new Sandbox().init()
  repo.write('.git/hooks/pre-commit', '#!/bin/sh\necho mine\n')
  repo.chmod('.git/hooks/pre-commit', 0o755)
  await installIn(repo)
  const good = repo.read('.git/hooks/pre-commit')
  repo.write('.git/hooks/pre-commit', good.replace('if [', '# if ['))
  const { changes } = await installIn(repo)
  expect(changes.map(({ path }) => path.slice(repo.folder.length + 1))).toEqual([
    '.git/hooks/pre-commit',
  ])
  expect(repo.read('.git/hooks/pre-commit')).toBe(good)
  repo.write('.git/hooks/pre-commit', good.replace('if [', '# if ['))
  await uninstallIn(repo)
  expect(repo.read('.git/hooks/pre-commit')).toBe('#!/bin/sh\necho mine\n')
})

test('install and uninstall in a clone of an installed repository leave tracked files alone', async () => {
  const repo = ledgerRepo()
  repo.git('clone', '-q', '.', '../clone')
  const clone = repo.sandbox.at(join(repo.sandbox.folder, 'clone'))
  const before = snapshot(clone.folder)
  await installIn(clone)
  expect(clone.status()).toBe('')
  clone.event('--now', 'in the clone')
  clone.commit('feat', { 'a.txt': 'a\n' })
  expect(await isHeadFresh(clone)).toBe(true)

  const second = snapshot(clone.folder)
  await uninstallIn(clone)
  const left = changedPaths(before, snapshot(clone.folder)).filter(
    (path) => !path.startsWith('.git/'),
  )
  expect(
    left.filter((path) => path === '.gitattributes'),
    'the team’s tracked block stays',
  ).toEqual([])
  expect(
    changedPaths(second, snapshot(clone.folder)).some((path) => path.startsWith('.git/hooks/')),
  ).toBe(true)
})

test('uninstall without a record leaves what the team committed', async () => {
  const repo = ledgerRepo()
  await installIn(repo, false, undefined, { agents: ['claude'] })
  repo.commit('chore: connect')
  repo.git('clone', '-q', '.', '../clone')
  const clone = repo.sandbox.at(join(repo.sandbox.folder, 'clone'))
  expect((await uninstallIn(clone)).changes, 'never installed').toEqual([])
  await installIn(clone)
  await uninstallIn(clone)
  expect((await uninstallIn(clone)).changes, 'a second time').toEqual([])
  expect(clone.status()).toBe('')
  // A block that no commit holds was written here.
  repo.git('rm', '-q', '--cached', '.gitattributes')
  repo.commit('chore: no attributes', { '.gitignore': '.gitattributes\n' })
  rmSync(join(repo.folder, '.git/ledger-git/install.json'))
  await uninstallIn(repo)
  expect(repo.exists('.gitattributes') && repo.read('.gitattributes')).toBe('')
})

test('one install serves all worktrees, and one uninstall removes what it put into each', async () => {
  const sandbox = new Sandbox()
  const repo = sandbox.init()
  repo.commit('init', { 'README.md': '# demo\n' })
  repo.git('worktree', 'add', '-q', '-b', 'side', '../linked')
  const linked = sandbox.at(join(sandbox.folder, 'linked'))
  const before = snapshot(sandbox.folder)
  await installIn(repo)
  await installIn(linked)
  await uninstallIn(repo)
  expect(changedPaths(before, snapshot(sandbox.folder))).toEqual([])
})

test('a moved root replaces the old attributes and excludes', async () => {
  const repo = ledgerRepo()
  repo.write('.ledger-git.yaml', 'ledger:\n  root: notes\n')
  await installIn(repo)
  for (const path of ['.gitattributes', '.git/info/attributes', '.git/info/exclude']) {
    expect(repo.read(path), path).toMatch(/notes\//)
    expect(repo.read(path), path).not.toMatch(/thoughts\//)
  }
  await uninstallIn(repo)
  expect(repo.exists('.gitattributes')).toBe(false)
})

test.each(sampleOf(['my notes/ledger', 'docs', `${ROOT}/in it`, dirname(ROOT)], 4))(
  'a root moved to %s: the old ledger is named, and the printed command moves it',
  async (root) => {
    const repo = ledgerRepo()
    const event = basename(repo.event('--done', 'before'))
    repo.commit('work', { 'docs/a.txt': 'a\n' })
    const pending = basename(repo.event('--done', 'pending'))
    repo.write('.ledger-git.yaml', `ledger:\n  root: ${root}\n`)
    const since = basename(repo.event('--done', 'since'))
    const { notes } = await installIn(repo)
    const what = `the ledger of ${ROOT} is no longer read`
    expect(notes).toEqual([expect.stringMatching(what)])
    expect(JSON.parse(repo.ledger('status', '--json'))).toMatchObject({ reason: what })
    const move = notes[0]?.replace(/^.*; next: (.*) && ledger-git install$/s, '$1')
    repo.run('sh', ['-c', `cd docs && ${move}`])
    expect((await installIn(repo)).notes).toEqual([])
    expect(repo.git('ls-files', root)).toContain(`${root}/events/${event}`)
    for (const file of [pending, since]) expect(repo.exists(`${root}/events/${file}`)).toBe(true)
  },
)

longTest('a ledger in a folder that is not ASCII is not taken for one left behind', async () => {
  const repo = new Sandbox().init('repo')
  repo.commit('init', { '.ledger-git.yaml': 'ledger:\n  root: docs/übergabe\n' })
  await installIn(repo)
  repo.event('--done', 'work')
  repo.commit('work')
  expect((await installIn(repo)).notes).toEqual([])
})

longTest(
  'events left in the old folder by a merge are named, and the printed command moves them',
  async () => {
    const repo = ledgerRepo()
    const event = () => basename(repo.event('--agent', 'lead', '--done', 'work'))
    const left = event()
    repo.commit('before')
    repo.write('.ledger-git.yaml', 'ledger:\n  root: notes\n')
    await installIn(repo)
    const read = event()
    // As when a merge brings in a branch that knew only the default folder.
    repo.git('add', '-A')
    repo.commit('both')
    const { reason, next } = JSON.parse(repo.ledger('status', '--json')) as Record<string, string>
    expect([reason, next]).toEqual([
      `events that are still in ${EVENTS} are not read`,
      'ledger-git doctor',
    ])
    const pending = 'written-since.md'
    repo.write(`${EVENTS}/${pending}`, repo.read(`${EVENTS}/${left}`))
    const [note = ''] = (await installIn(repo)).notes
    const [, move = 'false', end] = /; next: (.*) && (ledger-git resolve)$/s.exec(note) ?? []
    expect(repo.run('sh', ['-c', move])).toMatchObject({ status: 0 })
    expect(end).toBe('ledger-git resolve')
    repo.ledger('resolve')
    const { findings } = JSON.parse(repo.tryLedger('doctor', '--json').stdout) as {
      findings: { name: string; status: string }[]
    }
    expect(findings.filter(({ status }) => status !== 'ok')).toEqual([])
    const files = repo
      .git('ls-files', 'notes/events')
      .split('\n')
      .map((path) => basename(path))
    expect(files).toEqual(expect.arrayContaining([left, read, pending]))
  },
)

test("uninstall removes our rendering, but not a current.md with somebody's text in it", async () => {
  const repo = new Sandbox().init()
  repo.commit('init', { 'README.md': '' })
  for (const added of ['', 'mine\n']) {
    await installIn(repo)
    repo.write(CURRENT, repo.read(CURRENT) + added)
    await uninstallIn(repo)
    expect(repo.exists(CURRENT)).toBe(added !== '')
  }
})

longTest('install and uninstall survive a damaged record', async () => {
  const repo = ledgerRepo()
  for (const text of ['{', 'null', '[]', '{"edits": 5}', '']) {
    repo.write('.git/ledger-git/install.json', text)
    await expect(installIn(repo), text).resolves.toBeDefined()
    repo.write('.git/ledger-git/install.json', text)
    await expect(uninstallIn(repo), text).resolves.toBeDefined()
    expect(repo.tryGit('config', 'merge.ledger.driver').stdout, text).toBe('')
    await installIn(repo)
  }
})

test('uninstall works in a repository that was moved', async () => {
  const repo = new Sandbox().init()
  const before = snapshot(repo.folder)
  await installIn(repo)
  const moved = repo.sandbox.at(join(repo.sandbox.folder, 'moved'))
  renameSync(repo.folder, moved.folder)
  await uninstallIn(moved)
  expect(changedPaths(before, snapshot(moved.folder))).toEqual([])
})

test('uninstall in a copied repository leaves the original alone', async () => {
  const repo = ledgerRepo()
  const copy = repo.sandbox.at(join(repo.sandbox.folder, 'copy'))
  cpSync(repo.folder, copy.folder, { recursive: true })
  const original = snapshot(repo.folder)
  await uninstallIn(copy)
  expect(changedPaths(original, snapshot(repo.folder))).toEqual([])
  expect(copy.tryGit('config', 'merge.ledger.driver').stdout).toBe('')
})

test("uninstall in a copied repository leaves the original's linked worktrees alone", async () => {
  const repo = ledgerRepo()
  repo.git('worktree', 'add', '-q', '../linked')
  const linked = repo.sandbox.at(join(repo.sandbox.folder, 'linked'))
  linked.write('.gitattributes', '')
  await installIn(linked)
  const copy = repo.sandbox.at(join(repo.sandbox.folder, 'copy'))
  cpSync(repo.folder, copy.folder, { recursive: true })
  const before = snapshot(linked.folder)
  await uninstallIn(copy)
  expect(changedPaths(before, snapshot(linked.folder))).toEqual([])
  await uninstallIn(repo)
  expect(linked.read('.gitattributes')).toBe('')
})

describe('git 2.54 runs hooks from its configuration', () => {
  const hookFiles = (repo: Repo) =>
    Object.entries(snapshot(join(repo.folder, '.git/hooks'))).filter(
      ([path]) => !path.endsWith('.sample'),
    )

  test('writes no hook file if no older git is on the machine, whatever hooks exist', async () => {
    const names = ['a python hook', 'a hook that is a link', 'a global core.hooksPath']
    const chosen = CONFIGURATIONS.filter(({ name }) => names.includes(name))
    expect(chosen).toHaveLength(names.length)
    for (const { make, name } of chosen) {
      const repo = make(new Sandbox())
      const before = hookFiles(repo)
      const { changes, notes } = await installIn(repo, false, {
        running: '2.54.0',
        others: ['2.55'],
      })
      expect(hookFiles(repo), name).toEqual(before)
      expect(notes, name).toEqual([])
      expect(
        changes.map(({ path }) => path).filter((path) => path.endsWith('/config-hooks')),
      ).toHaveLength(1)
      expect(repo.git('config', 'hook.ledger-git-pre-push.event')).toBe('pre-push')
      await uninstallIn(repo)
      expect(repo.tryGit('config', '--get-regexp', '^hook').stdout, name).toBe('')
      expect(hookFiles(repo), name).toEqual(before)
    }
  })

  // Git runs configured hooks before the hook file, and our part of pre-commit must come last.
  test.each(['.husky/pre-commit', '.git/hooks/pre-commit'])(
    "adds the block to the user's own %s, and to no other hook file",
    async (path) => {
      const configuration = CONFIGURATIONS.find(({ name }) => name === 'husky 9')
      const repo = path.startsWith('.husky')
        ? (configuration?.make(new Sandbox()) ?? new Sandbox().init())
        : new Sandbox().init()
      if (!path.startsWith('.husky')) {
        repo.write(path, '#!/bin/sh\nnpm test\n')
        repo.chmod(path, 0o755)
      }
      const before = repo.read(path)
      const { changes } = await installIn(repo, false, { running: '2.54.0', others: [] })
      const hooks = changes.map((change) => change.path.slice(repo.folder.length + 1))
      expect(hooks.filter((file) => /^\.husky\/|^\.git\/hooks\//.test(file))).toEqual([path])
      expect(repo.read(path)).toContain('>>> ledger-git')
      await uninstallIn(repo)
      expect(repo.read(path)).toBe(before)
    },
  )

  test('with an older git on the machine, writes both hook files and configuration', async () => {
    const repo = new Sandbox().init()
    await installIn(repo, false, { running: '2.54.0', others: ['2.39.5'] })
    expect(repo.exists('.git/hooks/pre-commit')).toBe(true)
    expect(repo.exists('.git/ledger-git/config-hooks')).toBe(true)
    // An install with the older git loses nothing of the newer one's.
    expect((await installIn(repo, false, { running: '2.39.5', others: [] })).changes).toEqual([])
  })

  test('after an upgrade of git, keeps the blocks and adds the configuration', async () => {
    const repo = new Sandbox().init()
    await installIn(repo, false, { running: '2.39.5', others: [] })
    expect(repo.exists('.git/ledger-git/config-hooks')).toBe(false)
    await installIn(repo, false, { running: '2.54.0', others: [] })
    expect(repo.read('.git/hooks/pre-commit')).toContain('>>> ledger-git')
    expect(repo.exists('.git/ledger-git/config-hooks')).toBe(true)
  })
})

test('--local changes nothing that git tracks, including hooks in the repository', async () => {
  const repo = new Sandbox().init()
  repo.commit('init', { '.githooks/pre-commit': '#!/bin/sh\n' })
  repo.chmod('.githooks/pre-commit', 0o755)
  repo.git('config', 'core.hooksPath', '.githooks')
  repo.commit('chore: run bit')
  repo.ledger('install', '--local')
  expect(repo.status()).toBe('')
  expect(repo.git('config', 'merge.ledger.driver')).toContain('merge-driver')
  expect(repo.git('check-attr', 'merge', '--', CURRENT)).toContain('merge: ledger')
})

test('a failed install leaves everything as it was', async () => {
  const repo = new Sandbox().init()
  repo.commit('init', { 'README.md': '# demo\n' })
  // A hook that is moved first, then a file where the ledger's folder goes.
  repo.write('.git/hooks/pre-commit', '#!/usr/bin/env python3\n')
  repo.chmod('.git/hooks/pre-commit', 0o755)
  repo.write('thoughts', 'a file where the ledger goes\n')
  const before = snapshot(repo.folder)
  await expect(installIn(repo)).rejects.toThrow('could not be written')
  expect(changedPaths(before, snapshot(repo.folder))).toEqual([])
})

test('a folder that leads out of the repository gets no ledger: a link, or another repository', async () => {
  const repo = new Sandbox().init()
  const elsewhere = join(repo.sandbox.folder, 'notes')
  mkdirSync(elsewhere)
  repo.write('thoughts/README.md', '')
  symlinkSync(elsewhere, join(repo.folder, 'thoughts/shared'))
  const before = snapshot(repo.sandbox.folder)
  const next = 'ledger.root in .ledger-git.yaml'
  await expect(installIn(repo)).rejects.toMatchObject({
    code: 'FILE_UNWRITABLE',
    message: 'thoughts/shared is a symbolic link: no commit takes what is behind it',
    next: expect.stringContaining(next) as string,
  })
  expect(changedPaths(before, snapshot(repo.sandbox.folder))).toEqual([])

  rmSync(join(repo.folder, 'thoughts/shared'))
  repo.git('init', '-q', 'thoughts')
  await expect(installIn(repo)).rejects.toMatchObject({
    message: 'thoughts is a repository of its own: no commit of this one takes what is in it',
    next: expect.stringContaining(next) as string,
  })
  // A submodule that nobody checked out yet: git would refuse to check it out over files of ours.
  rmSync(join(repo.folder, 'thoughts'), { recursive: true })
  repo.write('.gitmodules', '[submodule "notes"]\n\tpath = thoughts\n\turl = ../notes\n')
  await expect(installIn(repo)).rejects.toThrow(/^thoughts is a repository of its own/)

  repo.write('.ledger-git.yaml', 'ledger:\n  root: notes\n')
  expect((await installIn(repo)).notes).toEqual([])
})

test('an ignore rule that hides the ledger is named, and nobody is told to add ignored files', async () => {
  const repo = new Sandbox().init()
  repo.commit('init', { '.gitignore': 'thoughts/\n' })
  const { notes, commit } = await installIn(repo)
  expect(notes.join('\n')).toMatch(
    /^git ignores events \(\.gitignore:1:thoughts\/\).*; remove that rule/m,
  )
  expect(commit).toEqual(['.gitattributes'])
})

test('a filter on the ledger, such as git-lfs, is reported at every install', async () => {
  const repo = new Sandbox().init()
  repo.write('.gitattributes', '*.md filter=lfs\n')
  const told = [expect.stringMatching(/current\.md has filter=lfs: .*; end \.gitattributes with /)]
  expect((await installIn(repo)).notes).toEqual(told)
  expect((await installIn(repo)).notes).toEqual(told)
  repo.write('.gitattributes', `${repo.read('.gitattributes')}/${ROOT}/** -filter\n`)
  expect((await installIn(repo)).notes).toEqual([])
})
