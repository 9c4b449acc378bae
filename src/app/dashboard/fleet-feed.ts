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
  /** Merged branches too, and as many as there are. */
  readonly allBranches?: boolean
}

export type GatherFleet = (question: FleetQuestion) => Promise<Fleet>

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
  readonly checked_at: string | null
  readonly failure: FeedFailure | null
}

export class FleetFeed {
  readonly #gather: GatherFleet
  readonly #clock: Clock
  readonly #run: string
  readonly #listeners = new Set<() => void>()
  #state: FeedState
  /** The fleet without the instant of the look. */
  #said = ''
  #count = 0
  #turn: Promise<unknown> = Promise.resolve()
  #waiting: Promise<void> | undefined

  /** `run`: names this run of the server. */
  constructor(gather: GatherFleet, clock: Clock, run: string) {
    this.#gather = gather
    this.#clock = clock
    this.#run = run
    this.#state = { version: `${run}-0`, text: undefined, checked_at: null, failure: null }
  }

  get state(): FeedState {
    return this.#state
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Looks again. Whoever asks while a look has not begun shares it; two never run at once. */
  refresh(): Promise<void> {
    this.#waiting ??= this.inTurn(() => {
      this.#waiting = undefined
      return this.#look()
    })
    return this.#waiting
  }

  /** Another question than "now". Throws what the gathering throws. */
  ask(question: FleetQuestion): Promise<Fleet> {
    return this.inTurn(() => this.#gather(question))
  }

  /** Whatever asks the process that gathers, which takes one question at a time. */
  inTurn<T>(action: () => Promise<T>): Promise<T> {
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
        checked_at: this.#now(),
        failure: null,
      }
    } catch (error) {
      this.#state = { ...before, failure: this.#failureOf(error, before.failure) }
    }
    const isOther =
      before.version !== this.#state.version ||
      before.failure?.message !== this.#state.failure?.message
    if (isOther) for (const listener of this.#listeners) listener()
  }

  #failureOf(error: unknown, last: FeedFailure | null): FeedFailure {
    const message = error instanceof Error ? error.message : String(error)
    const next = error instanceof LedgerError ? (error.next ?? null) : null
    return { message, next, since: last?.since ?? this.#now() }
  }

  #now(): string {
    return instantFromMillis(this.#clock.now())
  }
}
