/** The line of a phase, in all the forms in which people write it. */

import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { readHandoff } from '../../../src/core/handoff/handoff.ts'
import type { PhaseState } from '../../../src/core/handoff/phases.ts'
import { PHASE_STATES, phaseKey, phasesOf } from '../../../src/core/handoff/phases.ts'
import { BEFORE, HANDOFF } from '../../support/handoffs.ts'
import { runs } from '../../support/long.ts'

const read = (...lines: string[]) =>
  phasesOf(
    readHandoff(`## Ledger\n#### Phase Status\n${lines.map((line) => `${line}\n`).join('')}`),
  )

test.each([
  ['- Phase 1: ○ PENDING', '1', 'pending', '', undefined],
  [
    '- Phase 2 (Model): → IN_PROGRESS (started 2025-01-15T14:00:00Z)',
    '2',
    'in_progress',
    'started 2025-01-15T14:00:00Z',
    '2025-01-15T14:00:00',
  ],
  [
    '- Phase 3 (a: b): ✓ VALIDATED (12 tests: all pass)',
    '3',
    'validated',
    '12 tests: all pass',
    undefined,
  ],
  [
    '- Phase 4: ✗ FAILED (2026-01-01, again 2026-01-02 10:00)',
    '4',
    'failed',
    '2026-01-01, again 2026-01-02 10:00',
    '2026-01-02T10:00:00',
  ],
  ['- Phase 2 (Tests): SKIPPED (refactoring)', '2', 'skipped', 'refactoring', undefined],
  ['- Phase 6: COMPLETE', '6', 'validated', '', undefined],
  ['- **Phase 7 (x):** ✅ DONE - all', '7', 'validated', '- all', undefined],
  ['- [x] Phase 8: the model', '8', 'validated', 'the model', undefined],
  [
    '- ✓ Phase 5: VALIDATED (2026-01-10T13:00:00Z)',
    '5',
    'validated',
    '2026-01-10T13:00:00Z',
    '2026-01-10T13:00:00',
  ],
  ['- Phase 9: ✓ done', '9', 'validated', '', undefined],
  ['- Phase 9: done soon', '9', undefined, 'done soon', undefined],
  ['- Phase 9: COMPLETELY different', '9', undefined, 'COMPLETELY different', undefined],
  ['- Phase 9: 🎯 BLOCKED', '9', undefined, '🎯 BLOCKED', undefined],
  ['- Deploy: ○ PENDING', 'deploy', 'pending', '', undefined],
  ['- nothing at all', 'nothing at all', undefined, '', undefined],
] as const)('%s', (line, key, status, note, time) => {
  const [phase] = read(line)
  expect([phase?.key, phase?.status, phase?.note]).toEqual([key, status, note])
  expect(phase?.time?.slice(0, 19)).toBe(time)
})

test('label and state know their position', () => {
  for (const phase of [HANDOFF, BEFORE].flatMap((text) => phasesOf(readHandoff(text)))) {
    const text = phase.start < HANDOFF.length ? [HANDOFF, BEFORE] : []
    const whole = text.find(
      (one) => one.slice(phase.label.start, phase.label.end) === phase.label.text,
    )
    expect(whole?.slice(phase.state.start, phase.state.end)).toBe(phase.state.text)
  }
  expect(phasesOf(readHandoff(HANDOFF)).map(({ status }) => status)).toEqual([
    'validated',
    'in_progress',
    'pending',
  ])
  expect(phasesOf(readHandoff(BEFORE)).map(({ status }) => status)).toEqual([
    'validated',
    'skipped',
  ])
})

test('reads back every state in the table', () => {
  const anyState = fc.constantFrom(...(Object.keys(PHASE_STATES) as PhaseState[]))
  const anyLabel = fc.constantFrom('Phase 1', 'Phase 2 (a: b)', '3', 'Deploy (x)', 'a: PEND')
  fc.assert(
    fc.property(anyState, anyLabel, fc.boolean(), (status, label, isBare) => {
      const { icon, word } = PHASE_STATES[status]
      const [phase] = read(`- ${label}: ${isBare ? '' : `${icon} `}${word} (note)`)
      expect([phase?.label.text, phase?.status, phase?.note]).toEqual([label, status, 'note'])
    }),
    runs(200),
  )
})

test.each([
  ['Phase 3 (Redis)', '3'],
  ['3', '3'],
  ['phase 3', '3'],
  ['**Phase 3**', '3'],
  ['3.1b: x', '3.1b'],
  ['Phase 3a', '3a'],
  ['30 days', '30'],
  ['Phased', 'phased'],
])('%j is phase %j', (label, key) => expect(phaseKey(label)).toBe(key))
