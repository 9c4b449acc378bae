/**
 * The ledger's own commits, made alongside whatever the user is doing.
 *
 * They are built in a temporary index; the branch moves by compare-and-swap; user hooks run only in `askHooks`.
 */

import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { join } from 'node:path'
import type { Place } from '../../app/ports.ts'
import type { CommitPort, HookAnswer } from '../../app/ports/history.ts'
import { MOVED } from '../../app/ports/history.ts'
import { findProgram } from '../process/find-program.ts'
import { ancestorInfo, identify } from '../process/process-table.ts'
import type { Git } from '../process/exec.ts'
import { gitAtWork } from '../process/git-processes.ts'

/** In a reftable, these refs have no files. */
const PICKS = [
  ['CHERRY_PICK_HEAD', 'a cherry-pick is in progress'],
  ['REVERT_HEAD', 'a revert is in progress'],
] as const

/** Traces of git commands that are in progress. */
const SEQUENCES: readonly (readonly [file: string, what: string])[] = [
  ['rebase-merge', 'a rebase is in progress'],
  ['rebase-apply', 'a rebase or am is in progress'],
  ['sequencer', 'a cherry-pick or revert is in progress'],
  ...PICKS,
  ['MERGE_HEAD', 'a merge is in progress'],
  ['BISECT_LOG', 'a bisect is in progress'],
  ['index.lock', 'another git command holds the index'],
]

export function gitCommits(git: Git, { gitDir, top }: Place): CommitPort {
  return {
    sequence: async () => {
      const found = SEQUENCES.find(([file]) => existsSync(join(gitDir, file)))
      if (found !== undefined) return found[1]
      for (const [ref, what] of existsSync(join(gitDir, 'reftable')) ? PICKS : []) {
        if ((await git.query(['rev-parse', '--quiet', '--verify', ref])) !== undefined) return what
      }
      return (await git.query(['ls-files', '-u'])) ? 'the index has unmerged paths' : undefined
    },
    areSigned: async () =>
      (await git.query(['config', '--type=bool', '--get', 'commit.gpgSign'])) === 'true',
    create: async (tree, parent, message) => {
      const parents = parent === undefined ? [] : ['-p', parent]
      const args = ['commit-tree', '--no-gpg-sign', ...parents, tree]
      return git.text(args, { input: `${message}\n` })
    },
    askHooks: (message) => askHooks(git, gitDir, message),
    self: () => identify(process.pid, ancestorInfo),
    gitAtWork: () => (top === undefined ? undefined : gitAtWork(top)),
    advance: (commit, from, reason, prepare) =>
      moveLocked(git, `update HEAD ${commit} ${from}`, reason, prepare),
  }
}

/** Runs the user's hooks. Ours are switched off, since they must not follow this commit. */
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

/**
 * Moves one ref, which git locks while `prepare` decides whether it moves. Returns the reason if it was not moved.
 * git releases the lock by itself when this process dies.
 */
async function moveLocked(
  git: Git,
  update: string,
  reason: string,
  prepare: () => Promise<string | undefined>,
): Promise<string | undefined> {
  const { spawn } = process.getBuiltinModule('node:child_process')
  const { cwd, env } = git
  const stdio: ['pipe', 'pipe', 'ignore'] = ['pipe', 'pipe', 'ignore']
  const child = spawn(findProgram('git', env), ['update-ref', '-m', reason, '--stdin'], {
    cwd,
    env,
    stdio,
  })
  // If git has ended, its missing answers show it.
  child.stdin.on('error', () => {})
  child.on('error', () => {})
  const lines = linesOf(child.stdout)
  const isDone = async (command: string) => (await lines.next()).value === `${command}: ok`
  try {
    child.stdin.write(`start\n${update}\nprepare\n`)
    if (!(await isDone('start')) || !(await isDone('prepare'))) return MOVED
    const obstacle = await prepare()
    if (obstacle !== undefined) return obstacle
    child.stdin.write('commit\n')
    return (await isDone('commit')) ? undefined : 'the branch could not be moved'
  } finally {
    // Everything sent is answered, so stdin is destroyed, not half-closed (`child-input.ts`).
    child.stdin.destroy()
  }
}

async function* linesOf(stream: Readable): AsyncGenerator<string> {
  let rest = ''
  for await (const chunk of stream) {
    const lines = `${rest}${String(chunk)}`.split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
}
