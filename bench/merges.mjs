/** First-time merges: branch `ours` of a repository with a branch that it has not seen. */

import { forgetCache } from './repositories.mjs'
import { timeOf } from './measure.mjs'

export const NODE = `'${process.execPath}'`
/** The cost of a driver before its first line of code runs. */
export const FLOOR_DRIVER = `${NODE} -e 0`

export class Merges {
  #sandbox

  /** @param {string} folder made by `Repositories.withBranches` */
  constructor(sandbox, folder) {
    this.#sandbox = sandbox
    this.folder = folder
  }

  /** Milliseconds of one `git merge`; `driver` replaces the one that `install` registered. */
  merge(branch, driver, env) {
    this.#sandbox.git(this.folder, 'checkout', '-q', '-f', '--detach', 'ours')
    const own = driver === undefined ? [] : ['-c', `merge.ledger.driver=${driver}`]
    const noHooks = ['-c', `core.hooksPath=${this.#sandbox.emptyFolder}`]
    const words = [...noHooks, ...own, 'merge', '-q', '--no-edit', branch]
    return timeOf(() => this.#sandbox.run(this.folder, 'git', words, { env }))
  }

  /** Leaves the state of `main` in the cache, as in a repository where people work. */
  warmUp() {
    forgetCache(this.folder)
    this.#sandbox.ledger(this.folder, 'check', '--rev', 'main')
    this.merge('theirs-0')
    this.#sandbox.ledger(this.folder, 'check', '--rev', 'HEAD')
  }
}
