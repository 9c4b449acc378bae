/**
 * Object reader in this process, over isomorphic-git.
 *
 * Reads ordinary repositories without starting git. It loads whole packs and knows neither SHA-256
 * nor alternates nor partial clones; `in-process.ts` decides where it may be used.
 */

import fs from 'node:fs'
import type { GitObject, ObjectReader } from '../../app/ports.ts'

export class IsomorphicReader implements ObjectReader {
  readonly #gitdir: string
  /** isomorphic-git keeps parsed packs here; dropping the object frees them. */
  readonly #cache = {}

  /** `commonDir`: the folder that holds `objects/` (not a linked worktree's own). */
  constructor(commonDir: string) {
    this.#gitdir = commonDir
  }

  async read(oid: string): Promise<GitObject | undefined> {
    const { readObject } = await import('isomorphic-git')
    try {
      const result = await readObject({
        fs,
        gitdir: this.#gitdir,
        oid,
        format: 'content',
        cache: this.#cache,
      })
      return { oid, type: result.type as GitObject['type'], content: result.object as Uint8Array }
    } catch (error) {
      if ((error as { code?: unknown }).code === 'NotFoundError') return undefined
      throw error
    }
  }

  close(): void {}
}
