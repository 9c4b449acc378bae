import { describe, expect, test } from 'vitest'
import { DEFAULT_BOUNDARIES } from '../../../src/core/context/level.ts'
import type { ContextRecord } from '../../../src/core/context/record.ts'
import { newRecord, observe } from '../../../src/core/context/record.ts'
import { renderStatusLine, statusLineOf } from '../../../src/core/context/status-line.ts'

test('renders all parts', () => {
  const line = {
    percent: 82,
    level: 'L2',
    issue: 'ANV-123',
    phase: 'IMPL',
    checkpoint: 'Ready',
  } as const
  expect(renderStatusLine(line)).toBe(
    '[CTX: ████████░░ 82% ⚠️ L2] [ISSUE: ANV-123] [PHASE: IMPL] [CKPT: Ready]',
  )
})

test('omits what is unknown, and never shows it as 0', () => {
  expect(renderStatusLine({ percent: undefined, level: 'unknown' })).toBe('[CTX: ░░░░░░░░░░ ?]')
  expect(renderStatusLine({ percent: 9, level: 'L0' })).toBe('[CTX: ░░░░░░░░░░ 9%]')
})

test.each([
  [0, '░░░░░░░░░░'],
  [10, '█░░░░░░░░░'],
  [99, '█████████░'],
  [100, '██████████'],
  [130, '██████████'],
])('%i %%', (percent, bar) => {
  expect(renderStatusLine({ percent, level: 'unknown' })).toBe(`[CTX: ${bar} ${percent}%]`)
})

test('removes control characters from a phase', () => {
  const line = renderStatusLine({ percent: 1, level: 'L0', phase: '\u001B[2Jx\ny' })
  expect(line).not.toContain('\u001B')
  expect(line).not.toContain('\n')
})

describe('for a session', () => {
  const at = (percent: number, checkpoints: ContextRecord['checkpoints'] = []) =>
    observe(
      {
        ...newRecord({ session: 's1', agent: 'claude', startedAt: '2026-01-10T13:00:00Z' }),
        limit: 100_000,
        checkpoints,
      },
      { at: 0, tokens: percent * 1000, source: 'status_line' },
    )
  const written = (level: 'L1' | 'L2') => [
    { timestamp: '2026-01-10T13:05:00Z', handoffFile: '', reason: '', level, percent: 86 },
  ]
  const of = (record: ContextRecord) =>
    renderStatusLine(statusLineOf(record, { percent: 60 }, DEFAULT_BOUNDARIES, () => '14:05'))

  test.each([
    [at(69), '[CTX: ██████░░░░ 60%]'],
    [at(70), '[CTX: ██████░░░░ 60% ⚠️ L1] [CKPT: Ready]'],
    [at(86), '[CTX: ██████░░░░ 60% ⚠️ L2] [CKPT: Ready]'],
    [at(86, written('L2')), '[CTX: ██████░░░░ 60% ⚠️ L2] [CKPT: 14:05]'],
    [at(86, written('L1')), '[CTX: ██████░░░░ 60% ⚠️ L2] [CKPT: Ready]'],
    [at(20, written('L2')), '[CTX: ██████░░░░ 60%] [CKPT: 14:05]'],
    [{ ...at(96), limit: undefined }, '[CTX: ██████░░░░ 60%]'],
  ])('%#', (record, expected) => expect(of(record)).toBe(expected))
})
