/** The fleet as the server sees it. A visible page asks every second whether anything is new. */

import type { Fleet } from '../core/fleet/fleet.ts'
import type { Failure, ServerApi } from './server-api.ts'
import { Refused } from './server-api.ts'

/** `expired`: the server does not know this page's token, since the server was restarted. */
export type Connection = 'starting' | 'live' | 'lost' | 'expired'

export interface Known {
  readonly connection: Connection
  readonly fleet: Fleet | null
  /** Why the server could not read the repository. What it read before is still shown. */
  readonly failure: Failure | null
  readonly name: string | null
  /** The name by which commands are typed where the server runs. */
  readonly program: string
}

/** Milliseconds. */
const INTERVAL = 1_000

export class LiveFleet {
  known: Known = {
    connection: 'starting',
    fleet: null,
    failure: null,
    name: null,
    program: 'git ledger',
  }
  readonly #api: ServerApi
  readonly #tell: (known: Known) => void
  /** The version of the fleet that is shown. */
  #version: string | null = null
  #isAsking = false
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(api: ServerApi, tell: (known: Known) => void) {
    this.#api = api
    this.#tell = tell
  }

  start(): void {
    document.addEventListener('visibilitychange', () => void (document.hidden || this.#ask()))
    void this.#ask()
  }

  /** A hidden page asks for nothing until it is visible again. */
  async #ask(): Promise<void> {
    if (this.#isAsking || this.known.connection === 'expired') return
    this.#isAsking = true
    clearTimeout(this.#timer)
    try {
      const { version, failure, name, program } = await this.#api.pulse()
      const isSame = failure?.message === this.known.failure?.message
      this.#set({
        connection: 'live',
        failure: isSame ? this.known.failure : failure,
        name,
        program,
      })
      if (version !== this.#version) {
        // If the server looks again first, the fleet is newer than the version that it announced.
        const answer = await this.#api.fleet()
        this.#set({ fleet: answer.fleet })
        this.#version = answer.version
      }
    } catch (error) {
      this.#fail(error)
    }
    this.#isAsking = false
    this.#timer = setTimeout(() => void (document.hidden || this.#ask()), INTERVAL)
  }

  #fail(error: unknown): void {
    if (!(error instanceof Refused)) this.#set({ connection: 'lost' })
    else if (error.status === 401) this.#set({ connection: 'expired' })
    else this.#set({ failure: { message: error.message, next: error.next } })
  }

  /** Most answers bring nothing new, and the page is not redrawn for them. */
  #set(change: Partial<Known>): void {
    const before = this.known
    this.known = { ...before, ...change }
    const keys = Object.keys(change) as (keyof Known)[]
    if (keys.some((key) => this.known[key] !== before[key])) this.#tell(this.known)
  }
}
