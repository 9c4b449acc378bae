import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Sample } from '../../../src/core/context/samples.ts'
import { standingOf, trendOf, withSample } from '../../../src/core/context/samples.ts'

const MINUTE = 60_000
const LIMIT = 167_000

const sample = (minute: number, tokens: number, source: Sample['source'] = 'transcript') => ({
  at: minute * MINUTE,
  tokens,
  source,
})

const samplesOf = (...samples: Sample[]) =>
  samples.reduce<readonly Sample[]>((all, one) => withSample(all, one), [])

describe('samples', () => {
  test('drops samples from before a compaction', () => {
    const all = samplesOf(
      sample(0, 100_000),
      sample(1, 160_000),
      sample(2, 0, 'compaction'),
      sample(3, 40_000),
    )
    expect(all.map(({ tokens }) => tokens)).toEqual([40_000])
  })

  test('treats a drop by more than a third as an unreported compaction', () => {
    expect(samplesOf(sample(0, 90_000), sample(1, 59_999))).toHaveLength(1)
    expect(samplesOf(sample(0, 90_000), sample(1, 60_001))).toHaveLength(2)
  })

  test('ignores a sample that is older than the newest', () => {
    expect(samplesOf(sample(2, 90_000), sample(1, 80_000))).toEqual([sample(2, 90_000)])
  })

  test('keeps the first and the last of equal samples', () => {
    const all = samplesOf(...[0, 1, 2, 3].map((minute) => sample(minute, 50_000)))
    expect(all).toEqual([sample(0, 50_000), sample(3, 50_000)])
  })

  test('are limited in number, and always include the newest', () => {
    const tokens = fc.array(fc.integer({ min: 0, max: 200_000 }), { minLength: 1, maxLength: 300 })
    fc.assert(
      fc.property(tokens, (counts) => {
        const all = samplesOf(...counts.map((count, minute) => sample(minute, count)))
        expect(all.length).toBeLessThanOrEqual(64)
        expect(all.at(-1)).toEqual(sample(counts.length - 1, counts.at(-1) ?? 0))
      }),
    )
  })
})

describe('trend', () => {
  test('is unknown with one sample, and with two of the same moment', () => {
    expect(trendOf([sample(0, 50_000)])).toBeUndefined()
    expect(trendOf([sample(0, 50_000), sample(0, 60_000)])).toBeUndefined()
    // One response, read again.
    expect(trendOf([sample(0, 50_000), sample(5, 50_000)])).toBeUndefined()
  })

  test('is the growth of the last 15 minutes', () => {
    const all = samplesOf(sample(0, 10_000), sample(60, 100_000), sample(70, 110_000))
    expect(trendOf(all)).toEqual({ direction: 'increasing', tokensPerMinute: 1000 })
  })

  test('distinguishes stable from decreasing', () => {
    expect(trendOf([sample(0, 50_000), sample(5, 50_400)])?.direction).toBe('stable')
    expect(trendOf([sample(0, 50_000), sample(5, 45_000)])?.direction).toBe('decreasing')
  })
})

describe('standing', () => {
  test('is unknown without a sample, not empty', () => {
    expect(standingOf([], 200_000, LIMIT)).toBeUndefined()
  })

  test('has tokens and an unknown level without a limit', () => {
    const standing = standingOf([sample(0, 110_000)], undefined, undefined)
    expect(standing).toMatchObject({ tokens: 110_000, level: 'unknown' })
  })
})
