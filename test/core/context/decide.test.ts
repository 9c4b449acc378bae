import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Advice, Situation } from '../../../src/core/context/decide.ts'
import { decide, isQuietHint } from '../../../src/core/context/decide.ts'
import { levelOf } from '../../../src/core/context/level.ts'

/** The given percentage of the limit, with its level. */
const at = (percent: number, rest: Partial<Situation> = {}): Situation => ({
  level: levelOf(percent, 100),
  percent,
  task: 'unknown',
  breakpoint: 'none',
  ...rest,
})

describe('a full context takes precedence over a task', () => {
  test.each<[string, Situation, Advice]>([
    ['60 % and a large task ahead: the task is not begun', at(60, { task: 'large' }), 'finish'],
    [
      '70 % and a large task ahead: the session hands over',
      at(70, { task: 'large' }),
      'checkpoint',
    ],
    ['59 % and a large task ahead', at(59, { task: 'large' }), 'continue'],
    ['80 % and a small task left: the task is finished first', at(80, { task: 'small' }), 'finish'],
    ['90 % and any task', at(90, { task: 'small' }), 'emergency'],
    ['90 %, deferred', at(90, { deferred: 'once' }), 'emergency'],
    ['85 %', at(85), 'checkpoint'],
    ['85 %, small task in progress', at(85, { task: 'small', breakpoint: 'bad' }), 'finish'],
    ['85 %, deferred once', at(85, { deferred: 'once' }), 'finish'],
    ['85 %, deferred until L2', at(85, { deferred: 'until L2' }), 'checkpoint'],
    ['70 %, deferred', at(70, { deferred: 'until L2' }), 'continue'],
    ['80 %, a good moment', at(80, { breakpoint: 'good' }), 'checkpoint'],
    ['79 %, a good moment', at(79, { breakpoint: 'good' }), 'finish'],
    ['69 %', at(69), 'continue'],
    ['95 %', at(95), 'emergency'],
  ])('%s', (_, situation, advice) => {
    expect(decide(situation)).toBe(advice)
  })

  test('while the context shrinks after a compaction, a good moment does not call for a checkpoint', () => {
    const trend = { direction: 'decreasing', tokensPerMinute: -100 } as const
    expect(decide(at(82, { breakpoint: 'good', trend }))).toBe('finish')
  })

  test('the learned shift moves the advice within its level, and never an emergency', () => {
    expect(decide(at(82, { breakpoint: 'good', shift: 3 }))).toBe('finish')
    expect(decide(at(78, { breakpoint: 'good', shift: -3 }))).toBe('checkpoint')
    expect(decide(at(90, { shift: 10 }))).toBe('emergency')
    expect(decide(at(85, { shift: 10 }))).toBe('checkpoint')
  })
})

test('a fuller context never gets weaker advice, all else being equal', () => {
  const order: Advice[] = ['continue', 'finish', 'checkpoint', 'emergency']
  const rest = fc.record({
    task: fc.constantFrom('small', 'large', 'unknown'),
    breakpoint: fc.constantFrom('good', 'bad', 'none'),
    deferred: fc.constantFrom(undefined, 'once', 'until L2'),
    shift: fc.integer({ min: -10, max: 10 }),
  })
  const percent = fc.integer({ min: 0, max: 130 })
  fc.assert(
    fc.property(percent, percent, rest, (a, b, others) => {
      const [less, more] = [Math.min(a, b), Math.max(a, b)]
      const advice = (one: number) => order.indexOf(decide(at(one, others)))
      expect(advice(less)).toBeLessThanOrEqual(advice(more))
    }),
  )
})

test('the quiet hint after a turn needs over half the limit, a good moment, and a level below L1', () => {
  expect(isQuietHint(at(51, { breakpoint: 'good' }))).toBe(true)
  expect(isQuietHint(at(50, { breakpoint: 'good' }))).toBe(false)
  expect(isQuietHint(at(51))).toBe(false)
  expect(isQuietHint(at(70, { breakpoint: 'good' }))).toBe(false)
})
