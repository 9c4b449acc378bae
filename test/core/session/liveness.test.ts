import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatInstant, instantFromMillis } from '../../../src/core/ledger/instant.ts'
import {
  CLEAN_UP_TTL,
  isLongOver,
  isTimedOut,
  POST_COMMIT_TTL,
} from '../../../src/core/session/liveness.ts'
import type { Phase } from '../../../src/core/session/phase.ts'
import { PHASES } from '../../../src/core/session/phase.ts'

const NOW = 1_768_000_000_000

/** A session whose last hook ran so many milliseconds ago; less than none: ahead of the clock. */
const seen = (ago: number, phase: Phase = 'active') => ({
  phase,
  lastSignOfLife: formatInstant(instantFromMillis(NOW - ago)),
})
const timedOut = (ago: number, phase: Phase, ttl = POST_COMMIT_TTL, isAlive = false) =>
  isTimedOut(seen(ago, phase), instantFromMillis(NOW), ttl, isAlive)

describe.each(['active', 'active_committed'] as const)('%s', (phase) => {
  test('times out after two minutes for a commit, after thirty for a clean-up', () => {
    expect(timedOut(120_000, phase)).toBe(false)
    expect(timedOut(120_001, phase)).toBe(true)
    expect(timedOut(1_800_000, phase, CLEAN_UP_TTL)).toBe(false)
    expect(timedOut(1_800_001, phase, CLEAN_UP_TTL)).toBe(true)
  })

  test('never while its owner lives', () => {
    expect(timedOut(86_400_000, phase, POST_COMMIT_TTL, true)).toBe(false)
  })

  test('a clock that was set back a little is no death, one set back far is no eternal life', () => {
    expect(timedOut(-1, phase)).toBe(false)
    expect(timedOut(-120_000, phase)).toBe(false)
    expect(timedOut(-120_001, phase)).toBe(true)
    expect(timedOut(-86_400_000 * 365, phase)).toBe(true)
  })

  test('a time that is none counts for nothing', () => {
    const state = { phase, lastSignOfLife: 'yesterday' }
    expect(isTimedOut(state, instantFromMillis(NOW), POST_COMMIT_TTL, false)).toBe(true)
  })
})

test('no phase without an open turn ever times out', () => {
  const resting = PHASES.filter((phase) => !phase.startsWith('active'))
  fc.assert(
    fc.property(fc.constantFrom(...resting), fc.integer(), fc.boolean(), (phase, ago, alive) => {
      expect(timedOut(ago, phase, POST_COMMIT_TTL, alive)).toBe(false)
    }),
  )
})

test('with a longer time to live, nobody dies earlier', () => {
  fc.assert(
    fc.property(fc.integer({ min: -1e7, max: 1e7 }), fc.nat(1e7), fc.nat(1e7), (ago, ttl, more) => {
      if (timedOut(ago, 'active', ttl + more)) expect(timedOut(ago, 'active', ttl)).toBe(true)
    }),
  )
})

test('only what ended can be long over', () => {
  const over = (phase: Phase, ago: number | undefined) => {
    const endedAt = ago === undefined ? undefined : formatInstant(instantFromMillis(NOW - ago))
    return isLongOver({ phase, endedAt }, instantFromMillis(NOW), CLEAN_UP_TTL)
  }
  expect(over('ended', CLEAN_UP_TTL)).toBe(false)
  expect(over('ended', CLEAN_UP_TTL + 1)).toBe(true)
  expect(over('ended', -CLEAN_UP_TTL - 1)).toBe(true)
  expect(over('ended', undefined)).toBe(true)
  expect(over('idle', CLEAN_UP_TTL + 1)).toBe(false)
})
