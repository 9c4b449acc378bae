/**
 * Refs through `git update-ref`, whatever they are stored in.
 *
 * They move by compare-and-swap. A ref is never followed to another one, and hooks of the user do not
 * run. Git keeps a log of branches by itself; shadow refs get none, because a log would keep what was
 * condensed, and redacted, alive for months.
 */

import type { BranchHold, RefPort } from '../../app/shadow/session-ports.ts'
import { LedgerError } from '../../core/errors/errors.ts'
import type { Git, GitResult } from '../process/exec.ts'

/** How often a ref is tried that another process holds, and milliseconds between; git waits 100 itself. */
const TRIES = 8
const PAUSE = 30
/** Git's word for a ref that must not exist, in every object format. */
const NONE = ''

export class GitRefs implements RefPort {
  readonly #git: Git

  constructor(git: Git) {
    this.#git = git
  }

  async read(name: string): Promise<string | undefined> {
    refuseOthers(name)
    const found = await this.#list(name)
    return found.find((ref) => ref.name === name)?.oid
  }

  async list(prefix: string): Promise<readonly { readonly name: string; readonly oid: string }[]> {
    refuseOthers(prefix)
    // Git matches whole components only.
    const found = await this.#list(prefix.slice(0, prefix.lastIndexOf('/') + 1))
    return found.filter(({ name }) => name.startsWith(prefix))
  }

  async move(name: string, to: string, from: string | undefined, reason: string): Promise<boolean> {
    const words = ['-m', reason.replace(/\s+/g, ' '), name, to, from ?? NONE]
    return this.#update(name, from, words)
  }

  async remove(name: string, from: string): Promise<boolean> {
    return this.#update(name, from, ['-d', name, from])
  }

  async holdOf(branch: string): Promise<BranchHold | undefined> {
    const target = await this.#git.query(['symbolic-ref', '--quiet', branch])
    if (target !== undefined) return { kind: 'symbolic', target }
    // Also names branches without a commit, which no list of refs has.
    const blocks = (await this.#git.text(['worktree', 'list', '--porcelain'])).split('\n\n')
    const holder = blocks.find((block) => block.split('\n').includes(`branch ${branch}`))
    if (holder === undefined) return undefined
    return { kind: 'checked-out', worktree: /^worktree (.*)$/m.exec(holder)?.[1] ?? '' }
  }

  async #list(pattern: string) {
    const args = ['for-each-ref', '--format=%(objectname) %(refname)', pattern]
    const lines = (await this.#git.text(args)).split('\n').filter((line) => line !== '')
    return lines.map((line) => {
      const space = line.indexOf(' ')
      return { name: line.slice(space + 1), oid: line.slice(0, space) }
    })
  }

  /** Git says no in words only: whether the ref has moved is seen by looking. */
  async #update(
    name: string,
    from: string | undefined,
    words: readonly string[],
  ): Promise<boolean> {
    refuseOthers(name)
    // --no-deref: a ref that is made to name a branch must not move that branch.
    const command = ['-c', 'core.hooksPath=/dev/null', 'update-ref', '--no-deref', ...words]
    for (let tries = 1; ; tries++) {
      const result = await this.#git.run(command)
      if (result.status === 0) return true
      if ((await this.read(name)) !== from) return false
      if (tries === TRIES || !isHeld(result)) {
        throw new LedgerError('GIT_FAILED', `git update-ref ${name} failed: ${result.stderr}`)
      }
      await new Promise((resolve) => setTimeout(resolve, PAUSE))
    }
  }
}

/** Another process is moving it just now, or was killed doing so. */
function isHeld({ stderr }: GitResult): boolean {
  return /\.lock'|cannot lock ref|unable to (?:lock|create)/i.test(stderr)
}

/** `HEAD` and other words would mean a ref of the user's. */
function refuseOthers(name: string): void {
  if (!name.startsWith('refs/')) throw new Error(`not the full name of a ref: ${name}`)
}
