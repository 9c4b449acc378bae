/** What `doctor` reports about the tracker. */

import { expect, test } from 'vitest'
import { checkTracker } from '../../../src/app/doctor/tracker.ts'
import type { RepositoryPort } from '../../../src/app/ports.ts'
import { enqueueProgress } from '../../support/tell-tracker.ts'
import { memoryTracker } from '../../support/memory-tracker.ts'

async function check(change: (context: ReturnType<typeof memoryTracker>) => void) {
  const context = memoryTracker()
  await enqueueProgress(context, { parent: 'ANV-1', plan: 'tasks.md', done: 1, total: 2 })
  change(context)
  const repository = context.repository as RepositoryPort
  const found = await checkTracker({ ...context, repository })
  return found.map(({ name, status, message, fix }) => [`${name} ${status}`, message, fix])
}

test('reports nothing if no tracker is set up', async () => {
  expect(await check(({ config }) => delete config['ledger.tracker'])).toEqual([])
})

test('reports that the tracker gets updates', async () => {
  expect(await check(() => {})).toEqual([
    ['tracker ok', 'linear gets updates on issues of ANV', null],
  ])
})

test('reports a setting that cannot be used', async () => {
  const found = await check(({ config }) => (config['ledger.trackerTeams'] = ''))
  expect(found).toEqual([
    [
      'tracker warning',
      'ledger.trackerTeams names no team: a team is the part of an issue before the dash',
      'git config ledger.trackerTeams ANV',
    ],
  ])
})

test('reports what the tracker rejected', async () => {
  const found = await check(({ outbox }) => {
    for (const item of outbox.list().items) outbox.write({ ...item, rejected: 'no such issue' })
  })
  expect(found[1]).toEqual([
    'outbox warning',
    'the tracker rejected ANV-1: no such issue',
    'ledger-git tracker flush --again',
  ])
})
