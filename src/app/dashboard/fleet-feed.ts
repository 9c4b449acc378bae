/** What the dashboard last knew of the fleet: gathered once for all viewers, and kept if gathering fails. */

import type { Fleet } from '../../core/fleet/fleet.ts'
import { LedgerError } from '../../core/errors/errors.ts'
import { instantFromMillis } from '../../core/event/instant.ts'
import type { Clock } from '../ports.ts'

/** A request for the fleet. */
export interface FleetQuestion {
  /** An instant or a revision; now if absent. */
  readonly at?: string
  /** All events in the timeline, not only the newest. */
  readonly isWholeTimeline?: boolean
  /** All items that need a person's attention: for a caller that counts them and shows only the first lines. */
  readonly hasWholeLists?: boolean
  /** Include merged branches, without a limit on their number. */
  readonly allBranches?: boolean
}

export type GatherFleet = (question: FleetQuestion) => Promise<Fleet>

/** A text that changes if files of the fleet may have changed; undefined if they cannot be examined. */
export type MarksOfFiles = () => Promise<string | undefined>

/** Why the last look failed. What was known before is kept. */
export interface FeedFailure {
  readonly message: string
  readonly next: string | null
  readonly since: string
}

export interface FeedState {
  /** Changes when the fleet changes; also differs between runs of the server. */
  readonly version: string
  /** The fleet as JSON; undefined before the first successful look. */
  readonly text: string | undefined
  readonly failure: FeedFailure | null
}

/**
 * Milliseconds after which to look even if no file has changed. Some states change with time: a silent agent
 * stalls.
 */
const MAX_LOOK_INTERVAL = 60_000
const RETRY_INTERVAL = 2_000
/** Milliseconds. A visible page asks every second. */
const VIEWER_TIMEOUT = 10_000

export class FleetFeed {
  readonly #gather: GatherFleet
  readonly #marksOf: MarksOfFiles
  readonly #clock: Clock
  readonly #run: string
  #state: FeedState
  /** The fleet without the instant of the look. */
  #said = ''
  #count = 0
  #turn: Promise<unknown> = Promise.resolve()
  #waiting: Promise<void> | undefined
  #marks: string | undefined = ''
  #isFollowing = false
  #askedAt = -Infinity
  #refreshedAt = -Infinity

  /** `run`: names this run of the server. */
  constructor(gather: GatherFleet, marksOf: MarksOfFiles, clock: Clock, run: string) {
    this.#gather = gather
    this.#marksOf = marksOf
    this.#clock = clock
    this.#run = run
    this.#state = { version: `${run}-0`, text: undefined, failure: null }
  }

  get state(): FeedState {
    return this.#state
  }

  /** True while a page keeps asking for news, so that the state is kept up to date. */
  get isFollowed(): boolean {
    return this.#clock.now() - this.#askedAt < VIEWER_TIMEOUT
  }

  /** Called when a page asks what is new. If a disk does not answer, only one look waits for it. */
  async follow(): Promise<void> {
    this.#askedAt = this.#clock.now()
    if (this.#isFollowing) return
    this.#isFollowing = true
    // If the process that looks cannot be started, the next look reports why.
    const marks = await this.#inTurn(this.#marksOf).catch(() => undefined)
    this.#isFollowing = false
    const now = this.#clock.now()
    const wait = this.#state.failure === null ? MAX_LOOK_INTERVAL : RETRY_INTERVAL
    if (marks === this.#marks && now - this.#refreshedAt < wait) return
    // The marks were read before the look, so changes during the look cause another one.
    this.#marks = marks
    this.#refreshedAt = now
    await this.refresh()
  }

  /** Looks again. Calls made before a look has started share it; two never run at once. */
  refresh(): Promise<void> {
    this.#waiting ??= this.#inTurn(() => {
      this.#waiting = undefined
      return this.#look()
    })
    return this.#waiting
  }

  /** Answers a question other than "now". Throws what the gathering throws. */
  ask(question: FleetQuestion): Promise<Fleet> {
    return this.#inTurn(() => this.#gather(question))
  }

  /** The process that gathers takes one question at a time. */
  #inTurn<T>(action: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(action)
    this.#turn = result.catch(() => {})
    return result
  }

  async #look(): Promise<void> {
    const before = this.#state
    try {
      const fleet = await this.#gather({})
      const said = JSON.stringify({ ...fleet, generated_at: '' })
      const isNew = said !== this.#said
      this.#said = said
      if (isNew) this.#count += 1
      this.#state = {
        version: `${this.#run}-${this.#count}`,
        text: isNew || before.text === undefined ? JSON.stringify(fleet) : before.text,
        failure: null,
      }
    } catch (error) {
      this.#state = { ...before, failure: this.#failureOf(error, before.failure) }
    }
  }

  #failureOf(error: unknown, last: FeedFailure | null): FeedFailure {
    const message = error instanceof Error ? error.message : String(error)
    const next = error instanceof LedgerError ? (error.next ?? null) : null
    return { message, next, since: last?.since ?? instantFromMillis(this.#clock.now()) }
  }
}
