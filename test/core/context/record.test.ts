import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkpointState, isCheckpointState } from '../../../src/core/context/checkpoint-state.ts'
import type { Level } from '../../../src/core/context/level.ts'
import { DEFAULT_BOUNDARIES, levelOf } from '../../../src/core/context/level.ts'
import type { ContextRecord } from '../../../src/core/context/record.ts'
import {
  newRecord,
  observe,
  standing,
  tell,
  withCheckpoint,
} from '../../../src/core/context/record.ts'

const MINUTE = 60_000
const NEW: ContextRecord = {
  ...newRecord({ session: 's1', agent: 'claude', startedAt: '2026-01-10T13:00:00Z' }),
  window: 200_000,
  limit: 100_000,
}

/** What is told along the given percentages (thousands of tokens), a minute apart. */
function toldAlong(percents: readonly number[], record = NEW): (Level | undefined)[] {
  let now = record
  return percents.map((percent, minute) => {
    now = observe(now, { at: minute * MINUTE, tokens: percent * 1000, source: 'transcript' })
    const { record: after, level } = tell(now, levelOf(percent, 100))
    now = after
    return level
  })
}

describe('a level is told', () => {
  test('once, and then the next level', () => {
    expect(toldAlong([60, 71, 75, 84, 86, 93, 96, 99])).toEqual([
      undefined,
      'L1',
      undefined,
      undefined,
      'L2',
      undefined,
      'L3',
      undefined,
    ])
  })

  test('again after a compaction, when it is reached again', () => {
    expect(toldAlong([72, 86, 30, 71, 85])).toEqual(['L1', 'L2', undefined, 'L1', 'L2'])
  })

  test('without the level below it, if the context leaps past that', () => {
    expect(toldAlong([60, 88, 89])).toEqual([undefined, 'L2', undefined])
  })

  test('not while it is deferred', () => {
    expect(toldAlong([71, 86], { ...NEW, deferred: 'until L2' })).toEqual([undefined, 'L2'])
    expect(toldAlong([71, 86], { ...NEW, deferred: 'once' })).toEqual([undefined, 'L2'])
    expect(toldAlong([86, 96], { ...NEW, deferred: 'once' })).toEqual([undefined, 'L3'])
    expect(toldAlong([96], { ...NEW, deferred: 'once' })).toEqual(['L3'])
  })

  test('never twice in a row, in any course', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 110 }), { maxLength: 40 }), (percents) => {
        const told = toldAlong(percents)
        let last: Level | undefined
        for (const [i, level] of told.entries()) {
          const now = levelOf(percents[i] ?? 0, 100)
          if (last !== undefined && now < last) last = now
          if (level === undefined) continue
          expect(level).toBe(now)
          expect(last === undefined || level > last).toBe(true)
          last = level
        }
      }),
    )
  })
})

test('samples do not outlive a compaction', () => {
  let record = observe(NEW, { at: 0, tokens: 91_000, source: 'transcript' })
  record = observe(record, { at: MINUTE, tokens: 20_000, source: 'compaction' })
  expect(standing(record)?.tokens).toBe(20_000)
})

describe('a saved checkpoint', () => {
  const note = {
    timestamp: '2026-01-10T13:05:00Z',
    handoffFile: '.claude/handoffs/2026-01-10-1305-0a1b.md',
    reason: 'manual',
    percent: 86,
  }

  test('counts for the level at which it was written, and for the requested purpose', () => {
    expect(withCheckpoint(NEW, { ...note, level: 'L1' }).saved).toEqual([])
    expect(withCheckpoint(NEW, { ...note, level: 'L2' }).saved).toEqual(['L2'])
    expect(withCheckpoint(NEW, { ...note, level: 'L2' }, 'compaction').saved).toEqual([
      'L2',
      'compaction',
    ])
    expect(withCheckpoint(NEW, { ...note, level: 'unknown' }, 'compaction').saved).toEqual([
      'compaction',
    ])
  })

  test('expires with the next compaction, only once however often that is seen', () => {
    const full = observe(NEW, { at: 0, tokens: 96_000, source: 'transcript' })
    const saved = { ...withCheckpoint(full, { ...note, level: 'L3' }), isHinted: true }
    const left = { tokens: 30_000, source: 'compaction' } as const
    const once = observe(saved, { at: MINUTE, ...left })
    expect(once).toMatchObject({ saved: [], isHinted: false, told: 'L0' })
    const again = withCheckpoint(once, { ...note, level: 'L1' }, 'compaction')
    expect(observe(again, { at: 2 * MINUTE, ...left }).saved).toEqual(['compaction'])
    const grown = observe(again, { at: 3 * MINUTE, tokens: 31_000, source: 'transcript' })
    expect(observe(grown, { at: 4 * MINUTE, ...left }).saved).toEqual([])
  })

  test('expires with a drop by more than a third, and not with a smaller drop', () => {
    const full = withCheckpoint(observe(NEW, { at: 0, tokens: 90_000, source: 'transcript' }), {
      ...note,
      level: 'L2',
    })
    const dropped = (tokens: number) =>
      observe(full, { at: MINUTE, tokens, source: 'transcript' }).saved
    expect(dropped(59_000)).toEqual([])
    expect(dropped(61_000)).toEqual(['L2'])
  })

  test('a compaction without a known remainder leaves the context unknown', () => {
    const full = observe(NEW, { at: 0, tokens: 90_000, source: 'transcript' })
    const after = observe(full, { at: MINUTE, tokens: 0, source: 'compaction' })
    expect(standing(after)).toBeUndefined()
  })
})

describe('the state as JSON', () => {
  const around = {
    issue: 'ANV-123',
    modifiedFiles: ['src/a.ts'],
    formatTime: (millis: number) => new Date(millis).toISOString(),
    boundaries: DEFAULT_BOUNDARIES,
  }

  test('contains the trend and the times to the levels ahead', () => {
    let record = observe(NEW, { at: 0, tokens: 72_000, source: 'status_line' })
    record = observe(record, { at: 10 * MINUTE, tokens: 75_000, source: 'transcript' })
    record = withCheckpoint(record, {
      timestamp: '2026-01-10T13:05:00Z',
      handoffFile: '.claude/handoffs/2026-01-10-1305-0a1b.md',
      reason: 'manual',
      level: 'L1',
      percent: 72,
    })
    expect(checkpointState(record, around)).toEqual({
      version: '1.0.0',
      sessionId: 's1',
      startedAt: '2026-01-10T13:00:00Z',
      currentLevel: 'L1',
      contextPercent: 37,
      limitPercent: 75,
      contextTokens: 75_000,
      contextWindow: 200_000,
      effectiveLimit: 100_000,
      contextTrend: 'increasing',
      tokensPerMinute: 300,
      estimatedTimeToL1: null,
      estimatedTimeToL2: '34m',
      estimatedTimeToL3: '67m',
      recommendation: 'finish',
      linearIssue: 'ANV-123',
      lastCheckpoint: {
        timestamp: '2026-01-10T13:05:00Z',
        handoffFile: '.claude/handoffs/2026-01-10-1305-0a1b.md',
        reason: 'manual',
      },
      uncommittedChanges: true,
      modifiedFiles: ['src/a.ts'],
      lastSample: { source: 'transcript', at: '1970-01-01T00:10:00.000Z' },
    })
  })

  test.each<[string, readonly (readonly [minute: number, tokens: number])[]]>([
    [
      'a stable context',
      [
        [0, 72_000],
        [10, 72_100],
      ],
    ],
    [
      'a shrinking context',
      [
        [0, 80_000],
        [10, 72_000],
      ],
    ],
    ['a single sample', [[0, 72_000]]],
    [
      'the last level',
      [
        [0, 95_000],
        [1, 96_000],
      ],
    ],
  ])('%s has no time to the next level', (_, seen) => {
    const record = seen.reduce(
      (now, [minute, tokens]) =>
        observe(now, { at: minute * MINUTE, tokens, source: 'transcript' }),
      NEW,
    )
    const times = { estimatedTimeToL1: null, estimatedTimeToL2: null, estimatedTimeToL3: null }
    expect(checkpointState(record, around)).toMatchObject(times)
  })

  test('is unknown without a sample, not 0', () => {
    const state = checkpointState(NEW, { ...around, issue: undefined, modifiedFiles: [] })
    expect(state).toMatchObject({
      currentLevel: 'unknown',
      contextPercent: null,
      limitPercent: null,
      contextTokens: null,
      contextTrend: 'unknown',
      recommendation: 'unknown',
      lastSample: null,
      uncommittedChanges: false,
    })
  })

  test("is distinguished from other programs' files of that name", () => {
    expect(isCheckpointState(checkpointState(NEW, around))).toBe(true)
    for (const other of [null, [], 'text', {}, { version: 2 }, { version: '1.0.0', level: 1 }])
      expect(isCheckpointState(other)).toBe(false)
  })
})
