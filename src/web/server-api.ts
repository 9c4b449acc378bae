/** Questions to the server that this page came from. */

import type { Fleet, TimelineEvent } from '../core/fleet/fleet.ts'

/** What the server says of its last look at the repository. */
export interface News {
  readonly version: string
  readonly failure: Failure | null
  readonly name: string
}

export interface Failure {
  readonly message: string
  readonly next: string | null
  readonly since?: string
}

/** The server answered with a refusal; anything else that is thrown means that it did not answer. */
export class Refused extends Error {
  readonly status: number
  readonly next: string | null

  constructor(status: number, { message, next }: Failure) {
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

  fleet(at: string | null): Promise<Fleet> {
    return this.#json(at === null ? '/api/fleet' : `/api/fleet?${new URLSearchParams({ at })}`)
  }

  timeline(after: string, at: string | null): Promise<{ entries: TimelineEvent[]; more: number }> {
    const query = new URLSearchParams(at === null ? { after } : { after, at })
    return this.#json(`/api/timeline?${query}`)
  }

  async #json<T>(path: string): Promise<T> {
    const headers = { authorization: `Bearer ${this.#token}` }
    // A server that hangs is one that does not answer.
    const signal = AbortSignal.timeout(60_000)
    const response = await fetch(path, { headers, signal, cache: 'no-store' })
    if (!response.ok) throw new Refused(response.status, await failureOf(response))
    return (await response.json()) as T
  }
}

async function failureOf(response: Response): Promise<Failure> {
  try {
    return ((await response.json()) as { error: Failure }).error
  } catch {
    return { message: `the server answered with status ${response.status}`, next: null }
  }
}
