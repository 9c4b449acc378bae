/**
 * One repository, two versions of git: one that runs hooks from files only, and one (2.54) that also runs them from
 * its configuration. Each part runs once, whichever git installed and whichever git runs it. Needs the folder of a
 * second git: `LEDGER_OTHER_GIT=/path/to/bin npx vitest run --project git two-gits`.
 */

import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { CONFIG_HOOKS_SINCE } from '../../../src/core/setup/install-texts.ts'
import { isAtLeast } from '../../../src/core/text/version.ts'
import { notRunUnless } from '../../support/not-run.ts'
import type { Ran, Repo } from '../../support/git-repo.ts'
import { CLI, CURRENT, EVENTS, Sandbox } from '../../support/git-repo.ts'

const OTHER = process.env['LEDGER_OTHER_GIT']

function runsConfigHooks(folder: string | undefined): boolean {
  const program = folder === undefined ? 'git' : join(folder, 'git')
  const said = execFileSync(program, ['--version'], { encoding: 'utf8' })
  return isAtLeast(/\d+(?:\.\d+)+/.exec(said)?.[0] ?? '0', CONFIG_HOOKS_SINCE)
}

const hasBoth = OTHER !== undefined && runsConfigHooks(OTHER) && !runsConfigHooks(undefined)

type Which = 'old' | 'new'

/** The repository with either git first on PATH; it counts every start of our command. */
class TwoGits {
  readonly repo: Repo
  readonly #counter: string

  constructor(repo: Repo) {
    this.repo = repo
    this.#counter = join(repo.sandbox.folder, 'home/counter.mjs')
    const log = JSON.stringify(join(repo.sandbox.folder, 'home/calls'))
    repo.write(
      '../home/counter.mjs',
      `import { appendFileSync } from 'node:fs'
appendFileSync(${log}, process.argv.slice(2, process.argv[2] === 'hook' ? 4 : 3).join(' ') + '\\n')
await import(${JSON.stringify(CLI)})
`,
    )
  }

  run(
    which: Which,
    command: string,
    args: readonly string[],
    env: NodeJS.ProcessEnv = {},
    expected: readonly number[] = [0],
  ): Ran {
    const path = process.env['PATH']
    const PATH = which === 'new' ? `${OTHER}:${path}` : path
    const ran = this.repo.run(command, args, {
      env: { PATH, LEDGER_GIT_BIN: this.#counter, ...env },
    })
    if (!expected.includes(ran.status))
      throw new Error(`${which} ${command} ${args.join(' ')}: ${ran.stderr}`)
    return ran
  }

  /** Which of our commands and of the user's hooks ran during this git command, sorted. */
  git(which: Which, ...args: string[]): string[] {
    for (const name of ['calls', 'user']) {
      rmSync(join(this.repo.sandbox.folder, 'home', name), { force: true })
    }
    this.run(which, 'git', args)
    const home = this.repo.sandbox.at(join(this.repo.sandbox.folder, 'home'))
    const lines = ['calls', 'user'].map((name) => (home.exists(name) ? home.read(name) : ''))
    return lines.join('').split('\n').filter(Boolean).toSorted()
  }

  install(which: Which): void {
    this.run(which, process.execPath, [CLI, 'install'])
  }

  isFresh(): boolean {
    const ran = this.repo.tryLedger('check', '--rev', 'HEAD')
    return ran.status === 0
  }

  event(now: string): void {
    this.repo.event('--now', now)
  }
}

const USER_HOOKS = ['pre-commit', 'pre-push', 'post-checkout', 'post-merge', 'post-rewrite']
const userLine = (hook: string) => `echo "user ${hook}" >>"$HOME/user"\n`

const STYLES: Record<string, (repo: Repo) => void> = {
  'plain hooks of the user': (repo) => {
    for (const hook of USER_HOOKS) {
      repo.write(`.git/hooks/${hook}`, `#!/bin/sh\n${userLine(hook)}`)
      repo.chmod(`.git/hooks/${hook}`, 0o755)
    }
  },
  'hooks of husky': (repo) => {
    repo.write('.husky/_/.gitignore', '*\n')
    repo.write(
      '.husky/_/h',
      '#!/bin/sh\ns=.husky/$(basename "$0")\n[ ! -f "$s" ] || sh -e "$s" "$@"\n',
    )
    for (const hook of [...USER_HOOKS, 'post-commit', 'prepare-commit-msg', 'commit-msg']) {
      repo.write(`.husky/_/${hook}`, '#!/bin/sh\n. "$(dirname "$0")/h"')
      repo.chmod(`.husky/_/${hook}`, 0o755)
    }
    for (const hook of USER_HOOKS) repo.write(`.husky/${hook}`, userLine(hook))
    repo.git('config', 'core.hooksPath', '.husky/_')
  },
  'a hook in another language': (repo) => {
    for (const hook of USER_HOOKS) {
      const text = `#!/usr/bin/env perl\nopen(F, '>>', "$ENV{HOME}/user"); print F "user ${hook}\\n";\n`
      repo.write(`.git/hooks/${hook}`, text)
      repo.chmod(`.git/hooks/${hook}`, 0o755)
    }
  },
}

const INSTALLS: readonly (readonly Which[])[] = [['old'], ['new'], ['old', 'new'], ['new', 'old']]

const once = (...hooks: string[]) =>
  hooks.flatMap((hook) => [`hook ${hook}`, `user ${hook}`]).toSorted()

describe.skipIf(
  notRunUnless(hasBoth, 'two gits', 'LEDGER_OTHER_GIT names no second git, 2.54 or newer'),
)('two gits', () => {
  describe.each(Object.entries(STYLES))('%s', (_style, prepare) => {
    test.each(INSTALLS.map((gits) => [gits.join(', then with '), gits] as const))(
      'installed with %s',
      (_name, installs) => {
        const repo = new Sandbox().init()
        repo.commit('init', { 'README.md': '# demo\n' })
        prepare(repo)
        const gits = new TwoGits(repo)
        for (const which of installs) gits.install(which)
        gits.run('old', 'git', ['add', '-A'])
        gits.run('old', 'git', ['commit', '-q', '-m', 'chore: set up'])
        repo.git('init', '-q', '--bare', '../remote.git')

        for (const which of ['old', 'new', 'old'] as const) {
          const name = `${which}-${Math.random().toString(36).slice(2)}`
          gits.event(`on main ${name}`)
          expect
            .soft(gits.git(which, 'commit', '-q', '--allow-empty', '-m', name))
            .toEqual(
              [...once('pre-commit'), 'hook prepare-commit-msg', 'hook post-commit'].toSorted(),
            )
          expect(gits.isFresh(), 'after the commit').toBe(true)

          // Both sides change the ledger, so the driver is called and nothing is stale.
          gits.git(which, 'switch', '-q', '-c', name, 'HEAD~1')
          gits.event(`on the side ${name}`)
          gits.git(which, 'commit', '-q', '--allow-empty', '-m', 'side')
          gits.git(which, 'switch', '-q', 'main')
          const merged = gits.git(which, 'merge', '-q', '--no-edit', name)
          expect.soft(merged).toEqual(['merge-driver', 'user post-merge'])
          expect(gits.isFresh(), 'after the merge').toBe(true)
          expect(repo.git('show', `HEAD:${CURRENT}`)).toContain(`on the side ${name}`)
          expect(repo.git('status', '--porcelain')).toBe('')

          expect
            .soft(gits.git(which, 'push', '-q', '../remote.git', 'main'))
            .toEqual(once('pre-push'))

          // A stale ledger makes the other hooks start the command.
          repo.write(
            `${EVENTS}/${name}.md`,
            '---\nts: 2026-01-01T00:00:00Z\nagent: a\n---\n\nnow: x\n',
          )
          gits.run(which, 'git', ['add', '-A'], { LEDGER_GIT: '0' })
          gits.run(which, 'git', ['commit', '-q', '-m', 'stale'], { LEDGER_GIT: '0' })
          expect
            .soft(gits.git(which, 'switch', '-q', '-c', `${name}-stale`))
            .toEqual(once('post-checkout'))
          gits.run(which, 'git', ['switch', '-q', '-C', 'main', 'HEAD~1'], { LEDGER_GIT: '0' })
          expect
            .soft(gits.git(which, 'merge', '-q', '--ff-only', `${name}-stale`))
            .toEqual(once('post-merge'))
          expect
            .soft(gits.git(which, 'commit', '-q', '--amend', '--no-verify', '-m', 'again'))
            .toEqual(once('post-rewrite'))
          gits.run(which, 'git', ['reset', '-q', '--hard', 'HEAD~1'])

          const doctor = gits.run(which, process.execPath, [CLI, 'doctor'], {}, [0, 1])
          // The newer git would also write its configuration: worth a warning, but nothing is broken.
          const warnings = which === 'new' && !installs.includes('new') ? 1 : 0
          expect(doctor.stderr, doctor.stdout).toContain(` ok, ${warnings} warning, 0 broken`)
        }
      },
    )
  })

  test('doctor does not run hooks that others configured', () => {
    const repo = new Sandbox().init()
    const gits = new TwoGits(repo)
    gits.install('new')
    // `git -c` cannot switch off the first one, and the second one's name begins like ours.
    for (const name of ['a=b', 'ledger-git-mine', 'plain']) {
      repo.git('config', `hook.${name}.command`, userLine(name))
      repo.git('config', '--add', `hook.${name}.event`, 'pre-commit')
    }
    gits.run('new', process.execPath, [CLI, 'doctor'])
    const home = repo.sandbox.at(join(repo.sandbox.folder, 'home'))
    expect(home.exists('user') ? home.read('user') : '').toBe('')
  })
})
