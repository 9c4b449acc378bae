import { describe, expect, test } from 'vitest'
import { flushOutbox } from '../../../src/app/tracker/flush-outbox.ts'
import { enqueueCheckpoint, enqueueProgress, enqueueShards } from '../../support/tell-tracker.ts'
import { issueHere, trackedIssue } from '../../../src/app/tracker/tracked-issue.ts'
import { wakeSender } from '../../../src/app/tracker/wake-sender.ts'
import { trackerNeeded } from '../../../src/app/tracker/read-tracker.ts'
import { renderItem } from '../../../src/core/tracker/outbox-item.ts'
import type { MemoryTrackerContext } from '../../support/memory-tracker.ts'
import { memoryTracker } from '../../support/memory-tracker.ts'

const CHECKPOINT = {
  issue: undefined,
  branch: 'jo/anv-1-login',
  level: 'L2',
  percent: 87,
  iteration: undefined,
  title: 'Checkpoint',
  handoffPath: '.claude/handoffs/a.md',
  text: 'the password is hunter2',
} as const

const PARTS = { parent: 'ANV-1', shards: [{ title: 'a', body: 'b', estimate: 1 }] }
const ALL_KEYS = ['tracker', 'trackerTeams', 'trackerState'].map((key) => `ledger.${key}`)

function setOff(context: MemoryTrackerContext, keys = ALL_KEYS): MemoryTrackerContext {
  for (const key of keys) delete context.config[key]
  return context
}

describe('keeps nothing and starts no sender', () => {
  test.each([
    ['without a tracker', setOff(memoryTracker()), 0],
    ['with teams only', setOff(memoryTracker(), ['ledger.tracker']), 0],
    ['with a tracker only', setOff(memoryTracker(), ['ledger.trackerTeams']), 1],
  ])('%s', async (_name, context, said) => {
    expect(await enqueueCheckpoint(context, CHECKPOINT)).toBeUndefined()
    expect(context.outbox.files.size + context.started.count).toBe(0)
    expect(context.said).toHaveLength(said)
    expect(await enqueueShards(context, PARTS)).toBeUndefined()
    await expect(flushOutbox(context, { isAsked: true, again: false })).rejects.toMatchObject({
      code: 'TRACKER_MISSING',
    })
  })

  test('for a branch without an issue; an issue of another team is named', async () => {
    const context = memoryTracker()
    expect(await enqueueCheckpoint(context, { ...CHECKPOINT, branch: 'fix/UTF-8' })).toBeUndefined()
    expect(context.said).toEqual([])
    expect(await enqueueCheckpoint(context, { ...CHECKPOINT, issue: 'UTF-8' })).toBeUndefined()
    expect(context.said).toEqual([
      '"UTF-8" is not an issue of ANV (ledger.trackerTeams): nothing is sent to the tracker',
    ])
    expect(await enqueueShards(context, { ...PARTS, parent: 'UTF-8' })).toBeUndefined()
    expect(context.said).toHaveLength(2)
    expect(context.outbox.files.size + context.started.count).toBe(0)
  })

  test.each([
    'ledger.tracker',
    'ledger.trackerTeams',
    'ledger.trackerState',
    'ledger.linearEndpoint',
  ])('if %s is set in a file that a commit can change, and names that file', async (refused) => {
    const context = memoryTracker({
      repository: {
        personalConfig: async (key) => {
          if (key === refused) return { kind: 'refused', origin: '/repo/.config' }
          return key === 'ledger.tracker' ? { kind: 'value', value: 'linear' } : undefined
        },
      },
    })
    expect(await enqueueCheckpoint(context, CHECKPOINT)).toBeUndefined()
    expect(context.said[0]).toContain(`${refused} is not used: it is set in /repo/.config`)
    expect(context.outbox.files.size + context.started.count).toBe(0)
  })
})

test('prefers the endpoint of the environment to the configured one', async () => {
  const context = memoryTracker({ env: { LEDGER_LINEAR_ENDPOINT: 'http://127.0.0.1:1/' } })
  context.config['ledger.linearEndpoint'] = 'https://linear.example/'
  expect((await trackerNeeded(context)).endpoint).toBe('http://127.0.0.1:1/')
  const blank = { ...context, env: { LEDGER_LINEAR_ENDPOINT: ' ' } }
  expect((await trackerNeeded(blank)).endpoint).toBe('https://linear.example/')
  const other = { ...context, env: { LEDGER_LINEAR_ENDPOINT: 'http://linear.example/' } }
  await expect(trackerNeeded(other)).rejects.toMatchObject({ code: 'TRACKER_MISSING' })
})

test('turns a checkpoint into a comment and a link, without secrets, and starts the sender', async () => {
  const context = memoryTracker()
  expect(await enqueueCheckpoint(context, CHECKPOINT)).toBe('ANV-1')
  const { items } = context.outbox.list()
  expect(items.map(({ issue, content }) => [issue, content.kind])).toEqual([
    ['ANV-1', 'checkpoint'],
    ['ANV-1', 'link'],
  ])
  expect(items.map(renderItem).join('')).not.toContain('hunter2')
  expect(context.tracker.calls).toBe(0)
  expect(context.started.count).toBe(1)
  expect(context.said).toEqual([])
})

test('prefers --issue to the branch', async () => {
  const context = memoryTracker()
  expect(await trackedIssue(context, { issue: 'anv-9', branch: 'anv-1' })).toBe('ANV-9')
})

test('reports a missing key once, until a key was there, and keeps the items', async () => {
  const context = memoryTracker({ env: {} })
  const withKey = { ...context, env: { LINEAR_API_KEY: 'key' } }
  for (const path of ['a', 'b']) {
    await enqueueCheckpoint(context, { ...CHECKPOINT, handoffPath: path })
  }
  expect(context.said.filter((line) => line.includes('LINEAR_API_KEY is not set'))).toHaveLength(1)
  expect(context.started.count).toBe(0)
  await enqueueCheckpoint(withKey, { ...CHECKPOINT, handoffPath: 'c' })
  expect(context.started.count).toBe(1)
  await enqueueCheckpoint(context, { ...CHECKPOINT, handoffPath: 'd' })
  expect(context.said.filter((line) => line.includes('LINEAR_API_KEY is not set'))).toHaveLength(2)
  expect(context.outbox.list().items).toHaveLength(8)
})

test('reports a missing key later if nobody can read the message now', async () => {
  const context = memoryTracker({ env: {} })
  await enqueueCheckpoint({ ...context, say: undefined }, CHECKPOINT)
  expect(context.outbox.state.toldNoKey).toBe(false)
  await enqueueCheckpoint(context, { ...CHECKPOINT, handoffPath: 'b' })
  expect(context.said).toHaveLength(2)
})

test('says how to send the items if ledger-git is not installed', async () => {
  const context = memoryTracker({ startSender: () => false })
  expect(await enqueueCheckpoint(context, CHECKPOINT)).toBe('ANV-1')
  expect(context.said.join('\n')).toBe(
    'ledger-git is not installed here: nothing is sent automatically\n  next: ledger-git tracker flush',
  )
})

test('keeps only the newest progress of each plan', async () => {
  const context = memoryTracker()
  for (const done of [1, 2, 3]) {
    await enqueueProgress(context, { parent: 'ANV-1', plan: 'tasks.md', done, total: 4 })
  }
  await enqueueProgress(context, { parent: 'ANV-1', plan: 'other.md', done: 1, total: 1 })
  const { items } = context.outbox.list()
  expect(items.map(({ content }) => 'done' in content && [content.plan, content.done])).toEqual([
    ['tasks.md', 3],
    ['other.md', 1],
  ])
})

describe('other commands wake the sender', () => {
  const waiting = async (env = {}) => {
    const context = memoryTracker({ env })
    await enqueueCheckpoint(context, CHECKPOINT)
    return context
  }

  test('if something is due', async () => {
    const context = { ...(await waiting()), env: { LINEAR_API_KEY: 'key' } }
    await wakeSender(context)
    expect(context.started.count).toBe(1)
  })

  test('not if nothing waits, and then they ask git nothing', async () => {
    const context = memoryTracker({
      repository: { personalConfig: () => Promise.reject(new Error('asked')) },
    })
    await wakeSender(context)
    expect(context.started.count).toBe(0)
  })

  test.each([
    ['without a key', (context: MemoryTrackerContext) => ({ ...context, env: {} })],
    ['if the tracker was switched off', setOff],
    [
      'while the tracker is paused',
      (context: MemoryTrackerContext) => {
        context.outbox.state = { pausedUntil: 1000, toldNoKey: true }
        return context
      },
    ],
    [
      'while everything was tried just now',
      (context: MemoryTrackerContext) => {
        for (const item of context.outbox.list().items) {
          context.outbox.write({ ...item, notBefore: 1000 })
        }
        return context
      },
    ],
  ])('not %s', async (_name, change) => {
    const context = change({ ...(await waiting()), env: { LINEAR_API_KEY: 'key' } })
    await wakeSender(context)
    expect(context.started.count).toBe(0)
    expect(context.said.length).toBeLessThan(3)
  })
})

test('takes the current issue from the branch, without messages', async () => {
  const context = memoryTracker()
  const history = { head: async () => ({ branch: 'jo/anv-7-x', oid: undefined }) }
  const repository = { ...context.repository, history } as unknown as Parameters<
    typeof issueHere
  >[0]['repository']
  expect(await issueHere({ repository, env: {} })).toBe('ANV-7')
  setOff(context, ['ledger.trackerTeams'])
  expect(await issueHere({ repository, env: {} })).toBeUndefined()
  expect(context.said).toEqual([])
})
