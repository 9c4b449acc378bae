/**
 * Notices that the fleet may have changed: told by the system where it can, by looking at times of files
 * where it cannot. Looks often while somebody looks at a page, seldom else, and never without a page.
 */

import type { FleetFeed } from '../../app/dashboard/fleet-feed.ts'
import type { RunningServer } from './dashboard-server.ts'

/**
 * What tells of changes of the files, and from then on each change is told; false: not any more. Undefined where
 * nobody can look.
 */
export type LookAtFiles = (isWatched: boolean) => Promise<string | undefined>

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
  readonly #look: LookAtFiles
  readonly #times: WatchTimes
  readonly #timer: NodeJS.Timeout
  #settling: NodeJS.Timeout | undefined
  #marks: string | undefined = ''
  #isLooking = false
  #isResting = true
  #polledAt = 0
  #refreshedAt = 0

  constructor(
    feed: FleetFeed,
    audience: Pick<RunningServer, 'streams' | 'lookedAt'>,
    look: LookAtFiles,
    times: WatchTimes = TIMES,
  ) {
    this.#feed = feed
    this.#audience = audience
    this.#look = look
    this.#times = times
    this.#timer = setInterval(() => this.#poll(), times.poll)
  }

  close(): void {
    clearInterval(this.#timer)
    clearTimeout(this.#settling)
  }

  #poll(): void {
    if (this.#audience.streams === 0) return this.#rest()
    const now = Date.now()
    const every = this.#isSeen(now) ? this.#times.poll : this.#times.pollHidden
    if (now - this.#polledAt < every) return
    this.#polledAt = now
    void this.#see()
  }

  #isSeen(now: number): boolean {
    return now - this.#audience.lookedAt < STILL_LOOKING
  }

  #rest(): void {
    if (this.#isResting) return
    this.#isResting = true
    void this.#look(false)
  }

  /** Where a disk does not answer, one look waits for it. */
  async #see(): Promise<void> {
    if (this.#isLooking) return
    this.#isLooking = true
    this.#isResting = false
    const marks = await this.#look(true)
    this.#isLooking = false
    const now = Date.now()
    const { failure } = this.#feed.state
    const wait = failure === null ? this.#times.lookAnyway : this.#times.poll
    const isDue = this.#isSeen(now) && now - this.#refreshedAt >= wait
    if (marks === this.#marks && !isDue) return
    // Read before the look: what changes during it is looked at once more.
    this.#marks = marks
    this.#refreshedAt = now
    void this.#feed.refresh()
  }

  /** Something changed; whoever changes one file often changes another. */
  readonly soon = (): void => {
    this.#settling ??= setTimeout(() => {
      this.#settling = undefined
      // What a look under way has read already may be what changed.
      if (this.#isLooking) this.soon()
      else if (this.#audience.streams > 0) void this.#see()
    }, this.#times.settle)
  }
}
