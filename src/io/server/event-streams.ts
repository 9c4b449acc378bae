/** Open streams of news (server-sent events), one for each browser that shows the page. */

import type { ServerResponse } from 'node:http'

/** A proxy or a sleeping machine closes a silent connection without telling. */
const HEARTBEAT = 15_000
/** Of one browser that does not read what it is sent. */
const MOST_UNREAD = 64 * 1024
/** A page holds one stream for all tabs. */
const MOST_STREAMS = 32

export class EventStreams {
  readonly #news: () => unknown
  readonly #open = new Set<ServerResponse>()
  #heartbeat: NodeJS.Timeout | undefined

  constructor(news: () => unknown) {
    this.#news = news
  }

  get size(): number {
    return this.#open.size
  }

  add(response: ServerResponse, headers: Readonly<Record<string, string>>): void {
    if (this.#open.size >= MOST_STREAMS) {
      response.writeHead(503, { ...headers, 'retry-after': '5' }).end()
      return
    }
    response.writeHead(200, { ...headers, 'content-type': 'text/event-stream; charset=utf-8' })
    this.#open.add(response)
    response.on('close', () => this.#forget(response))
    response.on('error', () => this.#forget(response))
    this.#heartbeat ??= setInterval(() => this.#write(': alive\n\n'), HEARTBEAT)
    response.write(this.#message())
  }

  /** Tells all of them what is new. */
  send(): void {
    this.#write(this.#message())
  }

  close(): void {
    for (const response of this.#open) response.destroy()
    this.#open.clear()
    clearInterval(this.#heartbeat)
  }

  #message(): string {
    return `data: ${JSON.stringify(this.#news())}\n\n`
  }

  #write(text: string): void {
    for (const response of this.#open) {
      if (response.writableLength > MOST_UNREAD) response.destroy()
      else response.write(text)
    }
  }

  #forget(response: ServerResponse): void {
    this.#open.delete(response)
    if (this.#open.size > 0) return
    clearInterval(this.#heartbeat)
    this.#heartbeat = undefined
  }
}
