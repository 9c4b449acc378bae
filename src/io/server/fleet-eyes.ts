/** Looks at the files of the fleet, and watches their folders: in the process that gathers, as any disk may not answer. */

import type { FSWatcher } from 'node:fs'
import { watch } from 'node:fs'
import { fleetMarks, watchedFolders } from './fleet-marks.ts'

export class FleetEyes {
  readonly #onStir: () => void
  readonly #watchers = new Map<string, FSWatcher>()
  #marks = ''

  /** `onStir`: something changed in a folder that is watched. */
  constructor(onStir: () => void) {
    this.#onStir = onStir
  }

  /** Differs from what it was when something may have changed. From then on folders are watched. */
  look(commonDir: string): string {
    const marks = fleetMarks(commonDir)
    if (marks !== this.#marks) this.#follow(watchedFolders(commonDir))
    this.#marks = marks
    return marks
  }

  close(): void {
    this.#marks = ''
    this.#follow(new Map())
  }

  /** Watches these folders and no others. What cannot be watched is found by polling. */
  #follow(folders: ReadonlyMap<string, string>): void {
    for (const [key, watcher] of this.#watchers) {
      if (!folders.has(key)) this.#forget(key, watcher)
    }
    for (const [key, folder] of folders) {
      if (this.#watchers.has(key)) continue
      try {
        const watcher = watch(folder, () => this.#onStir())
        watcher.on('error', () => this.#forget(key, watcher))
        this.#watchers.set(key, watcher)
      } catch {
        return // the system's limit of watchers, or the folder went meanwhile
      }
    }
  }

  #forget(key: string, watcher: FSWatcher): void {
    watcher.close()
    this.#watchers.delete(key)
  }
}
