/** What the dashboard last knew: one look at a time, kept when a look fails. */

import { expect, test } from 'vitest'
import { FleetFeed } from '../../../src/app/dashboard/fleet-feed.ts'
import type { Fleet } from '../../../src/core/fleet/fleet.ts'
import { LedgerError } from '../../../src/core/errors/errors.ts'
import { EMPTY_FLEET, NOW } from '../../support/fleets.ts'

const clock = { now: () => NOW }

test('says nothing when nothing changed', async () => {
  let branch = 'main'
  let looks = 0
  const feed = new FleetFeed(
    async () => ({ ...EMPTY_FLEET, generated_at: `look ${(looks += 1)}`, main_branch: branch }),
    clock,
    'run',
  )
  let told = 0
  const stop = feed.onChange(() => (told += 1))
  await feed.refresh()
  const { version, text } = feed.state
  expect([version, told]).toEqual(['run-1', 1])
  await feed.refresh()
  expect([feed.state.version, feed.state.text, told]).toEqual([version, text, 1])
  branch = 'trunk'
  await feed.refresh()
  expect([feed.state.version, told]).toEqual(['run-2', 2])
  stop()
  branch = 'other'
  await feed.refresh()
  expect([feed.state.version, told]).toEqual(['run-3', 2])
})

test('two looks never run at once, and all who wait share one', async () => {
  let running = 0
  let looks = 0
  const feed = new FleetFeed(
    async () => {
      running += 1
      looks += 1
      expect(running).toBe(1)
      await new Promise((resolve) => setTimeout(resolve, 5))
      running -= 1
      return EMPTY_FLEET
    },
    clock,
    'run',
  )
  const first = feed.refresh()
  await Promise.resolve()
  await Promise.all([
    first,
    feed.refresh(),
    feed.refresh(),
    feed.refresh(),
    feed.ask({ at: 'HEAD' }),
  ])
  // The one that had begun, one for all who came later, and the other question.
  expect(looks).toBe(3)
})

test('keeps what it knew when a look fails, and says so until one succeeds', async () => {
  let answer: () => Promise<Fleet> = async () => EMPTY_FLEET
  let now = NOW
  const feed = new FleetFeed(() => answer(), { now: () => now }, 'run')
  await feed.refresh()
  const { text, version } = feed.state
  let told = 0
  feed.onChange(() => (told += 1))
  answer = async () => {
    throw new LedgerError('NOT_A_REPOSITORY', 'it is gone', 'bring it back')
  }
  await feed.refresh()
  const since = '2026-03-02T10:00:00.000000000Z'
  const failure = { message: 'it is gone', next: 'bring it back', since }
  expect(feed.state).toMatchObject({ text, version, failure })
  now += 60_000
  await feed.refresh()
  expect(feed.state.failure).toEqual(failure)
  expect(told).toBe(1)
  await expect(feed.ask({ at: 'HEAD' })).rejects.toThrow('it is gone')
  answer = async () => EMPTY_FLEET
  await feed.refresh()
  expect(feed.state).toMatchObject({ text, version, failure: null })
  expect(told).toBe(2)
})
