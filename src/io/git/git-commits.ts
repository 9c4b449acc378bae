/**
 * The ledger's own commits, made beside whatever the user is doing.
 *
 * Built in a temporary index; the branch moves by compare-and-swap; user hooks do not run.
 */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { CommitPort, Place } from '../../app/ports.ts'
import { MOVED } from '../../app/ports.ts'
import type { Committer } from '../../core/commit/commit-mark.ts'
import { processInfo, startIn } from '../process/process-table.ts'
import type { Git } from '../process/exec.ts'
import { gitAtWork } from '../process/git-processes.ts'
import { RefTransaction } from './ref-transaction.ts'

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
export class GitCommits implements CommitPort {
  readonly #git: Git
  readonly #place: Place

  constructor(git: Git, place: Place) {
    this.#git = git
    this.#place = place
  }

  async sequence(): Promise<string | undefined> {
    const { gitDir } = this.#place
    const sequence = SEQUENCES.find(([file]) => existsSync(join(gitDir, file)))
    if (sequence !== undefined) return sequence[1]
    return (await this.#git.query(['ls-files', '-u'])) ? 'the index has unmerged paths' : undefined
  }

  async obstacle(): Promise<string | undefined> {
    const sequence = await this.sequence()
    if (sequence !== undefined) return sequence
    const signs = await this.#git.query(['config', '--type=bool', '--get', 'commit.gpgSign'])
    return signs === 'true' ? 'commits are signed here' : undefined
  }

  async create(tree: string, parent: string | undefined, message: string): Promise<string> {
    const parents = parent === undefined ? [] : ['-p', parent]
    return this.#git.text(['commit-tree', '--no-gpg-sign', ...parents, tree], {
      input: `${message}\n`,
    })
  }

  self(): Committer | undefined {
    const info = processInfo(process.pid)
    return info && { pid: info.pid, startTime: startIn(info) }
  }

  gitAtWork(): string | undefined {
    return this.#place.top === undefined ? undefined : gitAtWork(this.#place.top)
  }

  async advance(
    commit: string,
    from: string,
    reason: string,
    prepare: () => Promise<string | undefined>,
  ): Promise<string | undefined> {
    const transaction = new RefTransaction(this.#git, reason)
    try {
      if (!(await transaction.prepare(`update HEAD ${commit} ${from}`))) {
        return MOVED
      }
      const obstacle = await prepare()
      if (obstacle !== undefined) return obstacle
      return (await transaction.commit()) ? undefined : 'the branch could not be moved'
    } finally {
      transaction.close()
    }
  }
}
