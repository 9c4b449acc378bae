/** `docs/sessions.md` says what the phase machine does. */

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { withSessionDiagram } from '../../scripts/session-diagram.ts'
import type { Action } from '../../src/core/session/phase.ts'

const SESSIONS = readFileSync(new URL('../../docs/sessions.md', import.meta.url), 'utf8')

test('the diagram and the table are up to date: node scripts/write-session-diagram.mjs', () => {
  expect(SESSIONS).toBe(withSessionDiagram(SESSIONS))
})

test('the text between the markers is replaced, whatever it was', () => {
  const damaged = SESSIONS.replace('stateDiagram-v2', 'stateDiagram-v1').replace('| turn', '| tern')
  expect(damaged).not.toBe(SESSIONS)
  const [table] = damaged.split('## Phases')
  expect(withSessionDiagram(damaged)).toBe(table + SESSIONS.slice(SESSIONS.indexOf('## Phases')))
  expect(() => withSessionDiagram('# no markers')).toThrow(/expected/)
})

test('every action is in the diagram and in the table', () => {
  const all: Record<Action, true> = {
    'clear-ended': true,
    'save-shadow': true,
    'catch-up': true,
    condense: true,
    'migrate-shadow': true,
    discard: true,
  }
  const [diagram = '', table = ''] = SESSIONS.split('stateDiagram-v2')[1]?.split('```') ?? []
  for (const action of Object.keys(all)) {
    expect(diagram).toMatch(new RegExp(`[ /,] ${action}(?:,|$)`, 'm'))
    expect(table).toContain(`\`${action}\``)
  }
})
