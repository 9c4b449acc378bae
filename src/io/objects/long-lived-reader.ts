/**
 * Object reader of a long-lived process. An object that is requested alone (a tree, a commit) is read in this process
 * if that is correct. Objects that are requested together (events) go through git's child at once, which is several
 * times as fast (docs/decisions/0043-dashboard.md).
 */

import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { LedgerCache } from '../../app/ports/ledger-cache.ts'
import type { GitObject, ObjectReader, Place, RevisionReader } from '../../app/ports.ts'
import type { Git } from '../process/exec.ts'
import { openInProcess } from './isomorphic-reader.ts'
import { openCatFileReader } from './open-reader.ts'

/** Milliseconds between two checks: only git may be able to read the repository by then, and packs come and go. */
const LOOK_AGAIN = 2000

export class LongLivedReader implements RevisionReader {
  readonly #place: Place
  readonly #env: NodeJS.ProcessEnv
  readonly #git: RevisionReader
  #inProcess: ObjectReader | undefined
  #lookedAt = -Infinity
  #packs = ''
  #pendingReads = 0

  constructor(git: Git, place: Place) {
    this.#place = place
    this.#env = git.env
    this.#git = openCatFileReader(git, place)
  }

  get cache(): LedgerCache | undefined {
    return this.#git.cache
  }

  async read(oid: string): Promise<GitObject | undefined> {
    this.#pendingReads += 1
    try {
      // A caller that asks for several objects has asked for all of them by then.
      await Promise.resolve()
      const found = this.#pendingReads === 1 ? await this.#inProcessOrNot(oid) : undefined
      return found ?? (await this.#git.read(oid))
    } finally {
      this.#pendingReads -= 1
    }
  }

  async #inProcessOrNot(oid: string): Promise<GitObject | undefined> {
    try {
      return await this.#reader()?.read(oid)
    } catch {
      return undefined // git can read it, or says why not
    }
  }

  find(expression: string): Promise<GitObject | undefined> {
    return this.#git.find(expression)
  }

  async prefetch(tree: string): Promise<void> {
    await this.#git.prefetch?.(tree)
  }

  close(): void {
    this.#git.close()
  }

  #reader(): ObjectReader | undefined {
    const now = performance.now()
    if (now - this.#lookedAt < LOOK_AGAIN) return this.#inProcess
    this.#lookedAt = now
    const packs = packsOf(this.#place)
    // A reader keeps the packs that it has read; a new one knows the new packs, and drops the old ones.
    if (packs !== this.#packs || this.#inProcess === undefined) {
      this.#packs = packs
      this.#inProcess = openInProcess(this.#place, this.#env)
    }
    return this.#inProcess
  }
}

function packsOf({ commonDir }: Place): string {
  const stat = statSync(join(commonDir, 'objects/pack'), { throwIfNoEntry: false })
  return `${stat?.ino} ${stat?.mtimeMs}`
}
