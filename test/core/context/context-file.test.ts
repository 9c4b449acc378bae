import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseContextRecord, renderContextRecord } from '../../../src/core/context/context-file.ts'
import { LEVELS } from '../../../src/core/context/level.ts'
import type { ContextRecord } from '../../../src/core/context/record.ts'

const level = fc.constantFrom(...LEVELS)
const count = fc.nat(1_000_000)
const tokens = fc.option(fc.integer({ min: 1, max: 2_000_000 }), { nil: undefined })
const records: fc.Arbitrary<ContextRecord> = fc.record({
  session: fc.stringMatching(/^[a-z0-9]{1,12}$/),
  agent: fc.constantFrom('claude', 'codex', 'gemini'),
  startedAt: fc.constant('2026-01-10T13:00:00Z'),
  model: fc.option(fc.string(), { nil: undefined }),
  window: tokens,
  limit: tokens,
  samples: fc.array(
    fc.record({
      at: count,
      tokens: count,
      source: fc.constantFrom('transcript', 'status_line', 'compaction'),
    }),
    { maxLength: 4 },
  ),
  told: level,
  isHeldUp: fc.boolean(),
  saved: fc.uniqueArray(fc.constantFrom('L2', 'L3', 'compaction')),
  isHinted: fc.boolean(),
  foreseen: fc.array(fc.string(), { maxLength: 2 }),
  task: fc.constantFrom(undefined, 'small', 'large'),
  deferred: fc.constantFrom(undefined, 'once', 'until L2'),
  deferrals: fc.array(fc.string(), { maxLength: 2 }),
  shown: fc.array(fc.string(), { maxLength: 2 }),
  savedAt: tokens,
  breakpoint: fc.constantFrom('good', 'bad', 'none'),
  checkpoints: fc.array(
    fc.record({
      timestamp: fc.string(),
      handoffFile: fc.string(),
      reason: fc.string(),
      isTyped: fc.option(fc.boolean(), { nil: undefined }),
      level: fc.constantFrom(...LEVELS, 'unknown'),
      percent: fc.option(count, { nil: undefined }),
    }),
    { maxLength: 2 },
  ),
})

test('reads back what it wrote', () => {
  fc.assert(
    fc.property(records, (record) => {
      expect(parseContextRecord(renderContextRecord(record))).toEqual(record)
    }),
  )
})

test('rejects a truncated text and a field of the wrong type', () => {
  fc.assert(
    fc.property(records, fc.nat(), fc.constantFrom(null, -1, 1.5, 'x', [1], {}), (...given) => {
      const [record, n, value] = given
      const text = renderContextRecord(record)
      expect(parseContextRecord(text.slice(0, n % (text.length - 2)))).toBeUndefined()
      // `agent` and `startedAt` can be any text.
      const keys = ['session', 'window', 'samples', 'told', 'saved', 'isHinted'] as const
      const key = keys[n % keys.length] ?? 'told'
      const isFit = key === 'session' && value === 'x'
      const changed = JSON.stringify({ ...JSON.parse(text), [key]: value })
      expect(parseContextRecord(changed) === undefined).toBe(!isFit)
    }),
  )
})

test('rejects a missing field, another version and a missing file', () => {
  fc.assert(
    fc.property(records, fc.constantFrom('told', 'samples', 'version'), (record, key) => {
      const { [key]: _, ...rest } = JSON.parse(renderContextRecord(record)) as Record<
        string,
        unknown
      >
      expect(parseContextRecord(JSON.stringify(rest))).toBeUndefined()
      expect(parseContextRecord(JSON.stringify({ ...rest, [key]: 2 }))).toBeUndefined()
    }),
  )
  expect(parseContextRecord(undefined)).toBeUndefined()
})
