/** The dashboard's server: fixed routes on the loopback address, read-only, nothing from disk. */

import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FleetFeed, FleetQuestion } from '../../app/dashboard/fleet-feed.ts'
import { HEADERS, SHELL } from '../../core/dashboard/page.ts'
import type { PageParts } from '../../core/dashboard/page.ts'
import type { Route } from '../../core/dashboard/request-rules.ts'
import { judgeRequest } from '../../core/dashboard/request-rules.ts'
import { readTimelinePage } from '../../core/dashboard/timeline-page.ts'
import { LedgerError } from '../../core/errors/errors.ts'
import { EventStreams } from './event-streams.ts'

export interface ServerParts {
  readonly page: PageParts
  readonly feed: FleetFeed
  readonly token: string
  /** What the page calls the repository. */
  readonly name: string
  /** The fleet can be asked for as of another time. */
  readonly canStep: boolean
}

export interface RunningServer {
  readonly port: number
  /** Open streams: pages that wait for news. */
  readonly streams: number
  /** When a visible page last asked for anything (Unix time in milliseconds). */
  readonly lookedAt: number
  close(): Promise<void>
}

const LOOPBACK = '127.0.0.1'
/** Requests are short: one that does not come to its end holds a connection for nothing. Milliseconds. */
const LIMITS = { headersTimeout: 5000, requestTimeout: 10_000, connectionsCheckingInterval: 1000 }
/** Each takes one of the files that this process may have open. */
const MOST_CONNECTIONS = 256

/** `port` 0: any that is free. Throws `PORT_IN_USE`. */
export async function startServer(parts: ServerParts, port: number): Promise<RunningServer> {
  const streams = new EventStreams(() => newsOf(parts.feed))
  const stopListening = parts.feed.onChange(() => streams.send())
  let own = port
  let lookedAt = 0
  const server = createServer(LIMITS, (request, response) => {
    const hosts = request.headersDistinct['host'] ?? []
    const { method = '', url = '', headers } = request
    const judged = judgeRequest({ method, target: url, hosts, headers }, { ...parts, port: own })
    request.resume()
    if ('status' in judged) {
      const allow: Record<string, string> = judged.status === 405 ? { allow: 'GET' } : {}
      sendJson(response, judged.status, { error: { message: judged.message, next: null } }, allow)
      return
    }
    if (judged.route === 'pulse') lookedAt = Date.now()
    if (judged.route === 'events') streams.add(response, HEADERS)
    else {
      const asked = { ...parts, isFollowed: streams.size > 0 }
      answer(asked, judged.route, judged.query, request, response).catch((error: unknown) =>
        sendJson(response, ...problemOf(error)),
      )
    }
  })
  server.maxConnections = MOST_CONNECTIONS
  own = await listen(server, port)
  return {
    port: own,
    get streams() {
      return streams.size
    },
    get lookedAt() {
      return lookedAt
    },
    close: async () => {
      stopListening()
      streams.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function listen(server: Server, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, LOOPBACK, resolve)
  }).catch((error: NodeJS.ErrnoException) => {
    const why = LISTEN_ERRORS[error.code ?? '']
    if (why === undefined) throw error
    throw new LedgerError(
      'PORT_IN_USE',
      `port ${port} of ${LOOPBACK} ${why}`,
      'ledger-git dashboard takes any free port; --port names another one',
    )
  })
  server.removeAllListeners('error')
  return (server.address() as AddressInfo).port
}

const LISTEN_ERRORS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is taken by another program',
  EACCES: 'may not be used by this user',
}

/** `isFollowed`: a page waits for news, and what is known is kept up to date for it. */
type Asked = ServerParts & { readonly isFollowed: boolean }

async function answer(
  parts: Asked,
  route: Exclude<Route, 'events'>,
  query: URLSearchParams,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  switch (route) {
    case 'page':
      return send(response, 200, 'text/html; charset=utf-8', SHELL)
    case 'script':
      return send(response, 200, 'text/javascript; charset=utf-8', parts.page.script)
    case 'style':
      return send(response, 200, 'text/css; charset=utf-8', parts.page.style)
    case 'pulse':
      return sendJson(response, 200, newsOf(parts.feed, parts))
    case 'timeline':
      return sendJson(response, 200, await timelinePage(parts.feed, query))
    case 'fleet':
      return sendFleet(parts, query, request, response)
  }
}

async function sendFleet(
  { feed, isFollowed }: Asked,
  query: URLSearchParams,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const at = query.get('at')
  if (at !== null) return sendJson(response, 200, await feed.ask({ at }))
  if (feed.state.text === undefined || !isFollowed) await feed.refresh()
  const { text, version, failure } = feed.state
  if (text === undefined) {
    return sendJson(response, 503, { error: failure ?? { message: 'not looked yet', next: null } })
  }
  const etag = `"${version}"`
  if (request.headers['if-none-match'] === etag) return send(response, 304, undefined, '')
  return send(response, 200, JSON_TYPE, text, { etag })
}

async function timelinePage(feed: FleetFeed, query: URLSearchParams): Promise<unknown> {
  const at = query.get('at')
  const question: FleetQuestion = { isWholeTimeline: true, ...(at === null ? {} : { at }) }
  const { timeline, more } = await feed.ask(question)
  return readTimelinePage(timeline, more.timeline, query.get('after'))
}

/** What changed, without the fleet itself: whoever shows it asks for it. */
function newsOf({ state }: FleetFeed, parts?: ServerParts): Record<string, unknown> {
  const { version, checked_at, failure } = state
  const about = parts === undefined ? {} : { name: parts.name, steps: parts.canStep }
  return { version, checked_at, failure, ...about }
}

/** The user's mistakes are answers; the rest is a bug, and told as one. */
function problemOf(error: unknown): [number, unknown] {
  if (error instanceof LedgerError) {
    const isWord = error.exitCode === 2
    return [isWord ? 400 : 503, { error: { message: error.message, next: error.next ?? null } }]
  }
  return [
    500,
    { error: { message: error instanceof Error ? error.message : String(error), next: null } },
  ]
}

const JSON_TYPE = 'application/json; charset=utf-8'

function sendJson(
  response: ServerResponse,
  status: number,
  data: unknown,
  headers: Record<string, string> = {},
): void {
  send(response, status, JSON_TYPE, JSON.stringify(data), headers)
}

function send(
  response: ServerResponse,
  status: number,
  type: string | undefined,
  text: string,
  headers: Record<string, string> = {},
): void {
  if (response.destroyed || response.headersSent) return
  const content = type === undefined ? {} : { 'content-type': type }
  response.writeHead(status, { ...HEADERS, ...content, ...headers }).end(text)
}
