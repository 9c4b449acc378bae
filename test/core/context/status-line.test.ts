import { expect, test } from 'vitest'
import { renderStatusLine } from '../../../src/core/context/status-line.ts'

test('all of it', () => {
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

test('what is unknown is left out, and never 0', () => {
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

test('a phase with control characters cannot write elsewhere on the terminal', () => {
  const line = renderStatusLine({ percent: 1, level: 'L0', phase: '\u001B[2Jx\ny' })
  expect(line).not.toContain('\u001B')
  expect(line).not.toContain('\n')
})
