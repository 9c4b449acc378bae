/** Creates locks as processes hold them or leave them behind. */

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { processInfo, processPlace } from '../../src/io/process/process-table.ts'

/** A process id larger than any system assigns. */
const DEAD = 4194305

/** Creates a lock with one holder; returns the holder's name. */
export function makeLock(
  path: string,
  { pid = DEAD, startTime = processInfo(process.pid)?.startTime ?? '' } = {},
): string {
  const name = `${pid}-${startTime}_${processPlace()}-0123456789ab`
  mkdirSync(path)
  writeFileSync(join(path, name), '')
  return name
}
