/** Phases and the Validation State, step by step. */

import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { instantFromMillis } from '../../../src/core/event/instant.ts'
import { applyEdits } from '../../../src/core/handoff/edit-lines.ts'
import {
  entriesOf,
  fieldOf,
  focusesOf,
  itemsOf,
  readHandoff,
} from '../../../src/core/handoff/handoff.ts'
import {
  nextPhase,
  phaseMeant,
  setPhase,
  stepPhase,
} from '../../../src/core/handoff/phase-edits.ts'
import type { PhaseStep } from '../../../src/core/handoff/phase-edits.ts'
import type { PhaseState } from '../../../src/core/handoff/phases.ts'
import { PHASE_STATES, phasesOf } from '../../../src/core/handoff/phases.ts'
import { renderHandoff } from '../../../src/core/handoff/template.ts'
import { setValidation, validationOf } from '../../../src/core/handoff/validation.ts'
import { anyHandoffText, BEFORE, HANDOFF, LOOSE } from '../../support/handoffs.ts'
import { runs } from '../../support/long.ts'

const TIME = instantFromMillis(Date.UTC(2026, 0, 20, 12))
const step = (phase: string, state: PhaseState, note?: string): PhaseStep => ({
  phase,
  state,
  note,
  time: TIME,
})

describe('a phase', () => {
  test.each([
    ['1', 'in_progress', '- Phase 1 (Tests Written): → IN_PROGRESS (started 2026-01-20T12:00:00Z)'],
    ['Phase 2', 'validated', '- Phase 2 (Session Model): ✓ VALIDATED (2026-01-20T12:00:00Z)'],
    ['session model', 'failed', '- Phase 2 (Session Model): ✗ FAILED (2026-01-20T12:00:00Z)'],
    ['phase 3 (redis)', 'failed', '- Phase 3 (Redis): ✗ FAILED (2026-01-20T12:00:00Z)'],
    ['3', 'skipped', '- Phase 3 (Redis): SKIPPED (2026-01-20T12:00:00Z)'],
    ['4', 'validated', '- Phase 4: ✓ VALIDATED (2026-01-20T12:00:00Z)'],
    ['Deploy', 'pending', '- Deploy: ○ PENDING (2026-01-20T12:00:00Z)'],
  ] as const)('%s %s', (phase, state, line) => {
    const changed = applyEdits(HANDOFF, [setPhase(step(phase, state))])
    expect(changed.split('\n')).toContain(line)
    const rest = (text: string) =>
      text.split('\n').filter((one) => !/^- (?:Phase|Deploy)/.test(one))
    expect(rest(changed)).toEqual(rest(HANDOFF))
    expect(phaseMeant(readHandoff(changed), phase)?.status).toBe(state)
  })

  test('keeps nested lines, and adds a colon to a label without one', () => {
    const text = '## Ledger\n#### Phase Status\n- Phase 1\n  nested\n'
    expect(applyEdits(text, [setPhase(step('1', 'validated', 'all'))])).toBe(
      '## Ledger\n#### Phase Status\n- Phase 1: ✓ VALIDATED (all, 2026-01-20T12:00:00Z)\n  nested\n',
    )
  })

  test('is written where the file has its phases', () => {
    const changed = applyEdits(BEFORE, [setPhase(step('2', 'failed', 'broke'))])
    expect(changed).toBe(
      BEFORE.replace('SKIPPED (not needed)', '✗ FAILED (broke, 2026-01-20T12:00:00Z)'),
    )
  })

  test('tells the next agent where to continue', () => {
    const resume = (...steps: PhaseStep[]) => {
      const handoff = readHandoff(applyEdits(HANDOFF, steps.map(stepPhase)))
      const next = nextPhase(handoff)?.key
      return [...entriesOf(handoff.byName.resume).map(({ value }) => value.text), next]
    }
    const label = 'Phase 2 (Session Model)'
    expect(resume(step('2', 'in_progress'))).toEqual([label, `Finish ${label}`, '(none)', '2'])
    expect(resume(step('2', 'failed', 'broke'))).toEqual([
      label,
      `Fix and validate ${label}`,
      'broke',
      '2',
    ])
    expect(resume(step('2', 'failed'), step('2', 'validated'))).toEqual([
      'Phase 3 (Redis)',
      'Begin Phase 3 (Redis)',
      '(none)',
      '3',
    ])
    expect(resume(step('2', 'validated'), step('3', 'skipped'))).toEqual([
      '(none)',
      '(all phases done)',
      '(none)',
      undefined,
    ])
    const failed = applyEdits(HANDOFF, [stepPhase(step('2', 'failed', 'broke'))])
    expect(failed).toContain('#### Last Failure\nbroke\n')
    expect(failed).toContain('**Last Updated:** 2026-01-20T12:00:00Z\n')
    for (const phase of ['2', 'Session Model'])
      expect(applyEdits(HANDOFF, [stepPhase(step(phase, 'in_progress'))])).toContain('\nphase: 2\n')
  })

  describe('among others that are begun', () => {
    const DAY = 24 * 60 * 60 * 1000
    const THREE = HANDOFF.replace(
      /- Phase 1 .*\n- Phase 2 .*\n- Phase 3 .*\n/,
      '- A: ○ PENDING\n- B: ○ PENDING\n- C: ○ PENDING\n',
    )
    const after = (...steps: readonly (readonly [string, PhaseState, string?])[]) => {
      const edits = steps.map(([phase, state, note], day) =>
        stepPhase({
          phase,
          state,
          note,
          time: instantFromMillis(Date.UTC(2026, 0, 20) + day * DAY),
        }),
      )
      const handoff = readHandoff(applyEdits(THREE, edits))
      const [focus, action, blockers] = entriesOf(handoff.byName.resume).map(
        ({ value }) => value.text,
      )
      expect(nextPhase(handoff)?.label.text ?? '(none)').toBe(focus)
      return [action, blockers]
    }

    test('the next agent finishes what is in progress', () => {
      expect(after(['C', 'in_progress'], ['B', 'skipped'])).toEqual(['Finish C', '(none)'])
      expect(after(['C', 'in_progress'], ['A', 'validated'])).toEqual(['Finish C', '(none)'])
    })

    test('of several, the last one counts', () => {
      expect(after(['A', 'failed', 'broke'], ['C', 'in_progress'])).toEqual(['Finish C', 'broke'])
      const failedLast = [
        ['C', 'in_progress'],
        ['A', 'failed', 'broke'],
        ['B', 'skipped'],
      ] as const
      expect(after(...failedLast)).toEqual(['Fix and validate A', 'broke'])
    })

    test('without times the first one counts', () => {
      const text = THREE.replace(/(- [BC]:) ○ PENDING/g, '$1 ✗ FAILED')
      expect(nextPhase(readHandoff(text))?.key).toBe('b')
    })

    test('what blocks stays until no phase has failed', () => {
      const failed = [
        ['A', 'failed'],
        ['B', 'failed', 'hangs'],
      ] as const
      expect(after(...failed, ['C', 'validated'])).toEqual(['Fix and validate B', 'hangs'])
      const restarted = [...failed, ['B', 'in_progress']] as const
      expect(after(...restarted, ['C', 'skipped'])).toEqual(['Finish B', 'A failed'])
      expect(after(...restarted, ['B', 'validated'])).toEqual(['Fix and validate A', 'A failed'])
      expect(after(...failed, ['B', 'skipped'], ['A', 'validated'])).toEqual(['Begin C', '(none)'])
    })
  })

  test('`- (none yet)` is none', () => {
    const text = '## Ledger\n#### Phase Status\n- (none yet)\n'
    expect(phasesOf(readHandoff(text))).toEqual([])
    const once = applyEdits(text, [stepPhase(step('1', 'pending'))])
    expect(once).toContain('- Next action: Begin Phase 1\n')
    expect(applyEdits(once, [stepPhase(step('1', 'pending'))])).toBe(once)
  })

  test('on any text, a state that is set is read back, and setting it again changes nothing', () => {
    const anyStep = fc.tuple(
      fc.constantFrom('1', 'Phase 2 (x)', 'Deploy', '3'),
      fc.constantFrom(...(Object.keys(PHASE_STATES) as PhaseState[])),
    )
    fc.assert(
      fc.property(anyHandoffText, anyStep, (text, [phase, state]) => {
        let changed
        try {
          changed = applyEdits(text, [stepPhase(step(phase, state))])
        } catch (error) {
          expect(error).toMatchObject({ code: 'HANDOFF_UNREADABLE' })
          return
        }
        expect(phaseMeant(readHandoff(changed), phase)?.status).toBe(state)
        expect(applyEdits(changed, [stepPhase(step(phase, state))])).toBe(changed)
      }),
      runs(1500, 60),
    )
  })
})

describe('the Validation State', () => {
  test('changes value by value', () => {
    const changed = applyEdits(HANDOFF, [setValidation({ test_count: 16, last_test_exit_code: 1 })])
    expect(changed).toBe(
      HANDOFF.replace('"test_count": 15,', '"test_count": 16,').replace(
        '"last_test_exit_code": 0',
        '"last_test_exit_code": 1',
      ),
    )
    expect(applyEdits(changed, [setValidation({ test_count: 16 })])).toBe(changed)
    const more = applyEdits(BEFORE, [setValidation({ last_test_exit_code: 0 })])
    expect(validationOf(readHandoff(more))?.values).toEqual({
      last_test_command: 'npm test',
      last_test_exit_code: 0,
    })
  })

  test('is created if missing, with the line endings of the file', () => {
    const changed = applyEdits(LOOSE, [setValidation({ test_count: 1 })])
    expect(changed).not.toMatch(/(?<!\r)\n/)
    expect(validationOf(readHandoff(changed))?.values).toMatchObject({
      test_count: 1,
      last_test_command: null,
    })
  })

  test.each(['{"a": }', '[1]', '"x"', ''])(
    'refuses to change %j, which is not an object',
    (json) => {
      const text = `## Ledger\n#### Validation State\n\`\`\`json\n${json}\n\`\`\`\n`
      expect(validationOf(readHandoff(text))).toMatchObject({ values: undefined })
      expect(() => applyEdits(text, [setValidation({ a: 1 })])).toThrow(/Validation State/)
    },
  )
})

test('a new handoff has the standard structure', () => {
  const given = {
    name: 'auth',
    branch: 'feat/a',
    time: TIME,
    goal: 'Ship "it"',
    test: 'npm test',
    next: ['a', 'b'],
  }
  const more = { phases: ['Tests', ''], pattern: 'tdd', agentName: 'implementer', task: 'Do it' }
  const handoff = readHandoff(renderHandoff({ ...given, ...more }))
  expect(fieldOf(handoff, 'status')).toBe('active')
  expect(fieldOf(handoff, 'branch')).toBe('feat/a')
  expect(handoff.registers.map(({ value }) => value.text)).toEqual([
    '2026-01-20T12:00:00Z',
    'Ship "it"',
    'feat/a',
    'npm test',
  ])
  expect(focusesOf(handoff).map(({ words }) => words.text)).toEqual(['Do it'])
  expect(itemsOf(handoff.byName.next).map(({ words }) => words.text)).toEqual(['a', 'b'])
  expect(phasesOf(handoff).map(({ label }) => label.text)).toEqual(['Phase 1 (Tests)', 'Phase 2'])
  expect(validationOf(handoff)?.values).toEqual({
    test_count: 0,
    tests_passing: 0,
    files_modified: [],
    last_test_command: null,
    last_test_exit_code: null,
  })
  const none = {
    goal: undefined,
    test: undefined,
    next: [],
    phases: [],
    pattern: undefined,
    agentName: undefined,
    task: undefined,
  }
  const bare = readHandoff(renderHandoff({ ...given, ...none }))
  expect(bare.parts.map(({ name }) => name)).toEqual(handoff.parts.map(({ name }) => name))
  expect([itemsOf(bare.byName.next), itemsOf(bare.byName.decisions)]).toEqual([[], []])
})
