/**
 * Chooses the object reader by cheap facts about the repository.
 *
 * isomorphic-git reads objects by id where it is known to be right: SHA-1, no alternates, no partial
 * clone, no quarantine, no replace refs, and packs small enough that loading them whole costs less
 * than it saves. Everything else, every revision expression, and every object it does not find, is
 * read by git.
 */

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { GitObject, LedgerCache, Place, RevisionReader } from '../../app/ports.ts'
import { readerHelpers } from './batch-reader.ts'
import { CatFileReader } from './cat-file-reader.ts'
import type { Git } from './exec.ts'
import { IsomorphicReader } from './isomorphic-reader.ts'
import { isPartialClone } from './partial-clone.ts'

/** Bytes of packs up to which the in-process reader is used (docs/decisions/0004). */
const MAX_PACK_BYTES = 4 * 1024 * 1024

/** In process where possible, git for the rest. */
export function openReader(git: Git, place: Place): RevisionReader {
  const helpers = readerHelpers(git, place)
  const byGit = new CatFileReader(git, helpers)
  if (!isOrdinary(place, git.env)) return byGit
  return new PairedReader(new IsomorphicReader(place.commonDir), byGit)
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

class PairedReader implements RevisionReader {
  readonly cache: LedgerCache | undefined
  readonly #inProcess: IsomorphicReader
  readonly #byGit: CatFileReader

  constructor(inProcess: IsomorphicReader, byGit: CatFileReader) {
    this.#inProcess = inProcess
    this.#byGit = byGit
    this.cache = byGit.cache
  }

  async read(oid: string): Promise<GitObject | undefined> {
    return (await this.#inProcess.read(oid)) ?? (await this.#byGit.read(oid))
  }

  find(expression: string): Promise<GitObject | undefined> {
    return this.#byGit.find(expression)
  }

  close(): void {
    this.#byGit.close()
  }
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
