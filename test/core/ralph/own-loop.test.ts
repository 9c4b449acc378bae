import { expect, test } from 'vitest'
import { ownLoopEnv, readOwnLoop } from '../../../src/core/ralph/own-loop.ts'

const LOOP = { iteration: 4, prompt: 'tasks/PROMPT.md' }

test('an iteration knows its loop, in its own worktree only', () => {
  const env = { HOME: '/home/a', ...ownLoopEnv(LOOP, '/repo') }
  expect(readOwnLoop(env, '/repo')).toEqual(LOOP)
  expect(readOwnLoop(env, '/repo/nested')).toBeUndefined()
  expect(readOwnLoop({}, '/repo')).toBeUndefined()
  expect(readOwnLoop({}, undefined)).toBeUndefined()
})

test.each(['', 'x', '-1', '1.5', '12345678901'])('rejects the iteration %j', (iteration) => {
  const env = { ...ownLoopEnv(LOOP, '/repo'), LEDGER_RALPH_ITERATION: iteration }
  expect(readOwnLoop(env, '/repo')).toBeUndefined()
})
