/** `doctor`: each fault is found, named and repaired; history and the user's hooks are left out of it. */

import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import type { Finding } from '../../../src/app/doctor/finding.ts'
import { HOOKS } from '../../../src/app/hooks/hook-context.ts'
import { hookCommand } from '../../../src/core/setup/install-texts.ts'
import type { Repo } from '../../support/git-repo.ts'
import { Sandbox } from '../../support/git-repo.ts'
import { IS_LONG, longTest, sampleOf } from '../../support/long.ts'
import { needsHookFiles } from '../../support/not-run.ts'
import { changedPaths } from '../../support/snapshot.ts'
import { installIn } from '../setup/in-process.ts'
import { doctorIn, fixIn, quick } from './in-process.ts'
import {
  BLOCK,
  blockOf,
  commitQuietly,
  edit,
  files,
  history,
  installed,
  named,
  OUR,
  ran,
  remove,
  type,
  userLine,
  writeUserHooks,
} from './scene.ts'

describe('healthy', () => {
  const places: Record<string, (repo: Repo) => Promise<Repo> | Repo> = {
    'the main worktree': (repo) => repo,
    'a linked worktree': (repo) => {
      repo.git('-c', 'core.hooksPath=/dev/null', 'worktree', 'add', '-q', '../linked')
      return repo.sandbox.at(join(repo.sandbox.folder, 'linked'))
    },
    // Cone mode always checks out the files of the top folder; without it .gitattributes is not there.
    'a sparse worktree (cone)': (repo) => {
      repo.git('-c', 'core.hooksPath=/dev/null', 'sparse-checkout', 'set', '--cone', 'thoughts')
      return repo
    },
    'a sparse worktree without .gitattributes': (repo) => {
      const args = ['sparse-checkout', 'set', '--no-cone', '/thoughts/']
      repo.git('-c', 'core.hooksPath=/dev/null', ...args)
      expect(repo.exists('.gitattributes')).toBe(false)
      return repo
    },
    'a bare repository': async (repo) => {
      repo.git('clone', '-q', '--bare', '.', '../bare.git')
      const bare = repo.sandbox.at(join(repo.sandbox.folder, 'bare.git'))
      writeUserHooks(bare, 'hooks')
      await installIn(bare)
      return bare
    },
  }

  test.each(sampleOf(Object.entries(places), 4))(
    '%s: every finding is ok, nothing is left',
    async (_, go) => {
      const repo = await go(installed())
      const [before, filesBefore] = [history(repo), files(repo)]

      const { status, findings } = await doctorIn(repo)

      expect(findings.filter((finding) => finding.status !== 'ok')).toEqual([])
      expect(findings.filter(({ fix }) => fix !== null)).toEqual([])
      expect(status).toBe(0)
      const hooks = findings.filter(({ name }) => name.startsWith('hook-')).map(({ name }) => name)
      expect(hooks).toEqual(HOOKS.map((hook) => `hook-${hook}`))
      expect(ran(repo)).toBe('')
      expect(history(repo)).toBe(before)
      expect(changedPaths(filesBefore, files(repo))).toEqual([])
    },
  )
})

test.skipIf(
  needsHookFiles(
    'the command: exit 1 and every fix below its finding; --fix says what it did, and exit 0',
  ),
)(
  'the command: exit 1 and every fix below its finding; --fix says what it did, and exit 0',
  async () => {
    const repo = installed()
    const before = history(repo)
    remove(repo, '.git/hooks')
    const ahead = ['a', 'b', 'c'].map((now) => repo.event('--now', now, '--ts', '2099-01-01'))
    remove(repo, `${OUR}/run`)
    const broken = repo.tryLedger('doctor')
    expect(broken).toMatchObject({ status: 1 })
    expect(broken.stdout).toMatch(
      /^broken {3}hooks-folder: .*\/hooks is empty or missing: git runs no hook\n {9}fix: ledger-git install$/m,
    )
    expect(broken.stderr).toMatch(/^\d+ ok, \d+ warning, \d+ broken$/m)
    // To be typed: however long, it is whole.
    const retracts = broken.stdout.match(/event retract \S+\.md\b/g)
    expect(retracts).toHaveLength(ahead.length)
    for (const path of ahead) repo.ledger('event', 'drop', path)
    const fixed = repo.tryLedger('doctor', '--fix')
    expect(fixed).toMatchObject({ status: 0 })
    // Before it, a slow machine says that something goes on.
    expect(fixed.stderr).toMatch(/^35 ok, 0 warning, 0 broken\n$/m)
    expect(fixed.stdout).toMatch(/^fixed {4}create .*\/ledger-git\/run$/m)
    expect(history(repo)).toBe(before)
  },
)

test.skipIf(
  !IS_LONG ||
    needsHookFiles('a path with a space: the command that gives a hook its run bit can be typed'),
)('a path with a space: the command that gives a hook its run bit can be typed', async () => {
  const repo = new Sandbox().init(`it's a repo`)
  await installIn(repo)
  repo.chmod('.git/hooks/pre-commit', 0o644)
  const { findings } = await doctorIn(repo, quick(repo))
  expect(type(repo, named(findings, 'hook-pre-commit')?.fix ?? 'false')).toMatchObject({
    status: 0,
  })
})

test('without a temporary folder, what can be checked is checked, and what cannot be is named', async () => {
  const repo = installed()
  const whole = await doctorIn(repo)
  vi.stubEnv('TMPDIR', '/nowhere')
  const { findings } = await doctorIn(repo).finally(() => vi.unstubAllEnvs())
  const lacking = new Set(['attributes-committed', 'driver-merge', 'pending-events'])
  const isLeft = ({ name }: Finding) => !lacking.has(name)
  expect(findings).toEqual([
    ...whole.findings.filter(isLeft),
    {
      name: 'unchecked',
      status: 'broken',
      message: expect.stringMatching(
        /^no temporary folder can be created in \/nowhere: .*\(not checked: attributes-committed, driver-merge, pending-events\)$/,
      ) as string,
      fix: expect.stringMatching(/^set TMPDIR to a writable folder/) as string,
    },
  ])
})

describe('not set up', () => {
  test('a repository that never was: found; --fix writes no tracked file', async () => {
    const repo = new Sandbox().init()
    repo.commit('init', { 'README.md': '# demo\n' })
    const { status, findings } = await doctorIn(repo, quick(repo))
    expect(status).toBe(1)
    expect(named(findings, 'installation')).toMatchObject({
      status: 'broken',
      message: 'this clone was never set up',
      fix: 'ledger-git install',
    })
    await fixIn(repo, findings)
    const fixed = await doctorIn(repo, quick(repo))
    expect(fixed.status).toBe(0)
    expect(fixed.findings.filter(({ status }) => status !== 'ok')).toMatchObject([
      {
        name: 'attributes-committed',
        fix: 'ledger-git install && git add :/.gitattributes && git commit',
      },
    ])
    expect(repo.status()).toBe('')
  })

  longTest('a clone that has the attribute but not the driver', async () => {
    const origin = installed()
    origin.git('clone', '-q', '.', '../clone')
    const clone = origin.sandbox.at(join(origin.sandbox.folder, 'clone'))
    const before = history(clone)
    const { status, findings } = await doctorIn(clone, quick(clone))
    expect(status).toBe(1)
    // One cause: what install would have set up is not listed.
    expect(findings.filter((finding) => finding.status !== 'ok')).toEqual([
      {
        name: 'installation',
        status: 'broken',
        message: 'this repository uses ledger-git, but this clone was never set up',
        fix: 'ledger-git install',
      },
    ])
    const fixed = await doctorIn(clone, quick(clone), true)
    expect(fixed).toMatchObject({ status: 0 })
    expect(fixed.findings.every(({ status }) => status === 'ok')).toBe(true)
    expect(clone.status()).toBe('')
    expect(history(clone)).toBe(before)
  })
})

/** A hook as each manager writes it; the user's line stands for the jobs that it would run. */
const LEFTHOOK = '#!/bin/sh\ncall_lefthook() {\n  :\n}\n'
const PRE_COMMIT = '#!/usr/bin/env bash\n# File generated by pre-commit: https://pre-commit.com\n'
const SIMPLE = '#!/bin/sh\n[ "$SKIP_SIMPLE_GIT_HOOKS" = 1 ] && exit 0\n'

describe.skipIf(needsHookFiles('hooks of other managers are never run'))(
  'hooks of other managers are never run',
  () => {
    test('simple-git-hooks at work: what it wrote anew and what it deleted is one finding', async () => {
      const repo = installed()
      for (const hook of HOOKS) rmSync(join(repo.folder, '.git/hooks', hook))
      repo.write('.git/hooks/pre-push', `${SIMPLE}${userLine('pre-push')}`)
      repo.chmod('.git/hooks/pre-push', 0o755)
      const { findings } = await doctorIn(repo, quick(repo))
      expect(findings.filter(({ status }) => status !== 'ok')).toEqual([
        {
          name: 'hook-pre-commit',
          status: 'broken',
          message: `simple-git-hooks rewrote the hooks in ${repo.folder}/.git/hooks, so these do not call ledger-git: ${HOOKS.join(', ')}`,
          fix: 'ledger-git install',
        },
      ])
      expect(ran(repo)).toBe('')
    })

    longTest('lefthook, pre-commit, simple-git-hooks, with our block and without it', async () => {
      const repo = installed()
      const write = (hook: string, start: string, block = '') => {
        repo.write(`.git/hooks/${hook}`, start.replace('\n', `\n${block}`) + userLine(hook))
      }
      const block = (hook: string) => blockOf(repo.read(`.git/hooks/${hook}`))
      write('pre-commit', LEFTHOOK)
      write('prepare-commit-msg', SIMPLE)
      write('post-commit', PRE_COMMIT)
      write('post-merge', LEFTHOOK, block('post-merge'))
      write('post-rewrite', SIMPLE, block('post-rewrite'))
      write('post-checkout.legacy', '#!/bin/sh\n', block('post-checkout'))
      write('post-checkout', PRE_COMMIT)
      repo.chmod('.git/hooks/post-checkout.legacy', 0o755)
      write('pre-push', LEFTHOOK)
      repo.write(
        'lefthook.yml',
        `pre-push:\n  jobs:\n    - run: ${hookCommand('pre-push', '{0}')}\n`,
      )

      const { status, findings } = await doctorIn(repo, quick(repo))

      expect(status).toBe(1)
      const statuses = HOOKS.map((hook) => [hook, named(findings, `hook-${hook}`)?.status])
      expect(Object.fromEntries(statuses)).toEqual({
        'pre-commit': 'broken',
        'prepare-commit-msg': 'broken',
        'commit-msg': 'ok',
        'post-commit': 'broken',
        'post-merge': 'ok',
        'post-rewrite': 'ok',
        'post-checkout': 'ok',
        'pre-push': 'ok',
      })
      expect(named(findings, 'hook-pre-commit')).toMatchObject({
        message: expect.stringMatching(
          /does not call ledger-git \(lefthook rewrote it; install prints how to keep it\)$/,
        ),
        fix: 'ledger-git install',
      })
      expect(named(findings, 'hook-prepare-commit-msg')).toMatchObject({
        message: expect.stringMatching(/\(simple-git-hooks rewrote it\)$/),
        fix: 'ledger-git install',
      })
      expect(named(findings, 'hook-pre-push')?.message).toMatch(
        /not run: your other jobs would run/,
      )
      expect(ran(repo)).toBe('')
      await fixIn(repo, findings)
      const mended = await doctorIn(repo, quick(repo))
      expect(mended.findings.filter(({ status }) => status !== 'ok')).toEqual([])
      expect(ran(repo)).toBe('')
    })

    longTest('a global hooks folder without hooks of ours: one finding, one command', async () => {
      const repo = installed()
      const folder = join(repo.sandbox.folder, "global o'f")
      mkdirSync(folder)
      repo.git('config', '--global', 'core.hooksPath', folder)
      const { findings } = await doctorIn(repo, quick(repo))
      const amiss = findings.filter(({ status }) => status !== 'ok')
      expect(amiss).toMatchObject([{ name: 'hook-pre-commit', status: 'broken' }])
      expect(amiss[0]?.message).toContain(`${folder} has no ${HOOKS.join(', ')}, so nothing`)
      repo.run('sh', ['-c', amiss[0]?.fix ?? ''])
      const mended = await doctorIn(repo, quick(repo))
      expect(mended.findings.filter(({ status }) => status !== 'ok')).toEqual([])
      repo.event('--now', 'by a global hook')
      repo.commit('next', { 'a.txt': 'a\n' })
      expect(repo.git('show', '--stat', 'HEAD')).toContain('events/')
    })

    longTest('husky: its folder gone, the launcher not executable, our block gone', async () => {
      const repo = new Sandbox().init()
      writeUserHooks(repo, '.husky', '')
      repo.write('.husky/_/h', '#!/bin/sh\nsh -e ".husky/$(basename "$0")" "$@"\n')
      for (const hook of HOOKS) {
        repo.write(`.husky/_/${hook}`, '#!/bin/sh\n. "$(dirname "$0")/h"')
        repo.chmod(`.husky/_/${hook}`, 0o755)
      }
      repo.write('.husky/_/.gitignore', '*\n')
      repo.git('config', 'core.hooksPath', '.husky/_')
      await installIn(repo)
      commitQuietly(repo)
      repo.chmod(`${OUR}/run`, 0o644)
      edit(repo, '.husky/pre-push', (text) => text.replace(BLOCK, ''))

      const { status, findings } = await doctorIn(repo, quick(repo))

      expect(status).toBe(1)
      // Without the launcher no hook does anything: said once.
      expect(named(findings, 'launcher')?.message).toMatch(/is not executable$/)
      expect(named(findings, 'hook-pre-commit')).toBe(undefined)
      expect(ran(repo)).toBe('')
      await fixIn(repo, findings)
      remove(repo, '.husky/_')
      const without = await doctorIn(repo, quick(repo))
      expect(without.findings.filter(({ status }) => status !== 'ok')).toMatchObject([
        { name: 'hooks-folder', status: 'broken', fix: 'npm install && npx husky .husky' },
      ])
      expect(ran(repo)).toBe('')
    })

    longTest('a global hooks folder: read, never run; the named line can be added', async () => {
      const repo = installed()
      const folder = join(repo.sandbox.folder, 'global')
      const shared = repo.sandbox.at(repo.sandbox.folder)
      writeUserHooks(shared, 'global')
      repo.git('config', '--global', 'core.hooksPath', folder)
      const { status, findings } = await doctorIn(repo, quick(repo))
      expect(status).toBe(1)
      expect(named(findings, 'hooks-folder')?.message).toMatch(/is not this repository's$/)
      for (const hook of HOOKS) {
        const finding = named(findings, `hook-${hook}`)
        expect(finding?.message).toMatch(/does not call ledger-git$/)
        const line = finding?.fix?.replace(/^add to it: /, '') ?? ''
        shared.write(`global/${hook}`, `#!/bin/sh\n${line}\n${userLine(hook)}`)
      }
      const fixed = await doctorIn(repo, quick(repo))
      expect(fixed.status).toBe(0)
      expect(named(fixed.findings, 'hook-pre-push')?.message).toMatch(/calls ledger-git \(not run/)
      expect(ran(repo)).toBe('')
    })
  },
)

test.skipIf(
  !IS_LONG ||
    needsHookFiles('hooks from a folder of the worktree that another worktree does not have'),
)('hooks from a folder of the worktree that another worktree does not have', async () => {
  const repo = new Sandbox().init()
  repo.commit('init', { 'README.md': '# demo\n' })
  repo.git('worktree', 'add', '-q', '../linked')
  repo.git('config', 'core.hooksPath', '.githooks')
  await installIn(repo)
  commitQuietly(repo)
  const { status, findings } = await doctorIn(repo, quick(repo))
  expect(status).toBe(1)
  expect(named(findings, 'hooks-in-worktrees')).toMatchObject({
    status: 'broken',
    message: `missing, so git runs no hook in that worktree: ${repo.sandbox.folder}/linked/.githooks`,
    fix: `(cd ${repo.sandbox.folder}/linked && ledger-git install)`,
  })
  const linked = repo.sandbox.at(join(repo.sandbox.folder, 'linked'))
  linked.git('-c', 'core.hooksPath=/dev/null', 'merge', '-q', 'main')
  expect(await doctorIn(linked, quick(linked))).toMatchObject({ status: 0 })
})

longTest(
  'a hook without interpreter line, which git runs with sh, is tried out like any other',
  async () => {
    const repo = new Sandbox().init()
    writeUserHooks(repo, '.git/hooks', '')
    await installIn(repo)
    commitQuietly(repo)
    const { status, findings } = await doctorIn(repo, quick(repo))
    expect(findings.filter((finding) => finding.status !== 'ok')).toEqual([])
    expect(status).toBe(0)
    expect(ran(repo)).toBe('')
  },
)

longTest('a git folder elsewhere (.git is a file): every finding is ok', async () => {
  const sandbox = new Sandbox()
  const repo = sandbox.init('repo', `--separate-git-dir=${join(sandbox.folder, 'git-data')}`)
  await installIn(repo)
  commitQuietly(repo)
  const { findings } = await doctorIn(repo, quick(repo))
  expect(findings.filter(({ status }) => status !== 'ok')).toEqual([])
})

longTest(
  'GIT_DIR and GIT_WORK_TREE name a repository that no folder leads to: every finding is ok',
  async () => {
    const repo = installed()
    renameSync(join(repo.folder, '.git'), join(repo.sandbox.folder, 'dotfiles.git'))
    const { findings } = await doctorIn(repo, {
      env: {
        ...quick(repo).env,
        GIT_DIR: join(repo.sandbox.folder, 'dotfiles.git'),
        GIT_WORK_TREE: repo.folder,
      },
    })
    expect.soft(ran(repo)).toBe('')
    expect(findings.filter(({ status }) => status !== 'ok')).toEqual([])
  },
)

longTest(
  'GIT_DIR relative to a sub-folder: the same answer, and no hook of the user runs',
  async () => {
    const repo = installed()
    mkdirSync(join(repo.folder, 'src'))
    const { status } = await doctorIn(repo.sandbox.at(join(repo.folder, 'src')), {
      env: { ...quick(repo).env, GIT_DIR: '../.git', GIT_WORK_TREE: '..' },
    })
    expect.soft(ran(repo)).toBe('')
    expect(status).toBe(0)
  },
)
