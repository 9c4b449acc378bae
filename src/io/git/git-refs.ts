/**
 * Refs through `git update-ref`, whatever they are stored in.
 *
 * They move by compare-and-swap. A ref is never followed to another one, and hooks of the user do not
 * run. Git keeps a log of branches by itself; shadow refs get none, because a log would keep what was
 * condensed, and redacted, alive for months.
 */

import type { RefPort } from '../../app/shadow/session-ports.ts'
import { LedgerError } from '../../core/errors/errors.ts'
import type { Git, GitResult } from '../process/exec.ts'
import { listWorktrees } from './list-worktrees.ts'

/**
 * How often a ref is tried that another process holds, and milliseconds between. An agent waits for it, so it
 * takes less than a second in all, however long git was configured to wait itself.
 */
const TRIES = 5
const PAUSE = 30
const BOUNDED = [
  'core.filesRefLockTimeout=100',
  'core.packedRefsTimeout=200',
  'reftable.lockTimeout=100',
].flatMap((setting) => ['-c', setting])
/** Git's word for a ref that must not exist, in every object format. */
const NONE = ''

/** `log`: what was amiss with a ref and was put right. */
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
  /** Git says no in words only: whether the ref has moved is seen by looking. */
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
      // Git itself has waited for a lock until now.
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
      // Also names branches without a commit, which no list of refs has.
      const holder = (await listWorktrees(git)).find((worktree) => worktree.branch === branch)
      return holder && { kind: 'checked-out', worktree: holder.path }
    },
  }
}

/** Loaded where something is amiss. */
function refFiles() {
  return import('./ref-files.ts')
}

/** Another process is moving it just now, or was killed doing so. */
function isHeld({ stderr }: GitResult): boolean {
  return /\.lock'|cannot lock ref|unable to (?:lock|create)/i.test(stderr)
}

/** `HEAD` and other words would mean a ref of the user's. */
function refuseOthers(name: string): void {
  if (!name.startsWith('refs/')) throw new Error(`not the full name of a ref: ${name}`)
}
