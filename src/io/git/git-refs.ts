/**
 * Refs through `git update-ref`, however they are stored.
 *
 * They move by compare-and-swap. Symbolic refs are not followed, and the user's hooks do not run. git keeps a reflog
 * of branches by itself. Shadow refs get none, because a reflog would keep what was condensed, and redacted, alive for
 * months.
 */

import { existsSync } from 'node:fs'
import type { RefPort } from '../../app/shadow/session-ports.ts'
import { LedgerError } from '../../core/errors/errors.ts'
import type { Git, GitResult } from '../process/exec.ts'
import { listWorktrees } from './list-worktrees.ts'

/**
 * How often to try a ref that another process holds, and milliseconds in between. An agent waits for this, so it
 * takes less than a second in all, however long git is configured to wait.
 */
const TRIES = 5
const PAUSE = 30
const BOUNDED = [
  'core.filesRefLockTimeout=100',
  'core.packedRefsTimeout=200',
  'reftable.lockTimeout=100',
].flatMap((setting) => ['-c', setting])
/** git's notation for a ref that must not exist, in every object format. */
const NONE = ''

/** `log` is told what was wrong with a ref and was repaired. */
export function gitRefs(git: Git, log: (line: string) => void = () => {}): RefPort {
  const list = async (pattern: string) => {
    refuseOthers(pattern)
    const args = ['for-each-ref', '--format=%(objectname) %(refname)', pattern]
    const lines = (await git.text(args)).split('\n').filter((line) => line !== '')
    return lines.map((line) => {
      const space = line.indexOf(' ')
      return { name: line.slice(space + 1), oid: line.slice(0, space) }
    })
  }
  const read = async (name: string) => (await list(name)).find((ref) => ref.name === name)?.oid
  /** git explains a failure only in prose, so the ref is read to see whether it has moved. */
  const update = async (name: string, from: string | undefined, words: readonly string[]) => {
    refuseOthers(name)
    // --no-deref: a ref that is made to name a branch must not move that branch.
    const options = ['-c', 'core.hooksPath=/dev/null', ...BOUNDED]
    const command = [...options, 'update-ref', '--no-deref', ...words]
    for (let tries = 1; ; tries++) {
      const result = await git.run(command)
      if (result.status === 0) return true
      if ((await read(name)) !== from) return false
      if (tries === TRIES || !isHeld(result)) {
        throw new LedgerError('GIT_FAILED', `git update-ref ${name} failed: ${result.stderr}`)
      }
      // By now, git itself has waited for a lock.
      const cleared = await (await refFiles()).clearRef(git, name)
      if (cleared !== undefined) log(`${name}: ${cleared}`)
      await new Promise((resolve) => setTimeout(resolve, PAUSE))
    }
  }
  return {
    read,
    // Git matches whole components only.
    list: async (prefix) => {
      const found = await list(prefix.slice(0, prefix.lastIndexOf('/') + 1))
      return found.filter(({ name }) => name.startsWith(prefix))
    },
    broken: async (prefix) => (await refFiles()).brokenRefs(git, prefix),
    move: (name, to, from, reason) =>
      update(name, from, ['-m', reason.replace(/\s+/g, ' '), name, to, from ?? NONE]),
    remove: (name, from) => update(name, from, ['-d', name, from]),
    holdOf: async (branch) => {
      const target = await git.query(['symbolic-ref', '--quiet', branch])
      if (target !== undefined) return { kind: 'symbolic', target }
      // This also finds branches without a commit, which no list of refs has.
      const holder = (await listWorktrees(git)).find((worktree) => worktree.branch === branch)
      if (holder === undefined) return undefined
      const { path, head = '' } = holder
      const [isUnborn, isGone] = [/^0*$/.test(head), !existsSync(path)]
      return { kind: 'checked-out', worktree: path, isUnborn, isGone }
    },
  }
}

/** Loaded only if something is wrong. */
function refFiles() {
  return import('./ref-files.ts')
}

/** Another process is moving the ref right now, or was killed while it did. */
function isHeld({ stderr }: GitResult): boolean {
  return /\.lock'|cannot lock ref|unable to (?:lock|create)/i.test(stderr)
}

/** `HEAD` and other names would mean one of the user's refs. */
function refuseOthers(name: string): void {
  if (!name.startsWith('refs/')) throw new Error(`not the full name of a ref: ${name}`)
}
