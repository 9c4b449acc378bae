/** What the dashboard last knew of the fleet: gathered once for all who look, and kept when gathering fails. */

import type { Fleet } from '../../core/fleet/fleet.ts'
import { LedgerError } from '../../core/errors/errors.ts'
import { instantFromMillis } from '../../core/event/instant.ts'
import type { Clock } from '../ports.ts'

/** The fleet as somebody asks for it. */
export interface FleetQuestion {
  /** An instant or a revision; absent: now. */
  readonly at?: string
  /** Every event in the timeline, not only the newest. */
  readonly isWholeTimeline?: boolean
  /** All that a person has to act on: for who counts it, and shows the first lines. */
  readonly hasWholeLists?: boolean
  /** Merged branches too, and as many as there are. */
  readonly allBranches?: boolean
}

export type GatherFleet = (question: FleetQuestion) => Promise<Fleet>

/** Differs from what it was where files of the fleet may have changed; undefined where nobody can look. */
export type MarksOfFiles = () => Promise<string | undefined>

/** Why the last look failed. What was known before stays. */
export interface FeedFailure {
  readonly message: string
  readonly next: string | null
  readonly since: string
}

export interface FeedState {
  /** Differs when the fleet does, also from that of another run. */
  readonly version: string
  /** The fleet as JSON; undefined before the first look that succeeded. */
  readonly text: string | undefined
  readonly failure: FeedFailure | null
}

/** Milliseconds. Some states come of time alone: an agent that gives no sign stalls. */
const LOOK_ANYWAY = 60_000
const RETRY = 2_000
/** A page that is seen asks every second. */
const STILL_LOOKING = 10_000

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

  /** A page asks for news again and again, so what is known is kept up to date. */
  get isFollowed(): boolean {
    return this.#clock.now() - this.#askedAt < STILL_LOOKING
  }

  /** A page asks what is new. Where a disk does not answer, one look waits for it. */
  async follow(): Promise<void> {
    this.#askedAt = this.#clock.now()
    if (this.#isFollowing) return
    this.#isFollowing = true
    // Where the process that looks cannot be started, the next look tells why.
    const marks = await this.#inTurn(this.#marksOf).catch(() => undefined)
    this.#isFollowing = false
    const now = this.#clock.now()
    const wait = this.#state.failure === null ? LOOK_ANYWAY : RETRY
    if (marks === this.#marks && now - this.#refreshedAt < wait) return
    // Read before the look: what changes during it is looked at once more.
    this.#marks = marks
    this.#refreshedAt = now
    await this.refresh()
  }

  /** Looks again. Whoever asks while a look has not begun shares it; two never run at once. */
  refresh(): Promise<void> {
    this.#waiting ??= this.#inTurn(() => {
      this.#waiting = undefined
      return this.#look()
    })
    return this.#waiting
  }

  /** Another question than "now". Throws what the gathering throws. */
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
