import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Boundaries } from '../../../src/core/context/level.ts'
import { quietUntil } from '../../../src/core/context/quiet-until.ts'
import { react } from '../../../src/core/context/react.ts'
import type { ContextRecord } from '../../../src/core/context/record.ts'
import { newRecord, observe, standing, withCheckpoint } from '../../../src/core/context/record.ts'

const NEW = newRecord({ session: 's1', agent: 'claude', startedAt: '2026-01-01T00:00:00Z' })
const TOOL = { kind: 'tool_used' } as const

const boundaries = fc
  .uniqueArray(fc.integer({ min: 1, max: 99 }), { minLength: 3, maxLength: 3 })
  .map((all) => all.toSorted((a, b) => a - b) as unknown as Boundaries)

/** The record after a tool use, with everything that follows from it done. */
function used(before: ContextRecord, tokens: number, at: number, levels: Boundaries) {
  const seen = observe(before, { at, tokens, source: 'transcript' }, levels)
  const { record, told, save } = react(seen, TOOL, levels)
  const note = { timestamp: '', handoffFile: '', reason: '', percent: 1, level: 'unknown' } as const
  const after = save === undefined ? record : withCheckpoint(record, note, save)
  return { record: after, isQuiet: told === undefined && save === undefined }
}

test('below the quiet size, a tool use has no consequences, however dense the transcript', () => {
  const tokens = fc.integer({ min: 0, max: 1100 })
  fc.assert(
    fc.property(tokens, fc.integer({ min: 0, max: 300 }), boundaries, (first, more, levels) => {
      const { record } = used({ ...NEW, limit: 1000 }, first, 0, levels)
      const now = standing(record, levels)
      // A transcript has at least two bytes per token.
      if (now === undefined || 5000 + more * 2 >= quietUntil(now, 5000, levels).bytes) return
      expect(used(record, first + more, 1, levels).isQuiet).toBe(true)
      expect(first + more).toBeLessThan(quietUntil(now, 5000, levels).tokens)
    }),
    { numRuns: 500 },
  )
})

test('reaches to the next event', () => {
  const until = (tokens: number) => {
    const now = standing({
      ...NEW,
      limit: 100_000,
      samples: [{ at: 0, tokens, source: 'transcript' }],
    })
    return now && quietUntil(now, 0).bytes
  }
  expect(until(0)).toBe(140_000)
  expect(until(69_999)).toBe(2)
  expect(until(70_000)).toBe(30_000)
  // An emergency begins within L2.
  expect(until(85_000)).toBe(10_000)
  expect(until(90_000)).toBe(10_000)
  expect(until(95_000)).toBe(Number.MAX_SAFE_INTEGER)
})

test('checks every tool use if the limit is unknown', () => {
  const now = standing({ ...NEW, samples: [{ at: 0, tokens: 10, source: 'transcript' }] })
  expect(now && quietUntil(now, 5000)).toEqual({ bytes: 5000, tokens: 10 })
})
