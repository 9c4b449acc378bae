/**
 * Which requests the dashboard's server answers. Any page in any browser on this machine can send it requests, so
 * nothing is answered until all of these checks pass (docs/threat-model.md).
 */

import { timingSafeEqual } from 'node:crypto'

/** What is served, by path. Paths are never looked up on disk. */
const ROUTES = {
  '/': 'page',
  '/dashboard.js': 'script',
  '/dashboard.css': 'style',
  '/api/fleet': 'fleet',
  '/api/timeline': 'timeline',
  '/api/pulse': 'pulse',
} as const

export type Route = (typeof ROUTES)[keyof typeof ROUTES]

/** The relevant parts of a request. Header names are in lower case, as in Node. */
export interface RequestFacts {
  readonly method: string
  /** Path and query, as in the request line. */
  readonly target: string
  /** All `Host` headers. A request may repeat the header, and then it is unclear which one is meant. */
  readonly hosts: readonly string[]
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
}

export interface Refusal {
  readonly status: 400 | 401 | 403 | 404 | 405 | 421
  readonly message: string
}

export interface Admission {
  readonly route: Route
  readonly query: URLSearchParams
}

/** The route of a permitted request, or the refusal with its HTTP status. `port` and `token`: of this server's run. */
export function judgeRequest(
  request: RequestFacts,
  { port, token }: { readonly port: number; readonly token: string },
): Admission | Refusal {
  const { method, target, hosts, headers } = request
  const own = ownHosts(port)
  if (hosts.length !== 1 || !own.includes(hosts[0]?.toLowerCase() ?? '')) {
    return refuse(421, `this server answers to ${own[0]} only: open the link that it printed`)
  }
  const [path = '', query = ''] = target.split(/\?(.*)/s)
  const route = Object.hasOwn(ROUTES, path) ? ROUTES[path as keyof typeof ROUTES] : undefined
  const { origin } = headers
  const isOtherOrigin = origin !== undefined && !own.some((host) => origin === `http://${host}`)
  const isOtherPage = !isOwnPage(headers) && !(route === 'page' && isNavigation(headers))
  if (isOtherOrigin || isOtherPage)
    return refuse(403, 'pages of other sites may not ask this server')
  if (method !== 'GET') return refuse(405, 'this server is read-only: it answers GET')
  if (route === undefined) return refuse(404, 'nothing is here; the page is at /')
  if (path.startsWith('/api/') && !bearsToken(headers['authorization'], token)) {
    return refuse(
      401,
      'the token is missing or from another run: open the link that this run printed',
    )
  }
  const fields = new URLSearchParams(query)
  // oxlint-disable-next-line no-control-regex
  if ([...fields.values()].some((value) => /[\u0000-\u001f\u007f]/.test(value))) {
    return refuse(400, 'a control character in the query: nothing has such a name')
  }
  return { route, query: fields }
}

function refuse(status: Refusal['status'], message: string): Refusal {
  return { status, message }
}

/** The only accepted hosts, so that a name which an attacker's DNS resolves to this machine is refused. */
function ownHosts(port: number): string[] {
  const names = ['127.0.0.1', 'localhost']
  return [...names.map((name) => `${name}:${port}`), ...(port === 80 ? names : [])]
}

/** Browsers say where a request comes from; other programs do not. */
function isOwnPage(headers: RequestFacts['headers']): boolean {
  const site = headers['sec-fetch-site']
  return site === undefined || site === 'same-origin' || site === 'none'
}

/** Somebody follows a link to the page, for example from the file that opens the browser. The page has no data. */
function isNavigation(headers: RequestFacts['headers']): boolean {
  return headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document'
}

function bearsToken(header: string | readonly string[] | undefined, token: string): boolean {
  if (typeof header !== 'string') return false
  const [given, expected] = [Buffer.from(header), Buffer.from(`Bearer ${token}`)]
  return given.length === expected.length && timingSafeEqual(given, expected)
}
