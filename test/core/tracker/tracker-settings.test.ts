import { describe, expect, test } from 'vitest'
import type { GivenTracker } from '../../../src/core/tracker/tracker-settings.ts'
import { readTrackerSettings } from '../../../src/core/tracker/tracker-settings.ts'

const NOTHING = { tracker: undefined, teams: undefined, state: undefined, endpoint: undefined }
const read = (given: Partial<GivenTracker>) =>
  readTrackerSettings({ ...NOTHING, tracker: 'linear', teams: 'ANV', ...given })

test('are off until somebody names a tracker', () => {
  const teams = { ...NOTHING, teams: 'ANV', endpoint: 'https://x.example' }
  expect(readTrackerSettings(NOTHING)).toEqual({ kind: 'off' })
  expect(readTrackerSettings(teams)).toEqual({ kind: 'off' })
})

test('accept teams in any case, separated by commas or blanks, each once', () => {
  const settings = { teams: ['ANV', 'OPS'], state: undefined }
  const endpoint = 'https://api.linear.app/graphql'
  expect(read({ teams: ' anv, OPS ANV' })).toEqual({
    kind: 'on',
    settings: { ...settings, endpoint },
  })
})

test.each([
  [{ tracker: 'jira' }, /"jira": the only tracker is linear/],
  [{ teams: undefined }, /ledger\.trackerTeams names no team/],
  [{ teams: ' , ' }, /names no team/],
  [{ teams: 'ANV-1' }, /"ANV-1", which is not a team/],
  [{ teams: 'A.*' }, /"A\.\*", which is not a team/],
])('report what is wrong: %j', (given, why) => {
  const found = read(given)
  expect(found.kind === 'wrong' ? found.why : found.kind).toMatch(why)
})

describe('the address that receives the key', () => {
  test.each([
    'https://api.linear.app/graphql',
    'https://linear.example:8443/x',
    'http://127.0.0.1:8080/graphql',
    'http://127.9.9.9',
    'http://localhost:1234',
    'http://[::1]:1234/',
  ])('may be %s', (endpoint) => {
    expect(read({ endpoint })).toMatchObject({ kind: 'on', settings: { endpoint } })
  })

  test.each([
    'http://api.linear.app/graphql',
    'http://127.0.0.1.example.com/',
    'http://localhost.example.com/',
    'http://127.0.0.1@example.com/',
    'https://user:word@api.linear.app/graphql',
    'ftp://127.0.0.1/',
    'file:///etc/passwd',
    'api.linear.app',
    '',
  ])('is never %s', (endpoint) => {
    expect(read({ endpoint }).kind).toBe('wrong')
  })

  test('is reported without its password', () => {
    expect(JSON.stringify(read({ endpoint: 'https://user:word@x.example/' }))).not.toContain(
      'word@',
    )
  })
})
