/** An installed repository with the user's own hooks, and ways to change and inspect it. */

import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Finding } from '../../../src/app/doctor/finding.ts'
import { HOOKS } from '../../../src/app/hooks/hook-context.ts'
import type { Ran, Repo } from '../../support/git-repo.ts'
import { CLI, copyOf, Sandbox } from '../../support/git-repo.ts'
import { snapshot } from '../../support/snapshot.ts'
import { needsOwnProcess } from '../../support/typed-command.ts'

export const OUR = '.git/ledger-git'

/** A user's own line, which leaves a trace when it runs. */
export const userLine = (hook: string) => `echo "${hook}" >>"$HOME/ran"\n`

/** An installed, committed repository in which every hook has a line of the user's. */
export function installed(): Repo {
  return copyOf("hooks of the user's", () => {
    const repo = new Sandbox().init()
    writeUserHooks(repo, '.git/hooks')
    repo.ledger('install')
    commitQuietly(repo)
    return repo
  })
}

export function writeUserHooks(repo: Repo, folder: string, start = '#!/bin/sh\n'): void {
  for (const hook of HOOKS) {
    repo.write(`${folder}/${hook}`, start + userLine(hook))
    repo.chmod(`${folder}/${hook}`, 0o755)
  }
}

export function commitQuietly(repo: Repo): void {
  repo.git('add', '-A')
  repo.git('-c', 'core.hooksPath=/dev/null', 'commit', '-q', '-m', 'chore: set up')
}

/** Names of the user's hooks that ran, one per line. */
export function ran(repo: Repo): string {
  const home = repo.sandbox.at(repo.sandbox.folder)
  return home.exists('home/ran') ? home.read('home/ran') : ''
}

export function forget(repo: Repo): void {
  rmSync(join(repo.sandbox.folder, 'home/ran'), { force: true })
}

/** Refs, reflogs, HEAD and the number of objects: what doctor must never change. */
export function history(repo: Repo): string {
  const commands =
    'git for-each-ref; git reflog --all; git symbolic-ref HEAD; git rev-parse HEAD; git count-objects -v'
  return repo.run('sh', ['-c', commands]).stdout
}

/** Without the index, which is git's own: any `git status` may refresh it. */
export function files(repo: Repo) {
  const { 'repo/.git/index': _, ...rest } = snapshot(repo.sandbox.folder)
  // Typed commands keep code that V8 compiled, for the user who typed them.
  const isKept = ([path]: [string, unknown]) => /^home\/\.cache(?:\/ledger-git\b|$)/.test(path)
  return Object.fromEntries(Object.entries(rest).filter((entry) => !isKept(entry)))
}

export function edit(repo: Repo, path: string, change: (text: string) => string): void {
  const before = repo.read(path)
  const after = change(before)
  if (after === before) throw new Error(`${path} was not changed`)
  repo.write(path, after)
}

export function remove(repo: Repo, path: string): void {
  rmSync(join(repo.folder, path), { recursive: true })
}

export const BLOCK = /^# >>> ledger-git[^]*?^# <<< ledger-git <<<\n/m
export const blockOf = (text: string) => BLOCK.exec(text)?.[0] ?? ''

/** Runs a fix as a person would type it: `ledger-git` and `git` are on PATH, and the editor writes a line. */
export function type(repo: Repo, command: string, env: NodeJS.ProcessEnv = {}): Ran {
  const words = /^ledger-git ([\w./ -]+)$/.exec(command)?.[1]?.split(' ')
  if (words !== undefined && !needsOwnProcess(words)) return repo.tryLedgerWith({ env }, ...words)
  const bin = join(repo.sandbox.folder, 'bin')
  mkdirSync(bin, { recursive: true })
  const program = `#!/bin/sh\nexec '${process.execPath}' '${CLI}' "$@"\n`
  writeFileSync(join(bin, 'ledger-git'), program, { mode: 0o755 })
  return repo.run('sh', ['-c', command], {
    env: {
      ...env,
      PATH: `${bin}:${env['PATH'] ?? process.env['PATH']}`,
      GIT_EDITOR: 'echo typed >',
    },
  })
}

export function named(findings: readonly Finding[], name: string): Finding | undefined {
  return findings.find((finding) => finding.name === name)
}
