/** The dashboard's server, with requests from browsers and attackers. */

import { request } from 'node:http'
import { createConnection } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { FleetFeed } from '../../../src/app/dashboard/fleet-feed.ts'
import type { GatherFleet } from '../../../src/app/dashboard/fleet-feed.ts'
import { LedgerError } from '../../../src/core/errors/errors.ts'
import { startServer } from '../../../src/io/server/dashboard-server.ts'
import { BUSY_FLEET, NOW } from '../../support/fleets.ts'
import { longTest } from '../../support/long.ts'

const TOKEN = 'f'.repeat(32)

async function serve(gather: GatherFleet = async () => BUSY_FLEET) {
  const feed = new FleetFeed(gather, async () => 'marks', { now: () => NOW }, 'run')
  const page = { script: 'script()', style: 'p{}' }
  const parts = { page, feed, token: TOKEN, name: 'shop', program: 'npx ledger-git' }
  const server = await startServer(parts, 0)
  onTestFinished(() => server.close())
  return { server, feed, ask: (path: string, options?: Asked) => ask(server.port, path, options) }
}

interface Asked {
  readonly headers?: Record<string, string>
  readonly method?: string
  readonly isOpen?: boolean
}

interface Answer {
  readonly status: number
  readonly headers: Record<string, unknown>
  readonly body: string
}

function ask(
  port: number,
  path: string,
  { headers = {}, method = 'GET', isOpen = true }: Asked = {},
) {
  const token: Record<string, string> = isOpen ? { authorization: `Bearer ${TOKEN}` } : {}
  return new Promise<Answer>((resolve, reject) => {
    request(
      { host: '127.0.0.1', port, path, method, headers: { ...token, ...headers } },
      (response) => {
        let body = ''
        response.setEncoding('utf8')
        response.on('data', (part: string) => (body += part))
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
        )
      },
    )
      .on('error', reject)
      .end()
  })
}

test('serves the page without a token, and data only with one', async () => {
  const { ask } = await serve()
  const page = await ask('/', { isOpen: false })
  expect(page.status).toBe(200)
  expect(page.headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
  })
  expect(page.headers['content-security-policy']).toContain("require-trusted-types-for 'script'")
  expect((await ask('/dashboard.js', { isOpen: false })).body).toBe('script()')
  expect((await ask('/dashboard.css', { isOpen: false })).body).toBe('p{}')
  const fleet = await ask('/api/fleet')
  expect(JSON.parse(fleet.body)).toEqual(BUSY_FLEET)
  expect(fleet.headers['access-control-allow-origin']).toBeUndefined()
  const { body } = await ask('/api/pulse')
  expect(JSON.parse(body)).toMatchObject({
    version: 'run-1',
    name: 'shop',
    program: 'npx ledger-git',
    failure: null,
  })
})

test('refuses requests with its usual headers and an error in JSON', async () => {
  const { ask } = await serve()
  const refused = [
    [await ask('/api/fleet', { isOpen: false }), 401],
    [await ask('/api/fleet', { headers: { host: 'evil.test' } }), 421],
    [await ask('/api/fleet', { headers: { origin: 'http://evil.test' } }), 403],
    [await ask('/api/fleet', { headers: { 'sec-fetch-site': 'cross-site' } }), 403],
    [await ask('/', { method: 'POST' }), 405],
    [await ask('/../../etc/passwd'), 404],
  ] as const
  for (const [{ status, headers, body }, expected] of refused) {
    expect(status).toBe(expected)
    expect(headers['x-frame-options']).toBe('DENY')
    expect(JSON.parse(body)).toEqual({ error: { message: expect.any(String), next: null } })
    expect(body).not.toMatch(/shop|integer cents/)
  }
  expect((await ask('/', { method: 'DELETE' })).headers['allow']).toBe('GET')
})

/** What comes back for these bytes, until the server closes the connection. */
function sendRaw(port: number, bytes: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = createConnection(port, '127.0.0.1', () => socket.write(bytes))
    let text = ''
    socket.setEncoding('utf8')
    socket.on('data', (part: string) => (text += part))
    socket.on('error', () => {})
    socket.on('close', () => resolve(text))
  })
}

test('answers malformed and forged requests by its rules alone', async () => {
  const { server } = await serve()
  const { port } = server
  const host = `Host: 127.0.0.1:${port}`
  const token = `Authorization: Bearer ${TOKEN}`
  const evil = 'Host: evil.test'
  const requests: [status: number, ...lines: string[]][] = [
    [200, 'GET /api/fleet HTTP/1.1', host, token],
    [421, 'GET / HTTP/1.0'],
    [421, 'GET / HTTP/1.1', evil, `X-Forwarded-Host: 127.0.0.1:${port}`],
    [421, 'GET / HTTP/1.1', `Host: localhost.:${port}`],
    [421, 'GET / HTTP/1.1', `Host: [::1]:${port}`],
    [421, 'GET / HTTP/1.1', host, evil],
    [404, `GET http://127.0.0.1:${port}/api/fleet HTTP/1.1`, host, token],
    [404, 'GET http://evil.test/api/fleet HTTP/1.1', host, token],
    [404, 'GET //127.0.0.1/api/fleet HTTP/1.1', host, token],
    [404, 'GET /%61pi/fleet HTTP/1.1', host, token],
    [404, 'GET /%2e%2e/api/fleet HTTP/1.1', host, token],
    [405, 'HEAD /api/fleet HTTP/1.1', host, token],
    [405, 'OPTIONS * HTTP/1.1', host],
    [401, `GET /api/fleet?token=${TOKEN} HTTP/1.1`, host],
    [401, 'GET /api/fleet HTTP/1.1', host, `Cookie: t=${TOKEN}`],
    [403, 'GET /api/fleet HTTP/1.1', host, token, 'Origin: null'],
    [403, 'GET /api/fleet HTTP/1.1', host, token, 'Sec-Fetch-Site: same-origin, cross-site'],
    [400, 'GET /api/fleet?at=%00 HTTP/1.1', host, token],
    [400, 'GET /api/timeline?after=%0a HTTP/1.1', host, token],
    [400, 'GET / HTTP/1.1', host, 'Content-Length: 4', 'Transfer-Encoding: chunked'],
    [431, 'GET / HTTP/1.1', host, `X: ${'x'.repeat(20_000)}`],
  ]
  for (const [status, ...lines] of requests) {
    const answer = await sendRaw(port, `${[...lines, 'Connection: close'].join('\r\n')}\r\n\r\n`)
    expect([lines[0], lines[1], answer.slice(9, 12)]).toEqual([lines[0], lines[1], String(status)])
  }
  expect(await sendRaw(port, `CONNECT evil.test:1 HTTP/1.1\r\n${host}\r\n\r\n`)).toBe('')
})

longTest('ends requests that never end, and answers others meanwhile', async () => {
  const { server, ask } = await serve()
  const half = `GET / HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nX-`
  const begun = Array.from({ length: 100 }, () => sendRaw(server.port, half))
  expect((await ask('/')).status).toBe(200)
  for (const answer of await Promise.all(begun)) expect(answer).toMatch(/^HTTP\/1\.1 408 |^$/)
})

test('reads the fleet anew for a request while no page follows; otherwise returns what is known', async () => {
  let looks = 0
  const { ask } = await serve(async () => ({ ...BUSY_FLEET, main_branch: `b${++looks}` }))
  const branch = async () => {
    const { body } = await ask('/api/fleet')
    return (JSON.parse(body) as typeof BUSY_FLEET).main_branch
  }
  expect([await branch(), await branch()]).toEqual(['b1', 'b2'])
  const version = async () =>
    (JSON.parse((await ask('/api/pulse')).body) as { version: string }).version
  await expect.poll(version).toBe('run-3')
  expect([await branch(), await branch()]).toEqual(['b3', 'b3'])
})

test('reports a repository that cannot be read, keeps what was known, and lives on', async () => {
  let isGone = true
  const gone = new LedgerError('NOT_A_REPOSITORY', 'it is gone', 'bring it back')
  const { ask, feed } = await serve(async () => {
    if (isGone) throw gone
    return BUSY_FLEET
  })
  const first = await ask('/api/fleet')
  expect(first.status).toBe(503)
  expect(JSON.parse(first.body)).toMatchObject({
    error: { message: 'it is gone', next: 'bring it back' },
  })
  isGone = false
  await feed.refresh()
  expect((await ask('/api/fleet')).status).toBe(200)
  isGone = true
  await feed.refresh()
  expect((await ask('/api/fleet')).status).toBe(200)
  expect(JSON.parse((await ask('/api/pulse')).body)).toMatchObject({
    failure: { message: 'it is gone' },
  })
})

describe('another time', () => {
  test('is requested by name, and an unknown name is the user’s mistake', async () => {
    const { ask } = await serve(async ({ at }) => {
      if (at === 'nothing')
        throw new LedgerError('REVISION_UNKNOWN', 'nothing is no commit', 'git log')
      return { ...BUSY_FLEET, at: at ?? null }
    })
    expect(JSON.parse((await ask('/api/fleet?at=HEAD~3')).body)).toMatchObject({ at: 'HEAD~3' })
    const refused = await ask('/api/fleet?at=nothing')
    expect(refused.status).toBe(400)
    expect(refused.body).toContain('nothing is no commit')
  })
})

test('continues the timeline where the page ends', async () => {
  const { ask } = await serve()
  const [first, second] = BUSY_FLEET.timeline
  const page = await ask(`/api/timeline?after=${first?.file}`)
  expect(JSON.parse(page.body)).toMatchObject({ more: 34, entries: { 0: second } })
})

test('reports a port that is in use', async () => {
  const { server, feed } = await serve()
  const parts = {
    page: { script: '', style: '' },
    feed,
    token: TOKEN,
    name: 'x',
    program: 'git ledger',
  }
  await expect(startServer(parts, server.port)).rejects.toMatchObject({
    code: 'PORT_IN_USE',
    message: `port ${server.port} of 127.0.0.1 is taken by another program`,
  })
})
