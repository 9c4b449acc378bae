/** Which data an exported page takes off the machine. */

import { expect, test } from 'vitest'
import { exportFleet } from '../../../src/core/dashboard/export-fleet.ts'
import type { Fleet } from '../../../src/core/fleet/fleet.ts'
import { BUSY_FLEET, EMPTY_FLEET } from '../../support/fleets.ts'

const HIDDEN = {
  folders: [
    ['/home/ada', '~'],
    ['/home/ada/work/shop', 'shop'],
  ],
  people: ['ada', 'Ada Lovelace'],
} as const

test('exports no path, person, session or command', () => {
  const text = JSON.stringify(exportFleet(BUSY_FLEET, HIDDEN))
  expect(JSON.stringify(BUSY_FLEET)).toMatch(/\/home\/ada/)
  expect(text).not.toMatch(/\/home|"ada"|_ada_|"s1"|7f3a91c2/)
  expect(text).toContain('"shop-billing"')
  expect(text).toContain('integer cents')
})

test.each(['7f3a91c2.json', '7f3a91c2.json.damaged-1'])(
  'hides the file name of a session: %s',
  (subject) => {
    const message = 'is not JSON'
    const fleet: Fleet = {
      ...EMPTY_FLEET,
      attention: [{ kind: 'broken', subject, message, since: null, command: null }],
      errors: [{ part: 'worktrees', subject, message }],
    }
    const { attention, errors } = exportFleet(fleet, HIDDEN)
    expect([...attention, ...errors].map((one) => one.subject)).toEqual(['a session', 'a session'])
  },
)

test('does not treat ledger-git itself as a person, though commits have that name', () => {
  const question = { text: 'Why?', ts: '2026-03-02T10:00:00Z', agent: 'ledger-git', branch: null }
  const fleet: Fleet = { ...EMPTY_FLEET, open_questions: [question] }
  expect(exportFleet(fleet, { folders: [], people: ['ledger-git'] }).open_questions).toEqual([
    question,
  ])
})

test('keeps the shape and every number', () => {
  const shape = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(shape)
    if (typeof value === 'object' && value !== null) {
      return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shape(item)]))
    }
    return typeof value === 'string' || value === null ? 'text' : value
  }
  expect(shape(exportFleet(BUSY_FLEET, HIDDEN))).toEqual(shape(BUSY_FLEET))
})

test.each([
  ['edited /home/ada/work/shop/src/a.ts', 'edited shop/src/a.ts'],
  ['in /home/ada/notes', 'in ~/notes'],
  ['read /home/grace/secret/plan.md now', 'read …/plan.md now'],
  ['log in "/tmp/x y/z.log"', 'log in "…/x y/z.log"'],
  [String.raw`C:\Users\grace\plan.md`, '…/plan.md'],
  ['GET /api/users/7 answers 500', 'GET /api/users/7 answers 500'],
  ['see https://example.com/home/page', 'see https://example.com/home/page'],
  ['src/home/view.ts', 'src/home/view.ts'],
  ['ask Ada Lovelace <ada@example.com>', 'ask somebody <an address>'],
  ['the adapter of ada', 'the adapter of ada'],
])('%s → %s', (said, clean) => {
  const question = { text: said, ts: '2026-03-02T10:00:00Z', agent: 'claude', branch: 'main' }
  const fleet: Fleet = { ...EMPTY_FLEET, open_questions: [question] }
  expect(exportFleet(fleet, HIDDEN).open_questions[0]?.text).toBe(clean)
})
