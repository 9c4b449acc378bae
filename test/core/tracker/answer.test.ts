import { describe, expect, test } from 'vitest'
import { readAnswer } from '../../../src/core/tracker/answer.ts'

const NOW = 1_800_000_000_000
const DAY = 24 * 60 * 60 * 1000

function read(status: number, body: unknown, headers: Record<string, string> = {}) {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const reply = { status, body: text, headers: new Map(Object.entries(headers)) }
  return readAnswer(reply, NOW, Date.parse)
}

const error = (extensions: unknown, message = 'words') => ({ errors: [{ message, extensions }] })

test('accepts data without errors', () => {
  expect(read(200, { data: { a: 1 } })).toEqual({ kind: 'ok', value: { a: 1 } })
})

test.each([
  [200, { data: { a: 1 }, errors: [{ message: 'half' }] }, 'rejected'],
  [200, error({ type: 'invalid input' }), 'rejected'],
  [400, error({ code: 'GRAPHQL_VALIDATION_FAILED' }), 'rejected'],
  [400, error({ code: 'RATELIMITED' }), 'limited'],
  [200, error({ type: 'ratelimited' }), 'limited'],
  [429, '', 'limited'],
  [401, '', 'refused'],
  [403, '<html>', 'refused'],
  [400, error({ code: 'AUTHENTICATION_ERROR' }), 'refused'],
  [200, error({ type: 'forbidden' }), 'refused'],
  [200, error({ type: 'lock timeout' }), 'failed'],
  [200, error({ type: 'internal error' }), 'failed'],
  [500, error({}), 'failed'],
  [502, '<html>Bad Gateway</html>', 'failed'],
  [200, '<html>log in to the network</html>', 'failed'],
  [404, 'not found', 'failed'],
  [200, '', 'failed'],
  [200, { data: null }, 'failed'],
  [200, [], 'failed'],
  [200, { errors: 'x', data: [] }, 'failed'],
])('%i %j: %s', (status, body, kind) => {
  expect(read(status, body).kind).toBe(kind)
})

test('gives the reason in the words meant for people, on one line', () => {
  const shown = error({ userPresentableMessage: 'No such\nissue.\u001b[31m' }, 'E_17')
  expect(read(200, shown)).toEqual({ kind: 'rejected', why: 'No such issue.\ufffd[31m' })
  expect(read(200, error({}, 'x'.repeat(5000)))).toMatchObject({ kind: 'rejected' })
  const long = read(200, error({}, 'x'.repeat(5000)))
  expect('why' in long && long.why.length).toBeLessThanOrEqual(200)
})

describe('the waiting time after a rate limit', () => {
  const until = (headers: Record<string, string>) => {
    const answer = read(429, '', headers)
    return answer.kind === 'limited' ? answer.until - NOW : answer.kind
  }
  test.each([
    ['nothing given', {}, 60_000],
    ['seconds', { 'retry-after': '7' }, 7000],
    ['a date', { 'retry-after': new Date(NOW + 9000).toUTCString() }, 9000],
    ['an invalid date', { 'retry-after': 'soon' }, 60_000],
    ['a reset in milliseconds', { 'x-ratelimit-requests-reset': `${NOW + 5000}` }, 5000],
    ['a reset in seconds', { 'x-ratelimit-reset': `${NOW / 1000 + 5}` }, 5000],
    ['a reset in the past', { 'x-ratelimit-requests-reset': `${NOW - 5000}` }, 60_000],
    ['an invalid reset', { 'x-ratelimit-requests-reset': 'x' }, 60_000],
    ['retry-after: -5', { 'retry-after': '-5' }, 60_000],
    ['no waiting time', { 'retry-after': '0' }, 1000],
    ['an endless waiting time', { 'retry-after': '99999999999' }, DAY],
    [
      'the exhausted limit, not the other',
      {
        'x-ratelimit-requests-remaining': '12',
        'x-ratelimit-requests-reset': `${NOW + 5000}`,
        'x-ratelimit-complexity-remaining': '0',
        'x-ratelimit-complexity-reset': `${NOW + 8000}`,
      },
      8000,
    ],
    [
      'retry-after rather than a reset',
      { 'retry-after': '3', 'x-ratelimit-requests-reset': `${NOW + 5000}` },
      3000,
    ],
  ])('%s', (_name, headers, millis) => {
    expect(until(headers)).toBe(millis)
  })
})
