import { rmSync } from 'node:fs'

const MOST_TRIES = 100
const PAUSE_MS = 50

/**
 * Removes a folder, even if a process that nobody waits for still writes to it: tries again until the folder is gone.
 */
export function removeFolder(folder: string): void {
  for (let tries = 1; ; tries += 1) {
    try {
      rmSync(folder, { recursive: true, force: true })
      return
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOTEMPTY' || tries === MOST_TRIES) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS)
    }
  }
}
