/**
 * The fleet as the server sees it, kept up to date. A browser opens six connections to a server at most, so
 * of all tabs one holds the stream of news and tells the others; whichever comes next takes over.
 */

import type { Fleet } from '../core/fleet/fleet.ts'
import type { Failure, News, ServerApi } from './server-api.ts'
import { Refused } from './server-api.ts'

/** `expired`: the server does not know this page's token, as it was started anew. */
export type Connection = 'starting' | 'live' | 'lost' | 'expired'

export interface Known {
  readonly connection: Connection
  readonly fleet: Fleet | null
  /** Why the server could not read the repository. What it knew before is still shown. */
  readonly failure: Failure | null
  readonly checkedAt: string | null
  readonly name: string | null
  readonly steps: boolean
}

type TabMessage = { readonly news: News } | { readonly isLost: true }

const NAME = 'ledger-git-dashboard'
/** Tells the server that somebody looks, and this tab that the server is there. */
const PULSE = 10_000
const RETRY = 2_000

export class LiveFleet {
  known: Known = {
    connection: 'starting',
    fleet: null,
    failure: null,
    checkedAt: null,
    name: null,
    steps: false,
  }
  readonly #api: ServerApi
  readonly #tell: (known: Known) => void
  readonly #tabs = new BroadcastChannel(NAME)
  /** Of the fleet that is shown. */
  #version = ''
  #wanted = ''
  #isLoading = false
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(api: ServerApi, tell: (known: Known) => void) {
    this.#api = api
    this.#tell = tell
  }

  start(): void {
    this.#tabs.onmessage = ({ data }: MessageEvent<TabMessage>) => {
      if ('news' in data) this.#hear(data.news)
      else this.#lose(undefined)
    }
    document.addEventListener('visibilitychange', () => {
      if (!document.hidden) void this.#pulse()
    })
    void this.#pulse()
    void navigator.locks.request(NAME, () => this.#hold())
  }

  /** Ends when the page does, or when the server knows this page no more. */
  async #hold(): Promise<void> {
    const end = new AbortController()
    for (;;) {
      try {
        await this.#api.listen((news) => {
          this.#hear(news)
          this.#tabs.postMessage({ news } satisfies TabMessage)
        }, end.signal)
        this.#lose(undefined)
      } catch (error) {
        this.#lose(error)
      }
      if (this.known.connection === 'expired') return
      this.#tabs.postMessage({ isLost: true } satisfies TabMessage)
      await new Promise((resolve) => setTimeout(resolve, RETRY))
    }
  }

  async #pulse(): Promise<void> {
    clearTimeout(this.#timer)
    try {
      this.#hear(await this.#api.pulse())
    } catch (error) {
      this.#lose(error)
    }
    const { connection } = this.known
    if (connection === 'expired') return
    // A hidden page asks for nothing until it is seen again.
    clearTimeout(this.#timer)
    this.#timer = setTimeout(
      () => void (document.hidden || this.#pulse()),
      connection === 'live' ? PULSE : RETRY,
    )
  }

  #hear(news: News): void {
    if (this.known.connection === 'expired') return
    this.#set({
      connection: 'live',
      failure: news.failure,
      checkedAt: news.checked_at,
      name: news.name ?? this.known.name,
      steps: news.steps ?? this.known.steps,
    })
    this.#wanted = news.version
    if (!document.hidden || this.known.fleet === null) void this.#load()
  }

  async #load(): Promise<void> {
    if (this.#isLoading) return
    this.#isLoading = true
    try {
      while (this.#version !== this.#wanted || this.known.fleet === null) {
        const version = this.#wanted
        const fleet = await this.#api.fleet(null)
        this.#version = version
        this.#set({ fleet })
      }
    } catch (error) {
      if (error instanceof Refused && error.status !== 401) {
        this.#set({ failure: { message: error.message, next: error.next } })
      } else this.#lose(error)
    } finally {
      this.#isLoading = false
    }
  }

  #lose(error: unknown): void {
    const isExpired = error instanceof Refused && error.status === 401
    if (this.known.connection === 'expired') return
    this.#set({ connection: isExpired ? 'expired' : 'lost' })
  }

  #set(change: Partial<Known>): void {
    this.known = { ...this.known, ...change }
    this.#tell(this.known)
  }
}
