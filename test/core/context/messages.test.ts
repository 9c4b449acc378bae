import { expect, test } from 'vitest'
import { levelMessage, quietHint } from '../../../src/core/context/messages.ts'

test('L0 says nothing', () => {
  expect(levelMessage('L0', { percent: 12, ofLimit: 14 })).toBe('')
})

test('L1 warns and does not order', () => {
  expect(levelMessage('L1', { percent: 58, ofLimit: 70 })).toBe(
    '⚠️ Context at 58% · L1, 70% of the limit - Consider completing current task before starting new work.\n' +
      '`/handoff` checkpoints; a task that is nearly complete can be completed first. ' +
      '`ledger-git context defer` puts this off.',
  )
})

test('L2 names the command and the issue', () => {
  const text = levelMessage('L2', { percent: 72, ofLimit: 86, issue: 'ANV-123' })
  expect(text).toContain(
    '🔶 Context at 72% · L2, 86% of the limit - Initiating checkpoint sequence.',
  )
  expect(text).toContain('`ledger-git context checkpoint --now')
  expect(text).toContain('Issue ANV-123 will be updated with progress.')
})

test('L3 says that the checkpoint is being saved, and how to continue', () => {
  const text = levelMessage('L3', { percent: 80, ofLimit: 96 })
  expect(text).toContain('🔴 Context at 80% · L3, 96% of the limit - Emergency checkpoint!')
  expect(text).toContain('`/orient`')
  expect(text).not.toContain('Issue')
})

test('does not show a number for an unknown window', () => {
  expect(levelMessage('L1', { percent: undefined, ofLimit: 70 })).toContain(
    'Context at L1, 70% of the limit',
  )
  expect(quietHint({ percent: undefined, ofLimit: 55 })).toBe(
    'Context at L0, 55% of the limit. A good moment: `/handoff` checkpoints.',
  )
})
