/**
 * Object reader of a process that lives on: in this process where that is right, by git's child where it is
 * not. What is in process and costs nothing to start does not pay for a library that is loaded once.
 */

import { statSync } from 'node:fs'
import { join } from 'node:path'
import type {
  GitObject,
  LedgerCache,
  ObjectReader,
  Place,
  RevisionReader,
} from '../../app/ports.ts'
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

  constructor(git: Git, place: Place) {
    this.#place = place
    this.#env = git.env
    this.#git = openCatFileReader(git, place)
  }

  get cache(): LedgerCache | undefined {
    return this.#git.cache
  }

  async read(oid: string): Promise<GitObject | undefined> {
    try {
      const found = await this.#reader()?.read(oid)
      if (found !== undefined) return found
    } catch {
      // Whatever it cannot read, git can, or says why not.
    }
    return this.#git.read(oid)
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
