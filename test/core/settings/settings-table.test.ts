import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseSettings } from '../../../src/core/settings/parse-settings.ts'
import type { Settings } from '../../../src/core/settings/settings.ts'
import {
  DEFAULT_SETTINGS,
  parseDuration,
  renderDuration,
} from '../../../src/core/settings/settings.ts'
import { SETTINGS } from '../../../src/core/settings/settings-table.ts'

const duration = fc.oneof(
  fc.nat(999_999_999),
  fc.nat(1000).map((days) => days * 86_400_000),
  fc.nat(1000).map((minutes) => minutes * 60_000),
)
const word = fc.stringMatching(/^[a-z][a-z0-9-]{0,8}$/)
const folder = fc.array(word, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/'))
const settings: fc.Arbitrary<Settings> = fc.record({
  root: folder,
  mode: fc.constantFrom('tracked', 'untracked'),
  maxDriftMillis: duration,
  protectedBranches: fc.array(word, { maxLength: 3 }),
  onEvent: fc.constantFrom('memory', 'file'),
  archiveAfterMillis: duration,
  archiveKeepMillis: fc.option(duration, { nil: undefined }),
  checkpointIntervalMillis: fc.option(duration, { nil: undefined }),
  pushCheckpoints: fc.boolean(),
  pushTimeoutMillis: duration,
  ask: fc.constantFrom('on', 'off'),
  activeLedger: fc.constantFrom('auto', 'on', 'off'),
  shareActiveLedgers: fc.boolean(),
  activeLedgerKeepMillis: fc.option(duration, { nil: undefined }),
  handoffs: folder,
  commitsContext: fc.boolean(),
  contextWip: fc.constantFrom('typed', 'commit', 'shadow'),
  contextLevels: fc
    .uniqueArray(fc.integer({ min: 1, max: 100 }), { minLength: 3, maxLength: 3 })
    .map((levels) => levels.toSorted((a, b) => a - b) as [number, number, number]),
  contextLimit: fc.option(fc.integer({ min: 1, max: 999_999_999 }), { nil: undefined }),
  contextMemory: fc.constantFrom('off', 'claude-mem'),
  memoryTools: fc.array(fc.constantFrom('search', 'recent_context(limit=5)'), { maxLength: 2 }),
})

describe('SETTINGS', () => {
  test('reads shown settings back unchanged', () => {
    fc.assert(
      fc.property(settings, (settings) => {
        const yaml = SETTINGS.map(({ key, show }) => `${key}: ${JSON.stringify(show(settings))}\n`)
        expect(parseSettings(yaml.join('')).settings).toEqual(settings)
      }),
    )
  })

  test('has one row for every field, and no key twice', () => {
    const fields = SETTINGS.flatMap(({ read, show }) => {
      const value = show(DEFAULT_SETTINGS)
      const scalar = (text: string) => ({ kind: 'scalar', text, json: text, at: 0 }) as const
      const parsed =
        typeof value === 'string'
          ? scalar(value)
          : ({ kind: 'list', items: value.map(scalar), at: 0, text: '' } as const)
      return Object.keys(read(parsed) ?? {})
    })
    expect(fields.toSorted()).toEqual(Object.keys(DEFAULT_SETTINGS).toSorted())
    expect(new Set(SETTINGS.map(({ key }) => key)).size).toBe(SETTINGS.length)
  })
})

test('renderDuration uses the largest unit that divides the duration', () => {
  const shown = [0, 1, 999, 1000, 90_000, 300_000, 7_200_000, 604_800_000, 90_000_001]
  expect(shown.map(renderDuration)).toEqual([
    '0s',
    '1ms',
    '999ms',
    '1s',
    '90s',
    '5m',
    '2h',
    '7d',
    '90000001ms',
  ])
  fc.assert(fc.property(duration, (n) => parseDuration(renderDuration(n)) === n))
})

test.each([
  'context.levels: 70',
  'context.levels: [70, 85]',
  'context.levels: [85, 70, 95]',
  'context.levels: [70, 95, 85]',
  'context.levels: [70, 70, 95]',
  'context.levels: [0, 70, 95]',
  'context.levels: [70, 85, 101]',
  'context.levels: [70, 85.5, 95]',
  'context.levels: [70, 85, 90, 95]',
  'context.limit: 0',
  'context.limit: 150k',
  'context.limit: -1',
])('refuses %s', (line) => {
  expect(() => parseSettings(`${line}\n`)).toThrow('has a bad value')
})
