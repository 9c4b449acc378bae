/** Which command of a session tested the work, judged by the command and its output. */

import { describe, expect, test } from 'vitest'
import type { TranscriptEntry } from '../../../src/core/agents/agent-signal.ts'
import { lastPassedTest, testOutcome } from '../../../src/core/turn/test-command.ts'

const ran = (command: string, output: string): TranscriptEntry => ({
  kind: 'tool',
  tool: { name: 'Bash', files: [], mayWrite: true, todos: undefined, command },
  label: `\`${command}\``,
  ran: { command, output },
})

describe('a test log with intended failures', () => {
  const LOG = 'Retry 2 failed: 84 left\n'

  test.each([
    ['bun', 'bun test', `${LOG} 98 pass\n 0 fail\n`, '98 pass'],
    ['node', 'node --test', `${LOG}ℹ pass 98\nℹ fail 0\n`, undefined],
  ])('passes if %s counted no failures', (_, command, output, count) => {
    expect(lastPassedTest([ran(command, output)])).toEqual({ command, ...(count && { count }) })
    expect(testOutcome(command, output)).toBe('passed')
  })

  test('fails if the runner counted a failure, or nothing', () => {
    expect(testOutcome('bun test', `${LOG} 97 pass\n 1 fail\n`)).toBe('failed')
    expect(testOutcome('bun test', LOG)).toBe('failed')
    expect(testOutcome('bun test', ' 97 pass\n 10 fail\n 2 failed\n')).toBe('failed')
  })

  test('fails if only one of two runners counted no failures', () => {
    expect(testOutcome('bun test; npx vitest run', ' 98 pass\n 0 fail\n 2 failed\n')).toBe('failed')
  })
})

test.each([
  ['pnpm --filter api test', true],
  ['pnpm --filter @shop/api run test', true],
  ['npm -w api test', true],
  ['npm --silent test', true],
  ['npm --prefix web run test:unit', true],
  ['npm --prefix web install', false],
  ['npm install test', false],
])('recognizes a test command, %s: %s', (command, isTest) => {
  expect(lastPassedTest([ran(command, 'ok')])?.command).toBe(isTest ? command : undefined)
})
