import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { foldLedger } from '../../../src/core/ledger/join.ts'
import type { Named } from '../../../src/core/session/session-name.ts'
import { sessionName, supersededNames } from '../../../src/core/session/session-name.ts'
import { event, instant } from '../../support/arbitraries.ts'

const AT = '2026-01-10T12:00:00Z'
const named = (id: string, name?: string, startedAt = AT): Named => ({ id, name, startedAt })

describe('the name of a session', () => {
  test('is plain, or has digits of the id if a live session has the plain name', () => {
    expect(sessionName(named('a'), 'claude', [])).toBe('claude')
    expect(sessionName(named('a'), 'claude', [named('b', 'codex')])).toBe('claude')
    expect(sessionName(named('a'), 'claude', [named('b', 'claude')])).toMatch(
      /^claude-[0-9a-f]{4}$/,
    )
  })

  test('stays the same, whatever sessions come and go', () => {
    const later = named('b', 'claude', '2026-01-10T13:00:00Z')
    expect(sessionName(named('a', 'claude'), 'claude', [later])).toBe('claude')
    expect(sessionName(named('a', 'claude-3f2a'), 'claude', [])).toBe('claude-3f2a')
  })

  test('differs between sessions after a second look, even if they start at once without seeing each other', () => {
    const begins = fc.array(fc.tuple(fc.constantFrom(AT, '2026-01-10T12:00:01Z'), fc.boolean()), {
      maxLength: 6,
    })
    fc.assert(
      fc.property(begins, (all) => {
        const sessions: Named[] = []
        for (const [i, [startedAt, sees]] of all.entries()) {
          const one = named(`session-${i}`, undefined, startedAt)
          sessions.push({ ...one, name: sessionName(one, 'claude', sees ? sessions : []) })
        }
        for (const [i, one] of sessions.entries()) {
          const beside = sessions.filter((other) => other !== one)
          sessions[i] = { ...one, name: sessionName(one, 'claude', beside) }
        }
        expect(new Set(sessions.map(({ name }) => name)).size).toBe(sessions.length)
      }),
    )
  })
})

describe('names that a session ends', () => {
  const before = '2026-01-10T11:00:00Z'
  const said = (agent: string, ts: string, about: object) =>
    event({ file: `${agent}.md`, id: agent, agent, ts: instant(ts), branch: 'main', ...about })
  const row = (agent: string, ts = before, branch = 'main') =>
    said(agent, ts, { branch, now: 'so' })
  const list = (agent: string) => said(agent, before, { next: ['ship'] })
  const successor = { ...named('a', 'claude'), name: 'claude', branch: 'main', hasNext: true }

  test.each([
    [
      'its own names with digits',
      [row('claude-3f2a'), row('claude-3f2a11b0')],
      successor,
      ['claude-3f2a', 'claude-3f2a11b0'],
    ],
    [
      'no other names',
      [row('claude'), row('codex-3f2a'), row('claude-review'), row('claude-3f2')],
      successor,
      [],
    ],
    ['none on another branch', [row('claude-3f2a', before, 'topic')], successor, []],
    [
      'none that spoke after the session began',
      [row('claude-3f2a', '2026-01-10T12:30:00Z')],
      successor,
      [],
    ],
    ['open steps that its own list replaces', [list('claude-3f2a')], successor, ['claude-3f2a']],
    [
      'no open steps without a list of its own',
      [list('claude-3f2a')],
      { ...successor, hasNext: false },
      [],
    ],
    [
      'a row without a list',
      [row('claude-3f2a')],
      { ...successor, hasNext: false },
      ['claude-3f2a'],
    ],
  ])('%s', (_, events, session, expected) => {
    expect(supersededNames(foldLedger(events), session, [])).toEqual(expected)
  })

  test('ends no names while another session of the agent is alive', () => {
    const ledger = foldLedger([row('claude-3f2a')])
    expect(supersededNames(ledger, successor, [named('b', 'claude-77aa')])).toEqual([])
    expect(supersededNames(ledger, successor, [named('b', 'codex')])).toEqual(['claude-3f2a'])
  })
})
