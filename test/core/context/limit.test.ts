import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { effectiveLimit, limitOf, readCompactionSettings } from '../../../src/core/context/limit.ts'

// Where Claude Code 2.1.330 compacted by itself, or refused to continue.
test.each([
  ['a model with 200,000 tokens', 200_000, {}, 167_000],
  ['a window that is set', 200_000, { CLAUDE_CODE_AUTO_COMPACT_WINDOW: '200000' }, 167_000],
  ['a smaller window that is set', 200_000, { CLAUDE_CODE_AUTO_COMPACT_WINDOW: '150000' }, 117_000],
  [
    'a percentage of a window that is set',
    200_000,
    { CLAUDE_CODE_AUTO_COMPACT_WINDOW: '200000', CLAUDE_AUTOCOMPACT_PCT_OVERRIDE: '60' },
    108_000,
  ],
  ['a model with a million tokens', 1_000_000, {}, 967_000],
  ['a percentage of a million', 1_000_000, { CLAUDE_AUTOCOMPACT_PCT_OVERRIDE: '40' }, 392_000],
  ['a window below a million', 1_000_000, { CLAUDE_CODE_AUTO_COMPACT_WINDOW: '300000' }, 267_000],
  [
    'compaction off: where the program refuses to continue',
    200_000,
    { DISABLE_AUTO_COMPACT: '1' },
    177_000,
  ],
])('%s', (_, window, environment, limit) => {
  expect(effectiveLimit(window, readCompactionSettings(environment))).toBe(limit)
})

test('a percentage never raises the limit, because some releases ignore it', () => {
  expect(effectiveLimit(200_000, { percent: 99 })).toBe(167_000)
})

test('a window set above that of the model changes nothing', () => {
  expect(effectiveLimit(200_000, { window: 900_000 })).toBe(167_000)
})

test('the environment takes precedence over settings files, and the first file over the others', () => {
  const local = { env: { CLAUDE_CODE_AUTO_COMPACT_WINDOW: '150000' } }
  const user = { autoCompactWindow: 180_000, autoCompactEnabled: false }
  expect(readCompactionSettings({}, [user])).toMatchObject({ window: 180_000, isOff: true })
  expect(readCompactionSettings({}, [local, user])).toMatchObject({ window: 150_000 })
  const set = { CLAUDE_CODE_AUTO_COMPACT_WINDOW: '120000' }
  expect(readCompactionSettings(set, [local, user])).toMatchObject({ window: 120_000 })
})

test.each(['a lot', '-5', '0', '', 'NaN', 'Infinity'])(
  'treats %o as not set',
  (CLAUDE_CODE_AUTO_COMPACT_WINDOW) => {
    const settings = readCompactionSettings({ CLAUDE_CODE_AUTO_COMPACT_WINDOW }, [
      undefined,
      null,
      'text',
      [],
    ])
    expect(settings).toEqual({ window: undefined, percent: undefined, isOff: false })
  },
)

test.each(['0', '-1', '101', 'half'])(
  '%s is not a percentage',
  (CLAUDE_AUTOCOMPACT_PCT_OVERRIDE) => {
    expect(readCompactionSettings({ CLAUDE_AUTOCOMPACT_PCT_OVERRIDE }).percent).toBeUndefined()
  },
)

test.each(['0', 'false', 'no', ''])(
  'DISABLE_AUTO_COMPACT=%s leaves compaction on',
  (DISABLE_AUTO_COMPACT) => {
    expect(readCompactionSettings({ DISABLE_AUTO_COMPACT }).isOff).toBe(false)
  },
)

test('a limit is at least one token and never above the window', () => {
  const settings = fc.record({
    window: fc.option(fc.integer({ min: 1, max: 2_000_000 }), { nil: undefined }),
    percent: fc.option(fc.integer({ min: 1, max: 100 }), { nil: undefined }),
    isOff: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2_000_000 }), settings, (window, set) => {
      const limit = effectiveLimit(window, set)
      expect(limit).toBeGreaterThanOrEqual(1)
      expect(limit).toBeLessThanOrEqual(window)
    }),
  )
})

test('Codex reports 95 % of its window and compacts at 90 %', () => {
  expect(limitOf('codex', { window: 258_400 })).toBe(244_800)
})

describe('the limit of an agent', () => {
  test.each([
    ['Claude Code compacts before its window ends', 'claude', { window: 200_000 }, 167_000],
    ['Claude Code also does so with a million tokens', 'claude', { window: 1_000_000 }, 967_000],
    [
      "the user's settings apply",
      'claude',
      { window: 1_000_000, compaction: { window: 300_000 } },
      267_000,
    ],
    ['only the window of Gemini is known', 'gemini', { window: 1_048_576 }, 1_048_576],
    ['context.limit alone decides', 'claude', { window: 200_000, set: 150_000 }, 150_000],
    [
      'context.limit decides even if the window is unknown',
      'codex',
      { window: undefined, set: 150_000 },
      150_000,
    ],
    ['an unknown window gives no limit', 'claude', { window: undefined }, undefined],
  ] as const)('%s', (_, agent, known, expected) => {
    expect(limitOf(agent, known)).toBe(expected)
  })
})
