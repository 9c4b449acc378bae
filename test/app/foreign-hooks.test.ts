/** Hooks that were there before ours: same calls, same input, same verdict as without us. */

import { describe, expect, test } from 'vitest'
import type { Repo } from '../support/git-repo.ts'
import { ledgerRepo, Sandbox } from '../support/git-repo.ts'
import { installIn, isHeadFresh } from './in-process.ts'

/** Appends its arguments, folder and (if `input`) standard input, as bytes, to a file. */
function recorder(hook: string, input: boolean, end: string): string {
  const stdin = input ? `od -An -c >>"$RECORD"\n` : ''
  return `{ echo "${hook} $# $* in $PWD"; echo "IFS:[$IFS]"; } >>"$RECORD"\n${stdin}${end}\n`
}

const SHELLS = [
  ['sh', '#!/bin/sh\n'],
  ['sh -e', '#!/bin/sh -e\n'],
  ['bash -eu', '#!/bin/bash -eu\n'],
  ['env bash', '#!/usr/bin/env bash\n'],
  ['no interpreter line', ''],
] as const

const WITH_INPUT = new Set(['pre-push', 'post-rewrite'])
const HOOKS = ['pre-commit', 'prepare-commit-msg', 'post-commit', 'post-checkout', 'post-merge']

interface Outcome {
  readonly status: readonly number[]
  readonly record: string
}

/** The same work in a repository with these hooks; what the hooks saw and what git answered. */
async function work(start: string, end: string, withLedger: boolean): Promise<Outcome> {
  const sandbox = new Sandbox()
  const repo = sandbox.init()
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
    run('push', '-q', '../remote.git', 'HEAD:refs/heads/a'), // nothing to push: no input at all
    run('-c', 'core.hooksPath=/dev/null', 'commit', '-q', '--allow-empty', '-m', 'three'),
    run('switch', '-q', 'main'),
    run('merge', '-q', '--ff-only', 'side'),
  ]
  const text = sandbox.at(sandbox.folder).exists('record.txt')
    ? sandbox.at(sandbox.folder).read('record.txt')
    : ''
  return { status, record: stable(text, sandbox) }
}

/** Folder and object names differ from run to run. */
function stable(text: string, { folder }: Sandbox): string {
  return text.replaceAll(folder, '<sandbox>')
}

describe.each(SHELLS)('hooks in %s', (_name, start) => {
  test('see the same arguments and the same input', async () => {
    const [without, withLedger] = [
      await work(start, 'exit 0', false),
      await work(start, 'exit 0', true),
    ]
    expect(without.record).toContain('pre-push 2 ../remote.git ../remote.git in <sandbox>/repo')
    expect(withLedger).toEqual(without)
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

test("husky's own scripts still run, with their input, and still stop a push", async () => {
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

test('our refusal comes first and is final: a hook after ours does not let a stale push pass', () => {
  const repo = ledgerRepo()
  const path = '.git/hooks/pre-push'
  repo.write(path, `${repo.read(path)}echo after >>after.txt\nexit 0\n`)
  const current = 'thoughts/shared/handoffs/current.md'
  repo.write(current, `${repo.read(current)}x\n`)
  repo.run('git', ['commit', '-qam', 'stale'], { env: { LEDGER_GIT: '0' } })
  repo.git('init', '-q', '--bare', '../remote.git')

  expect(repo.tryGit('push', '-q', '../remote.git', 'main').status).not.toBe(0)
  expect(repo.exists('after.txt')).toBe(false)
  expect(
    repo.run('git', ['push', '-q', '../remote.git', 'main'], { env: { LEDGER_GIT: '0' } }),
  ).toMatchObject({ status: 0 })
  expect(repo.exists('after.txt')).toBe(true)
})

test('a hook with CRLF, which git cannot run, is as broken and as whole as before', async () => {
  const repo = new Sandbox().init()
  repo.commit('init', { 'README.md': '# demo\n' })
  repo.write('.git/hooks/pre-commit', '#!/bin/sh\r\nexit 0\r\n')
  repo.chmod('.git/hooks/pre-commit', 0o755)
  const commit = () => repo.tryGit('commit', '-q', '--allow-empty', '-m', 'x').status
  const before = commit()

  const { notes } = await installIn(repo)

  expect(commit()).toBe(before)
  expect(repo.read('.git/hooks/pre-commit')).toContain('exit 0\r\n')
  expect(notes.join('\n'), 'it says that this hook cannot work').toContain('pre-commit')
})
