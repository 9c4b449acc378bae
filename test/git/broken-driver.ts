/** Merge drivers that are missing or die. */

import { chmodSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Repo } from '../support/git-repo.ts'

/** Every way in which the driver can be missing or die. */
export const BROKEN: Record<string, (repo: Repo) => NodeJS.ProcessEnv> = {
  'the launcher is gone': (repo) => {
    rmSync(join(repo.folder, '.git/ledger-git/run'))
    return {}
  },
  'LEDGER_GIT_BIN names nothing': () => ({ LEDGER_GIT_BIN: '/nowhere/ledger-git' }),
  'the recorded command is gone': (repo) => {
    writeFileSync(join(repo.folder, '.git/ledger-git/launch'), `${process.execPath}\n/no/main.js\n`)
    return {}
  },
  'the record is gone': (repo) => {
    rmSync(join(repo.folder, '.git/ledger-git/launch'))
    return {}
  },
  'LEDGER_GIT=0': () => ({ LEDGER_GIT: '0' }),
  'the command kills itself': script('kill -9 $$'),
  'the command is terminated': script('kill -TERM $$'),
  'exit 3': script('exit 3'),
  'exit 1 and %A untouched': script('exit 1'),
  'exit 129': script('exit 129'),
  'exit 255': script('exit 255'),
  'not executable code': script('exit 0', '#!/nowhere/interpreter'),
  'Node dies before it can start': () => ({ LEDGER_GIT_BIN: '/dev/null/x.js' }),
  'Node throws at once': (repo) => {
    const file = join(repo.sandbox.folder, 'broken.js')
    writeFileSync(file, 'throw new Error("broken")\n')
    return { LEDGER_GIT_BIN: file }
  },
}

/** A command in place of ours: `body` is a shell script that gets git's arguments. */
export function script(body: string, first = '#!/bin/sh') {
  return (repo: Repo): NodeJS.ProcessEnv => {
    const file = join(repo.sandbox.folder, 'fake-ledger-git')
    writeFileSync(file, `${first}\n${body}\n`)
    chmodSync(file, 0o755)
    return { LEDGER_GIT_BIN: file }
  }
}
