/** Hooks that existed before ours get the same calls and input, and have the same verdict, as without us. */

import {
  copyFileSync,
  existsSync,
  mkdirSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { describe, expect, test as runTest } from 'vitest'
import { sampleOf } from '../../support/long.ts'
import { IS_CONFIG_GIT, notRunUnless } from '../../support/not-run.ts'
import type { Repo } from '../../support/git-repo.ts'
import { CURRENT, ledgerRepo, Sandbox } from '../../support/git-repo.ts'
import { installIn, isHeadFresh } from './in-process.ts'

/** Appends its arguments, its folder and (if `input`) its standard input, as bytes, to a file. */
function recorder(hook: string, input: boolean, end: string): string {
  const stdin = input ? `od -An -c >>"$RECORD"\n` : ''
  return `{ echo "${hook} $# $* in $PWD"; echo "IFS:[$IFS]"; } >>"$RECORD"\n${stdin}${end}\n`
}

const SHELLS = [
  ['sh', '#!/bin/sh\n'],
  ['sh -e', '#!/bin/sh -e\n'],
  ['bash -eu', '#!/bin/bash -eu\n'],
  ['env bash', '#!/usr/bin/env bash\n'],
  ['zsh', '#!/bin/zsh\n'],
  ['no interpreter line', ''],
  ['zsh -eu', '#!/bin/zsh -eu\n'],
  ['ksh', '#!/bin/ksh\n'],
  ['busybox', '#!/bin/busybox sh\n'],
] as const

const WITH_INPUT = new Set(['pre-push', 'post-rewrite'])
const HOOKS = ['pre-commit', 'prepare-commit-msg', 'post-commit', 'post-checkout', 'post-merge']

interface Outcome {
  readonly status: readonly number[]
  readonly record: string
}

/** Does the same work in a repository with these hooks; returns what the hooks saw and what git answered. */
async function work(start: string, end: string, withLedger: boolean): Promise<Outcome> {
  const sandbox = new Sandbox()
  const repo = sandbox.init()
  // zsh reads this file for every script.
  repo.write('../home/.zshenv', 'setopt nomatch kshglob shwordsplit\n')
  repo.commit('init', { 'README.md': '# demo\n' })
  repo.git('init', '-q', '--bare', '../remote.git')
  for (const hook of [...HOOKS, ...WITH_INPUT]) {
    const path = `.git/hooks/${hook}`
    repo.write(path, start + recorder(hook, WITH_INPUT.has(hook), end))
    repo.chmod(path, 0o755)
  }
  if (withLedger) await installIn(repo)
  const record = `${sandbox.folder}/record.txt`
  const run = (...args: string[]) => repo.run('git', args, { env: { RECORD: record } }).status
  repo.write('a.txt', 'a\n')
  repo.git('add', 'a.txt')
  const status = [
    run('commit', '-q', '-m', 'one'),
    run('commit', '-q', '--amend', '-m', 'two'),
    run('switch', '-q', '-c', 'side'),
    run('checkout', '-q', 'main', '--', 'README.md'),
    run('push', '-q', '../remote.git', 'HEAD:refs/heads/a', 'HEAD:refs/heads/b'),
    run('push', '-q', '../remote.git', 'HEAD:refs/heads/a'), // nothing to push, so there is no input at all
    run('-c', 'core.hooksPath=/dev/null', 'commit', '-q', '--allow-empty', '-m', 'three'),
    run('switch', '-q', 'main'),
    run('merge', '-q', '--ff-only', 'side'),
  ]
  const text = sandbox.at(sandbox.folder).exists('record.txt')
    ? sandbox.at(sandbox.folder).read('record.txt')
    : ''
  return { status, record: stable(text, sandbox) }
}

/** Folder and object names differ between runs. */
function stable(text: string, { folder }: Sandbox): string {
  return text.replaceAll(folder, '<sandbox>')
}

function isHere(start: string): boolean {
  const interpreter = /^#!(\S+)/.exec(start)?.[1]
  return interpreter === undefined || existsSync(interpreter)
}

describe.each(sampleOf(SHELLS, 9))('hooks in %s', (name, start) => {
  const isMissing = notRunUnless(isHere(start), `hooks in ${name}`, 'not on this machine')
  const test = isMissing ? runTest.skip : runTest

  test('see the same arguments and the same input', async () => {
    const [without, withLedger] = [
      await work(start, 'exit 0', false),
      await work(start, 'exit 0', true),
    ]
    expect(without.record).toContain('pre-push 2 ../remote.git ../remote.git in <sandbox>/repo')
    expect(withLedger).toEqual(without)
  })

  test('let our part do its work: a commit is fresh, and a stale push is stopped', async () => {
    const repo = new Sandbox().init()
    repo.commit('init', { 'README.md': '# demo\n' })
    for (const hook of ['pre-commit', 'pre-push']) {
      repo.write(`.git/hooks/${hook}`, `${start}exit 0\n`)
      repo.chmod(`.git/hooks/${hook}`, 0o755)
    }
    await installIn(repo)
    repo.commit('chore: set up')
    const event = 'thoughts/shared/handoffs/events/a.md'
    repo.commit('work', {
      [event]: '---\nts: 2026-01-01T00:00:00Z\nagent: a\n---\n\nnow: shells\n',
    })
    expect(await isHeadFresh(repo)).toBe(true)
    expect(repo.git('show', `HEAD:${CURRENT}`)).toContain('[->] shells')
    repo.git('init', '-q', '--bare', '../remote.git')
    repo.git('push', '-q', '../remote.git', 'main')
    repo.write(CURRENT, `${repo.read(CURRENT)}x\n`)
    repo.run('git', ['commit', '-qam', 'stale'], { env: { LEDGER_GIT: '0' } })
    expect(repo.tryGit('push', '-q', '../remote.git', 'main').status).not.toBe(0)
  })

  test('decide as before, whatever their exit status', async () => {
    const end = 'exec sh -c "exit 7"'
    expect(await work(start, end, true)).toEqual(await work(start, end, false))
  })
})

function husky(repo: Repo): void {
  repo.write('.husky/_/h', '#!/usr/bin/env sh\nsh -e ".husky/$(basename "$0")" "$@"\n')
  for (const hook of ['pre-commit', 'pre-push']) {
    repo.write(`.husky/_/${hook}`, '#!/usr/bin/env sh\n. "$(dirname "$0")/h"')
    repo.chmod(`.husky/_/${hook}`, 0o755)
  }
  repo.git('config', 'core.hooksPath', '.husky/_')
}

runTest("husky's own scripts still run, with their input, and still stop a push", async () => {
  const repo = new Sandbox().init()
  repo.commit('init', { 'README.md': '# demo\n' })
  husky(repo)
  repo.write('.husky/pre-push', 'cat >pushed.txt\nexit 1\n')
  repo.write('.husky/pre-commit', 'echo "$0" >committed.txt\n')
  await installIn(repo)
  repo.commit('chore: set up')
  repo.git('init', '-q', '--bare', '../remote.git')

  const pushed = repo.tryGit('push', '../remote.git', 'HEAD:refs/heads/a')

  expect(pushed.status).not.toBe(0)
  expect(repo.read('pushed.txt')).toMatch(/^HEAD [0-9a-f]{40} refs\/heads\/a 0{40}\n$/)
  expect(repo.exists('committed.txt')).toBe(true)
  expect(await isHeadFresh(repo)).toBe(true)
})

runTest(
  'our refusal comes first and is final: a hook after ours cannot let a stale push pass',
  () => {
    const repo = ledgerRepo()
    const path = '.git/hooks/pre-push'
    repo.write(path, `${repo.read(path)}echo after >>after.txt\nexit 0\n`)
    const current = 'thoughts/shared/handoffs/current.md'
    repo.write(current, `${repo.read(current)}x\n`)
    repo.run('git', ['commit', '-qam', 'stale'], { env: { LEDGER_GIT: '0' } })
    repo.git('init', '-q', '--bare', '../remote.git')

    expect(repo.tryGit('push', '-q', '../remote.git', 'main').status).not.toBe(0)
    // git 2.54 runs every hook of an event before it refuses.
    if (!IS_CONFIG_GIT) expect(repo.exists('after.txt')).toBe(false)
    expect(
      repo.run('git', ['push', '-q', '../remote.git', 'main'], { env: { LEDGER_GIT: '0' } }),
    ).toMatchObject({ status: 0 })
    expect(repo.exists('after.txt')).toBe(true)
  },
)

/** Commits and pushes once without and once with us; the hook writes what it sees to `seen.txt`. */
async function beside(hook: string, make: (repo: Repo, hook: string) => void) {
  const outcomes = []
  for (const withLedger of [false, true]) {
    const repo = new Sandbox().init()
    repo.commit('init', { 'README.md': '# demo\n' })
    mkdirSync(`${repo.folder}/.git/hooks`, { recursive: true })
    make(repo, `${repo.folder}/.git/hooks/${hook}`)
    if (withLedger) await installIn(repo)
    repo.git('init', '-q', '--bare', '../remote.git')
    const committed = repo.tryGit('commit', '-q', '--allow-empty', '-m', 'x').status
    const pushed = repo.tryGit('push', '-q', '../remote.git', 'HEAD:refs/heads/a').status
    const seen = repo.exists('seen.txt') ? repo.read('seen.txt').replace(/[0-9a-f]{40}/, 'OID') : ''
    outcomes.push({ committed, pushed, seen })
  }
  return outcomes
}

const PYTHON = `#!/usr/bin/env python3
import os, sys
name = os.path.basename(sys.argv[0])
open('seen.txt', 'w').write(name + ' ' + ' '.join(sys.argv[1:]) + sys.stdin.read())
sys.exit(3)
`
const SHELL = `#!/bin/sh
{ echo "\${0##*/} $*"; cat; } >seen.txt
exit 3
`

const OTHERS: [string, (repo: Repo, hook: string) => void][] = [
  ['in another language', (_repo, hook) => writeFileSync(hook, PYTHON, { mode: 0o755 })],
  ['without run bit', (_repo, hook) => writeFileSync(hook, SHELL, { mode: 0o644 })],
  [
    'with CRLF, which git cannot run',
    (_repo, hook) => writeFileSync(hook, SHELL.replaceAll('\n', '\r\n'), { mode: 0o755 }),
  ],
  [
    'that is a link out of the folder',
    (repo, hook) => {
      repo.write('tools/push.sh', SHELL)
      repo.chmod('tools/push.sh', 0o755)
      symlinkSync('../../tools/push.sh', hook)
    },
  ],
  [
    'that is a link within the folder',
    (repo, hook) => {
      repo.write('.git/hooks/dispatch', SHELL)
      repo.chmod('.git/hooks/dispatch', 0o755)
      symlinkSync('dispatch', hook)
    },
  ],
  [
    'that is a link, and looks around in the folder of the link',
    (repo, hook) => {
      repo.write(
        'tools/push.sh',
        '#!/bin/sh\ncd "$(dirname "$0")/../.." && cat README.md >seen.txt\n',
      )
      repo.chmod('tools/push.sh', 0o755)
      symlinkSync('../../tools/push.sh', hook)
    },
  ],
  [
    'that reads another file beside it',
    (repo, hook) => {
      repo.write('.git/hooks/common.py', "def lint():\n  open('seen.txt', 'w').write('lint')\n")
      writeFileSync(hook, '#!/usr/bin/env python3\nfrom common import lint\nlint()\n', {
        mode: 0o755,
      })
    },
  ],
  [
    'that leaves the shell in its second line',
    (_repo, hook) => {
      const text = `#!/bin/sh\n'''exec' python3 "$0" "$@"\n' '''\nopen('seen.txt', 'w').write('python')\n`
      writeFileSync(hook, text, { mode: 0o755 })
    },
  ],
  [
    'that asks for its name and its folder',
    (repo, hook) => {
      const text = `#!/usr/bin/env python3
import os, sys
from common import lint
lint(os.path.basename(__file__))
`
      repo.write('.git/hooks/common.py', "def lint(t):\n  open('seen.txt', 'w').write(t)\n")
      writeFileSync(hook, text, { mode: 0o755 })
    },
  ],
  ['that is a dead link', (_repo, hook) => symlinkSync('nowhere', hook)],
  ['that is a folder', (_repo, hook) => mkdirSync(hook)],
  ['that is a program', (_repo, hook) => copyFileSync(realpathSync('/bin/false'), hook)],
]
runTest.each(sampleOf(OTHERS, 3))(
  'a hook %s sees and decides the same as without us',
  async (name, make) => {
    // git push hangs if it cannot start its hook (seen on 2.39).
    const hook = /CRLF|folder$/.test(name) ? 'pre-commit' : 'pre-push'
    const [without, withLedger] = await beside(hook, make)
    expect(withLedger).toEqual(without)
  },
)
