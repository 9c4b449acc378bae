import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatInstant, instantFromMillis } from '../../../src/core/event/instant.ts'
import type { OwnerLife } from '../../../src/core/session/liveness.ts'
import {
  CLEAN_UP_TTL,
  isLateEnd,
  isLongOver,
  isTimedOut,
  POST_COMMIT_TTL,
  SILENT_TTL as DAY,
} from '../../../src/core/session/liveness.ts'
import type { Phase } from '../../../src/core/session/phase.ts'

const NOW = 1_768_000_000_000

/**
 * A session whose last hook ran the given milliseconds ago; a negative number is ahead of the
 * clock.
 */
const seen = (ago: number, phase: Phase = 'active') => ({
  phase,
  lastSignOfLife: formatInstant(instantFromMillis(NOW - ago)),
})
const timedOut = (ago: number, phase: Phase, ttl = POST_COMMIT_TTL, owner: OwnerLife = 'gone') =>
  isTimedOut(seen(ago, phase), instantFromMillis(NOW), ttl, owner)

describe.each(['active', 'active_committed'] as const)('%s', (phase) => {
  test('times out after two minutes for a commit, after thirty for a cleanup', () => {
    expect(timedOut(120_000, phase)).toBe(false)
    expect(timedOut(120_001, phase)).toBe(true)
    expect(timedOut(1_800_000, phase, CLEAN_UP_TTL)).toBe(false)
    expect(timedOut(1_800_001, phase, CLEAN_UP_TTL)).toBe(true)
  })

  test('never times out while its owner lives', () => {
    expect(timedOut(86_400_000, phase, POST_COMMIT_TTL, 'alive')).toBe(false)
  })

  test('tolerates a clock that was set back a little, but not one that was set back far', () => {
    expect(timedOut(-1, phase)).toBe(false)
    expect(timedOut(-120_000, phase)).toBe(false)
    expect(timedOut(-120_001, phase)).toBe(true)
    expect(timedOut(-86_400_000 * 365, phase)).toBe(true)
  })

  test('times out if its time is invalid', () => {
    const state = { phase, lastSignOfLife: 'yesterday' }
    expect(isTimedOut(state, instantFromMillis(NOW), POST_COMMIT_TTL, 'unknown')).toBe(true)
  })
})

describe('idle', () => {
  test('is over once its owner is gone, however recently a hook ran', () => {
    expect(timedOut(0, 'idle')).toBe(true)
    expect(timedOut(0, 'idle', CLEAN_UP_TTL, 'alive')).toBe(false)
    expect(timedOut(DAY * 365, 'idle', CLEAN_UP_TTL, 'alive')).toBe(false)
  })

  test.each(['daemon', 'unknown'] as const)(
    'is over after a silent day if its owner is: %s',
    (owner) => {
      expect(timedOut(DAY, 'idle', CLEAN_UP_TTL, owner)).toBe(false)
      expect(timedOut(DAY + 1, 'idle', CLEAN_UP_TTL, owner)).toBe(true)
    },
  )
})

test('a turn in a daemon stays open for a silent day, because a daemon continues by itself', () => {
  expect(timedOut(DAY, 'active', CLEAN_UP_TTL, 'daemon')).toBe(false)
  expect(timedOut(DAY + 1, 'active', POST_COMMIT_TTL, 'daemon')).toBe(true)
})

test('an ended session never times out', () => {
  const anyOwner = fc.constantFrom<OwnerLife>('alive', 'daemon', 'gone', 'unknown')
  fc.assert(
    fc.property(fc.integer(), anyOwner, (ago, owner) => {
      expect(timedOut(ago, 'ended', POST_COMMIT_TTL, owner)).toBe(false)
    }),
  )
})

describe('a late end', () => {
  const owner = { pid: 7, startTime: '1' }
  const other = { pid: 8, startTime: '2' }
  const isLate = (phase: Phase, life: OwnerLife, teller: typeof owner | undefined) =>
    isLateEnd({ phase, owner }, life, teller)

  test('comes from another process while the session continues in its own', () => {
    expect([isLate('idle', 'alive', other), isLate('active', 'alive', other)]).toEqual([true, true])
    expect([isLate('idle', 'alive', owner), isLate('active', 'alive', owner)]).toEqual([
      false,
      false,
    ])
    expect(isLate('idle', 'alive', undefined)).toBe(false)
    expect([isLate('idle', 'gone', other), isLate('idle', 'unknown', other)]).toEqual([
      false,
      false,
    ])
  })

  test('comes from a daemon while a turn is open', () => {
    expect(isLate('active', 'daemon', owner)).toBe(true)
    expect(isLate('active_committed', 'daemon', owner)).toBe(true)
    expect([isLate('idle', 'daemon', owner), isLate('ended', 'daemon', owner)]).toEqual([
      false,
      false,
    ])
  })
})

test('a longer time to live never ends a session earlier', () => {
  fc.assert(
    fc.property(fc.integer({ min: -1e7, max: 1e7 }), fc.nat(1e7), fc.nat(1e7), (ago, ttl, more) => {
      if (timedOut(ago, 'active', ttl + more)) expect(timedOut(ago, 'active', ttl)).toBe(true)
    }),
  )
})

test('only an ended session can be long over', () => {
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
