/** What a task takes: never less for a larger task, and as much as earlier tasks took. */

import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Response } from '../../../src/core/agents/context-records.ts'
import { calibrate, growthOf, learnRates } from '../../../src/core/estimate/learn.ts'
import { namedPaths } from '../../../src/core/estimate/named-files.ts'
import { isPossible, judge, tokensBelow } from '../../../src/core/estimate/verdict.ts'
import { estimateTokens, START_RATES } from '../../../src/core/estimate/work.ts'
import { textWork } from '../../../src/core/plan/plan-work.ts'
import { runs } from '../../support/long.ts'
import { anyPlanText } from '../plan/plans.ts'

const SIZES = new Map([
  ['src/a.ts', 9000],
  ['src/b.ts', 900_000],
])

test('more text is never less', () => {
  const tokensOf = (text: string) => estimateTokens(textWork(text, SIZES), START_RATES)
  fc.assert(
    fc.property(anyPlanText, anyPlanText, (text, more) => {
      expect(tokensOf(`${text}\n${more}`)).toBeGreaterThanOrEqual(tokensOf(text))
    }),
    runs(1000),
  )
})

test('counts text, steps, and each file once up to what is read at once', () => {
  const rates = { charactersPerToken: 2.7, ratio: 1 }
  const tokens = (characters: number, steps: number, ...sizes: number[]) =>
    estimateTokens(
      { characters, steps, files: new Map(sizes.map((size, i) => [`f${i}`, size])) },
      rates,
    )
  expect(tokens(270, 0)).toBe(100)
  expect(tokens(270, 2)).toBe(6100)
  expect(tokens(0, 0, 2700)).toBe(1000)
  expect(tokens(0, 0, 270_000_000)).toBe(25_000)
  expect(estimateTokens({ characters: 270, steps: 0, files: new Map() }, START_RATES)).toBe(150)
})

describe('verdicts', () => {
  test.each([
    [59_999, undefined, 'fits'],
    [60_000, undefined, 'consider-sharding'],
    [120_000, undefined, 'consider-sharding'],
    [120_001, undefined, 'must-shard'],
    [100_000, 100_000, 'consider-sharding'],
    [100_001, 100_000, 'exceeds-remaining'],
    [1, 0, 'exceeds-remaining'],
    [150_000, 90_000, 'exceeds-remaining'],
  ] as const)('%d tokens of 200,000 with %s left: %s', (tokens, remaining, verdict) => {
    const fit = judge(tokens, { window: 200_000, remaining })
    expect(fit.verdict).toBe(verdict)
    expect(isPossible(fit)).toBe(verdict === 'fits' || verdict === 'consider-sharding')
  })

  test('rounds a share down, so that a limit is shown only when it is reached', () => {
    expect(judge(59_999, { window: 200_000, remaining: undefined }).percentOfWindow).toBe(29.9)
    expect(judge(60_000, { window: 200_000, remaining: 120_000 })).toMatchObject({
      percentOfWindow: 30,
      percentOfRemaining: 50,
    })
    expect(tokensBelow(30, 200_000)).toBe(59_999)
    expect(judge(tokensBelow(30, 777), { window: 777, remaining: undefined }).verdict).toBe('fits')
  })
})

describe('paths that a text names', () => {
  test.each([
    ['`src/a.ts:12-40` and src/b.ts.', ['src/a.ts', 'src/b.ts']],
    ['(see plan.md), [x](docs/y.md)', ['plan.md', 'docs/y.md']],
    ['app/[id]/page.tsx', ['app/[id]/page.tsx']],
    ['./src/c.ts', ['src/c.ts']],
    ['../x/y.ts /etc/passwd .git/config a/../b.ts', []],
    ['https://example.invalid/a/b.html', []],
    ['e.g. v1.2.3 and 1.5', []],
  ])('%s', (text, paths) => {
    expect(namedPaths(text)).toEqual(expect.arrayContaining(paths))
    for (const path of namedPaths(text)) expect(path).not.toMatch(/^\/|\.\.|\.git\/|example/)
    if (paths.length === 0)
      expect(namedPaths(text).filter((path) => path.includes('/'))).toEqual([])
  })
})

const response = (context: number, charactersBefore: number): Response => ({
  kind: 'response',
  at: undefined,
  context,
  charactersBefore,
})

describe('learning', () => {
  test('learns characters per token from twenty plausible pairs on', () => {
    const pairs = (n: number) =>
      Array.from({ length: n + 1 }, (_, i) => response(10_000 + i * 1000, 2500))
    expect(calibrate([pairs(19)])).toBeUndefined()
    expect(calibrate([pairs(20)])).toEqual({ charactersPerToken: 2.5, pairs: 20 })
    // Too little growth, a compaction, a picture: none of these is informative.
    const odd = [
      response(50_000, 0),
      response(50_100, 900),
      response(9000, 90_000),
      response(20_000, 5),
    ]
    expect(calibrate([pairs(20), odd])).toEqual({ charactersPerToken: 2.5, pairs: 20 })
  })

  test('growth continues after a compaction', () => {
    expect(growthOf([10, 30, 20, 25].map((context) => response(context, 0)))).toBe(25)
    expect(growthOf([])).toBe(0)
  })

  test('is conservative at first, then uses the median of earlier comparisons', () => {
    const rates = (...ratios: number[]) =>
      learnRates(
        undefined,
        ratios.map((ratio) => ({ estimate: 1000, actual: 1000 * ratio })),
      )
    expect(rates()).toEqual({ charactersPerToken: 2.7, ratio: 1.5, compared: 0 })
    expect(rates(0.5, 0.5).ratio).toBe(1.5)
    expect(rates(0.5, 2, 0.8).ratio).toBe(0.8)
    expect(rates(0.5, 2, 0.8, 1).ratio).toBe(0.9)
    // A session that took next to nothing did something else; one wild ratio has little effect.
    expect(rates(0.5, 2, 0.8, 0.01).ratio).toBe(0.8)
    expect(rates(50, 60, 70).ratio).toBe(4)
    expect(rates(0.12, 0.12, 0.12).ratio).toBe(0.25)
    expect(
      rates(...Array.from({ length: 30 }, () => 3), ...Array.from({ length: 20 }, () => 1)).ratio,
    ).toBe(1)
  })
})
