/** The same merge again and again: branch `ours` of a repository, and one branch that it has not seen. */

import { forgetCache, forgetLedgers } from './repositories.mjs'
import { timeOf } from './measure.mjs'

export const NODE = `'${process.execPath}'`
/** Everything that a driver can cost before its first own line. */
export const FLOOR_DRIVER = `${NODE} -e 0`

/** One makes everything but the compiled code, which grows with the first few runs of a command. */
const WARM_RUNS = 7

export class Merges {
  #sandbox
  #isVerified = false

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

  /**
   * Everything remembered but the events of the branches after `theirs-0`, as in a repository where
   * people work: a merge then brings ten events that nobody has parsed here. The first of them must be a
   * merge that our driver made, and right.
   */
  warmUp() {
    if (this.#isVerified) {
      forgetLedgers(this.folder)
      this.merge('theirs-0')
      return
    }
    forgetCache(this.folder)
    for (let run = 0; run < WARM_RUNS; run++) this.merge('theirs-0')
    this.#sandbox.ledger(this.folder, 'check', '--rev', 'HEAD')
    this.#isVerified = true
  }
}
