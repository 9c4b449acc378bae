/**
 * The ledger's own commits, made beside whatever the user is doing.
 *
 * Built in a temporary index; the branch moves by compare-and-swap; user hooks do not run.
 */

import { randomBytes } from 'node:crypto'
import { existsSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { CommitPort, Place } from '../../app/ports.ts'
import { Git } from './exec.ts'
import { GitIndex } from './git-index.ts'

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
/** An editor left open longer than this was most likely closed without a commit. */
const EDITING_MILLIS = 60 * 60_000

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
    if (signs === 'true') return 'commits are signed here'
    return this.#openMessage()
  }

  async temporaryIndex() {
    const file = join(
      this.#place.gitDir,
      `ledger-git-index-${process.pid}-${randomBytes(4).toString('hex')}`,
    )
    const git = new Git(this.#git.cwd, { ...this.#git.env, GIT_INDEX_FILE: file })
    await git.output(['read-tree', 'HEAD'])
    return {
      index: new GitIndex(git),
      writeTree: () => git.text(['write-tree']),
      dispose: () => {
        rmSync(file, { force: true })
        rmSync(`${file}.lock`, { force: true })
      },
    }
  }

  async create(tree: string, parent: string | undefined, message: string): Promise<string> {
    const parents = parent === undefined ? [] : ['-p', parent]
    return this.#git.text(['commit-tree', '--no-gpg-sign', ...parents, tree], {
      input: `${message}\n`,
    })
  }

  async advance(commit: string, from: string, reason: string): Promise<boolean> {
    const result = await this.#git.run(['update-ref', '-m', reason, 'HEAD', commit, from])
    return result.status === 0
  }

  /**
   * Git writes COMMIT_EDITMSG before the editor opens, and moves HEAD (and its log) after it. Whether the
   * editor is still open it does not say: a message that no commit used counts for a while.
   */
  #openMessage(): string | undefined {
    const edited = modified(join(this.#place.gitDir, 'COMMIT_EDITMSG'))
    const moved = modified(join(this.#place.gitDir, 'logs', 'HEAD'))
    if (edited === undefined || moved === undefined) return undefined
    const age = Math.abs(Date.now() - edited)
    if (edited <= moved || age >= EDITING_MILLIS) return undefined
    const minutes = Math.ceil((EDITING_MILLIS - age) / 60_000)
    return `a commit message is being edited, or was left unused (COMMIT_EDITMSG): until the next commit, for another ${minutes} min at most`
  }
}

function modified(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs
}
