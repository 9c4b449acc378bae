import { describe, expect, test } from 'vitest'
import type { Facts, Phase, SessionEvent } from '../../../src/core/session/phase.ts'
import { PHASES, transition } from '../../../src/core/session/phase.ts'

const EVENTS: Record<string, SessionEvent> = {
  turn_start: { type: 'turn_start' },
  turn_goes_on: { type: 'turn_goes_on' },
  turn_end: { type: 'turn_end' },
  git_commit: { type: 'git_commit' },
  startup: { type: 'session_start', source: 'startup' },
  resume: { type: 'session_start', source: 'resume' },
  clear: { type: 'session_start', source: 'clear' },
  compact: { type: 'session_start', source: 'compact' },
  session_end: { type: 'session_end' },
}

/** Every cell, as people would write it: `phase: actions`. `-` is a session without state. */
const TABLE: Record<string, Record<string, string>> = {
  '-': {
    turn_start: 'active',
    turn_goes_on: '-',
    turn_end: '-',
    git_commit: '-',
    startup: '-',
    resume: '-',
    clear: '-',
    compact: '-',
    session_end: '-',
  },
  idle: {
    turn_start: 'active',
    turn_goes_on: 'active',
    turn_end: 'idle',
    git_commit: 'idle: condense',
    startup: 'idle',
    resume: 'idle',
    clear: 'idle',
    compact: 'idle',
    session_end: 'ended',
  },
  active: {
    turn_start: 'active: catch-up',
    turn_goes_on: 'active',
    turn_end: 'idle: save-shadow',
    git_commit: 'active_committed: migrate-shadow',
    startup: 'idle: catch-up',
    resume: 'idle: catch-up',
    clear: 'active',
    compact: 'active',
    session_end: 'ended: save-shadow',
  },
  active_committed: {
    turn_start: 'active: condense, catch-up',
    turn_goes_on: 'active_committed',
    turn_end: 'idle: condense',
    git_commit: 'active_committed: migrate-shadow',
    startup: 'idle: condense',
    resume: 'idle: condense',
    clear: 'active_committed',
    compact: 'active_committed',
    session_end: 'ended: condense',
  },
  ended: {
    turn_start: 'active: clear-ended',
    turn_goes_on: 'ended',
    turn_end: 'ended',
    git_commit: 'ended: condense',
    startup: 'idle: clear-ended',
    resume: 'idle: clear-ended',
    clear: 'idle: clear-ended',
    compact: 'idle: clear-ended',
    session_end: 'ended',
  },
}

const phaseOf = (name: string) => (name === '-' ? undefined : (name as Phase))

function cell(phase: string, event: string, facts: Partial<Facts> = {}): string {
  const given = { touchedFiles: true, isSequence: false, ...facts }
  const answer = transition(phaseOf(phase), EVENTS[event] as SessionEvent, given)
  const actions = answer.actions.length === 0 ? '' : `: ${answer.actions.join(', ')}`
  return `${answer.phase ?? '-'}${actions}`
}

const cells = Object.entries(TABLE).flatMap(([phase, row]) =>
  Object.entries(row).map(([event, expected]) => ({ phase, event, expected })),
)

test('the table has every phase and every event', () => {
  expect(Object.keys(TABLE)).toEqual(['-', ...PHASES])
  expect(cells).toHaveLength(5 * 9)
})

test.each(cells)('$phase + $event → $expected', ({ phase, event, expected }) => {
  expect(cell(phase, event)).toBe(expected)
})

describe('what depends on facts', () => {
  test('an ended session without files is discarded', () => {
    expect(cell('ended', 'git_commit', { touchedFiles: false })).toBe('ended: discard')
    expect(cell('ended', 'git_commit', { touchedFiles: false, isForeign: true })).toBe(
      'ended: discard',
    )
  })

  test.each(Object.keys(TABLE))('ignores a commit of a sequence: %s', (phase) => {
    for (const touchedFiles of [true, false])
      for (const isForeign of [true, false])
        expect(cell(phase, 'git_commit', { isSequence: true, touchedFiles, isForeign })).toBe(phase)
  })

  test.each([
    ['idle', 'idle'],
    ['active', 'active: migrate-shadow'],
    ['active_committed', 'active_committed: migrate-shadow'],
    ['ended', 'ended'],
    ['-', '-'],
  ])('handles a foreign commit: %s → %s', (phase, expected) => {
    expect(cell(phase, 'git_commit', { isForeign: true })).toBe(expected)
  })

  test('only a commit depends on facts', () => {
    for (const { phase, event, expected } of cells.filter((one) => one.event !== 'git_commit'))
      for (const flag of [true, false])
        expect(cell(phase, event, { touchedFiles: flag, isSequence: flag, isForeign: !flag })).toBe(
          expected,
        )
  })
})
