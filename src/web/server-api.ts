/** Requests to the server that this page came from. */

import type { Fleet, TimelineEvent } from '../core/fleet/fleet.ts'

/** What the server says about its last look at the repository. */
export interface News {
  readonly version: string
  readonly failure: Failure | null
  readonly name: string
  readonly program: string
}

export interface Failure {
  readonly message: string
  readonly next: string | null
}

interface Refusal {
  readonly error: Failure
}

/** Our server answered with a refusal; any other error means that it did not answer. */
export class Refused extends Error {
  readonly status: number
  readonly next: string | null

  constructor(status: number, { error: { message, next } }: Refusal) {
    super(message)
    this.status = status
    this.next = next
  }
}

export class ServerApi {
  readonly #token: string

  constructor(token: string) {
    this.#token = token
  }

  pulse(): Promise<News> {
    return this.#json('/api/pulse')
  }

  /** The fleet as it is now, and its version. */
  async fleet(): Promise<{ fleet: Fleet; version: string | null }> {
    const response = await this.#ask('/api/fleet')
    return { fleet: (await response.json()) as Fleet, version: response.headers.get('etag') }
  }

  past(at: string): Promise<Fleet> {
    return this.#json(`/api/fleet?${new URLSearchParams({ at })}`)
  }

  timeline(after: string, at: string | null): Promise<{ entries: TimelineEvent[]; more: number }> {
    const query = new URLSearchParams(at === null ? { after } : { after, at })
    return this.#json(`/api/timeline?${query}`)
  }

  async #json<T>(path: string): Promise<T> {
    return (await (await this.#ask(path)).json()) as T
  }

  async #ask(path: string): Promise<Response> {
    const headers = { authorization: `Bearer ${this.#token}` }
    // A server that hangs counts as one that does not answer.
    const signal = AbortSignal.timeout(60_000)
    const response = await fetch(path, { headers, signal, cache: 'no-store' })
    // Another program may have the port by now: its refusals do not have this form.
    if (!response.ok) throw new Refused(response.status, (await response.json()) as Refusal)
    return response
  }
}
