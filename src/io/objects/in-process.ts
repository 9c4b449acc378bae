/**
 * Where objects can be read in this process, by isomorphic-git.
 *
 * Only where that is known to be right and cheap: SHA-1, no alternates, no partial clone, no quarantine,
 * no replace refs, no reftable, small packs. Measured, it is never quicker than git
 * (docs/decisions/0004), so no command depends on it; `doctor` compares the two.
 */

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { ObjectReader, Place } from '../../app/ports.ts'
import { IsomorphicReader } from './isomorphic-reader.ts'
import { isPartialClone } from './partial-clone.ts'

/** Bytes of packs: it loads them whole. */
const MAX_PACK_BYTES = 4 * 1024 * 1024

/** The in-process reader, or undefined where only git may read. */
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
