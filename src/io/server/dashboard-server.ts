/** The dashboard's server: fixed routes on the loopback address, read-only, nothing from disk. */

import type { Server, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FleetFeed, FleetQuestion } from '../../app/dashboard/fleet-feed.ts'
import { HEADERS, SHELL } from '../../core/dashboard/page.ts'
import type { PageParts } from '../../core/dashboard/page.ts'
import type { Admission } from '../../core/dashboard/request-rules.ts'
import { judgeRequest } from '../../core/dashboard/request-rules.ts'
import { readTimelinePage } from '../../core/dashboard/timeline-page.ts'
import { LedgerError } from '../../core/errors/errors.ts'

export interface ServerParts {
  readonly page: PageParts
  readonly feed: FleetFeed
  readonly token: string
  /** What the page calls the repository. */
  readonly name: string
  /** The name by which commands are typed here; commands in the fleet say `git ledger`. */
  readonly program: string
}

export interface RunningServer {
  readonly port: number
  close(): Promise<void>
}

const LOOPBACK = '127.0.0.1'
/** Requests are short: one that does not end holds a connection for nothing. Milliseconds. */
const LIMITS = { headersTimeout: 5000, requestTimeout: 10_000, connectionsCheckingInterval: 1000 }
/** Each connection takes one of the files that this process may have open. */
const MAX_CONNECTIONS = 256

/** `port` 0: any free port. Throws `PORT_IN_USE`. */
export async function startServer(parts: ServerParts, port: number): Promise<RunningServer> {
  let own = port
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
    answer(parts, judged, response).catch((error: unknown) =>
      sendJson(response, ...problemOf(error)),
    )
  })
  server.maxConnections = MAX_CONNECTIONS
  own = await listen(server, port)
  return {
    port: own,
    close: async () => {
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

async function answer(
  { page, feed, name, program }: ServerParts,
  { route, query }: Admission,
  response: ServerResponse,
): Promise<void> {
  switch (route) {
    case 'page':
      return send(response, 200, 'text/html; charset=utf-8', SHELL)
    case 'script':
      return send(response, 200, 'text/javascript; charset=utf-8', page.script)
    case 'style':
      return send(response, 200, 'text/css; charset=utf-8', page.style)
    case 'pulse':
      void feed.follow()
      return sendJson(response, 200, newsOf(feed, name, program))
    case 'timeline':
      return sendJson(response, 200, await timelinePage(feed, query))
    case 'fleet':
      return sendFleet(feed, query, response)
  }
}

async function sendFleet(
  feed: FleetFeed,
  query: URLSearchParams,
  response: ServerResponse,
): Promise<void> {
  const at = query.get('at')
  if (at !== null) return sendJson(response, 200, await feed.ask({ at }))
  if (feed.state.text === undefined || !feed.isFollowed) await feed.refresh()
  const { text, failure, version } = feed.state
  if (text === undefined) {
    return sendJson(response, 503, { error: failure ?? { message: 'not looked yet', next: null } })
  }
  return send(response, 200, JSON_TYPE, text, { etag: version })
}

async function timelinePage(feed: FleetFeed, query: URLSearchParams): Promise<unknown> {
  const at = query.get('at')
  const question: FleetQuestion = { isWholeTimeline: true, ...(at === null ? {} : { at }) }
  const { timeline, more } = await feed.ask(question)
  return readTimelinePage(timeline, more.timeline, query.get('after'))
}

/** What changed, without the fleet itself, which the page requests separately. */
function newsOf({ state }: FleetFeed, name: string, program: string): Record<string, unknown> {
  const { version, failure } = state
  return { version, failure, name, program }
}

/** The status and body for an error: 400 or 503 for errors of ours, 500 for a bug. */
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
  type: string,
  text: string,
  headers: Record<string, string> = {},
): void {
  if (response.destroyed || response.headersSent) return
  response.writeHead(status, { ...HEADERS, 'content-type': type, ...headers }).end(text)
}
