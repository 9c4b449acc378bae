/** The latest fleet known to the dashboard: gathered by one run at a time, and kept when a run fails. */

import { expect, test } from 'vitest'
import { FleetFeed } from '../../../src/app/dashboard/fleet-feed.ts'
import type { Fleet } from '../../../src/core/fleet/fleet.ts'
import { LedgerError } from '../../../src/core/errors/errors.ts'
import { EMPTY_FLEET, NOW } from '../../support/fleets.ts'

const clock = { now: () => NOW }

const unmarked = async () => ''

test('changes the version only when the fleet changes', async () => {
  let branch = 'main'
  let looks = 0
  const feed = new FleetFeed(
    async () => ({ ...EMPTY_FLEET, generated_at: `look ${(looks += 1)}`, main_branch: branch }),
    unmarked,
    clock,
    'run',
  )
  await feed.refresh()
  const { version, text } = feed.state
  expect(version).toBe('run-1')
  await feed.refresh()
  expect([looks, feed.state.version, feed.state.text]).toEqual([2, version, text])
  branch = 'trunk'
  await feed.refresh()
  expect(feed.state.version).toBe('run-2')
})

test('following gathers anew when files change, a minute passes or the last run failed', async () => {
  let marks: string | undefined = 'a'
  let now = NOW
  let failure: Error | undefined
  let looks = 0
  const gather = async () => {
    looks += 1
    if (failure !== undefined) throw failure
    return EMPTY_FLEET
  }
  const feed = new FleetFeed(gather, async () => marks, { now: () => now }, 'run')
  expect(feed.isFollowed).toBe(false)
  const looksAfter = async (seconds: number) => {
    now += seconds * 1000
    await feed.follow()
    return looks
  }
  expect([await looksAfter(0), await looksAfter(1), await looksAfter(50)]).toEqual([1, 1, 1])
  expect(feed.isFollowed).toBe(true)
  marks = 'b'
  expect([await looksAfter(1), await looksAfter(1)]).toEqual([2, 2])
  expect([await looksAfter(58), await looksAfter(1)]).toEqual([2, 3])
  failure = new Error('gone')
  marks = undefined
  expect([await looksAfter(1), await looksAfter(1), await looksAfter(1)]).toEqual([4, 4, 5])
  now += 10_000
  expect(feed.isFollowed).toBe(false)
})

test('does not ask for marks again while a slow disk still answers', async () => {
  let asked = 0
  let answer = (_marks: string) => {}
  const marks = () => {
    asked += 1
    return new Promise<string>((resolve) => (answer = resolve))
  }
  const feed = new FleetFeed(async () => EMPTY_FLEET, marks, clock, 'run')
  const first = feed.follow()
  await feed.follow()
  expect([asked, feed.state.text]).toEqual([1, undefined])
  answer('marks')
  await first
  expect(feed.state.text).toBeDefined()
  void feed.follow()
  await Promise.resolve()
  expect(asked).toBe(2)
})

test('gathers without marks if they cannot be read, and tries again after a failure', async () => {
  let now = NOW
  const fail = () => Promise.reject(new Error('no process can be started'))
  const feed = new FleetFeed(fail, fail, { now: () => now }, 'run')
  await feed.follow()
  const { failure } = feed.state
  expect(failure?.message).toBe('no process can be started')
  now += 2000
  await feed.follow()
  expect(feed.state.failure).not.toBe(failure)
})

test('never gathers twice at once, and all waiting refreshes share one run', async () => {
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
    unmarked,
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
  // The running one, one for everyone who came later, and one for the other question.
  expect(looks).toBe(3)
})

test('keeps the last fleet when gathering fails, and reports the failure until a run succeeds', async () => {
  let answer: () => Promise<Fleet> = async () => EMPTY_FLEET
  let now = NOW
  const feed = new FleetFeed(() => answer(), unmarked, { now: () => now }, 'run')
  await feed.refresh()
  const { text, version } = feed.state
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
  await expect(feed.ask({ at: 'HEAD' })).rejects.toThrow('it is gone')
  answer = async () => EMPTY_FLEET
  await feed.refresh()
  expect(feed.state).toMatchObject({ text, version, failure: null })
})
