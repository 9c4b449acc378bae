/**
 * Notices that the fleet may have changed: told by the system where it can, by looking at times of files
 * where it cannot. Looks often while somebody looks at a page, seldom else, and never without a page.
 */

import type { FSWatcher } from 'node:fs'
import { watch } from 'node:fs'
import type { FleetFeed } from '../../app/dashboard/fleet-feed.ts'
import type { RunningServer } from './dashboard-server.ts'
import { fleetMarks, watchedFolders } from './fleet-marks.ts'

interface WatchTimes {
  /** Writes come in bursts. */
  readonly settle: number
  readonly poll: number
  /** No page is in the foreground. */
  readonly pollHidden: number
  /** Some states come of time alone: an agent that gives no sign stalls. */
  readonly lookAnyway: number
}

const TIMES: WatchTimes = { settle: 100, poll: 2000, pollHidden: 30_000, lookAnyway: 60_000 }
/** A visible page gives a sign every ten seconds. */
const STILL_LOOKING = 25_000

export class FleetWatch {
  readonly #feed: FleetFeed
  readonly #audience: Pick<RunningServer, 'streams' | 'lookedAt'>
  readonly #commonDir: string
  readonly #times: WatchTimes
  readonly #watchers = new Map<string, FSWatcher>()
  readonly #timer: NodeJS.Timeout
  #settling: NodeJS.Timeout | undefined
  #marks = ''
  #polledAt = 0
  #refreshedAt = 0

  constructor(
    feed: FleetFeed,
    audience: Pick<RunningServer, 'streams' | 'lookedAt'>,
    commonDir: string,
    times: WatchTimes = TIMES,
  ) {
    this.#feed = feed
    this.#audience = audience
    this.#commonDir = commonDir
    this.#times = times
    this.#timer = setInterval(() => this.#poll(), times.poll)
  }

  close(): void {
    clearInterval(this.#timer)
    clearTimeout(this.#settling)
    this.#follow(new Map())
  }

  #poll(): void {
    if (this.#audience.streams === 0) return this.#follow(new Map())
    const now = Date.now()
    const every = this.#isSeen(now) ? this.#times.poll : this.#times.pollHidden
    if (now - this.#polledAt < every) return
    this.#polledAt = now
    this.#look()
  }

  #isSeen(now: number): boolean {
    return now - this.#audience.lookedAt < STILL_LOOKING
  }

  #look(): void {
    const now = Date.now()
    const marks = fleetMarks(this.#commonDir)
    const { failure } = this.#feed.state
    const wait = failure === null ? this.#times.lookAnyway : this.#times.poll
    const isDue = this.#isSeen(now) && now - this.#refreshedAt >= wait
    if (marks === this.#marks && !isDue) return
    // Read before the look: what changes during it is looked at once more.
    this.#marks = marks
    this.#refreshedAt = now
    this.#follow(watchedFolders(this.#commonDir))
    void this.#feed.refresh()
  }

  #soon(): void {
    this.#settling ??= setTimeout(() => {
      this.#settling = undefined
      if (this.#audience.streams > 0) this.#look()
    }, this.#times.settle)
  }

  /** Watches these folders and no others. What cannot be watched is found by polling. */
  #follow(folders: ReadonlyMap<string, string>): void {
    for (const [key, watcher] of this.#watchers) {
      if (!folders.has(key)) this.#forget(key, watcher)
    }
    for (const [key, folder] of folders) {
      if (this.#watchers.has(key)) continue
      try {
        const watcher = watch(folder, () => this.#soon())
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
