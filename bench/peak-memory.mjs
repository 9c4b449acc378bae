/** Peak memory of the Node processes of a run, reported by a preloaded module when each process ends. */

import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const PRELOAD = fileURLToPath(new URL('programs/peak-memory.cjs', import.meta.url))

/** Arguments of `node` that make a process report. */
export const REPORTING = ['--require', PRELOAD]

/** Megabytes of the largest process that `action` starts with `REPORTING` and the given environment. */
export function peakMemoryOf(sandbox, action) {
  const file = join(sandbox.folder, 'peak')
  rmSync(file, { force: true })
  action({ BENCH_PEAK_FILE: file })
  const peaks = readFileSync(file, 'utf8').trim().split('\n').map(Number)
  return Math.max(...peaks) / 1024
}
