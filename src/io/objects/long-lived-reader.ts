/**
 * Object reader of a process that lives on. An object that is asked for alone (a tree, a commit) is read in
 * this process where that is right; what is asked for together (events) goes through git's child at once,
 * which is several times as quick (docs/decisions/0043-dashboard.md).
 */

import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { LedgerCache } from '../../app/ports/ledger-cache.ts'
import type { GitObject, ObjectReader, Place, RevisionReader } from '../../app/ports.ts'
import type { Git } from '../process/exec.ts'
import { openInProcess } from './isomorphic-reader.ts'
import { openCatFileReader } from './open-reader.ts'

/** A repository may become one that only git can read, and packs come and go. */
const LOOK_AGAIN = 2000

export class LongLivedReader implements RevisionReader {
  readonly #place: Place
  readonly #env: NodeJS.ProcessEnv
  readonly #git: RevisionReader
  #inProcess: ObjectReader | undefined
  #lookedAt = -Infinity
  #packs = ''
  #underWay = 0

  constructor(git: Git, place: Place) {
    this.#place = place
    this.#env = git.env
    this.#git = openCatFileReader(git, place)
  }

  get cache(): LedgerCache | undefined {
    return this.#git.cache
  }

  async read(oid: string): Promise<GitObject | undefined> {
    this.#underWay += 1
    try {
      // Whoever asks for several has asked for all of them by then.
      await Promise.resolve()
      const found = this.#underWay === 1 ? await this.#inProcessOrNot(oid) : undefined
      return found ?? (await this.#git.read(oid))
    } finally {
      this.#underWay -= 1
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
    // It keeps the packs that it read; a new one knows the new packs, and forgets the old.
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
