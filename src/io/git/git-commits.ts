/**
 * The ledger's own commits, made beside whatever the user is doing.
 *
 * Built in a temporary index; the branch moves by compare-and-swap; user hooks do not run.
 */

import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Place } from '../../app/ports.ts'
import type { CommitPort, HookAnswer } from '../../app/ports/history.ts'
import { identify } from '../process/process-table.ts'
import type { Git } from '../process/exec.ts'
import { gitAtWork } from '../process/git-processes.ts'
import { moveLocked } from './ref-transaction.ts'

/** Traces of commands that are in the middle of something. */
const SEQUENCES: readonly (readonly [file: string, what: string])[] = [
  ['rebase-merge', 'a rebase is in progress'],
  ['rebase-apply', 'a rebase or am is in progress'],
  ['sequencer', 'a cherry-pick or revert is in progress'],
  ['CHERRY_PICK_HEAD', 'a cherry-pick is in progress'],
  ['REVERT_HEAD', 'a revert is in progress'],
  ['MERGE_HEAD', 'a merge is in progress'],
  ['BISECT_LOG', 'a bisect is in progress'],
  ['index.lock', 'another git command holds the index'],
]

export function gitCommits(git: Git, { gitDir, top }: Place): CommitPort {
  const sequence = async () => {
    const found = SEQUENCES.find(([file]) => existsSync(join(gitDir, file)))
    if (found !== undefined) return found[1]
    return (await git.query(['ls-files', '-u'])) ? 'the index has unmerged paths' : undefined
  }
  return {
    sequence,
    obstacle: async () => {
      const found = await sequence()
      if (found !== undefined) return found
      const signs = await git.query(['config', '--type=bool', '--get', 'commit.gpgSign'])
      return signs === 'true' ? 'commits are signed here' : undefined
    },
    create: async (tree, parent, message) => {
      const parents = parent === undefined ? [] : ['-p', parent]
      const args = ['commit-tree', '--no-gpg-sign', ...parents, tree]
      return git.text(args, { input: `${message}\n` })
    },
    askHooks: (message) => askHooks(git, gitDir, message),
    self: () => identify(process.pid),
    gitAtWork: () => (top === undefined ? undefined : gitAtWork(top)),
    advance: (commit, from, reason, prepare) =>
      moveLocked(git, `update HEAD ${commit} ${from}`, reason, prepare),
  }
}

/** Ours are switched off: this is no commit of theirs to follow. */
async function askHooks(git: Git, gitDir: string, message: string): Promise<HookAnswer> {
  const file = join(gitDir, `ledger-git-message-${process.pid}`)
  const env = { LEDGER_GIT: '0', GIT_EDITOR: ':' }
  const refused = async (name: string, ...args: string[]) => {
    const words = ['hook', 'run', '--ignore-missing', name, ...(args.length === 0 ? [] : ['--'])]
    const { status, stdout, stderr } = await git.run([...words, ...args], { env })
    if (status === 0) return undefined
    const said = `${stdout.toString('utf8')}\n${stderr}`.trim().split('\n').at(-1) ?? ''
    return `${name} said no${said === '' ? '' : `: ${said.slice(0, 200)}`}`
  }
  try {
    writeFileSync(file, `${message}\n`)
    const refusal = (await refused('pre-commit')) ?? (await refused('commit-msg', file))
    return { message: readFileSync(file, 'utf8').trimEnd(), refusal }
  } finally {
    rmSync(file, { force: true })
  }
}
