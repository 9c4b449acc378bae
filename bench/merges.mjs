/** Merges that were never made: branch `ours` of a repository, and one branch that it has not seen. */

import { forgetCache } from './repositories.mjs'
import { timeOf } from './measure.mjs'

export const NODE = `'${process.execPath}'`
/** Everything that a driver can cost before its first own line. */
export const FLOOR_DRIVER = `${NODE} -e 0`

export class Merges {
  #sandbox

  /** @param {string} folder made by `Repositories.withBranches` */
  constructor(sandbox, folder) {
    this.#sandbox = sandbox
    this.folder = folder
  }

  /** Milliseconds of one `git merge`; `driver`: instead of the one that `install` registered. */
  merge(branch, driver, env) {
    this.#sandbox.git(this.folder, 'checkout', '-q', '-f', '--detach', 'ours')
    const own = driver === undefined ? [] : ['-c', `merge.ledger.driver=${driver}`]
    const noHooks = ['-c', `core.hooksPath=${this.#sandbox.emptyFolder}`]
    const words = [...noHooks, ...own, 'merge', '-q', '--no-edit', branch]
    return timeOf(() => this.#sandbox.run(this.folder, 'git', words, { env }))
  }

  /** What is kept is the state of `main`, as in a repository where people work. */
  warmUp() {
    forgetCache(this.folder)
    this.#sandbox.ledger(this.folder, 'check', '--rev', 'main')
    this.merge('theirs-0')
    this.#sandbox.ledger(this.folder, 'check', '--rev', 'HEAD')
  }
}
