import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Level } from '../../../src/core/context/level.ts'
import { levelOf } from '../../../src/core/context/level.ts'
import type { Moment } from '../../../src/core/context/react.ts'
import { adviceFor, react } from '../../../src/core/context/react.ts'
import type { ContextRecord, SavedFor } from '../../../src/core/context/record.ts'
import { newRecord, observe, withCheckpoint } from '../../../src/core/context/record.ts'

const NEW: ContextRecord = {
  ...newRecord({ session: 's1', agent: 'claude', startedAt: '2026-01-10T13:00:00Z' }),
  window: 200_000,
  limit: 100_000,
}
const TOOL: Moment = { kind: 'tool_used' }
const WRITE: Moment = { kind: 'tool_used', mayWrite: true }
const STOP: Moment = { kind: 'turn_end', mayHold: true }
const STOP_AGAIN: Moment = { kind: 'turn_end', mayHold: false }
const COMPACT: Moment = { kind: 'before_compaction' }

/** A record that is full to the given percentage of the limit. */
const full = (percent: number, about: Partial<ContextRecord> = {}) =>
  observe({ ...NEW, ...about }, { at: 0, tokens: percent * 1000, source: 'transcript' })

/** The reaction, without the record. */
function seen(record: ContextRecord, moment: Moment) {
  const { record: _, ...rest } = react(record, moment)
  return rest
}

describe('at a tool use', () => {
  test.each<[number, object]>([
    [69, {}],
    [70, { told: 'L1' }],
    [84, { told: 'L1' }],
    [85, { told: 'L2' }],
    [89, { told: 'L2' }],
    // From here on, the hook saves without waiting for the agent's own words.
    [90, { told: 'L2', save: 'L2' }],
    [94, { told: 'L2', save: 'L2' }],
    [95, { told: 'L3', save: 'L3' }],
    [110, { told: 'L3', save: 'L3' }],
  ])('%i %% of the limit', (percent, expected) => {
    expect(seen(full(percent), TOOL)).toEqual(expected)
  })

  test('saves in an emergency even if deferred', () => {
    expect(seen(full(71, { deferred: 'once' }), TOOL)).toEqual({})
    expect(seen(full(91, { deferred: 'once' }), TOOL)).toEqual({ save: 'L2' })
    expect(seen(full(96, { deferred: 'once' }), TOOL)).toEqual({ told: 'L3', save: 'L3' })
  })
})

describe('at the end of a turn', () => {
  test('L2 holds the agent up once, and the hook saves if the agent stops without a checkpoint', () => {
    const first = react(full(86), STOP)
    expect(first).toMatchObject({ told: 'L2' })
    expect(first.save).toBeUndefined()
    expect(seen(first.record, STOP_AGAIN)).toEqual({ save: 'L2' })
    expect(seen(first.record, STOP)).toEqual({ save: 'L2' })
    // The agent was told when it was held up.
    expect(seen(first.record, TOOL)).toEqual({})
  })

  test('does not hold up an agent that was already asked', () => {
    expect(seen(full(86), STOP_AGAIN)).toEqual({ save: 'L2' })
  })

  test('lets an agent go that has written a checkpoint at L2', () => {
    const note = { timestamp: '', handoffFile: '', reason: '', percent: 86, level: 'L2' } as const
    expect(seen(withCheckpoint(full(86), note), STOP)).toEqual({})
    // An earlier checkpoint does not count.
    expect(seen(withCheckpoint(full(86), { ...note, level: 'L1' }), STOP)).toEqual({ told: 'L2' })
  })

  test('if deferred once, neither holds up nor saves, once', () => {
    const first = react(full(86, { deferred: 'once' }), STOP)
    expect(first).toEqual({ record: { ...first.record, deferred: undefined } })
    expect(seen(first.record, STOP)).toEqual({ told: 'L2' })
  })

  test('saves at L3 without holding up, and does nothing at L1', () => {
    expect(seen(full(95), STOP)).toEqual({ save: 'L3' })
    expect(seen(full(84, { breakpoint: 'good' }), STOP)).toEqual({})
  })

  test('shows the person one hint, once, above half the limit at a good moment', () => {
    const first = react(full(51, { breakpoint: 'good' }), STOP)
    expect(first.isHint).toBe(true)
    expect(seen(first.record, STOP)).toEqual({})
    expect(seen(full(50, { breakpoint: 'good' }), STOP)).toEqual({})
    expect(seen(full(60, { breakpoint: 'bad' }), STOP)).toEqual({})
  })
})

test('saves once before a compaction, however full the context is', () => {
  expect(seen(NEW, COMPACT)).toEqual({ save: 'compaction' })
  expect(seen(full(96, { saved: ['L3'] }), COMPACT)).toEqual({ save: 'compaction' })
  expect(seen(full(96, { saved: ['compaction'] }), COMPACT)).toEqual({})
})

test('does not save again before a compaction if nothing happened since', () => {
  const note = { timestamp: '', handoffFile: '', reason: '', percent: 96, level: 'L3' } as const
  const saved = withCheckpoint(full(96), note, 'L3')
  expect(seen(saved, COMPACT)).toEqual({})
  expect(seen(react(saved, TOOL).record, COMPACT)).toEqual({})
  // Another response, or another tool of the same response that may have changed something.
  expect(seen(full(97, saved), COMPACT)).toEqual({ save: 'compaction' })
  expect(seen(react(saved, WRITE).record, COMPACT)).toEqual({ save: 'compaction' })
  // The context was compacted, and is as full again.
  const after = observe(full(20, saved), { at: 0, tokens: 96_000, source: 'transcript' })
  expect(seen(after, COMPACT)).toEqual({ save: 'compaction' })
})

test('says and advises nothing without a sample or without a limit', () => {
  for (const record of [NEW, full(96, { limit: undefined })]) {
    for (const moment of [TOOL, STOP, STOP_AGAIN]) expect(seen(record, moment)).toEqual({})
    expect(adviceFor(record)).toBeUndefined()
  }
})

test('the advice depends on the size of the task that began, until the turn ends', () => {
  expect(adviceFor(full(70))).toBe('finish')
  expect(adviceFor(full(70, { task: 'large' }))).toBe('checkpoint')
  expect(adviceFor(full(65, { task: 'large' }))).toBe('finish')
  expect(adviceFor(full(65, { task: 'small' }))).toBe('continue')
  expect(react(full(65, { task: 'large' }), TOOL).record.task).toBe('large')
  expect(react(full(65, { task: 'large' }), STOP).record.task).toBeUndefined()
})

/** A session that writes every due checkpoint: what was held up, told and saved, in order. */
function course(steps: readonly (readonly [percent: number, moment: Moment])[]) {
  let record = NEW
  const seen: { level: Level; isHeld: boolean; save?: SavedFor; told?: Level }[] = []
  for (const [i, [percent, moment]] of steps.entries()) {
    record = observe(record, { at: i, tokens: percent * 1000, source: 'transcript' })
    const { told, save, ...rest } = react(record, moment)
    record = rest.record
    const level = levelOf(percent, 100)
    const note = { timestamp: '', handoffFile: '', reason: '', percent, level }
    if (save !== undefined) record = withCheckpoint(record, note, save)
    const isHeld = told !== undefined && moment.kind === 'turn_end'
    seen.push({ level, isHeld, ...(save && { save }), ...(told && { told }) })
  }
  return seen
}

test('in any course, holds up once per level, and saves nothing twice while the context only grows', () => {
  const step = fc.tuple(
    fc.integer({ min: 1, max: 120 }),
    fc.constantFrom(TOOL, STOP, STOP_AGAIN, COMPACT),
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), fc.boolean(), (steps, isGrowing) => {
      const ordered = isGrowing ? steps.toSorted(([a], [b]) => a - b) : steps
      const all = course(ordered)
      const held = all.filter(({ isHeld }) => isHeld).map(({ level }) => level)
      expect(new Set(held).size).toBe(held.length)
      expect(held.every((level) => level === 'L2')).toBe(true)
      if (!isGrowing) return
      const saved = all.flatMap(({ save }) => save ?? [])
      expect(new Set(saved).size).toBe(saved.length)
      // A stop that is held up repeats its level: the first message had no effect.
      const told = all.flatMap(({ told: level, isHeld }) => (isHeld ? [] : (level ?? [])))
      expect(new Set(told).size).toBe(told.length)
    }),
  )
})

test('a nearly full context always has a checkpoint before anything is lost', () => {
  const moments = fc.array(fc.constantFrom(TOOL, STOP, STOP_AGAIN), { minLength: 1, maxLength: 9 })
  fc.assert(
    fc.property(fc.integer({ min: 90, max: 120 }), moments, (percent, all) => {
      const saved = course([...all, TOOL].map((moment) => [percent, moment] as const))
      expect(saved.some(({ save }) => save !== undefined)).toBe(true)
    }),
  )
})
