/**
 * Which requests the dashboard's server answers: forged hosts, foreign pages, tokens, methods,
 * paths.
 */

import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { judgeRequest } from '../../../src/core/dashboard/request-rules.ts'
import { runs } from '../../support/long.ts'

const PORT = 4321
const TOKEN = '0123456789abcdef0123456789abcdef'
const OWN = `127.0.0.1:${PORT}`

type Headers = Record<string, string | string[] | undefined>

function judge(
  target: string,
  headers: Headers = {},
  {
    method = 'GET',
    hosts = [OWN],
    port = PORT,
  }: { method?: string; hosts?: string[]; port?: number } = {},
) {
  const judged = judgeRequest({ method, target, hosts, headers }, { port, token: TOKEN })
  return 'status' in judged ? judged.status : judged.route
}

const BEARER = { authorization: `Bearer ${TOKEN}` }

test('answers its own page, and data with the token', () => {
  expect(judge('/')).toBe('page')
  expect(judge('/?anything')).toBe('page')
  expect(judge('/dashboard.js')).toBe('script')
  expect(judge('/dashboard.css')).toBe('style')
  expect(judge('/api/fleet', BEARER)).toBe('fleet')
  expect(judge('/api/fleet?at=HEAD~3', { ...BEARER, 'sec-fetch-site': 'same-origin' })).toBe(
    'fleet',
  )
  expect(judge('/api/pulse', { ...BEARER, origin: `http://${OWN}` })).toBe('pulse')
  expect(judge('/', {}, { hosts: [`LOCALHOST:${PORT}`] })).toBe('page')
  expect(judge('/', {}, { hosts: ['127.0.0.1'], port: 80 })).toBe('page')
})

test('passes the query to the route', () => {
  const judged = judgeRequest(
    { method: 'GET', target: '/api/fleet?at=a%2Bb&x=1', hosts: [OWN], headers: BEARER },
    { port: PORT, token: TOKEN },
  )
  expect('query' in judged && judged.query.get('at')).toBe('a+b')
})

describe('hosts', () => {
  test.each([
    ['another name', ['evil.test']],
    ['another name with the port', [`evil.test:${PORT}`]],
    ['another port', ['127.0.0.1:80']],
    ['no port', ['127.0.0.1']],
    ['a name with the same beginning', [`127.0.0.1.evil.test:${PORT}`]],
    ['the other address family', [`[::1]:${PORT}`]],
    ['no host', []],
    ['two hosts', [OWN, 'evil.test']],
  ])('%s: 421', (_, hosts) => {
    for (const target of ['/', '/dashboard.js', '/api/fleet', '/nothing']) {
      expect(judge(target, BEARER, { hosts })).toBe(421)
    }
  })
})

describe('other sites', () => {
  test.each([
    'null',
    'https://evil.test',
    'http://127.0.0.1:80',
    `https://${OWN}`,
    `http://${OWN}.evil.test`,
    `http://127.0.0.1:${PORT}0`,
  ])('Origin: %s is refused everywhere', (origin) => {
    for (const target of ['/', '/dashboard.js', '/api/fleet']) {
      expect(judge(target, { ...BEARER, origin })).toBe(403)
    }
  })

  test.each(['cross-site', 'same-site', 'anything'])(
    'Sec-Fetch-Site: %s may open only the page',
    (site) => {
      const link = {
        'sec-fetch-site': site,
        'sec-fetch-mode': 'navigate',
        'sec-fetch-dest': 'document',
      }
      expect(judge('/', link)).toBe('page')
      expect(judge('/', { ...link, 'sec-fetch-dest': 'iframe' })).toBe(403)
      expect(judge('/', { ...link, 'sec-fetch-mode': 'no-cors' })).toBe(403)
      expect(judge('/dashboard.js', link)).toBe(403)
      expect(judge('/api/fleet', { ...BEARER, ...link })).toBe(403)
    },
  )
})

test.each(['POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS', 'PATCH', 'get', ''])('%s: 405', (method) => {
  expect(judge('/', {}, { method })).toBe(405)
  expect(judge('/api/fleet', BEARER, { method })).toBe(405)
})

test.each([
  '/nothing',
  '/../etc/passwd',
  '/dashboard.js/',
  '//api/fleet',
  'http://evil.test/',
  '/api/fleet%00',
  '/%2e%2e/',
  '/__proto__',
  '',
  '*',
])('%s: 404', (target) => {
  expect(judge(target, BEARER)).toBe(404)
})

describe('tokens', () => {
  test.each([
    ['no token', undefined],
    ['an empty token', ''],
    ['a token without its scheme', TOKEN],
    ['a token with another scheme', `Basic ${TOKEN}`],
    ['a wrong token of the same length', `Bearer ${TOKEN.replace('0', '1')}`],
    ['a longer token', `Bearer ${TOKEN}0`],
    ['a token given twice', [`Bearer ${TOKEN}`, `Bearer ${TOKEN}`]],
  ])('%s: 401', (_, authorization) => {
    expect(judge('/api/fleet', { authorization })).toBe(401)
    expect(judge('/api/pulse', { authorization })).toBe(401)
    expect(judge(`/api/fleet?t=${TOKEN}`, { authorization })).toBe(401)
  })

  test('law: only the right header opens the data', () => {
    const header = fc.oneof(
      fc.string(),
      fc.string().map((text) => `Bearer ${text}`),
      fc.nat(TOKEN.length).map((length) => `Bearer ${TOKEN.slice(0, length)}`),
    )
    fc.assert(
      fc.property(header, (authorization) => {
        const isRight = authorization === `Bearer ${TOKEN}`
        expect(judge('/api/fleet', { authorization })).toBe(isRight ? 'fleet' : 401)
      }),
      runs(400),
    )
  })
})
