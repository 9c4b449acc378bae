/**
 * Object reader in this process, over isomorphic-git: it needs no child, but it loads whole packs.
 *
 * Used only where that is known to be correct and cheap: SHA-1, no alternates, no partial clone, no quarantine,
 * no replace refs, no reftable, small packs. Measured, it is never faster than git
 * (docs/decisions/0004), so no command depends on it; `doctor` compares the two.
 */

import fs, { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { GitObject, ObjectReader, Place } from '../../app/ports.ts'
import { isPartialClone } from './open-reader.ts'

/** The most bytes of packs, which are loaded whole. */
const MAX_PACK_BYTES = 4 * 1024 * 1024

/** The in-process reader, or undefined if only git may read. */
export function openInProcess(place: Place, env: NodeJS.ProcessEnv): ObjectReader | undefined {
  return isOrdinary(place, env) ? new IsomorphicReader(place.commonDir) : undefined
}

/** True when isomorphic-git reads this repository's objects correctly and cheaply. */
export function isOrdinary(place: Place, env: NodeJS.ProcessEnv): boolean {
  const objects = join(place.commonDir, 'objects')
  return (
    place.format === 'sha1' &&
    env['GIT_OBJECT_DIRECTORY'] === undefined &&
    env['GIT_ALTERNATE_OBJECT_DIRECTORIES'] === undefined &&
    !existsSync(join(objects, 'info', 'alternates')) &&
    !existsSync(join(place.commonDir, 'refs', 'replace')) &&
    !readOrEmpty(join(place.commonDir, 'packed-refs')).includes(' refs/replace/') &&
    !existsSync(join(place.commonDir, 'reftable')) &&
    !isPartialClone(place.commonDir) &&
    packBytes(join(objects, 'pack')) <= MAX_PACK_BYTES
  )
}

function packBytes(folder: string): number {
  if (!existsSync(folder)) return 0
  return readdirSync(folder)
    .filter((name) => name.endsWith('.pack'))
    .reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)
}

function readOrEmpty(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}

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
